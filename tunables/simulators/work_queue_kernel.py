"""The runs of a work queue, compiled; times in nanoseconds."""

from tunables.simulators.compiled import compiled


@compiled
def grow(cycles: int, granularity: int, factor: int, ramp: bool) -> int:
    """Return the granularity after a run of `cycles` items; see `GROWTH_RULES`."""
    if cycles < granularity:  # the queue ran empty before its first look at the clock
        return granularity
    if ramp and cycles > factor * factor * granularity:
        return granularity * factor
    if cycles > factor * granularity:
        return granularity + factor
    return granularity


@compiled
def run_slice(costs_ns, start, stop, granularity, quantum_ns, check_ns, looks_ns, seen):
    """Run one slice; return (items taken, nanoseconds, looks at the clock).

    Take items from start on, look at the clock after every `granularity` items, and yield if more
    than the quantum has passed, or at stop, the end of the queue. A look costs check_ns and shows
    the time at its end. The times of the looks are written to looks_ns from index seen on, as far
    as there is room.
    """
    elapsed = checks = 0
    position = start
    while position < stop:
        block = min(position + granularity, stop)
        for index in range(position, block):
            elapsed += costs_ns[index]
        whole_block = block - position == granularity
        position = block
        if whole_block:
            elapsed += check_ns
            if seen + checks < len(looks_ns):
                looks_ns[seen + checks] = elapsed
            checks += 1
            if elapsed > quantum_ns:
                break
    return position - start, elapsed, checks


@compiled
def drain(costs_ns, quantum_ns, factor, ramp, granularity, check_ns, rows, looks_ns):
    """Run a queue until it is empty; return (runs, granularity, best) at the end.

    Each run is written to a column of rows (items, granularity and best after it, length, looks),
    as far as there is room. looks_ns: see `run_slice`.
    """
    items = len(costs_ns)
    position = run = best = seen = 0
    while position < items:
        cycles, elapsed, checks = run_slice(
            costs_ns, position, items, granularity, quantum_ns, check_ns, looks_ns, seen
        )
        position += cycles
        seen += checks
        if cycles >= granularity:
            best = max(best, cycles)
        granularity = grow(cycles, granularity, factor, ramp)
        if run < rows.shape[1]:
            rows[0, run] = cycles
            rows[1, run] = granularity
            rows[2, run] = best
            rows[3, run] = elapsed
            rows[4, run] = checks
        run += 1
    return run, granularity, best
