"""Card 3: what it advises is done in a simulated LRU cache, and has the effect that it promises.

The simulated caches are small, but a card's range goes to a hundred million graphs. There the
advice is tested by the closed forms, which know only the share that fits.
"""

import math
import random
from collections import OrderedDict
from functools import cache, partial

import numpy as np
import pytest

from tests.core.asked import ask_card, operator_words
from tunables.core.card import is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.page.formats import to_three_digits
from tunables.simulators.caches import cyclic_trace, simulate_policy, zigzag_trace
from tunables.simulators.caches_reference import lru

CARD = find_card("cache_cliff")
PARAMETERS = {each.name: each for each in CARD.model.parameters}
WARM, MEASURED = 2, 4  # scans
MOST_PLACES = 60
GRAPHS, AFTER = (
    "Graphs in the scan",
    "Graphs in the scan that still use the cache (all except those that bypass it)",
)
HITS, WRITE = (
    "Hit ratio of the scan's writes",
    "Mean time per write (scan time / graphs)",
)
SCAN, GAPS = "Scan time", "Graphs with a new gap in their data"
BYTES = "Cache space per graph, relative to the value entered above"


def log_uniform(chance, low, high):
    return min(high, max(low, math.exp(chance.uniform(math.log(low), math.log(high)))))


def small(chance):
    """Draw a server whose cache holds few files: large files in the least memory."""
    places = round(log_uniform(chance, 1, MOST_PLACES))
    graphs = max(1, round(places * log_uniform(chance, 0.2, 5)))
    bytes_per_graph = 0.02 * 2**30 / places
    inputs = {"graphs": graphs, "memory_gib": 0.02, "bytes_per_graph": bytes_per_graph}
    inputs["cost_ratio"] = log_uniform(chance, 1, 100_000 if chance.random() < 0.3 else 50)
    inputs["hit_ms"] = log_uniform(chance, 0.0001, 1000)
    # A scan of hits takes from a thousandth of the interval to three times as long.
    share = log_uniform(chance, 0.001, 3)
    inputs["interval_s"] = min(86_400, max(0.1, graphs * inputs["hit_ms"] / 1000 / share))
    return inputs


def anywhere(chance):
    """Draw a server from the whole range of the card, including its ends."""
    inputs = {}
    for name, each in PARAMETERS.items():
        end = chance.random()
        value = log_uniform(chance, each.low, each.high)
        value = each.low if end < 0.08 else each.high if end > 0.92 else value
        inputs[name] = round(value) if each.integer else value
    return inputs


@cache
def hit_share(graphs, places, order="same", kept=None):
    """Return the share of a scan's files that a warm LRU cache holds.

    order: "same" or "reversed"; kept: how many files stay, while the others are dropped from the
    cache as soon as they are written. All stay if it is None.
    """
    scans = [list(range(graphs))] * (WARM + MEASURED)
    if order == "reversed":
        scans = [scan[:: -1 if n % 2 else 1] for n, scan in enumerate(scans)]
    if kept is None:
        outcomes = list(lru([file for scan in scans for file in scan], places)) if places else []
        return sum(outcomes[WARM * graphs :]) / (MEASURED * graphs)
    cached: OrderedDict = OrderedDict()
    hits = 0
    for n, scan in enumerate(scans):
        for file in scan:
            hits += file in cached and n >= WARM
            cached[file] = None
            cached.move_to_end(file)
            if len(cached) > places:
                cached.popitem(last=False)
            if file >= kept:
                cached.pop(file, None)
    return hits / (MEASURED * graphs)


def alerts_firing(outputs, inputs, graphs, share, cached=0):
    """Return the alerts that fire on a server with that many graphs and that hit ratio.

    cached: how many of them don't bypass the cache, once the others do.
    """
    write_ms = inputs["hit_ms"] * (share + inputs["cost_ratio"] * (1 - share))
    metrics = {
        GRAPHS: graphs,
        AFTER: cached,
        HITS: 100 * share,
        # Slightly less, since its threshold is summed in another order and may round down.
        WRITE: write_ms * (1 - 1e-9),
        SCAN: graphs * write_ms / 1000 * (1 - 1e-9),
        GAPS: 0,
        BYTES: 100,
    }
    return {watch.metric for watch in CARD.watch if watch.fires(metrics[watch.metric], outputs)}


ask = partial(ask_card, "cache_cliff")


def ask_with(inputs, **changes):
    return ask(**inputs | changes)


def points(draw, number, seed):
    chance = random.Random(seed)
    drawn = [draw(chance) for _ in range(number)]
    return [(inputs, ask_with(inputs)) for inputs in drawn]


SMALL = points(small, 2000, seed=3)
ANYWHERE = points(anywhere, 3000, seed=4)
in_state = {state: [(i, o) for i, o in SMALL if o["state"] == state] for state in CARD.states}


def test_every_state_occurs_among_small_caches_and_in_the_whole_range():
    for state in CARD.states:
        assert len(in_state[state]) >= 15, state
        assert any(outputs["state"] == state for _, outputs in ANYWHERE), state


@pytest.mark.parametrize("state", CARD.states)
def test_the_verdict_is_what_the_cache_does_now(state):
    for inputs, outputs in in_state[state]:
        share = hit_share(inputs["graphs"], int(outputs["capacity_graphs"]))
        assert share == (1 if outputs["verdict"].startswith("Below") else 0)
        assert outputs["scan_s"] == pytest.approx(
            inputs["graphs"]
            * inputs["hit_ms"]
            / 1000
            * (share + inputs["cost_ratio"] * (1 - share))
        )


def test_no_alert_fires_while_graphs_are_added_up_to_the_advised_number():
    for inputs, outputs in in_state["fits"]:
        most, places = int(outputs["alarm_graphs"]), int(outputs["capacity_graphs"])
        for graphs in {inputs["graphs"], (inputs["graphs"] + most) // 2, most}:
            assert alerts_firing(outputs, inputs, graphs, hit_share(graphs, places)) == set()
        over = places + 1
        alerts = alerts_firing(outputs, inputs, over, hit_share(over, places))
        assert {GRAPHS, HITS, WRITE} <= alerts
        late = outputs["busy_s"] < over * inputs["cost_ratio"] * inputs["hit_ms"] / 1000
        assert (SCAN in alerts) == late


def test_when_tight_moving_graphs_or_adding_memory_silences_the_alert():
    for inputs, outputs in in_state["tight"]:
        places, graphs = int(outputs["capacity_graphs"]), inputs["graphs"]
        assert alerts_firing(outputs, inputs, graphs, hit_share(graphs, places)) == {GRAPHS}
        left = graphs - int(outputs["surplus_graphs"])
        if left:
            assert alerts_firing(outputs, inputs, left, hit_share(left, places)) == set()
        assert_quiet_with_more_memory(inputs, outputs)


def assert_quiet_with_more_memory(inputs, outputs):
    """Assert that no alert fires once the cache has the memory that the card asks for."""
    graphs = inputs["graphs"]
    larger = inputs | {"memory_gib": outputs["memory_wanted_gib"]}
    again = ask_with(larger)
    assert again["state"] in ("fits", "mild")
    share = hit_share(graphs, int(again["capacity_graphs"]))
    assert alerts_firing(again, larger, graphs, share) == set()


def test_over_the_cliff_each_cure_does_what_the_card_promises():
    for inputs, outputs in in_state["over"]:
        places, graphs = int(outputs["capacity_graphs"]), inputs["graphs"]
        assert {HITS, WRITE} <= alerts_firing(outputs, inputs, graphs, hit_share(graphs, places))
        left = graphs - int(outputs["surplus_graphs"])
        cures = {
            "scan_bypass_s": (graphs, hit_share(graphs, places, kept=left)),
            "scan_zigzag_s": (graphs, hit_share(graphs, places, order="reversed")),
            None: (left, hit_share(left, places)),
        }
        for promise, (number, share) in cures.items():
            cached = left if promise == "scan_bypass_s" else 0
            assert alerts_firing(outputs, inputs, number, share, cached) == set(), promise
            if promise:
                slow = share + inputs["cost_ratio"] * (1 - share)
                scan_s = number * inputs["hit_ms"] / 1000 * slow
                assert outputs[promise] == pytest.approx(scan_s)
                assert scan_s < outputs["scan_s"] * 2 / 3 * (1 + 1e-9)
        assert_quiet_with_more_memory(inputs, outputs)
        # An alert fires in time when graphs are added that don't bypass the cache.
        more = places + 1
        assert hit_share(graphs + more - left, places, kept=more) < 0.01
        assert AFTER in alerts_firing(outputs, inputs, graphs + more - left, 0, cached=more)


def test_the_advised_bypass_leaves_a_place_for_the_files_that_bypass():
    """A file is in an LRU cache while it is written; without a free place it evicts another."""
    assert hit_share(20, 12, kept=12) == pytest.approx(11 / 20)
    assert hit_share(20, 12, kept=11) == 11 / 20


def test_far_over_a_reversal_is_offered_with_what_it_gives():
    """42,300 graphs were once told that no other order saves enough: a scan falls to 38 s."""
    card = ask(graphs=42_300, memory_gib=3.25, hit_ms=0.25, cost_ratio=20, interval_s=60)
    assert card["state"] == "far"
    assert card["scan_zigzag_s"] < card["busy_s"] < card["scan_s"] / 3
    [step] = (text for text in CARD.steps_in("far") if "{scan_zigzag_s}" in text)
    assert "less than {busy_s} s" in step
    assert "{longest_gap_s} s" in step


def test_far_over_only_fewer_graphs_or_more_memory_silence_the_alerts():
    for inputs, outputs in in_state["far"]:
        places, graphs = int(outputs["capacity_graphs"]), inputs["graphs"]
        left = graphs - int(outputs["surplus_graphs"])
        if left:
            assert alerts_firing(outputs, inputs, left, hit_share(left, places)) == set()
        assert GRAPHS in alerts_firing(outputs, inputs, graphs, hit_share(graphs, places))
        if outputs["scan_found_s"] <= outputs["busy_s"] * (1 - 1e-9):
            assert_quiet_with_more_memory(inputs, outputs)
            saved = 1 - outputs["scan_bypass_s"] / outputs["scan_s"]
            late = outputs["scan_bypass_s"] > outputs["busy_s"] * (1 - 1e-3)
            assert late or saved < 1 / 3 + 1 / places


def test_where_all_is_found_and_still_slow_no_memory_is_advised_that_is_there():
    slow = ask_card("cache_cliff", graphs=1_200_000, memory_gib=500)
    assert slow["state"] == "slow"
    assert slow["memory_wanted_gib"] < 500
    steps = " ".join(CARD.steps_in("slow"))
    assert "{memory_wanted_gib}" not in steps
    assert "Don't add memory" in steps
    left = 1_200_000 - int(slow["surplus_graphs"])
    assert ask_card("cache_cliff", graphs=left, memory_gib=500)["state"] == "fits"


@pytest.mark.parametrize("graphs", [40_000, 30_000, 12_345])
def test_the_memory_advised_is_enough_as_it_is_shown(graphs):
    wanted = to_three_digits(ask_card("cache_cliff", graphs=graphs)["memory_wanted_gib"])
    assert ask_card("cache_cliff", graphs=graphs, memory_gib=float(wanted))["state"] == "fits"


def test_where_a_miss_costs_little_no_alert_fires_on_either_side():
    for inputs, outputs in in_state["mild"]:
        share = hit_share(inputs["graphs"], int(outputs["capacity_graphs"]))
        assert alerts_firing(outputs, inputs, inputs["graphs"], share) == set()


def test_growth_of_a_graph_s_size_raises_an_alert_before_it_costs_hits():
    for inputs, outputs in in_state["fits"]:
        if outputs["capacity_graphs"] < 2:
            continue  # a single file
        drifted = ask_with(inputs, bytes_per_graph=1.05 * inputs["bytes_per_graph"])
        assert hit_share(int(outputs["alarm_graphs"]), int(drifted["capacity_graphs"])) == 1
    watch = next(watch for watch in CARD.watch if watch.metric == BYTES)
    assert watch.fires(106, outputs)
    assert not watch.fires(105, outputs)


def test_in_the_whole_range_the_advice_leads_to_a_state_that_needs_none():
    for inputs, outputs in ANYWHERE:
        graphs, most = inputs["graphs"], int(outputs["alarm_graphs"])
        assert outputs["surplus_graphs"] == max(0, graphs - most)
        if outputs["state"] in ("tight", "slow", "over", "far") and most:
            assert ask_with(inputs, graphs=most)["state"] in ("fits", "mild")
        if outputs["state"] != "mild":
            shown = outputs["alarm_hit_percent"]
            assert 0 < shown < 100, "an alert below 0% never fires"
        if outputs["state"] == "over":
            cured = int(outputs["cured_graphs"])
            assert ask_with(inputs, graphs=cured)["state"] == "over"
            assert ask_with(inputs, graphs=cured + 1)["state"] == "far"
            assert outputs["scan_zigzag_s"] <= outputs["scan_bypass_s"] * (1 + 1e-12)
            assert outputs["scan_bypass_s"] <= outputs["busy_s"] * (1 + 1e-9)


def test_over_the_cliff_the_steps_are_in_order():
    over = ask_card("cache_cliff")
    assert (over["state"], over["surplus_graphs"]) == ("over", 40_000 - 32_905)
    steps = CARD.steps_in("over")
    places = [
        next(n for n, step in enumerate(steps) if word in step)
        for word in ("First check that", "Move {surplus_graphs}", "bypass the cache", "reverse ")
    ]
    assert places == sorted(places)
    assert "{memory_wanted_gib}" in steps[places[1]]
    assert all(counter in steps[places[0]] for counter in ("iostat -x", "Disk Reads/sec"))
    for state in ("tight", "slow", "over", "far"):
        assert not any(step.startswith("Add at most") for step in CARD.steps_in(state))
        assert any("Don't add new graphs" in plain_text(each) for each in warnings(state))


def warnings(state):
    return [each for each in CARD.never if is_shown_in(each, state)]


@pytest.mark.parametrize("state", [state for state in CARD.states if state != "mild"])
def test_the_roll_back_is_triggered_by_what_users_notice(state):
    [text] = [plain_text(each) for each in CARD.roll_backs() if is_shown_in(each, state)]
    assert "gap" in text
    assert "hit ratio" not in text


def test_a_ring_of_postgresql_reads_from_the_system_s_cache_first():
    words = "operating system's cache if it is there, and otherwise from the disk"
    assert words in operator_words("cache_cliff")


def test_the_scan_always_hits_below_the_cliff_and_never_above():
    settings = {"memory_gib": 1000 * 4096 / 2**30 * 1000, "bytes_per_graph": 4096 * 1000}
    capacity = int(ask(**settings)["capacity_graphs"])
    assert capacity == 1000
    for share, hits in ((0.95, 1.0), (1.05, 0.0)):
        n = round(share * capacity)
        card = ask(graphs=n, hit_ms=1, cost_ratio=20, **settings)
        found = simulate_policy(cyclic_trace(n, 12), capacity, "lru", warmup=2 * n) / (10 * n)
        assert found == hits
        assert card["scan_s"] == pytest.approx(n * (found + 20 * (1 - found)) / 1000)
        assert (card["spare_graphs"] >= 0) == (hits == 1)
        assert card["verdict"].startswith("Below" if hits else "Past")
    found = simulate_policy(zigzag_trace(n, 12), capacity, "lru", warmup=2 * n) / (10 * n)
    assert card["scan_zigzag_s"] == pytest.approx(n * (found + 20 * (1 - found)) / 1000, rel=0.01)


def test_reversing_moves_a_file_s_writes_apart_by_up_to_a_scan():
    card = ask()
    n, interval_s, scan_s = 1000, 300.0, card["scan_zigzag_s"]
    place = (np.arange(n) + 1) / n * scan_s
    starts_s = interval_s * np.arange(6)[:, None]
    writes_s = starts_s + np.where(np.arange(6)[:, None] % 2, scan_s - place, place)
    gaps_s = np.diff(writes_s, axis=0)
    assert gaps_s.max() == pytest.approx(card["longest_gap_s"], rel=1e-3)
    assert gaps_s.min() == pytest.approx(interval_s - scan_s, rel=1e-3)


def test_a_scan_of_more_than_the_late_graphs_is_late():
    late = ask()["late_graphs"]
    assert "ends in time" in ask(graphs=round(0.95 * late))["verdict"]
    over = ask(graphs=round(1.05 * late))
    assert "isn't done when the next one is due" in over["verdict"]
    assert over["scan_s"] > 300


def test_an_operator_reads_what_todays_software_offers():
    names = (
        "S3-FIFO",
        "LIRS",
        "small ring of its own",
        "innodb_old_blocks_pct",
        "multi-generation LRU",
        "posix_fadvise",
        "POSIX_FADV_DONTNEED",
        "rrdcached",
        "heartbeat",
    )
    assert [name for name in names if name not in operator_words("cache_cliff")] == []
