"""`python -m tunables sweep`: how it uses its arguments, and what it prints."""

import argparse
import sys
import time
from collections.abc import Iterator

from tunables.core.registry import find_case
from tunables.interrupts import INTERRUPTED, STOPPED
from tunables.options import parse_integer
from tunables.page.formats import with_commas
from tunables.sweep.plan import Plan, parse_axis
from tunables.sweep.run import run_sweep
from tunables.terminal import say

_EACH_S = 2.0  # between two lines of progress, where they cannot overwrite each other


class _Progress:
    """Progress on one line of a terminal, or elsewhere a new line now and then."""

    def __init__(self) -> None:
        self.begun_s = self.told_s = time.monotonic()
        self.first = -1

    def __call__(self, done: int, count: int) -> None:
        self.first = done - 1 if self.first < 0 else self.first
        now_s, overwrites = time.monotonic(), sys.stderr is not None and sys.stderr.isatty()
        if now_s - self.told_s < (0.1 if overwrites else _EACH_S) and done < count:
            return
        self.told_s = now_s
        left_s = (now_s - self.begun_s) / (done - self.first) * (count - done)
        line = (
            f"{with_commas(done)} of {with_commas(count)} files, about {with_commas(left_s)} s left"
        )
        say(f"\r{line:60}" if overwrites else line, end="" if overwrites else "\n")
        if overwrites and done == count:
            say("")


def make_plan(options: argparse.Namespace) -> Plan:
    """Return the sweep that the options name; raises ValueError if it makes no sense."""
    case = find_case(options.case)
    axes = tuple(parse_axis(case, text) for text in options.grid)
    numbers = (parse_integer(name, getattr(options, name)) for name in ("sobol", "seeds", "chunk"))
    return Plan(case.name, axes, *numbers)


def run_command(options: argparse.Namespace) -> Iterator[str]:
    """Run the sweep; yield what came of it."""
    plan = make_plan(options)
    workers = None if options.workers is None else parse_integer("workers", options.workers)
    try:
        made = run_sweep(plan, options.out, options.scheduler, workers, _Progress())
    except KeyboardInterrupt:
        say(f"{STOPPED}; run the same command again to resume the sweep")
        raise SystemExit(INTERRUPTED) from None
    for axis in plan.axes:
        yield axis.words()
    points, rows = with_commas(plan.points), with_commas(plan.rows)
    earlier = with_commas(plan.chunks - made)
    yield f"{points} points, {rows} rows in {with_commas(plan.chunks)} files in {options.out}"
    yield f"{with_commas(made)} files computed now; {earlier} already existed"
    yield f"read them with pyarrow.parquet.read_table({options.out!r})"
