"""The fit of chapter 3 to a reader's trace, from what was counted of it; the page runs it, too."""

import math

from tunables.chapters.cache_cliff.own_traffic import Traffic, cliff, learned, miss_ratio
from tunables.page.formats import grouped
from tunables.parts.fit import COUNTED, Fit, HeldOut, Model, Parameter, elasticities, judged
from tunables.parts.key_words import HEADER_WORDS
from tunables.plain.arguments import whole

MODEL = Model(
    "cache_cliff",
    "Che's approximation: independent requests, with a cyclic scan of n keys among them",
    "a straight line: room for a tenth of the keys saves a tenth of the misses",
    0.05,
    "difference",
)
FEWEST_REQUESTS = 500
BRING, COLUMNS = "a key trace", "key, one request a line"
_SHARES = [(2 * tenth + 1) / 20 for tenth in range(10)]  # capacities, of the keys


def wanted() -> dict:
    """Return what the page that reads a trace must know."""
    return {"kind": "keys", "words": sorted(HEADER_WORDS), "fewest": FEWEST_REQUESTS}


def capacities(keys, shares=None) -> list:
    """Return the capacities at which the miss ratio is held out: 5 %, 15 %, ..., 95 % of the keys.

    Raises ValueError for keys that are not a whole number at least 1.

    >>> capacities(6), capacities(100)[:3]
    ([1, 2, 3, 4, 5, 6], [5, 15, 25])
    """
    keys = whole("keys", keys, at_least=1)
    return sorted({max(1, round(share * keys)) for share in shares or _SHARES})


def _traffic(counted):
    return learned(counted["requests"], counted["counts"], counted["often"])


def curve(counted, at) -> list:
    """Return the model's miss ratios at these capacities."""
    traffic = _traffic(counted)
    return [miss_ratio(traffic, capacity) for capacity in at]


def solved(counted) -> dict:
    """Return the fit in numbers: all that its words are made of.

    counted: of the first half "requests", "counts" and "often", as `learned` takes them; of the
    second "measured", [[capacity, miss ratio], ...], and "new", the share of its requests for
    keys that the first has not.
    """
    traffic = _traffic(counted)
    middle = max(1, traffic.keys // 2)

    def at_the_middle(C, n, g):
        tau = traffic.tau * n / traffic.n if traffic.n else math.inf
        return miss_ratio(Traffic(traffic.keys, n, tau, g, traffic.others), C)

    found = elasticities(at_the_middle, [("C", middle), ("n", traffic.n), ("g", traffic.g)])
    return {
        "keys": traffic.keys,
        "n": traffic.n,
        "g": traffic.g,
        "tau": traffic.tau if traffic.n else 0,
        "cliff": cliff(traffic) if traffic.n else 0,
        "new": counted["new"],
        "sensitivity": [[name, elasticity] for name, elasticity in found],
        "rows": [[c, misses, miss_ratio(traffic, c)] for c, misses in counted["measured"]],
    }


def _reason(new, once):
    if new > once + 0.1:
        return (
            f"{100 * new:.0f} % of the later requests are for keys that the first half never "
            "saw: what is popular moves, and yesterday's popularity does not predict it."
        )
    return (
        "The first half has the same keys, but not as independent requests would come: "
        "look for scans in another order, or bursts of the same key."
    )


def told(result) -> Fit:
    """Return the Fit whose numbers `solved` gave."""
    keys, g = result["keys"], result["g"]
    rows = [
        HeldOut(
            f"miss ratio with room for {grouped(capacity)} keys",
            "",
            measured,
            predicted,
            1 - (1 - g) * capacity / keys,
        )
        for capacity, measured, predicted in result["rows"]
    ]
    parameters = [
        Parameter("keys", "distinct", keys, "", COUNTED),
        Parameter("n", "keys scanned", result["n"], "", COUNTED),
        Parameter("g", "requests for keys seen once", g, "", COUNTED),
    ]
    notes = []
    if result["n"]:
        period = Parameter("tau", "period of the scan", result["tau"], "requests", COUNTED)
        parameters.append(period)
        notes.append(f"The scan starts to hit at {grouped(result['cliff'])} keys: its cliff.")
    middle = f"miss ratio with room for C = {grouped(max(1, keys // 2))} keys"
    sensitivity = result["sensitivity"]
    reason = _reason(result["new"], g)
    return judged(MODEL, parameters, rows, reason, middle, sensitivity, notes)
