"""The validity maps: what they claim of closed form and simulation, held by other means."""

from typing import Any

import numpy as np
import pytest

from tunables.cases.rdu import CASE as RDU
from tunables.reader.validity import describe_map
from tunables.reader.verdict import judge
from tunables.simulators.batches import simulate_batches
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.theory.caching import shuffled_hit_ratio, slowdown
from tunables.theory.tcp import cubic_throughput
from tunables.validity import dpp, quagga, rrd, storm, wlcg
from tunables.validity.map import Axis, ValidityMap, sweep
from tunables.validity.registry import find_map, maps


@pytest.fixture(scope="module")
def described():
    return {name: describe_map(validity) for name, validity in maps().items()}


def parted(description, percent=5):
    said = [each for row in judge(description, percent)["verdicts"] for each in row]
    return sum(each.startswith("too") for each in said), len(said)


def test_every_chapter_has_a_map():
    assert [validity.case.chapter for validity in maps().values()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", maps())
def test_a_map_has_an_inside_and_an_outside(described, name):
    count, cells = parted(described[name])
    assert 0.1 * cells < count < 0.7 * cells
    said = [each for row in judge(described[name], 5)["verdicts"] for each in row]
    assert said.count("agrees") > 0.3 * cells
    assert said.count("undecided") < 0.15 * cells


@pytest.mark.parametrize("name", maps())
def test_a_larger_tolerance_never_parts_more_cells(described, name):
    counts = [parted(described[name], percent)[0] for percent in range(1, 51)]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("name", ["rrd", "dpp", "quagga"])
def test_where_the_assumption_is_kept_no_cell_parts(described, name):
    description = described[name]
    row = description["y"]["values"].index(description["y"]["assumed"])
    verdicts = judge(description, 5)["verdicts"][row]
    assert not [said for said in verdicts if said.startswith("too")]


def test_the_same_seed_gives_the_same_cells_and_another_one_others():
    settings, _ = find_map("storm").split(40, 0.3)
    runs = [storm.simulate(seed, settings) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


# What each map says of its causes.


@pytest.mark.parametrize("commits", [1, 2])
@pytest.mark.parametrize("clients", [1, 10, 100])
def test_chapter_1_the_caps_are_exact(commits, clients):
    settings = RDU.settings(hypothesis=("one cap", "two caps")[commits - 1], clients=clients)
    run = {name: settings[name] for name in ("timeout_s", "retries", "max_delay_s", "base_s")}
    response_s = simulate_batches(clients=clients, commits=commits, **run)[1]
    assert response_s == pytest.approx(RDU.predict(**settings)["response_s"], rel=2e-3)


def test_chapter_1_a_cap_runs_out_in_vain_only_if_the_lease_query_is_longer():
    validity = find_map("rdu")

    def gap(**lease):
        settings, _ = validity.split(12, 0.9)
        settings |= lease
        simulated = np.mean(validity.simulate(1, settings))
        return validity.case.predict(**settings)["response_s"] / simulated - 1

    assert gap() < -0.15
    assert abs(gap(timeout_s=0.1, retries=0)) < 0.05


def test_chapter_2_retries_that_are_spread_in_time_meet_the_formula_again():
    settings, _ = find_map("storm").split(70, 0.2)
    closed = storm.CASE.predict(**settings)["offered_per_s"]
    assert min(storm.simulate(1, settings)) > 3 * closed
    spread, _ = simulate_retry_storm(
        70, 100, 0.2, 3, outage_s=0, horizon_s=400, backoff_base_s=60, backoff_cap_s=60, seed=1
    )
    assert spread[-100:].mean() == pytest.approx(closed, rel=0.05)


def test_chapter_3_no_disorder_is_the_scan_and_great_disorder_a_shuffle():
    trace = rrd.disordered_trace(1_000, 2, 0.0, seed=1)
    assert trace.tolist() == [*range(1_000), *range(1_000)]
    settings: dict[str, Any] = find_map("rrd").split(3.25, 0)[0]
    capacity = rrd.CASE.predict(**settings)["capacity_graphs"]
    shuffled = slowdown(shuffled_hit_ratio(capacity / settings["graphs"]), 20)
    assert np.mean(rrd.simulate(1, settings, 1e4)) == pytest.approx(shuffled, rel=0.02)


def test_chapter_4_users_in_step_matter_less_where_the_port_is_nearly_full():
    def gap(users):
        settings, _ = find_map("dpp").split(users, 0)
        closed = dpp.CASE.predict(**settings)
        busy = closed["port_utilisation"]
        return busy, closed["large_1_with_s"] / np.mean(dpp.simulate(1, settings, 0.0)) - 1

    (free, wide), (busy, narrow) = gap(8), gap(30)
    assert free < 0.85 < 0.99 < busy
    assert wide < -0.2 < -0.1 < narrow < 0


def test_chapter_5_evenly_spaced_losses_bring_the_law_back():
    settings, _ = find_map("wlcg").split(0.02, 0.01)
    rtt_s, loss, mss = settings["rtt_s"], settings["loss"], settings["mss_bytes"]
    law = cubic_throughput(mss, rtt_s, loss)
    even = simulate_tcp_rounds(rtt_s, loss, 50_000)[10_000:].mean() * mss / rtt_s
    assert law == pytest.approx(even, rel=0.03)
    assert law < 0.92 * wlcg._connection(settings, 50_000, seed=1)


@pytest.mark.parametrize("drift", [1, 10])
def test_chapter_6_lateness_is_what_timers_in_the_event_loop_see(drift):
    settings: dict[str, Any] = find_map("quagga").split(3e-4, drift)[0]
    items, shape = int(settings["items"]), settings["cost_shape"]
    first_s = 2 * settings["item_cost_s"] / (1 + drift)
    mean_s = np.where(np.arange(items) < items // 2, first_s, drift * first_s)
    rng = np.random.default_rng(quagga.RUNS)  # the first run of seed 1
    costs_s = rng.gamma(shape, mean_s / shape)
    due_s = np.sort(rng.uniform(0, costs_s.sum(), 200_000))
    seen = simulate_event_loop([Queue(costs_s)], timers_s=due_s).timer_lateness_s.mean()
    assert quagga.simulate(1, settings, drift)[0] == pytest.approx(seen, rel=0.02)


# What a declaration refuses.


@pytest.mark.parametrize("values", [(1.0,), (2.0, 1.0), (1.0, 1.0)])
def test_an_axis_must_rise(values):
    with pytest.raises(ValueError, match="two or more that rise"):
        Axis("graphs", "Graphs", "graphs", "", values)


def test_the_assumption_must_be_on_the_axis():
    with pytest.raises(ValueError, match="assumed = 3"):
        Axis("disorder", "Disorder", "disorder", "1", (0, 1), assumed=3)


def declared(**changes):
    case = maps()["rrd"].case
    plain: dict[str, Any] = {
        "case": case,
        "title": "Two by two",
        "x": Axis("graphs", "Graphs", "graphs", "", (10_000, 40_000)),
        "y": Axis("memory_gib", "Memory", "memory", "GiB", (2, 4)),
        "output": "slowdown",
        "simulate": lambda seed, settings: [case.predict(**settings)["slowdown"]] * 2,
        "why": "",
    }
    return ValidityMap(**(plain | changes))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": "speed"}, "output = 'speed'"),
        ({"settings": {"colour": 1}}, "parameter = 'colour'"),
        ({"x": Axis("colour", "Colour", "colour", "", (1, 2))}, "name of an axis = 'colour'"),
        ({"x": Axis("graphs", "Graphs", "graphs", "", (1, 40_000))}, "graphs = 1"),
    ],
)
def test_a_map_of_what_the_case_has_not_is_refused(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        declared(**changes)


def test_a_small_sweep_gives_closed_form_mean_and_half_width():
    cells = sweep(declared())
    assert [[cell.closed for cell in row] for row in cells] == [[1, 20], [1, 1]]
    assert all(c.closed == c.simulated and c.half_width == 0 for row in cells for c in row)


def test_a_simulation_that_gives_nothing_is_refused():
    with pytest.raises(ValueError, match="slowdown = 0"):
        sweep(declared(simulate=lambda seed, settings: [0.0, 0.0]))


def test_an_unknown_map_is_refused():
    with pytest.raises(ValueError, match="map = 'lease'"):
        find_map("lease")
