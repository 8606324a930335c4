"""Chapter 3's compiled functions against numpy and the simulators, and what its animations show."""

import numpy as np
import pytest

from tunables.chapters.cache_cliff import experiment, predictor, simulation
from tunables.chapters.cache_cliff.animation import HIGHEST, SCHEMES, full_size_animation
from tunables.chapters.cache_cliff.experiment import (
    _sort_by_time,
    disordered_hit_ratio,
    disordered_trace,
    trace,
)
from tunables.chapters.cache_cliff.simulation import (
    FULL_SIZE_SCANS,
    events,
    play_full_size,
    run_lengths,
)
from tunables.simulators.caches import POLICIES, simulate_policy, stack_distances, trace_policy
from tunables.simulators.traces import (
    CYCLIC,
    SHUFFLED,
    ZIGZAG,
    cyclic_trace,
    shuffled_trace,
    zigzag_trace,
)
from tunables.views.animation import read_stills

SCANS = {
    CYCLIC: lambda files, scans, seed: cyclic_trace(files, scans),
    ZIGZAG: lambda files, scans, seed: zigzag_trace(files, scans),
    SHUFFLED: shuffled_trace,
}


def test_the_page_numbers_the_schemes_as_the_simulators_do():
    assert simulation.POLICIES == POLICIES
    assert simulation.LRU_ORDERS == {"lru, zigzag": ZIGZAG, "lru, shuffled": SHUFFLED}
    assert set(predictor.SCHEMES) <= {*POLICIES, *simulation.LRU_ORDERS}


@pytest.mark.parametrize("order", SCANS)
@pytest.mark.parametrize("policy", POLICIES)
def test_hit_ratio_is_that_of_the_measured_scans(policy, order):
    if order == SHUFFLED and policy == "random":
        return  # here both draw from one generator, in the simulators each from its own
    requests = SCANS[order](40, 54, 3)
    for capacity in (0, 1, 30, 39, 40, 50):
        hits = simulate_policy(requests, capacity, policy, warmup=6 * 40, seed=3)
        ratio = experiment.hit_ratio(3, 40, capacity, POLICIES.index(policy), order)
        assert ratio == hits / (48 * 40)


@pytest.mark.parametrize("order", SCANS)
@pytest.mark.parametrize("policy", range(len(POLICIES)))
def test_the_trace_has_the_hits_that_the_experiment_counts(policy, order):
    arguments = (5, 40, 30, policy, order)
    file, hit, victim, place = trace(*arguments, 54)
    assert hit[6 * 40 :].sum() / (48 * 40) == experiment.hit_ratio(*arguments)
    assert len(file) == len(victim) == len(place) == 54 * 40


@pytest.mark.parametrize("disorder", [0.0, 0.01, 0.3, 1.0, 5.0, 1e80])
def test_the_sort_is_numpys_stable_sort(disorder):
    for graphs in (1, 2, 1000):
        late = disorder * graphs * np.random.default_rng(7).random((4, graphs))
        sorted_ = np.argsort(np.arange(graphs) + late, axis=1, kind="stable")
        assert (disordered_trace(7, graphs, 4, disorder) == sorted_.ravel()).all()


def test_equal_times_keep_their_order():
    ids, starts = np.empty(6, np.int32), np.empty(7, np.int32)
    late = np.array([2.0, 1.0, 2.0, 0.0, 1.0, 2.0])
    _sort_by_time(ids, late, np.empty(6, np.int32), starts)
    assert ids.tolist() == np.argsort(late, kind="stable").tolist() == [3, 1, 4, 0, 2, 5]


@pytest.mark.parametrize("disorder", [0.0, 0.05, 1.0])
def test_the_hit_ratio_of_a_disordered_scan_follows_from_its_stack_distances(disorder):
    depths = stack_distances(disordered_trace(2, 500, 6, disorder))[3 * 500 :]
    for capacity in (0, 1, 250, 499, 500, 900):
        assert disordered_hit_ratio(2, 500, capacity, disorder) == np.mean(depths <= capacity)


def slowdown_after(cold, files, hit):
    return 20 - 19 * hit[cold * files :].mean()


@pytest.mark.parametrize(
    ("policy", "order", "slow"),
    [("lru", CYCLIC, 20.0), ("mru", CYCLIC, 3.92), ("2q", CYCLIC, 7.71), ("lru", ZIGZAG, 3.71)],
)
def test_fourteen_files_in_twelve_places(policy, order, slow):
    hit = trace(0, 14, 12, POLICIES.index(policy), order, 4002)[1]
    assert slowdown_after(2, 14, hit) == pytest.approx(slow, abs=0.005)


def test_random_eviction_with_fourteen_files():
    samples = [slowdown_after(2, 14, trace(s, 14, 12, 3, 0, 2000)[1]) for s in range(8)]
    assert np.mean(samples) == pytest.approx(6.28, rel=0.01)


@pytest.mark.parametrize(
    ("policy", "order", "slow"),
    [
        ("lru", CYCLIC, 20.0),
        ("lru", ZIGZAG, 2.63),
        ("mru", CYCLIC, 2.63),
        ("random", CYCLIC, 4.17),
        ("lru", SHUFFLED, 6.65),
    ],
)
def test_the_full_size(policy, order, slow):
    ratio = experiment.hit_ratio(0, 40_000, 36_562, POLICIES.index(policy), order)
    assert 20 - 19 * ratio == pytest.approx(slow, rel=0.005)


def test_events_takes_schemes_by_name_and_at_most_two_megabytes():
    settings = {"scheme": "lru, zigzag", "files": 13, "places": 12}
    zigzag = trace(4, 13, 12, 0, ZIGZAG, 9)
    columns = events(4, scans=9, **settings)
    assert all((one == other).all() for one, other in zip(columns, zigzag, strict=True))
    assert sum(column.nbytes for column in columns) == 28 * 13 * 9
    with pytest.raises(ValueError, match="bytes of the trace = 2002000"):
        events(4, scans=5500, **settings)


def hits(scheme, files, places, scans, seed):
    """Return whether each request is a hit, by the public simulator."""
    policy = scheme.split(",")[0]
    if scheme == "lru, shuffled":
        requests = shuffled_trace(files, scans, seed)
    else:
        requests = (zigzag_trace if scheme == "lru, zigzag" else cyclic_trace)(files, scans)
    return trace_policy(requests, places, policy, seed).hit


def outcomes(counts):
    return np.repeat(np.arange(len(counts)) % 2, counts)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("files", "places"), [(1, 1), (13, 12), (12, 12), (400, 330)])
def test_run_lengths_are_those_of_the_public_simulator(scheme, files, places):
    counts = run_lengths(7, scheme=scheme, files=files, places=places, scans=5)
    assert (outcomes(counts) == hits(scheme, files, places, 5, 7)).all()
    assert (counts[1:] > 0).all()


def test_the_full_size_stills_state_the_simulators_hits_and_slowdown():
    for bookmark, still in zip(
        full_size_animation().bookmarks, read_stills("rrd")["rrd-full-size"], strict=True
    ):
        graphs, scheme = int(bookmark.settings["graphs"]), str(bookmark.settings["scheme"])
        hit = hits(scheme, graphs, int(full_size_animation().given["places"]), FULL_SIZE_SCANS, 1)
        slow = 20 - 19 * hit[graphs:].mean()
        assert f"{graphs:,} of {graphs:,} graphs written" in still["sentence"]
        assert f"{hit[2 * graphs :].sum():,} found in the cache" in still["sentence"]
        assert still["sentence"].endswith(
            f"From scan 2 on: {slow:.2f} times as slow as with hits alone."
        )


def test_one_graph_more_turns_every_hit_into_a_miss():
    fits = int(full_size_animation().given["places"])
    assert play_full_size(graphs=fits, scheme="lru", places=fits)["run"] == [fits, 2 * fits]
    assert play_full_size(graphs=fits + 1, scheme="lru", places=fits)["run"] == [3 * (fits + 1)]


def test_the_full_size_animation_refuses_invalid_settings():
    for graphs in (0, 2.5, 10**7, "many"):
        with pytest.raises(ValueError, match=r"files|bytes of the trace"):
            play_full_size(graphs=graphs, scheme="lru", places=12)
    with pytest.raises(ValueError, match="scheme = 'lifo'"):
        play_full_size(graphs=HIGHEST, scheme="lifo", places=12)
