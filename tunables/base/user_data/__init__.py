"""What fits to a user's numbers share, in the page too: columns, separators, solvers."""
