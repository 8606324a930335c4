"""Chapter 4's fitted parameters, each computed from the published numbers that it is fitted to.

`without_s` and `with_s` are the two columns of Table 2: seconds by class, in the order of
`tunables.chapters.flow_priority.predictor.CLASSES`.
"""

from scipy.optimize import brentq, least_squares, root

from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    FRAME_BYTES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    predict,
)
from tunables.plain.adding import added

_NOTHING_ADDED = {
    "queueing_delay_s": 0.0,
    "extra_small_residual_s": 0.0,
    "small_residual_s": 0.0,
    "medium_residual_s": 0.0,
    "medium_excess_s": 0.0,
}
_RESIDUALS = ["extra_small_residual_s", "small_residual_s", "medium_residual_s"]
# Unknowns are solved for in these units, so that all are about 1.
_UNIT = {"port_rate_gbps": 1.0, **dict.fromkeys(_NOTHING_ADDED, 1e-3)}


def goodput_bps(port_rate_bps, mtu_bytes):
    """Return the payload rate of a port that sends full packets: headers and frames taken off.

    >>> round(goodput_bps(10e9, 9000) / 1e9, 3)
    9.9
    """
    return port_rate_bps * (mtu_bytes - HEADER_BYTES) / (mtu_bytes + FRAME_BYTES)


def users_bound(capacity_bps, seconds):
    """Return how many users a database can have at most, if all bytes pass within that time.

    Each user of each database carries out all of Table 1's transactions.

    >>> round(users_bound(9.9e9, 642), 2)
    20.58
    """
    bytes_of_one_user = added(size * n for size, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True))
    return capacity_bps * seconds / (8 * bytes_of_one_user)


def _at_rate(settings, rate_gbps):
    """Return settings for a port of that rate, with which Table 1 was measured too."""
    rates = {"port_rate_gbps": rate_gbps, "table_1_port_rate_gbps": rate_gbps}
    return {**settings, **rates, "table_1_users": settings["users"]}


def _output(column, name):
    return f"{name}_{column}_s"


def _solve(settings, names, targets):
    """Return settings with the named parameters changed so that each target output is met."""

    def misses(values):
        answer = predict(**_changed(settings, names, values))
        return [answer[output] / target - 1 for output, target in targets.items()]

    solution = root(misses, [settings[name] / _UNIT[name] + 1 for name in names], tol=1e-10)
    if not solution.success:
        raise ValueError(f"{names} cannot meet {targets}: {solution.message}")
    return _changed(settings, names, solution.x)


def _changed(settings, names, values):
    # A solver may step below 0 on its way, where the model is not defined.
    steps = {n: max(0.0, float(v)) * _UNIT[n] for n, v in zip(names, values, strict=True)}
    changed = {**settings, **steps}
    return _at_rate(changed, changed["port_rate_gbps"])


def calibrate(without_s, with_s, users=20, max_packets=20, mtu_bytes=9000):
    """Return {structure: settings for `predict`}, fitted as follows.

    - every structure: port_rate_gbps (S0) to the mean of the two large classes without DPP
    - "S1": queueing_delay_s to extra small without DPP
    - "M4": the three residuals to the small classes with DPP, queueing_delay_s to extra small
      without
    - "M5": the residual to extra small with DPP, queueing_delay_s to extra small without,
      medium_excess_s to medium without
    """
    without = {_output("without", name): t for name, t in zip(CLASSES, without_s, strict=True)}
    with_dpp = {_output("with", name): t for name, t in zip(CLASSES, with_s, strict=True)}
    shared = {"users": users, "max_packets": max_packets, "mtu_bytes": mtu_bytes}
    large = [_output("without", name) for name in CLASSES if name.startswith("large")]

    base = {"structure": "S0", **shared, **_NOTHING_ADDED}

    def large_miss(rate_gbps):
        answer = predict(**_at_rate(base, rate_gbps))
        return added(answer[name] - without[name] for name in large)

    # A slower port could not carry a class's bytes in Table 1's time.
    slowest = max(
        8e-9 * users * s * n / t for s, n, t in zip(SIZE_BYTES, TRANSACTIONS, ALONE_S, strict=True)
    )
    base = _at_rate(base, brentq(large_miss, 1.001 * slowest, 4 * slowest, xtol=1e-9))

    extra_small = "extra_small_without_s"
    first = {extra_small: without[extra_small]}
    small_with = {_output("with", name): with_dpp[_output("with", name)] for name in CLASSES[:3]}
    s1 = _solve({**base, "structure": "S1"}, ["queueing_delay_s"], first)
    m4 = _solve(
        {**base, "structure": "M4"}, [*_RESIDUALS, "queueing_delay_s"], {**small_with, **first}
    )
    m5 = _solve(
        {**base, "structure": "M5"},
        ["extra_small_residual_s", "queueing_delay_s", "medium_excess_s"],
        {
            "extra_small_with_s": with_dpp["extra_small_with_s"],
            **first,
            "medium_without_s": without["medium_without_s"],
        },
    )
    return {"S0": base, "S1": s1, "M4": m4, "M5": m5}


def least_squares_fit(without_s, with_s, start):
    """Return the "M5" settings that minimise the squared relative errors of all ten times.

    Four reals are fitted (port rate, residual, queueing delay, medium excess); start: the
    settings to begin from.
    """
    names = ["port_rate_gbps", "extra_small_residual_s", "queueing_delay_s", "medium_excess_s"]
    published = [
        (_output(column, name), time)
        for column, times in (("without", without_s), ("with", with_s))
        for name, time in zip(CLASSES, times, strict=True)
    ]

    def errors(values):
        answer = predict(**_changed(start, names, values))
        return [answer[output] / time - 1 for output, time in published]

    fit = least_squares(errors, [start[name] / _UNIT[name] for name in names], x_scale="jac")
    return _changed(start, names, fit.x)
