"""One file a published table: its numbers, parameters, closed form and simulation, bound."""
