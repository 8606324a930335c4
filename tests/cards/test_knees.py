"""Each card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

import numpy as np
import pytest

from tunables.cards.registry import find_card
from tunables.simulators.caches import cyclic_trace, simulate_policy, zigzag_trace
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.packets import simulate_packets
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.simulators.work_queue import drain_work_queue


def ask(chapter, **changes):
    """Return the outputs of a chapter's card at its defaults but for the changes."""
    model = find_card(chapter).model
    return model.predict(**model.settings(**changes))


def flushes(arrivals_s, flush_s, delay_s):
    """Return busy share of the device and mean latency of a group commit, commit by commit."""
    free = busy = 0.0
    done = np.empty(len(arrivals_s))
    first = 0
    while first < len(arrivals_s):
        start = max(arrivals_s[first], free) + delay_s
        last = int(np.searchsorted(arrivals_s, start, side="right"))
        free = start + flush_s
        busy += flush_s
        done[first:last] = free
        first = last
    return busy / free, float(np.mean(done - arrivals_s))


@pytest.mark.parametrize("rate", [300, 2000])
def test_1_the_shortest_delay_leaves_the_device_as_free_as_asked(rate):
    card = ask(1, commits_per_s=rate, flush_ms=5, delay_ms=25, busy_limit_percent=40)
    arrivals_s = np.cumsum(np.random.default_rng(1).exponential(1 / rate, 100_000))
    best_s = card["best_delay_ms"] / 1000
    share, latency_s = flushes(arrivals_s, 0.005, best_s)
    assert share == pytest.approx(0.4, rel=0.01)
    assert latency_s == pytest.approx(card["latency_best_ms"] / 1000, rel=0.01)
    assert flushes(arrivals_s, 0.005, 0.95 * best_s)[0] > 0.404
    assert flushes(arrivals_s, 0.005, 1.05 * best_s)[0] < 0.396
    assert flushes(arrivals_s, 0.005, 0.0)[1] == pytest.approx(
        card["latency_zero_ms"] / 1000, rel=0.01
    )


def test_1_a_device_that_is_free_enough_needs_no_delay():
    card = ask(1, commits_per_s=10, flush_ms=5, delay_ms=0)
    assert card["best_delay_ms"] == 0
    assert card["verdict"].startswith("Below the knee: the shortest")


def commits_per_s(clients, flush_s, delay_s):
    """Return commits a second of clients who are back within a microsecond, flush by flush."""
    chance = np.random.default_rng(1)
    back_s = np.sort(chance.uniform(0, 1e-6, clients))
    free = committed = 0.0
    for _ in range(2000):
        start = max(back_s[0], free) + delay_s
        together = int(np.searchsorted(back_s, start, side="right"))
        free = start + flush_s
        committed += together
        again = free + chance.uniform(0, 1e-6, together)
        back_s = np.sort(np.concatenate([back_s[together:], again]))
    return committed / free


@pytest.mark.parametrize("clients", [2, 16, 50])
def test_1_a_delay_pays_up_to_the_flush_time(clients):
    knee_ms = ask(1, clients=clients, flush_ms=5)["knee_ms"]
    without = commits_per_s(clients, 0.005, 0.0)
    for share in (0.95, 1.05):
        card = ask(1, clients=clients, flush_ms=5, delay_ms=share * knee_ms)
        now = commits_per_s(clients, 0.005, share * knee_ms / 1000)
        assert card["closed_now_per_s"] == pytest.approx(now, rel=1e-3)
        assert card["closed_zero_per_s"] == pytest.approx(without, rel=1e-3)
        assert (now > without) == (share < 1)


def survives(arrivals, card, retries, timeout_s):
    """Return how many of four servers serve their last 100 s after an outage of ten."""
    count = 0
    for seed in range(4):
        rates = (arrivals, card["capacity_per_s"], timeout_s, retries)
        answered = simulate_retry_storm(*rates, outage_s=10, horizon_s=900, seed=seed)[1]
        count += answered[-100:].mean() > 0.8 * arrivals
    return count


@pytest.mark.parametrize(("retries", "threads"), [(3, 1), (1, 2)])
def test_2_the_storm_ends_below_the_safe_load_and_holds_above(retries, threads):
    settings = {"retries": retries, "threads": threads, "service_ms": 10 * threads}
    knee = ask(2, **settings)["safe_arrivals_per_s"]
    for share, survivors, words in ((0.95, 4, "recovers"), (1.05, 0, "holds itself up")):
        card = ask(2, arrivals_per_s=share * knee, **settings)
        assert words in card["verdict"]
        assert survives(share * knee, card, retries, 0.5) == survivors
        fewer = max(card["safe_retries"], 0)
        assert (fewer >= retries) == (share < 1)


def test_2_overload_and_a_storm_without_a_cause_are_told():
    assert "Overloaded" in ask(2, arrivals_per_s=101)["verdict"]
    card = ask(2, arrivals_per_s=97, timeout_ms=20)
    assert "without any outage" in card["verdict"]
    assert card["tipping_per_s"] == 0
    answered = simulate_retry_storm(97, 100, 0.02, 3, outage_s=0, horizon_s=600)[1]
    assert answered[-100:].mean() < 20


def test_3_the_scan_hits_always_below_the_cliff_and_never_above():
    settings = {"memory_gib": 1000 * 4096 / 2**30 * 1000, "bytes_per_graph": 4096 * 1000}
    capacity = int(ask(3, **settings)["capacity_graphs"])
    assert capacity == 1000
    for share, hits in ((0.95, 1.0), (1.05, 0.0)):
        n = round(share * capacity)
        card = ask(3, graphs=n, hit_ms=1, cost_ratio=20, **settings)
        found = simulate_policy(cyclic_trace(n, 12), capacity, "lru", warmup=2 * n) / (10 * n)
        assert found == hits
        assert card["scan_s"] == pytest.approx(n * (found + 20 * (1 - found)) / 1000)
        assert (card["spare_graphs"] >= 0) == (hits == 1)
        assert card["verdict"].startswith("Below" if hits else "Over")
    found = simulate_policy(zigzag_trace(n, 12), capacity, "lru", warmup=2 * n) / (10 * n)
    assert card["scan_zigzag_s"] == pytest.approx(n * (found + 20 * (1 - found)) / 1000, rel=0.01)


def test_3_a_scan_is_late_beyond_the_graphs_that_end_in_time():
    late = ask(3)["late_graphs"]
    assert "ends in time" in ask(3, graphs=round(0.95 * late))["verdict"]
    over = ask(3, graphs=round(1.05 * late))
    assert "late for the next" in over["verdict"]
    assert over["scan_s"] > 300


def small_seconds(flow_bytes, max_packets):
    """Return how long a small flow takes, on average, beside large ones, packet by packet."""
    flows, pause_s = 100, 0.020
    run = simulate_packets(
        [1, 8],
        [flow_bytes, 64e6],
        [flows, 8],
        [pause_s, 0.001],
        1e9,
        max_packets=max_packets,
        buffer_bytes=2e6,
        seed=1,
    )
    return run.finished_s[0] / flows - pause_s


def test_4_a_flow_is_fast_up_to_the_bytes_that_go_ahead():
    settings = {"max_packets": 8, "users": 1, "pause_ms": 20, "port_gbps": 1, "queue_ms": 15}
    covered = ask(4, **settings)["covered_bytes"]
    times = {}
    for share, words in ((0.95, "Below"), (1.05, "Over")):
        card = ask(4, flow_bytes=int(share * covered), **settings)
        assert card["verdict"].startswith(words)
        assert (card["packets"] <= 8) == (share < 1)
        times[share] = small_seconds(int(share * covered), 8)
        needed = int(card["packets"])
        assert small_seconds(int(share * covered), needed) < 0.003
    assert times[0.95] < 0.003
    assert times[1.05] > 5 * times[0.95]


def test_4_priority_needs_pauses_and_a_port_that_is_not_full_of_it():
    assert "never restarts" in ask(4, pause_ms=4)["verdict"]
    most = ask(4)["most_users"]
    assert ask(4, users=int(0.95 * most))["load_percent"] < 50
    heavy = ask(4, users=int(1.05 * most) + 1)
    assert heavy["load_percent"] > 50
    assert "loads half of the port" in heavy["verdict"]


def replicated_mb_per_s(rates_mb_per_s):
    """Return the throughput of the stages, block after block of 1 MB, with room between them."""
    blocks = 2000
    times_s = np.tile([1 / rate for rate in rates_mb_per_s], (blocks, 1))
    last_s = simulate_tandem(times_s, [64] * (len(rates_mb_per_s) - 1))[-1]
    return blocks / last_s


def test_5_the_window_limits_below_the_one_needed_and_not_above():
    settings = {"loss": 1e-8, "compression_ratio": 2, "source_mb_per_s": 7}
    needed = ask(5, **settings)["window_needed_bytes"]
    paces = {}
    for share in (0.95, 1.05):
        card = ask(5, window_bytes=share * needed, **settings)
        window_mb = share * needed / 0.095 / 1e6 * 2
        pump, apply = 2 * 4.285714, 4.736842
        paces[share] = replicated_mb_per_s([7, pump, min(window_mb, 2 * 1250), apply])
        assert card["pace_mb_per_s"] == pytest.approx(paces[share], rel=0.01)
        assert ("TCP window" in card["verdict"]) == (share < 1)
    assert paces[0.95] < 0.96 * paces[1.05]


def test_5_the_loss_limits_above_the_one_allowed_and_not_below():
    settings = {"window_bytes": 1e9, "rtt_ms": 95}
    allowed = ask(5, **settings)["loss_allowed"]
    next_mb = ask(5, loss=allowed / 100, **settings)["pace_mb_per_s"]
    for share in (0.8, 1.2):  # the formula of the mean window is good to a few per cent
        card = ask(5, loss=share * allowed, **settings)
        windows = simulate_tcp_rounds(0.095, share * allowed, 100_000, "cubic")
        carried = windows[1000:].mean() * 1460 / 0.095 / 1e6
        assert (carried > next_mb) == (share < 1)
        assert ("loss" in card["verdict"]) == (share > 1)


def test_5_a_replica_keeps_up_below_the_pace_and_falls_behind_above():
    pace = ask(5)["pace_mb_per_s"]
    below, above = (ask(5, changes_mb_per_s=share * pace) for share in (0.95, 1.05))
    assert below["verdict"].startswith("Below")
    assert above["verdict"].startswith("Over")
    # An hour of lag, drained at 5 % above the rate at which new changes come: 19 hours.
    assert below["catch_up_h"] == pytest.approx(19)
    assert above["catch_up_h"] == float("inf")


def test_6_slices_and_lateness_are_those_of_the_daemon():
    card = ask(6, usual_item_us=5, dearest_item_us=1000, queues=2)
    costs_s = np.repeat([5e-6, 1e-3], [1_500_000, 20_000])
    drain = drain_work_queue(costs_s, rule="2005-05-06")
    assert drain.granularity[-1] == card["granularity"]
    assert drain.slice_s[-2] == pytest.approx(card["dearest_slice_ms"] / 1000)
    grown = int(card["granularity"])
    timers_s = np.sort(np.random.default_rng(1).uniform(0, 4, 20_000))
    queues = [Queue([5e-6] * 500_000, granularity=grown) for _ in range(2)]
    late_s = simulate_event_loop(queues, timers_s=timers_s).timer_lateness_s
    assert late_s.mean() == pytest.approx(card["lateness_ms"] / 1000, rel=0.03)


def dropped(block_s, keepalive_s, hold_s):
    """Return the share of 10,000 sessions that a block drops, wherever the keepalive stood."""
    since_s = np.random.default_rng(1).uniform(0, keepalive_s, 10_000)
    return float(np.mean(since_s + block_s > hold_s))


def test_6_one_piece_drops_nobody_below_the_silence_and_somebody_above():
    timers = {"keepalive_s": 15.0, "hold_s": 45.0, "sessions": 1}
    most = ask(6, **timers)["blocked_items"]
    for share, drops in ((0.95, False), (1.05, True)):
        card = ask(6, items=round(share * most), **timers)
        lost = dropped(card["blocked_s"], 15, 45)
        assert (lost > 0) == drops
        assert card["blocked_drop_percent"] / 100 == pytest.approx(lost, abs=0.01)
        assert ("by slicing" in card["verdict"]) == drops


def test_6_a_granularity_within_the_knee_keeps_the_turn_within_the_silence():
    timers = {"keepalive_s": 0.1, "hold_s": 0.3, "sessions": 5}
    card = ask(6, queues=2, **timers)
    knee = int(card["most_granularity"])
    for share, fits in ((0.95, True), (1.05, False)):
        g = round(share * knee)
        worst = drain_work_queue([1e-3] * (40 * g), rule="fixed", granularity=g).slice_s.max()
        bound = 2 * (0.010 + g * 1e-3)
        assert worst <= bound / 2
        assert (bound <= card["silence_s"]) == fits
    # Where the rule's own granularity is over it, the card says so.
    over = ask(6, usual_item_us=5, dearest_item_us=1000, queues=2, **timers)
    assert over["granularity"] > knee
    assert over["verdict"].startswith("Over")
    assert over["sliced_drop_percent"] > 0
