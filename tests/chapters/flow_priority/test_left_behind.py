"""The map of what fourteen packets of fifteen leave: it is complete, and its corners recur."""

from itertools import product

import pytest

from tunables.chapters.flow_priority.calibration import fitted_settings, savings_s
from tunables.chapters.flow_priority.case import (
    AHEAD,
    AS_REPORTED,
    BUFFERS_MB,
    OUTLASTING,
    SEEDS,
    TIMEOUTS_MS,
    left_percent,
    percents_left,
    savings_ms,
    simulate_share,
    stored_runs,
)
from tunables.chapters.flow_priority.predictor import SIZE_BYTES, TRANSACTIONS
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.simulators.packets import simulate_packets

LARGE_TIMES = (AS_REPORTED, OUTLASTING)
CORNERS = list(product((BUFFERS_MB[0], BUFFERS_MB[-1]), (TIMEOUTS_MS[0], TIMEOUTS_MS[-1])))


def middle(large_times, buffer_mb, timeout_ms):
    return sum(percents_left(large_times, buffer_mb, timeout_ms)) / len(SEEDS)


def test_every_setting_is_stored_once_and_in_order():
    settings = product(LARGE_TIMES, BUFFERS_MB, TIMEOUTS_MS, AHEAD, SEEDS)
    assert list(stored_runs()) == list(settings)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(("buffer_mb", "timeout_ms"), CORNERS)
@pytest.mark.parametrize("large_times", LARGE_TIMES)
def test_a_corner_computed_again_gives_the_same_seconds(large_times, buffer_mb, timeout_ms):
    for ahead in AHEAD:
        setting = large_times, buffer_mb, timeout_ms, ahead, SEEDS[0]
        assert simulate_share(*setting) == stored_runs()[setting]


def test_large_flows_outlast_the_small_ones_in_one_half_and_rarely_in_the_other():
    ends = {
        times: [
            min(run.large_1_s, run.large_2_s) > max(run.extra_small_s, run.small_s, run.medium_s)
            for run in stored_runs().values()
            if run.large_times == times and run.packets_ahead == 0
        ]
        for times in LARGE_TIMES
    }
    assert all(ends[OUTLASTING])
    assert sum(ends[AS_REPORTED]) < 0.2 * len(ends[AS_REPORTED])


def test_a_queue_that_drops_leaves_over_half_and_one_that_only_delays_nothing():
    """With large flows that outlast the small ones, more than 18% or a sixth is left."""
    dropping = [middle(OUTLASTING, b, t) for b in BUFFERS_MB if b <= 2 for t in TIMEOUTS_MS]
    assert min(dropping) > 50
    assert max(dropping) > 80
    delaying = [middle(OUTLASTING, b, t) for b in (20.0, 40.0) for t in TIMEOUTS_MS if t >= 50]
    assert min(delaying) > -15
    assert max(delaying) < 0


def test_large_flows_that_end_early_hide_what_is_left():
    """An earlier version of the chapter had a timeout of 200 ms and the report's transactions."""
    early = [middle(AS_REPORTED, b, 200) for b in (1.0, 5.0)]
    late = [middle(OUTLASTING, b, 200) for b in (1.0, 5.0)]
    assert max(early) < 18 < 55 < min(late)


def test_all_fifteen_ahead_make_medium_fast_at_every_setting():
    all_ahead = [run.medium_s for run in stored_runs().values() if run.packets_ahead == 20]
    fourteen = [run.medium_s for run in stored_runs().values() if run.packets_ahead == 14]
    assert 302 < min(all_ahead) <= max(all_ahead) < 307
    assert min(fourteen) > 1.3 * max(all_ahead)


def test_no_setting_saves_what_the_report_saved():
    published = [1e3 * saved for saved in savings_s()]
    off = [
        max(abs(ours / theirs - 1) for ours, theirs in zip(saved, published, strict=True))
        for saved in (savings_ms(*s) for s in product(LARGE_TIMES, BUFFERS_MB, TIMEOUTS_MS))
    ]
    assert 0.48 < min(off) < 0.5


def test_percent_left_is_100_for_all_and_negative_for_less_than_nothing():
    assert left_percent(672, 479, 479) == 100
    assert left_percent(672, 672, 479) == 0
    assert left_percent(672, 700, 479) < 0


def test_settings_without_stored_runs_are_refused():
    with pytest.raises(KeyError):
        percents_left(OUTLASTING, 3.0, 200)


@pytest.mark.long
def test_with_a_large_queue_and_a_short_timeout_medium_waits_twice_if_windows_restart():
    """In the map's third corner senders that start with 15 packets would lose all of the gain."""
    saved = savings_ms(OUTLASTING, 40.0, 10)
    assert saved[2] == pytest.approx(2 * saved[1], rel=0.06)  # small, of 8 packets, waits once
    assert savings_ms(OUTLASTING, 40.0, 200)[2] == pytest.approx(saved[1], rel=0.1)
    rate = fitted_settings()["S0"]["port_rate_gbps"]
    counts = [round(0.02 * n) * k for n, k in zip(TRANSACTIONS, (1, 1, 1, 16, 16), strict=True)]
    work = ([20] * 5, SIZE_BYTES, counts, delays_of(20, rate), 1e9 * rate)
    options = {"buffer_bytes": 40e6, "timeout_s": 0.01, "initial_window": 15, "seed": 1}
    ends = [simulate_packets(*work, max_packets=ahead, **options).finished_s[2] for ahead in AHEAD]
    assert left_percent(*ends) < 10
