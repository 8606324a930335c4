"""What the fits to a reader's own numbers share, in the page too: columns, separators, solvers."""
