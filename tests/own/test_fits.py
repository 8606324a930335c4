"""Fits of made-up numbers: known parameters come back, odd data are refused, nothing leaks."""

import time

import numpy as np
import pytest

from tests.evidence.quagga_tables import (
    print_session,
    print_thread_cpu,
    print_work_queues,
    thread_cpu,
    work_queues,
)
from tests.own.made import FILES, SAMPLES, lines, script, text
from tunables.own.chapters import FITS, fit_source
from tunables.own.fit import HeldOut, Model, elasticities, held_out_rows, judged, mean_error
from tunables.own.traffic import learn, miss_ratio
from tunables.theory.caching import che_approximation, cliff_capacity

MADE = script()
SEEDS = [1, 2, 3, 4]


def commit_log(seed=1, shared=True):
    rows = MADE.commit_log(shared, seed)
    return text("time_s,clients,delay_s,response_s", rows)


def latency_log(seed=1, outage=False, requests=12_000):
    rows = ((latency, 0.5, 3) for latency in MADE.latencies(outage, requests, seed))
    return text("latency_s,timeout_s,retries", rows)


def key_trace(seed=1, drifts=False):
    return text("key", MADE.trace(drifts, 20_000, seed))


def flow_log(seed=1, discipline="ps"):
    return text("start_s,size_bytes,duration_s", MADE.flows(discipline, 18_000, seed))


def transfer_table(seed=1, windowed=True):
    return text("rtt_s,throughput_bps", MADE.transfers(windowed, seed))


def printouts(seed=1, stolen=False):
    return "\n".join(MADE.printouts(stolen, seed)) + "\n"


# Chapter: (data that follow the model, parameters that made them, relative bands).
KNOWN = {
    1: (commit_log, {"F": 0.004, "k": 1.0, "Z": 0.001}, {"F": 0.15, "k": 0.03, "Z": 0.15}),
    2: (latency_log, {"p": 0.2, "y": np.exp(-3 + 0.125)}, {"p": 0.05, "y": 0.03}),
    3: (key_trace, {"n": 120, "tau": 300}, {"n": 0.0, "tau": 0.05}),
    4: (flow_log, {"C": 100e6, "z": 0.005}, {"C": 0.08, "z": 0.1}),
    5: (transfer_table, {"S": 400e6, "W": 4e6}, {"S": 0.03, "W": 0.03}),
    6: (printouts, {"c": 0.0003}, {"c": 0.06}),
}
ODD = {
    1: lambda seed: commit_log(seed, shared=False),
    2: lambda seed: latency_log(seed, outage=True),
    3: lambda seed: key_trace(seed, drifts=True),
    4: lambda seed: flow_log(seed, "fifo"),
    5: lambda seed: transfer_table(seed, windowed=False),
    6: lambda seed: printouts(seed, stolen=True),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chapter", KNOWN)
def test_the_parameters_that_made_the_data_come_back_and_the_model_fits(chapter, seed):
    make, truth, bands = KNOWN[chapter]
    fit = fit_source(chapter, make(seed))
    assert fit.fits, fit.verdict
    for name, value in truth.items():
        assert fit.value(name) == pytest.approx(value, rel=bands[name], abs=1e-12), name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("chapter", ODD)
def test_data_that_break_an_assumption_are_refused_with_a_reason(chapter, seed):
    fit = fit_source(chapter, ODD[chapter](seed))
    assert not fit.fits
    assert fit.verdict.startswith("This model does not fit: mean error")
    assert fit.error > fit.model.band
    assert len(fit.verdict.split(". ")) > 1


def corrupted_commits(source):
    """Make the runs with 16 clients, which are held out, ten times as slow."""
    heading, rows = lines(source)
    cells = [row.split(",") for row in rows]
    return text(heading, ((t, n, d, float(r) * (10 if n == "16" else 1)) for t, n, d, r in cells))


def corrupted_end(source, share, spoil):
    """Spoil the rows from that share of the file on."""
    heading, rows = lines(source)
    start = int(share * len(rows))
    return text(heading, [*rows[:start], *map(spoil, rows[start:])])


def corrupted_flows(source):
    """Make the flows of the windows held out slower; their sizes set the load, and stay."""
    heading, rows = lines(source)
    cells = np.array([row.split(",") for row in rows], dtype=float)
    window = np.arange(len(cells)) * 9 // len(cells)
    cells[np.isin(window, held_out_rows(9)), 2] *= 7
    return text(heading, cells.tolist())


def corrupted_transfers(source):
    """Halve every third rate from the second on; the rows are sorted by round trip."""
    heading, rows = lines(source)
    cells = [[float(cell) for cell in row.split(",")] for row in rows]
    for row in cells[1::3]:
        row[1] /= 2
    return text(heading, cells)


def slow_worker(line):
    """Make the mean wall time of a run 99.999 ms: it is held out in every printout."""
    cells = line.split()
    if "work_queue_run" not in cells:
        return line
    cells[4] = "99999"
    return " ".join(cells)


CORRUPTED = {
    1: corrupted_commits,
    2: lambda source: corrupted_end(source, 2 / 3, lambda row: "2.0,0.5,3"),
    3: lambda source: corrupted_end(source, 1 / 2, lambda row: "other" + row[-1]),
    4: corrupted_flows,
    5: corrupted_transfers,
    6: lambda source: "\n".join(map(slow_worker, source.splitlines())),
}


@pytest.mark.parametrize("chapter", CORRUPTED)
def test_rows_held_out_are_held_out(chapter):
    """Spoiling them changes the verdict and not a parameter."""
    source = KNOWN[chapter][0](1)
    spoiled = CORRUPTED[chapter](source)
    before, after = fit_source(chapter, source), fit_source(chapter, spoiled)
    assert [p.value for p in after.parameters] == [p.value for p in before.parameters]
    assert before.fits
    assert not after.fits
    assert after.error > 1.5 * before.error


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_samples_are_what_their_script_makes(path):
    assert path.read_text(encoding="utf-8").splitlines() == MADE.samples()[path.name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_sample_gets_the_verdict_of_its_name(path):
    assert fit_source(int(path.name[0]), path).fits == ("fits" in path.name)


def test_a_trace_of_a_million_requests_takes_seconds():
    rng = np.random.default_rng(5)
    keys = rng.zipf(1.3, 1_000_000) % 200_000
    fit_source(3, key_trace())  # compiles
    source = "key\n" + "\n".join(map(str, keys.tolist())) + "\n"
    started = time.perf_counter()
    fit = fit_source(3, source)
    print(f"{time.perf_counter() - started:.1f} s")
    assert fit.fits, fit.verdict


@pytest.mark.parametrize("chapter", [2, 4])
def test_a_million_rows_are_fitted(chapter):
    heading, rows = lines(latency_log() if chapter == 2 else flow_log())
    if chapter == 2:
        many = rows * (1_000_000 // len(rows) + 1)
    else:
        cells = [row.split(",") for row in rows]
        span = float(cells[-1][0])
        copies = 1_000_000 // len(rows) + 1  # as dense as before, on a port of so many times C
        many = [
            f"{float(start) + span * copy / copies / 1000},{size},{duration}"
            for copy in range(copies)
            for start, size, duration in cells
        ]
    assert len(many) >= 1_000_000
    assert fit_source(chapter, text(heading, many)).parameters[0].value > 0


def test_without_a_scan_the_trace_model_is_ches_approximation():
    counts = [40, 30, 20, 10, 5, 3, 2]
    ids = np.random.default_rng(1).permutation(np.repeat(np.arange(7), counts))
    traffic = learn(ids)
    assert traffic.scan_keys == 0
    for capacity in range(1, 7):
        hit_ratio, _ = che_approximation(counts, capacity)
        assert miss_ratio(traffic, capacity) == pytest.approx(1 - hit_ratio, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_requests_are_no_scan(seed):
    rng = np.random.default_rng(seed)
    assert learn(rng.integers(0, 2000, 40_000)).scan_keys == 0
    assert learn(rng.zipf(1.2, 100_000) % 5000).scan_keys == 0


def test_the_scan_falls_off_its_cliff_where_the_chapter_says():
    weights = [rank**-0.8 for rank in range(1, 201)]
    ids = np.unique(list(MADE.trace(False, 40_000, 1)), return_inverse=True)[1]
    traffic = learn(ids)
    cliff = cliff_capacity(120, weights, 0.6)
    below, above = (miss_ratio(traffic, cliff * factor) for factor in (0.97, 1.03))
    assert below - above > 0.35  # four requests in ten are the scan's


def test_the_published_table_is_a_table_of_runs():
    """Rows 1 and 2 of chapter 1 and two that its law gives: two delays a commit, not one."""
    rows = [(50, 2000, 8072, 6.19), (50, 25, 4126, 12.1), (50, 500, 5076, 9.85), (50, 1, 4078, 12)]
    fit = fit_source(1, text("clients,delay_ms,response_ms,throughput_per_s", rows))
    assert fit.fits, fit.verdict
    assert fit.value("k") == pytest.approx(2, rel=0.01)


def test_stage_rates_that_are_given_are_not_fitted():
    rows = [(0.001 * rtt, min(90e6, 8e6 / (0.001 * rtt)), 200e6, 90e6) for rtt in range(20, 200, 9)]
    fit = fit_source(5, text("rtt_s,throughput_bps,source_bps,apply_bps", rows))
    assert fit.fits, fit.verdict
    (limit, window) = fit.parameters
    assert (limit.value, limit.origin, limit.what) == (
        90e6,
        "given",
        "rate of apply, the slowest stage",
    )
    assert window.value == pytest.approx(1e6, rel=1e-3)


@pytest.mark.parametrize(
    ("law", "rate"),
    [
        ("cubic", lambda rtt: 30e6 * rtt**-0.25),
        ("stop-and-wait", lambda rtt: 1 / (1 / 300e6 + rtt / 8e6)),
    ],
)
def test_the_law_of_the_round_trip_is_chosen_by_the_data(law, rate):
    rows = [(rtt, rate(rtt)) for rtt in np.linspace(0.01, 0.3, 15)]
    fit = fit_source(5, text("rtt_s,throughput_bps", rows))
    assert fit.fits, fit.verdict
    assert f"Law chosen: {law}" in fit.notes[0]


FRR = """
P    Items  Hold    Total    Total    Best   Gran.    Total   Avg. Name
         0    50      132      131    9216   1024   160000   1212 process_queue (null)
         2  1000        5        1     512    256      700    140 clear_route_node
bgpd# show event cpu
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Type Event
    1       1519.222       137    11509     14401    11622     15033         2         3   E   {}
"""


@pytest.mark.parametrize("name", ["work_queue_run", "(work_queue_run)"])
def test_frrouting_counts_the_items_itself(name):
    heading = "           List  (ms)   Q. Runs   Yields      Cycle Counts\n"
    fit = fit_source(6, heading + FRR.format(name).lstrip("\n"))
    (slice_s,) = fit.held_out
    assert slice_s.measured == 0.011622
    assert slice_s.predicted == pytest.approx(160_000 / 132 * fit.value("c"), rel=1e-3)


def test_the_published_session_is_refused_for_what_it_lacks():
    """Nine printouts of the queues and two of the threads, and several queues at work."""
    with pytest.raises(ValueError, match="9 tables of 'show work-queues' and 2 rows"):
        fit_source(6, print_session())
    pair = print_work_queues(work_queues()[-1]) + print_thread_cpu(thread_cpu()[-1])
    with pytest.raises(ValueError, match="'clear_route_node' has 7632 of 9356 runs"):
        fit_source(6, pair)


@pytest.mark.parametrize(
    ("chapter", "source", "sentence"),
    [
        (1, "clients,response_s\n1,2\n", "one of the columns time_s"),
        (1, "clients,response_s,throughput_per_s\n1,2,3\n", "runs: 1; measure at least 3"),
        (1, "clients,response_s,time_s\n1,2,3\n4,2,3\n", "1 commits in a row with 1 clients"),
        (1, "clients,response_s,time_s\n" + "1,2,3\n" * 50, "time_s does not move"),
        (2, "latency_s,timeout_s,retries\n1,1,1\n", "rows: 1; this fit needs"),
        (2, "latency_s,timeout_s,retries\n" + "1,1,1\n1,2,1\n" * 500, "fit one setting at a time"),
        (2, "latency_s,timeout_s,retries\n" + "2,1,1\n" * 1000, "no request was answered"),
        (2, "latency_s,timeout_s,retries\n" + "2,1,1e9\n" * 1000, "at most 100"),
        (3, "at,what\n1,a\n2,b\n", "wanted is one of the name key"),
        (3, "key\na\nb\n", "2 requests are too few"),
        (
            4,
            "start_s,size_bytes,duration_s\n" + "1,2,3\n" * 700,
            "start_s is the same in a ninth of the rows",
        ),
        (5, "rtt_s,throughput_bps\n" + "1,2\n" * 7, "rtt_s is the same in all rows"),
        (6, "hello\nworld\n", "must hold a table of 'show work-queues'"),
        (6, printouts().replace("show thread cpu", "x").replace("Runtime(ms)", "y"), "heading"),
        (
            6,
            printouts().split("bgpd# show thread cpu")[0],
            "must hold a table of 'show thread cpu'",
        ),
        (7, "a\n", "chapter = 7: must be a whole number at least 1 and at most 6"),
    ],
)
def test_what_a_fit_refuses_says_what_to_do(chapter, source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source(chapter, source)


def row(measured, predicted, baseline):
    return HeldOut("x", "", measured, predicted, baseline)


@pytest.mark.parametrize(
    ("predicted", "baseline", "fits", "words"),
    [
        (1.05, 2.0, True, "This model fits: mean error 5.0 %"),
        (1.05, 1.01, False, "These numbers do not need the model."),
        (1.2, 2.0, False, "more than 10.0 %. Because."),
        (1.1, 1.1, True, "This model fits"),  # the edge of the band, and as good as the baseline
    ],
)
def test_the_rule(predicted, baseline, fits, words):
    model = Model(1, "law", "a guess", 0.1)
    fit = judged(model, [], [row(1.0, predicted, baseline)], "Because.", "x", [])
    assert fit.fits == fits
    assert words in fit.verdict


def test_errors_are_relative_or_differences():
    rows = [row(2.0, 1.0, 4.0), row(0.0, 0.5, 0.0)]
    assert mean_error(rows, "relative") == pytest.approx((0.5 + 1) / 2)
    assert mean_error(rows, "relative", "baseline") == pytest.approx(0.5)
    assert mean_error(rows, "difference") == pytest.approx(0.75)


def test_elasticities_leave_out_what_has_none():
    found = dict(elasticities(lambda a, b, c: a**3 / b, {"a": 2.0, "b": 5.0, "c": 0.0}))
    assert found == {"a": pytest.approx(3), "b": pytest.approx(-1)}


def test_every_chapter_of_the_book_has_a_fit():
    assert set(FITS) == {int(path.name[:2]) for path in SAMPLES.parents[1].glob("chapters/*.ipynb")}
