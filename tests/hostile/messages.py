"""What the page's scripts send to Python: a usual message of every kind.

Each part of a page asks by JSON and is answered by JSON: with what it asked for, or with a
refusal in a sentence. What is odd in a message came from a field, a link or a file.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.hostile.calls import WORDS, Call
from tests.hostile.house import PRINTOUT
from tunables.core.registry import cards, case_names, find_animation, find_case, find_map
from tunables.page.animation import AnimationSession
from tunables.page.explorer import ExplorerSession
from tunables.page.guess import GuessSession
from tunables.page.labs import (
    cache_cliff,
    group_commit,
    hedged_requests,
    time_outs,
    work_queues,
    your_numbers,
)
from tunables.page.problem import PracticeSession, kinds
from tunables.page.simulation import SimulationSession
from tunables.page.validity import ValiditySession
from tunables.views.animation import describe_animation
from tunables.views.explorer import describe
from tunables.views.guess import guess
from tunables.views.validity import describe_map

_RRD = find_case("rrd")
_CACHES, _TIME_OUTS, _QUEUES = (find_case(name).chapter for name in ("rrd", "lease", "quagga"))
_SMALL = _RRD.settings() | {"graphs": 1000, "memory_gib": 1.0, "bytes_per_graph": 4e5}
_RUN = {"seed": 1, "replication": 1, "state": _SMALL, "assumptions": {}}
_AGAINST = {"state": _SMALL, "output": "slowdown", "common": True}


class Refused(ValueError):
    """The sentence of a refusal."""


def _asking(page: Any) -> Callable[..., Any]:
    """Return a function that asks a page by JSON, and raises its refusals."""

    def ask(**message):
        try:
            sent = json.dumps(message, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise Refused("JavaScript could not send this") from None
        reply = json.loads(page.reply(sent), parse_constant=_no_json)
        if "refusal" in reply:
            raise Refused(reply["refusal"])
        return reply

    return ask


def _no_json(word):
    raise TypeError(f"{word} is no JSON")


def _description(model) -> str:
    return json.dumps(describe(model))


def _fit_result(chapter: str, counted: dict) -> dict:
    """Return the result of a fit, as a link holds it."""
    page = _asking(your_numbers.LabSession())
    return page(function="finish_fit", arguments={"chapter": chapter, "counted": counted})[
        "answer"
    ]["result"]


def _own_numbers() -> dict[str, dict]:
    printed = {"chapter": _QUEUES, "text": PRINTOUT}
    counted = _asking(your_numbers.LabSession())(function="read", arguments=printed)["answer"]
    result = _fit_result(_QUEUES, counted)
    table = {"chapter": _TIME_OUTS, "line": 1, "first": ["latency_s", "timeout_s", "retries"]}
    return {
        "list_fits": {"function": "list_fits", "arguments": {}},
        "patterns": {"function": "patterns", "arguments": {}},
        "places": {"function": "places", "arguments": table | {"named": {"0": "latency_ms"}}},
        "find_separators": {
            "function": "find_separators",
            "arguments": {"word": None, "point": None, "comma": [2, "2,5"], "unsure": [3, "1,234"]},
        },
        "check_numbers": {
            "function": "check_numbers",
            "arguments": {"chapter": _TIME_OUTS, "rows": 9000, "infinite": None, "beyond": None},
        },
        "read": {"function": "read", "arguments": printed},
        "capacities": {
            "function": "capacities",
            "arguments": {"chapter": _CACHES, "keys": 100, "shares": [0.5, 1.0]},
        },
        "finish_fit": {
            "function": "finish_fit",
            "arguments": {"chapter": _QUEUES, "counted": counted},
        },
        "link_result": {"function": "link_result", "arguments": {"result": result}},
    }


def _labs() -> list[tuple[str, Any, dict]]:
    batches = {"timeout_s": 0.5, "retries": 1, "max_delay_s": 2.0, "commits": 2}
    batches |= {"work_s": 0.076, "think_s": 0.032, "callers": 50, "threads": 50}
    commits = {"writers": 16, "delay_s": 0.001, "flush_s": 0.003, "hop_s": 0.004}
    scan = {"order": "zigzag", "rows": 4000, "room": 3600}
    late = {"cycles_s": [0.010, 0.030]}
    stalls = {"leaves": 100, "stall_probability": 0.01, "shared": 0.5, "asks_again": True}
    found = [
        ("lab 1", group_commit, {"function": "commits_per_s", "arguments": commits}),
        ("lab 2", time_outs, {"function": "batches", "arguments": batches}),
        ("lab 3", cache_cliff, {"function": "miss_ratio", "arguments": scan}),
        ("lab 6", work_queues, {"function": "mean_timer_lateness", "arguments": late}),
        ("lab 6, rules", work_queues, {"function": "rules", "arguments": {}}),
        ("lab 8", hedged_requests, {"function": "slow_requests", "arguments": stalls}),
    ]
    for name, message in _own_numbers().items():
        found.append((f"Your numbers, {name}", your_numbers, message))
    return [(name, module.LabSession(), message) for name, module, message in found]


def _pages() -> list[tuple[str, Any, dict]]:
    row = _RRD.numbers[0].record.row_id
    asked = GuessSession(json.dumps(guess("rrd", row, "How many?").description))
    box = PracticeSession(json.dumps({"chapter": _CACHES}))
    kind = min(kinds(3))
    problem = {"kind": kind, "seed": "7"}
    told = describe_map(find_map("rrd"))
    judge = ValiditySession(json.dumps(told))
    found: list[tuple[str, Any, dict]] = [
        ("guess", asked, {"text": "20"}),
        ("problem", box, problem),
        ("answer", box, problem | {"answer": "20"}),
        ("map", judge, {"tolerance": 5.0}),
        ("map, cells", judge, {"tolerance": 5.0, "cells": told["cells"]}),
    ]
    for name in case_names():
        case = find_case(name)
        found.append(
            (f"explorer {name}", ExplorerSession(_description(case)), {"state": case.settings()})
        )
    for slug, card in cards().items():
        state = {"state": card.model.settings()}
        found.append((f"card {slug}", ExplorerSession(_description(card.model)), state))
    found.append(("curves", ExplorerSession(_description(_RRD)), {"draw_s": 0.01}))
    simulated = SimulationSession(_description(_RRD))
    found.append(("simulation", simulated, {"simulate": _RUN}))
    found.append(("comparison", simulated, {"simulate": _RUN | {"against": _AGAINST}}))
    for name in ("rrd", "rdu", "storm", "dpp", "wlcg", "quagga"):
        animation = find_animation(name)
        settings = animation.bookmarks[0].settings
        page = AnimationSession(json.dumps(describe_animation(animation)))
        found.append(
            (f"animation {name}", page, {"play": {"settings": settings, "against": settings}})
        )
    return found


def calls() -> list[Call]:
    """Return the usual message of each kind, as a call."""
    return [Call(name, _asking(page), message, WORDS) for name, page, message in _pages() + _labs()]
