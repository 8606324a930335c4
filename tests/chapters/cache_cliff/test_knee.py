"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial

import numpy as np
import pytest

from tests.parts.asked import ask_card, card_words
from tunables.simulators.caches import cyclic_trace, simulate_policy, zigzag_trace

ask = partial(ask_card, "cache_cliff")


def test_the_scan_hits_always_below_the_cliff_and_never_above():
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
        assert card["verdict"].startswith("Below" if hits else "Over")
    found = simulate_policy(zigzag_trace(n, 12), capacity, "lru", warmup=2 * n) / (10 * n)
    assert card["scan_zigzag_s"] == pytest.approx(n * (found + 20 * (1 - found)) / 1000, rel=0.01)


@pytest.mark.parametrize("share", [0.5, 0.99, 1.0, 1.05, 1.5, 3])
def test_no_alert_fires_at_what_is_advised_and_each_fires_over_the_cliff(share):
    capacity, rounds = 1000, 12
    settings = {"memory_gib": capacity * 4096 / 2**30 * 1000, "bytes_per_graph": 4096 * 1000}
    n = round(share * capacity)
    card = ask(graphs=n, hit_ms=1, cost_ratio=20, **settings)
    for trace, fires in ((zigzag_trace(n, rounds), False), (cyclic_trace(n, rounds), n > capacity)):
        hits = simulate_policy(trace, capacity, "lru", warmup=2 * n) / ((rounds - 2) * n)
        scan_s = n * (hits + 20 * (1 - hits)) / 1000
        assert (100 * hits < card["alarm_hit_percent"]) == fires
        assert (n * (1 - hits) > card["alarm_reads"]) == fires
        if share < 2:  # beyond, reversing saves less than a third, and both are slow
            assert (scan_s > card["alarm_s"]) == fires
    assert card["scan_zigzag_s"] < card["alarm_s"] < card["back_s"]


def test_reversing_moves_a_file_s_writes_apart_by_up_to_a_scan():
    card = ask()
    n, interval_s, scan_s = 1000, 300.0, card["scan_zigzag_s"]
    place = (np.arange(n) + 1) / n * scan_s
    starts_s = interval_s * np.arange(6)[:, None]
    writes_s = starts_s + np.where(np.arange(6)[:, None] % 2, scan_s - place, place)
    gaps_s = np.diff(writes_s, axis=0)
    assert gaps_s.max() == pytest.approx(card["longest_gap_s"], rel=1e-3)
    assert gaps_s.min() == pytest.approx(interval_s - scan_s, rel=1e-3)


def test_a_scan_is_late_beyond_the_graphs_that_end_in_time():
    late = ask()["late_graphs"]
    assert "ends in time" in ask(graphs=round(0.95 * late))["verdict"]
    over = ask(graphs=round(1.05 * late))
    assert "late for the next" in over["verdict"]
    assert over["scan_s"] > 300


def test_the_card_names_what_todays_software_offers():
    names = (
        "S3-FIFO",
        "LIRS",
        "small ring",
        "innodb_old_blocks_pct",
        "multi-generation LRU",
        "posix_fadvise",
        "rrdcached",
        "heartbeat",
    )
    assert [name for name in names if name not in card_words("cache_cliff")] == []
