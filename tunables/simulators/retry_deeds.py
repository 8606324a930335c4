"""Interventions in a running retry storm: from some time on, a rule has another value."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from tunables.base.arguments import choice, in_short, integer, number, refuse
from tunables.base.refusals import refusal
from tunables.simulators.relief import DROPS, Relief
from tunables.theory.retries import MOST_RETRIES

Deeds = Iterable[tuple[float, str, float]]  # (time_s, deed, value)
# The kernel knows interventions by their index in this table; the values are the largest allowed.
_MOST = {
    "server": 1,
    "drop the line": 0,
    "skip": len(DROPS) - 1,
    "retries": MOST_RETRIES,
    "queue limit": None,
    "retry budget": None,
    "turn away": 1,
}
DEEDS = tuple(_MOST)
SERVER, DROP_LINE, SKIP, RETRIES, QUEUE_LIMIT, RETRY_BUDGET, TURN_AWAY = range(len(DEEDS))
MOST_DEEDS = 10_000
_INTEGERS = (SERVER, DROP_LINE, SKIP, RETRIES)


class Interventions(NamedTuple):
    """Interventions in order of time, as `checked_deeds` returns them, one array per column."""

    time_s: np.ndarray
    kind: np.ndarray
    value: np.ndarray


def _check(name, given):
    """Return (time, index of the intervention, value)."""
    try:
        time_s, deed, value = given
    except (TypeError, ValueError):
        raise refusal(f"{name} = {in_short(given)}: must be (time_s, action, value)") from None
    kind = DEEDS.index(choice(f"action of {name}", deed, DEEDS))
    check = integer if kind in _INTEGERS else number
    least = 1 if kind == QUEUE_LIMIT else 0
    value = check(f"value of {name}", value, at_least=least, at_most=_MOST[deed])
    return number(f"time_s of {name}", time_s, at_least=0), kind, float(value)


def checked_deeds(deeds: Deeds) -> list[tuple[float, int, float]]:
    """Return deeds as (time, index of the intervention, value), in their order.

    A deed is (time_s, name, value). From its time on

    - "server": the server is stopped (0) or works again (1)
    - "skip": it serves all (0), or skips an attempt at its turn as drop="stale" (1) or
      "remaining" (2) does
    - "retries": no client sends more retries than the value
    - "queue limit", "retry budget": as the rules of these names in `relief`
    - "turn away": this share of the new requests is turned away for good

    and "drop the line" (value 0) drops all waiting attempts at its time, without a reply.

    Raises ValueError for any other deed, a value that its rule refuses, and more than 10,000
    deeds.

    >>> checked_deeds([(60.0, "drop the line", 0), (20, "server", 0)])
    [(60.0, 1, 0.0), (20.0, 0, 0.0)]
    """
    allowed = "a list of (time_s, action, value)"
    try:
        given = list(islice(deeds, MOST_DEEDS + 1))
    except TypeError:
        refuse("deeds", deeds, allowed)
    if len(given) > MOST_DEEDS:
        refuse("deeds", deeds, f"{allowed}, at most {MOST_DEEDS}")
    return [_check(f"deeds[{place}]", deed) for place, deed in enumerate(given)]


def _of_rules(rules: Relief, outage_s):
    """Yield the interventions equivalent to an outage (from, until) and the rules."""
    yield outage_s[0], SERVER, 0.0
    yield outage_s[1], SERVER, 1.0
    yield 0.0, SKIP, float(rules.drop)
    yield 0.0, QUEUE_LIMIT, rules.queue_limit
    if np.isfinite(rules.budget_burst):
        yield 0.0, RETRY_BUDGET, rules.retry_budget
    yield rules.purge_s, DROP_LINE, 0.0
    yield rules.retries_off_s, RETRIES, 0.0
    if rules.shed_from_s < rules.shed_until_s:
        yield rules.shed_from_s, TURN_AWAY, rules.shed_share
        yield rules.shed_until_s, TURN_AWAY, 0.0


def schedule(rules: Relief, outage_s, deeds) -> Interventions:
    """Return rules, outage (from, until) and checked deeds as interventions in order of time."""
    found = [each for each in _of_rules(rules, outage_s) if each[0] < np.inf] + deeds
    found.sort(key=lambda each: each[0])
    time_s, deed, value = zip(*found, strict=True)
    return Interventions(np.array(time_s), np.array(deed), np.array(value))


def outage(start_s, length_s):
    """Return when the server goes down and when it comes up again."""
    down = number("outage_start_s", start_s, at_least=0)
    return down, down + number("outage_s", length_s, at_least=0)
