"""`python -m tunables sweep`: what it does with its arguments, and what it tells."""

import argparse
import sys
import time
from collections.abc import Iterator

from tunables.options import typed_whole
from tunables.page.formats import grouped
from tunables.parts.registry import find_case
from tunables.sweep.axes import parsed_axis
from tunables.sweep.plan import Plan
from tunables.sweep.run import run_sweep

_EACH_S = 2.0  # between two lines of progress, where they cannot overwrite each other


class _Progress:
    """How far it is, on one line of a terminal, or now and then a line of its own."""

    def __init__(self) -> None:
        self.begun_s = self.told_s = time.monotonic()
        self.first = -1

    def __call__(self, done: int, count: int) -> None:
        self.first = done - 1 if self.first < 0 else self.first
        now_s, overwrites = time.monotonic(), sys.stderr.isatty()
        if now_s - self.told_s < (0.1 if overwrites else _EACH_S) and done < count:
            return
        self.told_s = now_s
        left_s = (now_s - self.begun_s) / (done - self.first) * (count - done)
        line = f"{grouped(done)} of {grouped(count)} files, about {grouped(left_s)} s left"
        print(
            f"\r{line:60}" if overwrites else line, end="" if overwrites else "\n", file=sys.stderr
        )
        if overwrites and done == count:
            print(file=sys.stderr)


def planned(options: argparse.Namespace) -> Plan:
    """Return the sweep that the options name; raises ValueError if it makes no sense."""
    case = find_case(options.case)
    axes = tuple(parsed_axis(case, text) for text in options.grid)
    numbers = (typed_whole(name, getattr(options, name)) for name in ("sobol", "seeds", "chunk"))
    return Plan(case.name, axes, *numbers)


def swept(options: argparse.Namespace) -> Iterator[str]:
    """Run the sweep; yield what came of it."""
    plan = planned(options)
    workers = None if options.workers is None else typed_whole("workers", options.workers)
    try:
        made = run_sweep(plan, options.out, options.scheduler, workers, _Progress())
    except KeyboardInterrupt:
        print("\ntunables: stopped; the same command goes on where it was", file=sys.stderr)
        raise SystemExit(130) from None
    points, rows = grouped(plan.points), grouped(plan.rows)
    yield f"{points} points, {rows} rows in {grouped(plan.chunks)} files in {options.out}"
    yield f"{grouped(made)} files were computed now, {grouped(plan.chunks - made)} stood there"
    yield f"read them with pyarrow.parquet.read_table({options.out!r})"
