"""One matrix of engines: what each makes of the same closed forms, runs, kernels and pages."""
