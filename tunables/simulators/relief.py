"""Rules of the retry storm: what a server and its clients may do against an overload."""

import math
from typing import NamedTuple

from tunables.base.arguments import choice, number

DROPS = ("none", "stale", "remaining")
USUAL_BURST = 10.0


class Relief(NamedTuple):
    """The rules as the kernel takes them; the defaults are no rule at all.

    - drop: 0 serve all; 1 skip an attempt that has less than margin_s left at its turn;
      2 skip one whose own service would not end in time
    - queue_limit: an attempt that finds this many waiting is lost without a reply
    - purge_s: when all waiting attempts are dropped without a reply
    - retries_off_s: from then on no client sends a retry
    - retry_budget: retries earned by each new request; at most budget_burst can be saved up
    - shed_share: the share of the new requests from shed_from_s to shed_until_s that is turned
      away for good
    """

    drop: int = 0
    margin_s: float = 0.0
    queue_limit: float = math.inf
    purge_s: float = math.inf
    retries_off_s: float = math.inf
    retry_budget: float = 0.0
    budget_burst: float = math.inf
    shed_share: float = 0.0
    shed_from_s: float = 0.0
    shed_until_s: float = math.inf


def relief(
    *,
    drop: str = "none",
    margin_s: float = 0.0,
    queue_limit: float | None = None,
    purge_s: float | None = None,
    retries_off_s: float | None = None,
    retry_budget: float | None = None,
    budget_burst: float = USUAL_BURST,
    shed_share: float = 0.0,
    shed_from_s: float = 0.0,
    shed_until_s: float | None = None,
) -> Relief:
    """Check the rules and return them; None means never, or without limit.

    Raises ValueError for a drop that is none of "none", "stale" and "remaining", a share above
    1, a queue limit or burst below 1, or a negative number.

    >>> relief(drop="stale", margin_s=0.03).drop, relief(retry_budget=0.1).budget_burst
    (1, 10.0)
    >>> limits = {"queue_limit": 50.0, "purge_s": 9.0, "retries_off_s": 12.0, "retry_budget": 0.1}
    >>> shed = {"budget_burst": 5.0, "shed_share": 0.2, "shed_from_s": 5.0, "shed_until_s": 10.0}
    >>> rules = relief(drop="stale", margin_s=0.03, **limits, **shed)
    >>> rules.shed_share, rules.shed_until_s
    (0.2, 10.0)
    """
    rule = DROPS.index(choice("drop", drop, list(DROPS)))
    given = {
        "queue_limit": (queue_limit, 1),
        "purge_s": (purge_s, 0),
        "retries_off_s": (retries_off_s, 0),
        "shed_until_s": (shed_until_s, 0),
    }
    limits = {
        name: number(name, value, at_least=least)
        for name, (value, least) in given.items()
        if value is not None
    }
    if retry_budget is not None:
        limits["retry_budget"] = number("retry_budget", retry_budget, at_least=0)
        limits["budget_burst"] = number("budget_burst", budget_burst, at_least=1)
    return Relief(
        drop=rule,
        margin_s=number("margin_s", margin_s, at_least=0),
        shed_share=number("shed_share", shed_share, at_least=0, at_most=1),
        shed_from_s=number("shed_from_s", shed_from_s, at_least=0),
        **limits,
    )
