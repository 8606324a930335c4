"""The compiled experiments against numpy, and the stage's traces against the experiment."""

import numpy as np
import pytest

from tunables.chapters.cache_cliff import experiment, simulation, stage_experiment, stage_simulation
from tunables.chapters.cache_cliff.predictor import SCHEMES
from tunables.chapters.cache_cliff.validity_experiment import _sort, disordered_trace
from tunables.chapters.cache_cliff.validity_experiment import experiment as disordered
from tunables.simulators.caches import POLICIES, simulate_policy, stack_distances
from tunables.simulators.scans import CYCLIC, SHUFFLED, ZIGZAG
from tunables.simulators.traces import cyclic_trace, shuffled_trace, zigzag_trace

SCANS = {
    CYCLIC: lambda files, scans, seed: cyclic_trace(files, scans),
    ZIGZAG: lambda files, scans, seed: zigzag_trace(files, scans),
    SHUFFLED: shuffled_trace,
}


def test_the_page_numbers_the_schemes_as_the_simulators_do():
    assert simulation.POLICIES == POLICIES
    assert simulation.LRU_ORDERS == {"lru, zigzag": ZIGZAG, "lru, shuffled": SHUFFLED}
    assert set(SCHEMES) <= {*POLICIES, *simulation.LRU_ORDERS}


@pytest.mark.parametrize("order", SCANS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_hit_ratio_is_that_of_the_measured_scans(policy, order):
    if order == SHUFFLED and policy == "random":
        return  # one state for both draws, where the parts have one each
    requests = SCANS[order](40, 54, 3)
    for capacity in (0, 1, 30, 39, 40, 50):
        hits = simulate_policy(requests, capacity, policy, warmup=6 * 40, seed=3)
        ratio = experiment.hit_ratio(3, 40, capacity, POLICIES.index(policy), order)
        assert ratio == hits / (48 * 40)


@pytest.mark.parametrize("order", SCANS)
@pytest.mark.parametrize("policy", range(len(POLICIES)))
def test_the_stage_shows_what_the_experiment_counts(policy, order):
    arguments = (5, 40, 30, policy, order)
    file, hit, victim, place = stage_experiment.trace(*arguments, 54)
    assert hit[6 * 40 :].sum() / (48 * 40) == experiment.hit_ratio(*arguments)
    assert len(file) == len(victim) == len(place) == 54 * 40


@pytest.mark.parametrize("disorder", [0.0, 0.01, 0.3, 1.0, 5.0, 1e80])
def test_the_sort_is_numpys_stable_one(disorder):
    for graphs in (1, 2, 1000):
        late = disorder * graphs * np.random.default_rng(7).random((4, graphs))
        sorted_ = np.argsort(np.arange(graphs) + late, axis=1, kind="stable")
        assert (disordered_trace(7, graphs, 4, disorder) == sorted_.ravel()).all()


def test_equal_times_keep_their_order():
    ids, starts = np.empty(6, np.int32), np.empty(7, np.int32)
    late = np.array([2.0, 1.0, 2.0, 0.0, 1.0, 2.0])
    _sort(ids, late, np.empty(6, np.int32), starts)
    assert ids.tolist() == np.argsort(late, kind="stable").tolist() == [3, 1, 4, 0, 2, 5]


@pytest.mark.parametrize("disorder", [0.0, 0.05, 1.0])
def test_the_disordered_scan_hits_as_its_stack_distances_say(disorder):
    depths = stack_distances(disordered_trace(2, 500, 6, disorder))[3 * 500 :]
    for capacity in (0, 1, 250, 499, 500, 900):
        assert disordered(2, 500, capacity, disorder) == np.mean(depths <= capacity)


def slowdown(hit, files, cold=2):
    return 20 - 19 * hit[cold * files :].mean()


@pytest.mark.parametrize(
    ("policy", "order", "slow"),
    [("lru", CYCLIC, 20.0), ("mru", CYCLIC, 3.92), ("2q", CYCLIC, 7.71), ("lru", ZIGZAG, 3.71)],
)
def test_fourteen_files_in_twelve_places(policy, order, slow):
    hit = stage_experiment.trace(0, 14, 12, POLICIES.index(policy), order, 4002)[1]
    assert slowdown(hit, 14) == pytest.approx(slow, abs=0.005)


def test_random_eviction_with_fourteen_files():
    samples = [slowdown(stage_experiment.trace(s, 14, 12, 3, 0, 2000)[1], 14) for s in range(8)]
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


def test_the_stage_takes_schemes_by_name_and_at_most_two_megabytes():
    settings = {"scheme": "lru, zigzag", "files": 13, "places": 12}
    zigzag = stage_experiment.trace(4, 13, 12, 0, ZIGZAG, 9)
    shown = stage_simulation.events(4, scans=9, **settings)
    assert all((one == other).all() for one, other in zip(shown, zigzag, strict=True))
    assert sum(column.nbytes for column in shown) == 28 * 13 * 9
    with pytest.raises(ValueError, match="bytes of the trace = 2002000"):
        stage_simulation.events(4, scans=5500, **settings)
