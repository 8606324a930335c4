"""Chapter 4's rivals: who else tells the times without DPP from those with it?

Each rival knows what the model knows: the column with DPP of Table 2, and 572 s of extra small
without.
"""

import math

from tunables.chapters.flow_priority.predictor import CLASSES, HEADER_BYTES, SIZE_BYTES, predict
from tunables.chapters.flow_priority.structures import calibrated, data, row_id
from tunables.parts.origin import Baseline

SMALL = CLASSES[:3]
INITIAL_WINDOW = 10  # packets that a connection may send before the first answer: RFC 6928


def _value(name, what):
    return data()[row_id(name, what)].value


def savings_s() -> list[float]:
    """Return what DPP saves a transaction of each small class, in seconds."""
    return [
        (_value(name, "without") - _value(name, "with")) / _value(name, "transactions")
        for name in SMALL
    ]


def waits_in_line(rounds) -> list[float]:
    """Seconds without DPP if a transaction of class k waits rounds[k] times for one queue.

    T_k = T_k(with DPP) + n_k rounds[k] w, with w fitted to extra small: a slow queue that is
    served first come, first served, and makes everybody wait alike.
    """
    wait_s = savings_s()[0] / rounds[0]
    return [
        _value(name, "with") + _value(name, "transactions") * count * wait_s
        for name, count in zip(SMALL, rounds, strict=True)
    ]


def constant_ratio() -> list[float]:
    """Seconds without DPP if DPP shortens all small classes by the factor of extra small."""
    ratio = _value("extra_small", "without") / _value("extra_small", "with")
    return [ratio * _value(name, "with") for name in SMALL]


def windows() -> list[int]:
    """Return how many initial windows a transaction of each small class fills."""
    payload = int(data()["mtu-set"].value) - HEADER_BYTES
    return [math.ceil(math.ceil(size / payload) / INITIAL_WINDOW) for size in SIZE_BYTES[:3]]


def rivals() -> dict[str, list[float]]:
    """Return {rival: its three times without DPP, extra small, small and medium}."""
    ours = predict(**calibrated()["M4"])
    return {
        "The model: a wait, and equal shares": [ours[f"{name}_without_s"] for name in SMALL],
        "The same ratio for all, 572/390": constant_ratio(),
        "First come, first served: one wait for all": waits_in_line((1, 1, 1)),
        "A wait for each window of ten packets": waits_in_line(windows()),
    }


def _says_of_large_1() -> str:
    before, after = _value("large_1", "without"), _value("large_1", "with")
    ours = predict(**calibrated()["M4"])["large_1_with_s"]
    return (
        f"Of {after:.0f} s for large 1 with DPP, 'as before' ({before:.0f} s) misses by "
        f"{100 * (before / after - 1):+.1f} %, the model by {100 * (ours / after - 1):+.1f} %: "
        "there it earns nothing."
    )


def baseline() -> Baseline:
    """Return the rival of one ratio, and what the model earns over it."""
    ratio = dict(zip(SMALL, constant_ratio(), strict=True))
    return Baseline(
        label="DPP shortens each small workload as it does extra small, by 572/390",
        values={row_id(name, "without"): ratio[name] for name in ("small", "medium")},
        earns=_says_of_large_1(),
    )
