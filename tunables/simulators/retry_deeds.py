"""What is done to a retry storm while it runs: from a time on, a rule has another value."""

from typing import NamedTuple

import numpy as np

from tunables.plain.arguments import choice, number, whole
from tunables.simulators.relief import DROPS, Relief
from tunables.theory.retries import MOST_RETRIES

# The kernel knows deeds by their numbers: places in this table, whose values are what is allowed.
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
_WHOLE = (SERVER, DROP_LINE, SKIP, RETRIES)


class Deeds(NamedTuple):
    """Deeds in the order of their times; what `checked_deeds` says of them, a column each."""

    time_s: np.ndarray
    deed: np.ndarray
    value: np.ndarray


def _checked(name, given):
    """Return (time, number of the deed, value)."""
    try:
        time_s, deed, value = given
    except (TypeError, ValueError):
        raise ValueError(f"{name} = {given!r}: must be (time_s, deed, value)") from None
    kind = DEEDS.index(choice(f"deed of {name}", deed, DEEDS))
    check = whole if kind in _WHOLE else number
    least = 1 if kind == QUEUE_LIMIT else 0
    value = check(f"value of {name}", value, at_least=least, at_most=_MOST[deed])
    return number(f"time_s of {name}", time_s, at_least=0), kind, float(value)


def checked_deeds(deeds) -> list:
    """Return deeds as (time, number of the deed, value), in their order.

    A deed is (time_s, name, value). From its time on

    - "server": the server stands still (0) or works again (1)
    - "skip": it serves all (0), or skips an attempt at its turn as drop="stale" (1) or
      "remaining" (2) does
    - "retries": no client sends more retries than so many
    - "queue limit", "retry budget": as the rules of these names in `relief`
    - "turn away": this share of the new requests is turned away for good

    and "drop the line" (value 0) throws away all that wait at its time, their clients not told.

    Raises ValueError for a deed that is none of these, and values that its rule refuses.

    >>> checked_deeds([(60.0, "drop the line", 0), (20, "server", 0)])
    [(60.0, 1, 0.0), (20.0, 0, 0.0)]
    """
    try:
        given = list(deeds)
    except TypeError:
        raise ValueError(f"deeds = {deeds!r}: must be a list of (time_s, deed, value)") from None
    return [_checked(f"deeds[{place}]", deed) for place, deed in enumerate(given)]


def _of_rules(rules: Relief, outage_s):
    """Yield the deeds that say the same as an outage (from, until) and the rules."""
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


def all_deeds(rules: Relief, outage_s, deeds) -> Deeds:
    """Return rules, outage (from, until) and checked deeds as deeds in the order of their times."""
    found = [each for each in _of_rules(rules, outage_s) if each[0] < np.inf] + deeds
    found.sort(key=lambda each: each[0])
    time_s, deed, value = zip(*found, strict=True)
    return Deeds(np.array(time_s), np.array(deed), np.array(value))
