"""Which fit belongs to which chapter, and what each wants to read."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tunables.arguments import whole
from tunables.own import flow_sizes, group_commit, key_trace, stage_rates, time_outs, work_queues
from tunables.own.fit import Fit, Model
from tunables.own.reading import wanted_text


class Wanted(NamedTuple):
    """A chapter's fit, its model, and for a reader: what to bring, and in which columns."""

    fit: Callable[..., Fit]
    model: Model
    bring: str
    columns: str


FITS = {
    module.MODEL.chapter: Wanted(fit, module.MODEL, bring, columns)
    for module, fit, bring, columns in (
        (
            group_commit,
            group_commit.fit_group_commit,
            "a commit log or a table of runs",
            wanted_text(group_commit.COLUMNS),
        ),
        (
            time_outs,
            time_outs.fit_time_outs,
            "latencies under one time-out setting",
            wanted_text(time_outs.COLUMNS),
        ),
        (key_trace, key_trace.fit_key_trace, "a key trace", "key, one request a line"),
        (
            flow_sizes,
            flow_sizes.fit_flow_sizes,
            "a flow log",
            wanted_text(flow_sizes.COLUMNS),
        ),
        (
            stage_rates,
            stage_rates.fit_stage_rates,
            "transfers over several round trips",
            wanted_text(stage_rates.COLUMNS),
        ),
        (
            work_queues,
            work_queues.fit_work_queues,
            "a daemon's printout",
            "the text of show work-queues and show thread cpu, not a table",
        ),
    )
}


def fit_source(chapter, source) -> Fit:
    """Fit a chapter's model to a reader's numbers: a text of lines, bytes, or a path.

    Raises ValueError for a chapter without a fit, and with a sentence that says what to do for
    anything that the chapter's fit cannot read.
    """
    return FITS[whole("chapter", chapter, at_least=1, at_most=len(FITS))].fit(source)


def fit_path(chapter, path) -> Fit:
    """Fit a chapter's model to the file at a path; errors as in `fit_source`."""
    if not Path(path).is_file():
        raise ValueError(f"{path}: there is no such file")
    return fit_source(chapter, Path(path))
