"""Chapter 5's simulations, against the public simulators and the text's numbers."""

import numpy as np
import pytest

from tunables.chapters.replication.predictor import ASSUMED_RTT_S, predict
from tunables.chapters.replication.simulation import (
    pipeline_events,
    simulate_connection,
    simulate_random_losses,
    window_events,
)
from tunables.core.registry import find_case, find_map
from tunables.simulators.tandem import trace_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds, trace_tcp_rounds
from tunables.simulators.tcp_rounds_kernel import LOST, SLOW_START
from tunables.theory.tcp import cubic_throughput

WLCG = find_case("wlcg")
SEGMENT_LCRS = 1460 / 400


def settings(site, **changes):
    return WLCG.settings(rtt_s=ASSUMED_RTT_S[site], **changes)


def pipeline(site, *, batches=1000, room=-1, seed=0, varies=False, **changes):
    """Return the columns of a run, batches x stages."""
    columns = pipeline_events(
        seed, batches=batches, room=room, varies=varies, **settings(site, **changes)
    )
    return [column.reshape(4, batches).T for column in columns]


def where(departed_s, t):
    """Count batches: in the log, at pump, network and apply (waiting or in service), and done."""
    left = (departed_s <= t).sum(axis=0)
    return [len(departed_s) - left[0], *(left[:-1] - left[1:]), left[-1]]


@pytest.mark.parametrize(
    ("site", "compress", "seconds", "closed", "at_half"),
    [
        ("BNL", "off", 6945, 6940, [0, 0, 501, 0, 499]),
        ("TRIUMF", "off", 7848, 7844, [0, 0, 501, 0, 499]),
        ("RAL", "off", 1685, 1680, [446, 54, 1, 1, 498]),
        ("RAL", "on", 1522, 1520, [500, 0, 0, 1, 499]),
        ("TRIUMF", "on", 1772, 1768, [418, 0, 83, 0, 499]),
    ],
)
def test_batches_pile_up_before_the_slowest_stage(site, compress, seconds, closed, at_half):
    departed_s = pipeline(site, compress=compress)[2]
    assert round(departed_s[-1, -1]) == seconds
    assert round(predict(**settings(site, compress=compress))["seconds"]) == closed
    assert where(departed_s, departed_s[-1, -1] / 2) == at_half


def test_early_records_wait_before_each_stage_that_is_slower_than_all_before_it():
    """The takeaway: at 800 s a pile waits for the pump too, which is slower than the source."""
    _, before_pump, before_network, before_apply, _ = where(
        pipeline("TRIUMF", compress="off")[2], 800
    )
    assert before_pump > 40
    assert before_network > 5 * before_pump
    assert before_apply <= 1
    assert where(pipeline("TRIUMF", compress="off")[2], 1800)[1] <= 1  # the source is done


@pytest.mark.parametrize(("stage", "before_apply"), [("apply", 49), ("source", 1)])
def test_either_end_5_percent_slower_takes_equally_long_and_only_the_pile_tells(
    stage, before_apply
):
    name = f"{stage}_lcr_s"
    slower = {name: 0.95 * float(WLCG.settings()[name])}
    departed_s = pipeline("RAL", compress="on", **slower)[2]
    assert round(departed_s[-1, -1]) == 1602
    assert where(departed_s, 0.9 * departed_s[-1, -1])[3] == before_apply


def test_less_room_between_stages_costs_throughput_where_times_vary():
    slowest = min(predict(**settings("RAL"))[f"{s}_rate_lcr_s"] for s in ("pump", "network"))
    shares = []
    for room in (-1, 16, 4, 1, 0):
        departed_s = pipeline("RAL", batches=20_000, room=room, seed=5, varies=True)[2]
        shares.append(round(18e6 / departed_s[-1, -1] / slowest, 3))
    assert shares == [0.997, 0.964, 0.832, 0.674, 0.551]


@pytest.mark.parametrize("room", [-1, 0, 3])
def test_the_columns_are_those_of_the_simulator(room):
    begun_s, served_s, departed_s = pipeline("RAL", batches=400, room=room, seed=2, varies=True)
    assert (begun_s[:, 0] == [0, *departed_s[:-1, 0]]).all()
    times = np.random.default_rng(2).standard_exponential((400, 4))
    rates = [predict(**settings("RAL"))[f"{s}_rate_lcr_s"] for s in ("source", "pump", "network")]
    times *= [18e6 / 400 / rate for rate in (*rates, rates[0])]  # apply is as fast as the source
    buffers = [np.inf if room < 0 else room] * 3
    simulated = trace_tandem(times, buffers)
    for column, same in zip((begun_s, served_s, departed_s), simulated, strict=True):
        assert (column == same).all()


def test_the_run_of_the_ledger_ends_as_its_trace_does():
    parameters = settings("BNL", law="stop-and-wait")  # its network has one rate, simulated or not
    departed_s = pipeline("BNL", batches=10_000, law="stop-and-wait")[2]
    assert WLCG.simulate(1, **parameters)["seconds"] == (departed_s[-1, -1], 0)


def lcrs_a_second(windows, site, first_s, last_s):
    rtt_s = ASSUMED_RTT_S[site]
    return windows[int(first_s / rtt_s) : int(last_s / rtt_s)].mean() * SEGMENT_LCRS / rtt_s


@pytest.mark.parametrize(
    ("site", "low", "high", "between_s"), [("BNL", 52, 75, 3.8), ("TRIUMF", 76, 108, 4.34)]
)
def test_cubic_saws_between_two_windows(site, low, high, between_s):
    rtt_s = ASSUMED_RTT_S[site]
    windows, events = window_events(rounds=int(5030 / rtt_s), **settings(site))
    cycle = slice(int(5000 / rtt_s), None)
    assert [round(windows[cycle].min()), round(windows[cycle].max())] == [low, high]
    gaps_s = np.diff(np.flatnonzero(events[cycle] & LOST)) * rtt_s
    assert gaps_s == pytest.approx(between_s, abs=rtt_s / 2)


def test_slow_start_fills_the_first_second_and_has_effects_for_an_hour():
    windows, events = window_events(rounds=100_000, **settings("BNL"))
    assert windows[8] == 2560
    assert (events[:10] & SLOW_START).astype(bool).tolist() == [True] * 9 + [False]
    assert round(windows[: int(60 / 0.095)].mean()) == 146
    assert round(lcrs_a_second(windows, "BNL", 600, 660)) == 2761
    assert round(lcrs_a_second(windows, "BNL", 3000, 3060)) == 2654


def test_a_connection_limited_by_its_window_has_a_constant_window():
    for site, rate in (("BNL", 2594), ("TRIUMF", 1590)):
        windows, events = window_events(rounds=1000, **settings(site, law="window"))
        assert windows[100:] == pytest.approx(67.5, abs=0.01)
        assert not (events & LOST).any()
        assert round(lcrs_a_second(windows, site, 50, 90)) == rate


def test_the_long_run_of_the_ledger_is_the_mean_of_the_traced_windows():
    for site, rate in (("BNL", 2612), ("TRIUMF", 2291)):
        given = settings(site)
        windows = trace_tcp_rounds(given["rtt_s"], given["loss"], 200_000).windows
        names = ("law", "rtt_s", "window_bytes", "loss", "mss_bytes")
        simulated = simulate_connection(*(given[name] for name in names))
        total = 0.0
        for window in windows[50_000:].tolist():
            total += window
        assert simulated == total / 150_000 * given["mss_bytes"] / given["rtt_s"]
        assert round(simulated / given["lcr_bytes"]) == rate
        traced, _ = window_events(rounds=1000, **given)
        assert (traced == windows[:1000]).all()


def test_with_evenly_spaced_losses_the_law_holds():
    settings, _ = find_map("wlcg").split(0.02, 0.01)
    rtt_s, loss, mss = settings["rtt_s"], settings["loss"], settings["mss_bytes"]
    law = cubic_throughput(mss, rtt_s, loss)
    even = simulate_tcp_rounds(rtt_s, loss, 50_000)[10_000:].mean() * mss / rtt_s
    assert law == pytest.approx(even, rel=0.03)
    assert law < 0.92 * simulate_random_losses(1, settings, 50_000)
