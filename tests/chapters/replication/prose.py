"""Names for the expressions in the text of chapter 5, its lab and its lesson.

A tuple by site has the sites as fields. Times are in seconds, round trips in milliseconds.
"""

from functools import cache, partial
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from tests.chapters.signs import signed
from tests.chapters.words import words
from tunables.base.roots import root
from tunables.chapters.replication.calibration import (
    RTT_EXPONENTS,
    calibrate,
    cubic_lcr_bytes_range,
    fitted_parameters,
    great_circle_rtt,
    lcrs_per_operation,
    lcrs_per_operation_bounds,
    operations,
    predictions,
    random_loss_fit,
    random_loss_seconds,
    required_rtt_ratio,
    session_data,
    session_report,
    speed_up_bounds,
    stage_at_triumf,
    time_half_width_s,
    times,
    windows_needed,
)
from tunables.chapters.replication.case import case, session_case
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    SITES,
    STAGES,
    predict,
    predict_session,
)
from tunables.chapters.replication.simulation import SEED, STEADY
from tunables.core.ledger import fair_errors, freedom
from tunables.page.formats import with_commas
from tunables.simulators.tandem import trace_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds, trace_tcp_rounds
from tunables.simulators.tcp_rounds_kernel import BETA_CUBIC
from tunables.theory.tcp import cubic_throughput, mathis_throughput


class Sites(NamedTuple):
    """A number for each site."""

    BNL: float
    TRIUMF: float
    RAL: float
    IN2P3: float


class Bounds(NamedTuple):
    """A ratio of two times, each of which is known to half the clock's interval."""

    low: float
    middle: float
    high: float


# The tables.
PLAIN, COMPRESSED = Sites(**times("plain")), Sites(**times("compress"))
CLOCK_S = time_half_width_s()
RTT = Sites(**{site: 1000 * rtt_s for site, rtt_s in ASSUMED_RTT_S.items()})
LIGHT_RTT = Sites(**{site: 1000 * great_circle_rtt(site) for site in SITES})
TABLES = (times("plain"), times("compress"), operations(), lcrs_per_operation())
LCRS = operations() * lcrs_per_operation()
TIME_RATIO = Bounds(*speed_up_bounds(PLAIN.TRIUMF, PLAIN.BNL, CLOCK_S))
LEDGER = freedom(case())

# The session report.
REPORT, SESSION = session_report(), session_data()
LAG_S = SESSION["reader-lag"].value
TRANSACTIONS = SESSION["coordinator-txns-applied"].value * 1e3

# The model.
FITTED = fitted_parameters()
SOURCE = FITTED["source_lcr_s"]
WAITING = calibrate("stop-and-wait", *TABLES)


def percent(predicted, observed):
    """Return by how many % the first is above the second."""
    return 100 * (predicted / observed - 1)


@cache
def by(law, table="plain", **assumed):
    """Return the times of a table by a law with one constant, which is fitted to BNL."""
    predicted = predictions(calibrate(law, *TABLES, **assumed))
    return Sites(**{site: predicted[table, site] for site in SITES})


CUBIC, CUBIC_COMPRESSED = by("cubic"), by("cubic", "compressed")


def speed_up(site, half_width_s=CLOCK_S):
    """Return the bounds of a site's speed-up by COMPRESS, if each time is known to +- so much."""
    return Bounds(*speed_up_bounds(getattr(PLAIN, site), getattr(COMPRESSED, site), half_width_s))


def window_kb(site):
    """Return the window that would fit a site, in kB."""
    return windows_needed(times("plain"), LCRS, FITTED["lcr_bytes"])[site] / 1000


def cubic_error(ratio):
    """Return CUBIC's error at TRIUMF in % if its round trip is that many times BNL's."""
    return percent(PLAIN.BNL * ratio ** RTT_EXPONENTS["cubic"], PLAIN.TRIUMF)


def ratio_for(law, bound="middle"):
    """Return the ratio of round trips that a law needs."""
    return required_rtt_ratio(law, getattr(TIME_RATIO, bound))


def cubic_bytes():
    """Return the least and the largest bytes per record with which CUBIC fits."""
    return cubic_lcr_bytes_range(times("plain"), LCRS)


def triumfs_stage():
    """Return the changes by site if TRIUMF has a stage of its own."""
    return stage_at_triumf(FITTED, *TABLES[:2], LCRS)


@cache
def random_loss_fits():
    """Return {(version of CUBIC, fast convergence): the fit to BNL if losses are random}."""
    return {
        each: random_loss_fit(TABLES[0], LCRS, 400, *each)
        for each in product(("rfc9438", "rfc8312"), (False, True))
    }


def random_loss_errors():
    """Return {(version of CUBIC, fast convergence): % by which TRIUMF is too slow}."""
    return {each: percent(fit.triumf_s, PLAIN.TRIUMF) for each, fit in random_loss_fits().items()}


@cache
def random_loss_ratios():
    """Return {(version, fast convergence): the ratio of round trips that fits TRIUMF, to 1%}."""

    def too_slow_s(ratio, loss, version, fast):
        rtt_s = ratio * ASSUMED_RTT_S["BNL"]
        seconds = random_loss_seconds(loss, rtt_s, LCRS, 400, version, fast, range(8))
        return seconds - PLAIN.TRIUMF

    assumed = RTT.TRIUMF / RTT.BNL  # at which TRIUMF is too slow
    return {
        (version, fast): root(
            partial(too_slow_s, loss=fit.loss, version=version, fast=fast),
            1.0,
            assumed,
            within=0.01,
        )
        for (version, fast), fit in random_loss_fits().items()
    }


def ral_network_s():
    """Return how long RAL's records take over the network alone, by CUBIC's formula."""
    return LCRS / predict(**case_settings("RAL"))["network_rate_lcr_s"]


@cache
def ral_network_with_random_losses_s():
    """Return the same with random losses, by the simulations fitted to BNL, from the shortest."""
    rtt_s = ASSUMED_RTT_S["RAL"]
    return sorted(
        random_loss_seconds(fit.loss, rtt_s, LCRS, 400, version, fast, range(8))
        for (version, fast), fit in random_loss_fits().items()
    )


def reno_below_ms():
    """Return the round trip below which CUBIC keeps to Reno's window, at the fitted loss.

    CUBIC's own window grows as RTT^(3/4), Reno's is the same for each round trip.
    """
    loss = FITTED["loss"]
    return 1000 * (mathis_throughput(1, 1, loss) / cubic_throughput(1, 1, loss)) ** (4 / 3)


@cache
def random_losses_at_800_bytes():
    return random_loss_fit(TABLES[0], LCRS, 800)


def fair_miss():
    """Return by how many % the rival without a law and the model miss the one time of both."""
    [(theirs, ours)] = [pair for pair in fair_errors(case()) if abs(pair[0]) > 1e-9]
    return 100 * abs(theirs), 100 * abs(ours)


def tex(value):
    """Return a number as it is written in a formula."""
    return with_commas(value).replace(",", "{,}")


# Replicats.


def session(replicats=1, **changes):
    return predict_session(**session_case().settings(replicats=replicats, **changes))


def rate(replicats, io="queue"):
    return session(replicats, io=io)["throughput_lcr_s"]


ONE = session()
# Of each record's time, in µs: at the disk, at the processor, and the rest.
IO_US, CPU_US = (1e6 * spent_s / REPORT.lcrs for spent_s in (REPORT.user_io_s, REPORT.cpu_s))
REST_US = 1e6 * REPORT.apply_s / REPORT.lcrs - IO_US - CPU_US
HALF_THE_WAIT = {"user_io_s": REPORT.user_io_s / 2}

# What the animations show.


def case_settings(site, compress="off", slower="none", **changes):
    given = case().settings(rtt_s=ASSUMED_RTT_S[site], compress=compress, **changes)
    if slower != "none":
        given[f"{slower}_lcr_s"] = 0.95 * float(given[f"{slower}_lcr_s"])
    return given


def departures(site, compress, slower, room=STEADY, batches=1000):
    """Return the stages' rates, and when each batch leaves each stage, by the public simulator."""
    closed = predict(**case_settings(site, compress, slower))
    rates = [closed[f"{stage}_rate_lcr_s"] for stage in STAGES]
    taken_s = np.tile([LCRS / batches / rate for rate in rates], (batches, 1))
    if room == STEADY:
        return rates, trace_tandem(taken_s, [np.inf] * 3).departed_s
    taken_s *= np.random.default_rng(SEED).standard_exponential(taken_s.shape)
    return rates, trace_tandem(taken_s, [np.inf if room == "any" else int(room)] * 3).departed_s


def end_s(slower):
    """Return when the near site has everything, with COMPRESS and a stage made slower."""
    return departures("RAL", "on", slower)[1][-1, -1]


def rounds(site, law, count):
    given = case_settings(site, law=law)
    if law == "window":
        largest = given["window_bytes"] / given["mss_bytes"]
        windows = simulate_tcp_rounds(given["rtt_s"], 1e-15, count, largest_window=largest)
        return windows, np.zeros(count, int)
    return trace_tcp_rounds(given["rtt_s"], given["loss"], count)


@cache
def settled_windows(site):
    """Return CUBIC's windows after the effects of its start, as in the animation."""
    rtt_s = ASSUMED_RTT_S[site]
    return rounds(site, "cubic", int(5015 / rtt_s))[0][int(5000 / rtt_s) :]


def mean_window(site):
    """Return the mean of CUBIC's window by the formula, in segments."""
    rate_lcr_s = predict(**case_settings(site))["network_rate_lcr_s"]
    return rate_lcr_s * ASSUMED_RTT_S[site] * FITTED["lcr_bytes"] / FITTED["mss_bytes"]


def window_segments():
    """Return the window that the window law gives both paths."""
    return case_settings("BNL")["window_bytes"] / FITTED["mss_bytes"]


def largest_window():
    """Return how many segments CUBIC's window holds at the end of its start."""
    return simulate_tcp_rounds(ASSUMED_RTT_S["BNL"], FITTED["loss"], 20).max()
