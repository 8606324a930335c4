"""Exact and stochastic simulations: numpy, compiled by numba where it is installed."""
