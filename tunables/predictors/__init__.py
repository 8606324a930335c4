"""One file a case: the parameters of its table in, its outputs out, composed from theory."""
