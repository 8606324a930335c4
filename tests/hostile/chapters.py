"""A usual call of what a chapter's modules offer: runs, animations, closed forms and fits."""

import importlib
import inspect
from collections.abc import Callable
from functools import partial

from tests.hostile.calls import WORDS, Call, predictors
from tests.hostile.examples import public_functions, usual_calls
from tests.hostile.house import PRINTOUT, SAMPLES
from tunables.core.registry import animations, cases, fits, maps
from tunables.page.chapters import CHAPTERS, find_chapter

# What a fit counted, or is made of a case's own snapshots, is no reader's to give, nor are the
# settings of runs that the repository keeps; links hold
# results, which `tests.hostile.messages` sends. Of two laws an argument of one is passed over by
# the other; `predict` and `run` ask for them.
NOT_ASKED = {
    "calibration.calibrate",
    "calibration.cubic_lcr_bytes_range",
    "case.simulate_share",
    "fit.fit_points",
    "fit.fitted_pages",
    "fit.one_setting",
    "fit.point_of",
    "fit.runs_of",
    "fit.solve",
    "calibration.steal",
    "predictor.connection_throughput",
    "predictor.stations",
    "predictor.upstream_rate",
    "simulation.simulate_connection",
    "simulation.window_settings",
    "animation_simulation.arguments",
    "simulation.attempts",
    "simulation.site_parameters",
}


# Settings of a case or a map with which its run takes milliseconds.
SMALL = {
    "batches": 50,
    "completions": 100,
    "graphs": 200,
    "items": 3000,
    "memory_gib": 2.0**-12,
    "timers": 20,
    "users": 2,
}
# What reads a long text, of which an example would show the reader nothing.
LONG_TEXTS = {"work_queues.fit.count": {"text": PRINTOUT}}


def _name(function) -> str:
    """Return chapter.module.function of a chapter's function."""
    return f"{function.__module__.removeprefix('tunables.chapters.')}.{function.__name__}"


def animation_calls(slug: str) -> list[Call]:
    """Return the first bookmark of each animation of a chapter."""
    return [
        Call(
            _name(animation.play),
            partial(animation.play, **animation.given),
            animation.bookmarks[0].settings,
            WORDS,
        )
        for animation in animations(slug)
    ]


def _run(run: Callable, settings: dict) -> Call:
    """Return a run with a seed and settings, as small as they allow, without those it ignores."""
    parameters = inspect.signature(run).parameters
    named = parameters if "_" in parameters else {*parameters, *settings}
    given = {"seed": 1} | settings | SMALL
    return Call(_name(run), run, {k: v for k, v in given.items() if k in named}, WORDS)


def run_calls() -> list[Call]:
    """Return the run of each case, and of each map at its first cell with what it drops."""
    found = [_run(case.simulation.run, case.settings()) for case in cases().values()]
    for each in maps().values():
        settings, assumptions = each.split(each.x.values[0], each.y.values[0])
        found.append(_run(each.simulation.run, settings | assumptions))
    return found


def fit_calls() -> list[Call]:
    """Return each fit to a reader's numbers, of the sample that it fits."""
    found = []
    for slug, wanted in fits().items():
        (sample,) = SAMPLES.glob(f"{find_chapter(slug).number}-fits.*")
        takes_column = "column" in inspect.signature(wanted.fit).parameters
        arguments = {"source": sample.read_text()} | ({"column": "key"} if takes_column else {})
        found.append(Call(_name(wanted.fit), wanted.fit, arguments, WORDS))
    return found


def example_calls(slug: str) -> list[Call]:
    """Return the calls of a chapter's examples, and of what reads a long text."""
    package = importlib.import_module(f"tunables.chapters.{slug}")
    functions = {f"{slug}.{name}": value for name, value in public_functions(package).items()}
    made = {f"{slug}.{name}": each for name, each in usual_calls(package).items()}
    made |= {name: [given] for name, given in LONG_TEXTS.items() if name in functions}
    elsewhere = {each.name for each in predictors()}
    return [
        Call(name, functions[name], arguments, WORDS)
        for name in made
        if name not in elsewhere and name.partition(".")[2] not in NOT_ASKED
        for arguments in made[name]
    ]


def calls() -> list[Call]:
    """Return the usual call of each function."""
    slugs = [chapter.slug for chapter in CHAPTERS]
    each_of = [call for slug in slugs for call in example_calls(slug) + animation_calls(slug)]
    return each_of + run_calls() + fit_calls()
