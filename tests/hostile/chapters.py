"""A usual call of what a chapter's modules offer: runs, stages, closed forms and fits."""

import importlib
from functools import partial

from tests.hostile.calls import WORDS, Call
from tunables.page.chapters import CHAPTERS
from tunables.parts.registry import find_map, stages


def calls_of(slug: str) -> dict[str, dict]:
    """Return the usual calls that stand among a chapter's tests."""
    try:
        return importlib.import_module(f"tests.chapters.{slug}.odd_calls").CALLS
    except ModuleNotFoundError:
        return {}


# What a fit counted, or is made of a case's own snapshots, is no reader's to give; links hold
# results, which `tests.hostile.messages` sends. Of two laws an argument of one is passed over by
# the other; `predict` and `run` ask for them.
NOT_ASKED = {
    "calibration.calibrate",
    "calibration.cubic_lcr_bytes_range",
    "own_fit.one_setting",
    "own_fit.runs_of",
    "own_fit.solved",
    "theft.steal",
    "predictor.connection_throughput",
    "session_predictor.stations",
    "session_predictor.upstream_rate",
    "simulation.simulated_connection",
    "simulation.window_settings",
    "stage_simulation.arguments",
    "stage_simulation.at_site",
    "stage_simulation.attempts",
}


def _stage_calls(slug: str) -> list[Call]:
    return [
        Call(
            f"{slug}.{stage.play.__module__.rsplit('.', 1)[1]}.play",
            partial(stage.play, **stage.given),
            stage.beats[0].settings,
            WORDS,
        )
        for stage in stages(slug)
    ]


def _map_calls() -> list[Call]:
    """Return the run of each map at its first cell, with the assumption that it drops."""
    found = []
    for name in ("rdu", "storm"):
        each = find_map(name)
        settings, assumptions = each.split(each.x.values[0], each.y.values[0])
        arguments = {"seed": 1} | settings | assumptions
        found.append(Call(f"{name}.validity_simulation.run", each.simulation.run, arguments, WORDS))
    return found


def calls() -> list[Call]:
    """Return the usual call of each function."""
    found = []
    for chapter in CHAPTERS:
        package = importlib.import_module(f"tunables.chapters.{chapter.slug}")
        for name, arguments in calls_of(chapter.slug).items():
            module, _, function = name.partition(".")
            value = getattr(importlib.import_module(f"{package.__name__}.{module}"), function)
            found.append(Call(f"{chapter.slug}.{name}", value, arguments, WORDS))
        found += _stage_calls(chapter.slug)
    return found + _map_calls()
