"""Speed, side by side with the peers: python -m benchmarks.NAME prints a table of medians."""
