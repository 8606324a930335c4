"""Chapter 5: what is fitted to the published numbers of both cases, and to a reader's transfers.

Times are in seconds, by site, from the two tables of results. The rivals at the end fit the tables
as well as the case's own hypotheses do: a window for each path, a stage of TRIUMF's own.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from tunables.base.arguments import choice, number
from tunables.base.portable import plain_sum
from tunables.base.user_data.columns import wanted_text
from tunables.chapters.replication.fit import BRING, COLUMNS, FEWEST_ROWS, MODEL, report, solve
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    FAR_SITES,
    LAWS,
    SITES,
    connection_throughput,
    predict,
)
from tunables.core.allowed import Hypothesis
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns
from tunables.evidence.published import Record, published
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.theory.tcp import cubic_throughput, mathis_throughput

Times = Mapping[str, float]

TABLES = {"plain": "off", "compress": "on"}  # the prefix of a row, and the switch COMPRESS
# LCRs per operation are fitted to one row; by `lcrs_per_operation_bounds` all eight agree.
LCRS_ROWS = ("plain-ral-time", "plain-ral-txns")
# Assumed: the link is never the limit, segments fill an Ethernet frame, and an LCR has a size
# for which CUBIC fits (`cubic_lcr_bytes_range`).
ASSUMED = {"link_gbps": 10.0, "mss_bytes": 1460.0, "lcr_bytes": 400.0}

LATITUDE_LONGITUDE_DEG = {
    "CERN": (46.234, 6.053),
    "BNL": (40.868, -72.879),
    "TRIUMF": (49.247, -123.230),
    "RAL": (51.573, -1.315),
    "IN2P3": (45.783, 4.865),
}
EARTH_RADIUS_M = 6_371_000
LIGHT_IN_FIBRE_M_S = 299_792_458 / 1.468  # refractive index of single-mode fibre

# The throughput of a connection is proportional to RTT to the power of minus this.
RTT_EXPONENTS = {"window": 1.0, "reno": 1.0, "cubic": 0.25}
ROUNDS, WARM_UP = 200_000, 50_000  # round trips of a run, and those that are left out of the mean


@cache
def table_data() -> dict[str, Record]:
    """Return the numbers of both tables by row id."""
    return published("wlcg-results")


def times(table) -> dict[str, float]:
    """Return the published seconds of "plain" or "compress", by site."""
    return {site: table_data()[f"{table}-{site.lower()}-time"].value for site in SITES}


def operations() -> float:
    """Return the number of operations that each run replicated."""
    return table_data()["plain-operations"].value


def time_half_width_s() -> float:
    """Return the most that a run's time differed from the printed time, in seconds."""
    return table_data()["plain-bnl-time"].resolution / 2


def lcrs_per_operation_bounds() -> tuple[float, float]:
    """Return the bounds of LCRs per operation that all eight cells of the last column allow."""
    bounds = []
    for table in TABLES:
        for site, time_s in times(table).items():
            cell = table_data()[f"{table}-{site.lower()}-txns"]
            half = cell.resolution / 2
            rates = (cell.value - half, cell.value + half)
            bounds.append([1000 * rate * time_s / operations() for rate in rates])
    return max(low for low, _ in bounds), min(high for _, high in bounds)


def lcrs_per_operation() -> int:
    """Return the integer number of LCRs per operation that RAL's time and rate imply."""
    return round(1000 * math.prod(table_data()[row].value for row in LCRS_ROWS) / operations())


def great_circle_rtt(site) -> float:
    """Return the least round-trip time from CERN: light in fibre along the great circle, seconds.

    Raises ValueError for an unknown site. Source: haversine formula.

    >>> round(great_circle_rtt("BNL"), 4)
    0.0599
    """
    site = choice("site", site, SITES)
    (latitude, longitude), (other_latitude, other_longitude) = (
        map(math.radians, LATITUDE_LONGITUDE_DEG[place]) for place in ("CERN", site)
    )
    haversine = (
        math.sin((other_latitude - latitude) / 2) ** 2
        + math.cos(latitude)
        * math.cos(other_latitude)
        * math.sin((other_longitude - longitude) / 2) ** 2
    )
    distance_m = 2 * EARTH_RADIUS_M * math.asin(math.sqrt(haversine))
    return 2 * distance_m / LIGHT_IN_FIBRE_M_S


def speed_up_bounds(plain_s, compressed_s, half_width_s) -> tuple[float, float, float]:
    """Return (low, ratio, high) of plain_s/compressed_s if each is known to +- half_width_s.

    Raises ValueError unless both times are longer than half_width_s, and that is not negative.

    >>> [round(bound, 3) for bound in speed_up_bounds(400, 100, 10)]
    [3.545, 4.0, 4.556]
    """
    half_width_s = number("half_width_s", half_width_s, at_least=0)
    plain_s = number("plain_s", plain_s, above=half_width_s)
    compressed_s = number("compressed_s", compressed_s, above=half_width_s)
    return (
        (plain_s - half_width_s) / (compressed_s + half_width_s),
        plain_s / compressed_s,
        (plain_s + half_width_s) / (compressed_s - half_width_s),
    )


def required_rtt_ratio(law, time_ratio) -> float:
    """Return the ratio of round-trip times that makes `law` give this ratio of run times.

    Throughput falls as RTT^(-a), so the ratio is time_ratio^(1/a): a = 1 for "window" and
    "reno", 1/4 for "cubic". Raises ValueError for another law or a ratio not above 0.

    >>> round(required_rtt_ratio("cubic", 1.1), 4)
    1.4641
    """
    exponent = RTT_EXPONENTS[choice("law", law, list(RTT_EXPONENTS))]
    return number("time_ratio", time_ratio, above=0) ** (1 / exponent)


def shared_compression_ratio(plain_s: Times, compressed_s: Times) -> float:
    """Return the geometric mean of the speed-ups at BNL and TRIUMF, the sites that TCP limits.

    With modelled plain_s it is the ratio whose relative error is equally large at both sites.
    """
    return math.sqrt(math.prod(plain_s[site] / compressed_s[site] for site in ("BNL", "TRIUMF")))


def _boundary(holds: Callable[[float], bool], low, high) -> float:
    """Return the number in (low, high) up to which `holds` is true, found by bisection."""
    while low * (1 + 1e-15) < high:
        middle = math.sqrt(low * high)
        if not low < middle < high:
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def loss_for(law, throughput_bytes_s, rtt_s, mss_bytes) -> float:
    """Return the loss at which "reno" or "cubic" has this throughput, in bytes/s.

    Raises ValueError for another law, or a throughput that no loss in (1e-18, 1) gives.

    >>> round(loss_for("cubic", 1e6, 0.1, 1460.0), 6)
    0.000383
    """
    choice("law", law, ["reno", "cubic"])
    least, greatest = 1e-18, 1.0

    def throughput(loss):
        return connection_throughput(law, rtt_s, 0, loss, mss_bytes)

    wanted = number(
        "throughput_bytes_s",
        throughput_bytes_s,
        above=throughput(greatest),
        below=throughput(least),
    )
    return _boundary(lambda loss: throughput(loss) > wanted, least, greatest)


def cubic_lcr_bytes_range(
    plain_s: Times, lcrs, rtt_s: Times = ASSUMED_RTT_S
) -> tuple[float, float]:
    """Return the least and the greatest size of an LCR for which CUBIC fits BNL and RAL.

    CUBIC with one loss for all paths, fitted to BNL, must meet two conditions. From BNL to
    TRIUMF its rate must fall as RTT^(-1/4): with smaller LCRs the window at BNL is so small that
    CUBIC behaves like Reno there. And at RAL it must carry what RAL got, which the law RTT^(-1/4)
    does not give: only Reno's mean rate does, up to the greatest size.
    Raises ValueError for a time that is not above 0.
    """
    mss_bytes = ASSUMED["mss_bytes"]
    bnl, ral = _plain_rates(plain_s, lcrs)

    def is_cubic_at_bnl(lcr_bytes):
        loss = loss_for("cubic", bnl * lcr_bytes, rtt_s["BNL"], mss_bytes)
        reno = mathis_throughput(mss_bytes, rtt_s["BNL"], loss)
        return cubic_throughput(mss_bytes, rtt_s["BNL"], loss) > reno

    def carries_ral(lcr_bytes):
        loss = loss_for("cubic", bnl * lcr_bytes, rtt_s["BNL"], mss_bytes)
        return cubic_throughput(mss_bytes, rtt_s["RAL"], loss) >= ral * lcr_bytes

    smallest, largest = 0.05 * mss_bytes, 20 * mss_bytes
    return (
        _boundary(lambda lcr_bytes: not is_cubic_at_bnl(lcr_bytes), smallest, largest),
        _boundary(carries_ral, smallest, largest),
    )


def _plain_rates(plain_s, lcrs):
    """Return the LCRs/s at BNL and RAL without compression."""
    bnl_s, ral_s = (number(f"plain_s[{site!r}]", plain_s[site], above=0) for site in ("BNL", "RAL"))
    return lcrs / bnl_s, lcrs / ral_s


def calibrate(
    law,
    plain_s: Times,
    compressed_s: Times,
    operations,
    lcrs_per_operation,
    rtt_s: Times = ASSUMED_RTT_S,
    **assumed,
) -> dict:
    """Return all parameters of `predict` except rtt_s and compress, fitted to at most five numbers.

    - pump_lcr_s to RAL without compression; source_lcr_s and apply_lcr_s to RAL with it, because
      the tables cannot tell which of the two is the limit that three sites share
    - compression_ratio to BNL and TRIUMF with compression, given the law's times without it
      (`shared_compression_ratio`)
    - the law's own parameter to BNL without compression: window_bytes, loss, or, for
      "stop-and-wait", the round trips n and T0 in T = T0 + n RTT through BNL and RAL

    assumed: changes to ASSUMED.
    A parameter that has no effect under the law is set to a value that `predict` accepts.
    Raises ValueError for an unknown law or assumption, a time that is not above 0, or an RTT to
    BNL that is not above that to RAL.
    """
    choice("law", law, LAWS)
    for name in assumed:
        choice("assumption", name, list(ASSUMED))
    assumptions = ASSUMED | assumed
    lcrs = operations * lcrs_per_operation
    bnl, ral = _plain_rates(plain_s, lcrs)
    rtt_gap_s = number("rtt_s['BNL'] - rtt_s['RAL']", rtt_s["BNL"] - rtt_s["RAL"], above=0)
    common = lcrs / number("compressed_s['RAL']", compressed_s["RAL"], above=0)
    throughput = bnl * assumptions["lcr_bytes"]
    parameters = {
        "operations": operations,
        "lcrs_per_operation": lcrs_per_operation,
        "law": law,
        "window_bytes": throughput * rtt_s["BNL"],
        "loss": loss_for(
            law if law == "reno" else "cubic", throughput, rtt_s["BNL"], assumptions["mss_bytes"]
        ),
        "round_trips": (plain_s["BNL"] - plain_s["RAL"]) / rtt_gap_s,
        "compression_ratio": 1.0,
        "source_lcr_s": common,
        "pump_lcr_s": ral,
        "apply_lcr_s": common,
    }
    if law == "stop-and-wait":
        parameters["pump_lcr_s"] = lcrs / (
            plain_s["RAL"] - parameters["round_trips"] * rtt_s["RAL"]
        )
    parameters |= assumptions
    seconds = predictions(parameters, rtt_s)
    modelled_s = {site: seconds["plain", site] for site in SITES}
    parameters["compression_ratio"] = shared_compression_ratio(modelled_s, compressed_s)
    return parameters


def predictions(parameters: Mapping, rtt_s: Times = ASSUMED_RTT_S) -> dict[tuple[str, str], float]:
    """Return the seconds of every cell, by ("plain" or "compressed", site), by `predict`."""
    return {
        (table, site): predict(**{**parameters, "compress": compress, "rtt_s": rtt_s[site]})[
            "seconds"
        ]
        for table, compress in (("plain", "off"), ("compressed", "on"))
        for site in SITES
    }


@cache
def fitted_parameters() -> dict:
    """Return all parameters of `predict` except rtt_s and compress, fitted with CUBIC."""
    tables = times("plain"), times("compress")
    return calibrate("cubic", *tables, operations(), lcrs_per_operation())


class Session(NamedTuple):
    """Seconds of the apply process by activity, busy seconds of receiver and reader, and LCRs."""

    user_io_s: float
    cpu_s: float
    system_io_s: float
    unaccounted_s: float
    apply_s: float
    receiver_s: float
    reader_s: float
    lcrs: float


@cache
def session_data() -> dict[str, Record]:
    """Return the numbers of the report of the sessions, by row id."""
    return published("wlcg-session")


def _busy_s(process: str) -> float:
    """Return the seconds of CPU and of I/O waits of a process that only passes LCRs on."""
    columns = ("cpu", "user-io-wait", "system-io-wait")
    return plain_sum(session_data()[f"{process}-{column}"].value for column in columns)


@cache
def session_report() -> Session:
    """Return the report's seconds; unaccounted_s is the apply time less the other three."""
    user_io_s, cpu_s, system_io_s, apply_s = (
        session_data()[row].value
        for row in (
            "apply-server-user-io-wait",
            "apply-server-cpu",
            "apply-server-system-io-wait",
            "server-apply-time",
        )
    )
    return Session(
        user_io_s=user_io_s,
        cpu_s=cpu_s,
        system_io_s=system_io_s,
        unaccounted_s=apply_s - user_io_s - cpu_s - system_io_s,
        apply_s=apply_s,
        receiver_s=_busy_s("propagation-receiver"),
        reader_s=_busy_s("apply-reader"),
        lcrs=session_data()["server-lcrs-applied"].value * 1e6,
    )


def windows_needed(
    plain_s: Times, lcrs, lcr_bytes, rtt_s: Times = ASSUMED_RTT_S
) -> dict[str, float]:
    """Return the window in bytes for which W/RTT gives the time of each far site.

    >>> windows_needed({"BNL": 10, "TRIUMF": 20}, 1000, 100, {"BNL": 0.1, "TRIUMF": 0.2})
    {'BNL': 1000.0, 'TRIUMF': 1000.0}
    """
    return {site: lcrs / plain_s[site] * lcr_bytes * rtt_s[site] for site in FAR_SITES}


def far_times(parameters: Mapping, changes: Mapping) -> dict[str, float]:
    """Return the seconds of BNL and TRIUMF with COMPRESS; changes: parameters by site."""
    return {
        site: predictions({**parameters, **changes.get(site, {})})["compressed", site]
        for site in FAR_SITES
    }


def stage_at_triumf(
    parameters: Mapping, plain_s: Times, compressed_s: Times, lcrs
) -> dict[str, dict]:
    """Return changes by site: one ratio for both, and a stage that only TRIUMF has.

    The ratio is BNL's speed-up, the least with which BNL's network keeps up with the stage that
    three sites share. TRIUMF's own stage, apply or the collector before it, is as fast as
    TRIUMF was with COMPRESS; its network would be faster.
    """
    ratio = {"compression_ratio": plain_s["BNL"] / compressed_s["BNL"]}
    triumf_lcr_s = min(parameters["apply_lcr_s"], lcrs / compressed_s["TRIUMF"])
    return {"BNL": ratio, "TRIUMF": {**ratio, "apply_lcr_s": triumf_lcr_s}}


def ratio_per_site(plain_s: Times, compressed_s: Times) -> dict[str, dict]:
    """Return changes by site: a ratio for each, whether its cause is the data or the network."""
    return {site: {"compression_ratio": plain_s[site] / compressed_s[site]} for site in FAR_SITES}


class RandomLosses(NamedTuple):
    """CUBIC with random losses, fitted to BNL: the loss, and the seconds of two other sites."""

    loss: float
    triumf_s: float
    ral_s: float


def random_loss_seconds(
    loss, rtt_s, lcrs, lcr_bytes, version="rfc9438", fast_convergence=False, seeds=range(4)
) -> float:
    """Return the seconds that a network with a round trip takes if segments are lost at random.

    This is the mean over runs with these seeds, each of 150,000 round trips after a warm-up.
    """
    rates = []
    for seed in seeds:
        windows = simulate_tcp_rounds(
            rtt_s, loss, ROUNDS, seed=seed, version=version, fast_convergence=fast_convergence
        )
        rates.append(windows[WARM_UP:].mean() * ASSUMED["mss_bytes"] / rtt_s)
    return math.fsum(lcrs * lcr_bytes / rate for rate in rates) / len(rates)


def random_loss_fit(
    plain_s: Times, lcrs, lcr_bytes, version="rfc9438", fast_convergence=False
) -> RandomLosses:
    """Return the loss at which a simulated CUBIC takes BNL's time, and two other sites' times.

    The loss is found by bisection between 1e-5 and 2e-3, to one part in a thousand.
    """
    low, high = 1e-5, 2e-3

    def seconds(site, loss, seeds):
        rtt_s = ASSUMED_RTT_S[site]
        return random_loss_seconds(loss, rtt_s, lcrs, lcr_bytes, version, fast_convergence, seeds)

    while high / low > 1.001:
        loss = math.sqrt(low * high)
        low, high = (low, loss) if seconds("BNL", loss, range(4)) > plain_s["BNL"] else (loss, high)
    return RandomLosses(low, seconds("TRIUMF", low, range(8)), seconds("RAL", low, range(4)))


def hypotheses() -> tuple[Hypothesis, ...]:
    """Return the laws of TCP, each with its own parameter, two rates and a ratio; then rivals.

    The rivals give TRIUMF a stage of its own, and one of them a window of its own as well. They
    have as many free numbers as the tables have different times.
    """
    parameter = dict.fromkeys(LAWS, "loss") | {
        "window": "window_bytes",
        "stop-and-wait": "round_trips",
    }
    tables = times("plain"), times("compress")
    found = []
    for law in LAWS:
        fitted = calibrate(law, *tables, operations(), lcrs_per_operation())
        free = (parameter[law], "compression_ratio", "pump_lcr_s", "source_lcr_s")
        start = {name: float(fitted[name]) for name in free}
        fixed = {name: value for name, value in fitted.items() if name not in start}
        tied = {"apply_lcr_s": "source_lcr_s"}
        found.append(Hypothesis(name=law, start=start, settings=fixed, tied=tied))
    return (*found, *_with_a_stage_at_triumf(found))


def _with_a_stage_at_triumf(laws) -> tuple[Hypothesis, ...]:
    """Return CUBIC, and a window for each path, both with an apply rate of TRIUMF's own."""
    by_name = {each.name: each for each in laws}
    lcrs = operations() * lcrs_per_operation()
    windows = windows_needed(times("plain"), lcrs, fitted_parameters()["lcr_bytes"])
    stage = {
        "compression_ratio": times("plain")["BNL"] / times("compress")["BNL"],
        "triumf_apply_lcr_s": lcrs / times("compress")["TRIUMF"],
    }
    at_triumf = ("plain-triumf-time", "compress-triumf-time")
    another_stage = {"apply_lcr_s": "triumf_apply_lcr_s"}
    another_window = another_stage | {"window_bytes": "triumf_window_bytes"}
    return (
        replace(
            by_name["cubic"],
            name="cubic, and a stage of TRIUMF's own",
            start={**by_name["cubic"].start, **stage},
            replaced=dict.fromkeys(at_triumf, another_stage),
        ),
        replace(
            by_name["window"],
            name="a window for each path, and a stage of TRIUMF's own",
            start={
                **by_name["window"].start,
                **stage,
                "window_bytes": windows["BNL"],
                "triumf_window_bytes": windows["TRIUMF"],
            },
            replaced=dict.fromkeys(at_triumf, another_window),
        ),
    )


def fit_stage_rates(source) -> Fit:
    """Fit each law to two thirds of the runs, keep the best law, and predict the other runs.

    S is the rate of all stages that do not depend on the round trip: the slowest stage if the
    stages' own rates are given, otherwise fitted. "window": W/RTT (Reno at a fixed loss looks the
    same); "cubic": `cubic_throughput` at a fixed loss, segments of 1460 bytes; "stop-and-wait": W
    bytes, then a round trip. The law with the least error on the fitted runs is kept. Every third
    run in order of RTT is held out, from the second on.
    Raises ValueError for fewer than six rows and for what `read_columns` refuses.
    """
    columns = read_columns(source, COLUMNS, FEWEST_ROWS)
    return report(solve({name: values.tolist() for name, values in columns.items()}))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_stage_rates, MODEL, BRING, wanted_text(COLUMNS))
