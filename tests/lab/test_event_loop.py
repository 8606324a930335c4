"""The real event loop: what holds on any machine. Orderings only, on a small queue."""

import pytest

from tunables.lab.event_loop import (
    LoopSetting,
    choose_route,
    lab_settings,
    measure_event_loop,
    observe,
)
from tunables.simulators.work_queue import drain_work_queue, growth_rule

ITEMS = 20_000


def mean_lateness(seen):
    return sum(seen.lateness_s) / len(seen.lateness_s)


def in_residual_slices(seen):
    residual_s = sum(s * s for s in seen.slice_s) / (2 * sum(seen.slice_s))
    return mean_lateness(seen) / residual_s


@pytest.fixture(scope="module")
def observations():
    settings = lab_settings(growth_rule("2005-05-06"), growth_rule("2010"))
    seen = measure_event_loop(settings, items=ITEMS, timers=300, repeats=1)
    return {observation.setting.label: observation for observation in seen}


def test_every_item_is_done_once_whatever_the_setting(observations):
    for seen in observations.values():
        assert sum(seen.cycles) == ITEMS
        assert len(seen.cycles) == len(seen.slice_s) == len(seen.granularity)
        assert 0 < sum(seen.slice_s) <= seen.drain_s
        assert seen.lateness_s


def test_one_piece_is_one_slice_and_the_latest(observations):
    whole = observations["one piece"]
    assert whole.cycles == [ITEMS]
    assert mean_lateness(whole) > mean_lateness(observations["10 ms"])


def test_every_slice_but_the_last_lasts_longer_than_its_quantum(observations):
    for seen in observations.values():
        if seen.setting.quantum_s is not None:
            assert all(slice_s > seen.setting.quantum_s for slice_s in seen.slice_s[:-1])


def test_a_longer_quantum_makes_fewer_slices_and_later_timers(observations):
    runs = [len(observations[f"{q} ms"].slice_s) for q in (50, 10, 1)]
    assert runs == sorted(runs)
    assert mean_lateness(observations["1 ms"]) < mean_lateness(observations["50 ms"])


def test_a_coarse_granularity_overruns_the_quantum(observations):
    coarse = observations["10 ms, granularity 8192"]
    assert all(cycles % 8192 == 0 for cycles in coarse.cycles[:-1])
    assert max(coarse.cycles) > max(observations["10 ms, granularity 1"].cycles)


def test_the_rule_of_2010_steps_by_fours(observations):
    granularity = observations["10 ms, rule of 2010"].granularity
    assert granularity == sorted(granularity)
    assert all(g == 1 or g % 4 == 0 for g in granularity)


def test_timers_behind_the_next_slice_are_later(observations):
    # In mean residual slices of the same run, so that a slower moment of the machine cancels:
    # 1, 3 and 5 in a long run.
    first, behind, awaiting = (
        in_residual_slices(observations[label])
        for label in ("10 ms", "10 ms, call_soon", "10 ms, awaiting")
    )
    assert first < min(behind, awaiting)


def test_the_slicer_makes_the_runs_of_the_simulated_queue(monkeypatch):
    clock = iter(range(10**9))
    monkeypatch.setattr("tunables.lab.event_loop.monotonic", lambda: next(clock) * 0.003)
    seen = observe(LoopSetting("clock", 0.010, growth=growth_rule("2010")), 5000, 1, 0.0, seed=1)
    # each look at the clock is 3 ms after the last: every run sees 3, 6, 9, 12 ms
    checks = drain_work_queue(
        [0.0] * 5000, quantum_s=0.010, rule=growth_rule("2010"), check_cost_s=0.003
    )
    assert seen.cycles == checks.cycles.tolist()
    assert seen.granularity == checks.granularity.tolist()


def test_the_work_is_the_same_each_time():
    assert [choose_route(prefix) for prefix in range(4)] == [choose_route(p) for p in range(4)]


def broken_rule(cycles, granularity):
    raise ZeroDivisionError("a reader's rule")


def test_an_error_in_a_growth_rule_ends_the_run():
    with pytest.raises(ZeroDivisionError, match="a reader's rule"):
        observe(LoopSetting("broken", 0.0, growth=broken_rule), 100, 5, 0.01, seed=1)


@pytest.mark.parametrize(
    ("setting", "arguments", "message"),
    [
        (LoopSetting("x", 0.01, order="later"), {}, "order = 'later': must be one of"),
        (LoopSetting("x", -1), {}, "quantum_s = -1: must be"),
        (LoopSetting("x", 0.01, granularity=0), {}, "granularity = 0: must be"),
        (LoopSetting("x", 0.0, growth=lambda c, g: 0), {}, r"growth\(cycles, granularity\) = 0"),
        (LoopSetting("x", 0.01), {"items": 0}, "items = 0: must be"),
        (LoopSetting("x", 0.01), {"timers": 0}, "timers = 0: must be"),
        (LoopSetting("x", 0.01), {"span_s": -1}, "span_s = -1: must be"),
    ],
)
def test_refuses(setting, arguments, message):
    good = {"items": 10, "timers": 1, "span_s": 0.0, "seed": 1}
    with pytest.raises(ValueError, match=message):
        observe(setting, **(good | arguments))


def test_refuses_no_repeats():
    with pytest.raises(ValueError, match="repeats = 0"):
        next(measure_event_loop([], items=10, repeats=0))
