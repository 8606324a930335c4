"""One matrix of engines: the results of each for the same closed forms, runs, kernels, pages."""
