"""Chapter 2: every number of its prose and of its solutions, computed."""

import math
import re

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, cells, prose, solution
from tunables.chapters.group_commit.calibration import ROWS, response_s, think_time_s
from tunables.chapters.group_commit.predictor import predict as rdu
from tunables.chapters.time_outs import lease_case as lease
from tunables.chapters.time_outs.lease_case import row_settings
from tunables.chapters.time_outs.lease_predictor import predict
from tunables.chapters.time_outs.storm_predictor import predict as storm
from tunables.evidence.published import published
from tunables.page.formats import grouped
from tunables.parts.freedom import freedom
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.deadlines import deadline_safe_load
from tunables.theory.retries import (
    closed_storm_rate,
    drain_time_s,
    retry_fixed_points,
    retry_statistics,
)

CHAPTER = ROOT / "chapters" / "02-time-outs.ipynb"
LAB = ROOT / "labs" / "02-time-outs.ipynb"
TEXT = prose(CHAPTER)
DATA = {row_id: record.value for row_id, record in published("rdu-batch-tuning").items()}
CALLS = DATA["concurrent-calls"]
ATTEMPTS = {row: row_settings(row)["retries"] + 1 for row in ROWS}
WAIT_S = {row: ATTEMPTS[row] * row_settings(row)["timeout_s"] for row in ROWS}
BUSY = {row: CALLS / response_s(row) * WAIT_S[row] for row in ROWS}
SENT = {row: CALLS / response_s(row) * ATTEMPTS[row] for row in ROWS}
HALF_ADVICE = {"timeout_s": 0.5, "retries": 3}
ROOTS = retry_fixed_points(40, 100, **HALF_ADVICE)


def pool_of_25(row):
    return predict(threads=25, **row_settings(row))


def excess(row):
    """Return by how much a pool of 25 misses the response time of a row."""
    return f"{100 * (pool_of_25(row)['response_s'] / response_s(row) - 1):.0f} %"


def lost(row, p=0.1):
    return retry_statistics(p, *row_settings(row).values())[1]


def most_think_s():
    """Return the longest pause that row 3 allows: N / X - R at 42.5 batches a second."""
    return CALLS / (DATA["both-throughput"] - 0.5) - response_s("both")


def safe(retries):
    return storm(service_rate_per_s=100.0, retries=retries)["safe_arrivals_per_s"]


def numbers_in_the_prose():
    digits = sorted(WAIT_S["flush"] * (DATA["flush-throughput"] + end) for end in (-0.5, 0.5))
    paused = CALLS / (response_s("flush") + most_think_s()) * WAIT_S["flush"]
    one_pool = pool_of_25("original")
    rival = [
        response_s("original") * WAIT_S[row] / WAIT_S["original"] / response_s(row) - 1
        for row in ("flush", "both")
    ]
    closed = [
        closed_storm_rate(50, **row_settings(row), think_time_s=think_time_s())
        for row in ("flush", "both")
    ]
    drained_min = drain_time_s(1, 80 * 9, 100, 80)
    row_1, row_2, row_3 = (1 - WAIT_S[row] / response_s(row) for row in ROWS)
    return {
        "first answer": "One second: a retry" if WAIT_S["both"] == 1 else "",
        "second answer": f"\n{response_s('both')} s: the query, and little",
        "third answer": f"\n{DATA['both-throughput']:.0f} a second.",
        "totals": f"is {WAIT_S['original']:.0f} s by default and {WAIT_S['both']:.0f} s as advised",
        "row 1": f"alone: {BUSY['original']:.1f} threads wait",
        "the trap": f"{one_pool['response_s']:.1f} s and {one_pool['throughput_per_s']:.2f} batch",
        "row 2": f"has {BUSY['flush']:.1f} threads waiting",
        "refuted": f"{excess('flush')} in row 2 and by {excess('both')} in row 3",
        "threads": f"at least {math.ceil(BUSY['flush'])} threads for lease queries",
        "digits": f"threads are {digits[0]:.0f} to {digits[1]:.0f}",
        "longest pause": f"pause {1000 * most_think_s():.0f} ms between calls",
        "threads with it": f"row 3 allows by this law, {math.ceil(paused)}.",
        "lost by default": f"one query in {grouped(1 / lost('original'))}",
        "lost as advised": f"advised setting one in {grouped(1 / lost('both'))}",
        "a hundred times": "a hundred times as many queries",
        "roots": f"At {ROOTS[0]:.0f} attempts a second nearly all",
        "stuck": f"At {ROOTS[2]:.0f} none is",
        "watershed": f"The one between, {ROOTS[1]:.2f}, is a watershed",
        "safe": f"{safe(3):.0f} requests a second with three retries, and {safe(1):.0f} with one",
        "one retry": f"makes 30 safe ({30 * 2} attempts a second at most), but not 70 ({70 * 2})",
        "bounds": f"misses row 2 by {100 * row_2:.0f} % and row 3 by {100 * row_3:.0f} %",
        "sent by default": f"send {SENT['flush']:.1f} attempts a second",
        "sent as advised": f"wait 0.5 s, {SENT['both']:.1f}: {SENT['both'] / SENT['flush']:.1f} ti",
        "closed population": f"at most {closed[0]:.1f} attempts a second. As advised they send "
        f"{closed[1]:.1f}, and nobody",
        "deadlines": f"from $\\lambda = {deadline_safe_load(1, 3):.2f}\\,\\mu$ on, with eight from "
        f"${deadline_safe_load(1, 8):.2f}\\,\\mu$",
        "nearly triples": "nearly triples the safe load of 25"
        if 2.5 < deadline_safe_load(100, 3) / safe(3) < 3
        else "",
        "margin": f"waste {100 * math.exp(-3):.0f} % of its time at most",
        "budget": f"below $\\mu/1.1 = {1 / 1.1:.2f}\\,\\mu$",
        "draining": f"each minute of storm takes {drained_min:.0f} minutes to drain",
        "just enough": f"below it, to {120 * 0.82:.1f}, and nothing",
        "empty": f"watershed of {retry_fixed_points(30, 100, **HALF_ADVICE)[1]:.2f} attempts a sec",
        "the rival": f"by {100 * rival[0]:.0f} % in row 2 and by {100 * rival[1]:.0f} % in row 3",
        "half": "row 1 by half" if round(row_1, 1) == 0.5 else "",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_the_advice_loses_a_hundred_times_as_many_queries():
    assert lost("both") / lost("original") == pytest.approx(100)


def test_the_percentile_is_a_staircase_of_whole_time_outs():
    def p99(p, row):
        settings = row_settings(row)
        return predict(failure_probability=p, reply_s=0.1, **settings)["latency_p99_s"]

    assert p99(0.011, "original") / p99(0.009, "original") == pytest.approx(11)
    assert "eleven times as long" in TEXT
    # The steps that the chart's text alternative names.
    source = "".join(cell["source"] for cell in cells(CHAPTER, "code"))
    edges = [100 * 0.01 ** (1 / attempts) for attempts in (1, 2, 3, 4)]
    found = [p99(p, "original") for p in (0.009, 0.05, 0.15, 0.25, 0.5)]
    steps = "{:.1f} s up to {:.0f} %, then {:.1f} s up to {:.0f} %"
    assert steps.format(found[0], edges[0], found[1], edges[1]) in source
    assert f'{found[2]:.1f} s up to {edges[2]:.0f} %, "' in source
    assert f'"{found[3]:.1f} s up to {edges[3]:.0f} % and {found[4]:.0f} s beyond' in source
    advised = [p99(p, "both") for p in (0.009, 0.05, 0.5)]
    assert "{:.1f}, {:.1f} and {:.0f} s with steps at 1 and 10 %".format(*advised) in source


def seconds_of_silence(rate):
    """Return, for 20 runs, the seconds from the outage's end until ten good ones begin."""
    silences = []
    for seed in range(20):
        answered = simulate_retry_storm(rate, 100, horizon_s=300, seed=seed, **HALF_ADVICE)[1]
        means = np.convolve(answered, np.full(10, 0.1), "valid")[22:]
        good = np.flatnonzero(means > 0.8 * rate)
        silences.append(int(good[0]) if len(good) else math.inf)
    return silences


def test_the_surprise():
    assert max(seconds_of_silence(24)) < 60
    assert "24 requests a second</a> all is well again within a minute" in TEXT
    assert min(seconds_of_silence(30)) == math.inf
    assert "they are **never** served again" in TEXT


def test_the_run_of_the_chart_is_back_after_about_a_minute():
    source = "".join(cell["source"] for cell in cells(CHAPTER, "code"))
    assert "after about a minute" in source
    answered = simulate_retry_storm(24, 100, seed=1, **HALF_ADVICE)[1]
    assert 50 < np.flatnonzero(answered[22:])[0] < 70
    assert simulate_retry_storm(30, 100, seed=1, **HALF_ADVICE)[1][22:].sum() == 0


def test_the_smallest_pool_that_the_explorer_asks_for():
    """With a pool of 49 no row takes longer than published; with 48 row 2 does."""

    def longer(threads):
        return [
            row
            for row in ROWS
            if predict(threads=threads, **row_settings(row))["response_s"] > response_s(row)
        ]

    assert longer(49) == []
    assert longer(48) == ["flush"]


def table(caption):
    """Return the lines of a table that the chapter shows, as lists of cells."""
    for cell in cells(CHAPTER, "code"):
        for output in cell["outputs"]:
            text = "".join(output.get("data", {}).get("text/plain", ""))
            if text.startswith(caption):
                return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[2:]]
    raise AssertionError(f"no table {caption!r}")


def test_what_the_chapter_says_of_the_remedies_is_in_its_table():
    """24/s and 30/s after 2 s, 30/s after 10 s, 70/s after 2 and 10 s, 90/s after 10 s."""
    lines = table("Runs of 20 that recover")[2:]
    counts = {name: [int(count) for count in line] for name, *line in lines}
    half = counts["as advised by half: 0.5 s, 3 retries"]
    short = counts["pauses with full jitter, 0.5 s to 8 s"]
    long = counts["pauses with full jitter, 5 s to 60 s"]
    patient = counts["time-out of 2 s, 3 retries"]
    assert counts["default: 1 s, 3 retries"] == [20, 15, 0, 0, 0, 0]
    assert half == [20, 0, 0, 0, 0, 0]
    assert short[3:] == long[3:] == [0, 0, 0]
    assert long[1:3] == [20, 0]
    assert patient == [20, 20, 0, 20, 0, 0]
    assert counts["as advised: 0.5 s, 1 retry"] == [20, 20, 20, 0, 0, 0]
    assert counts["no retry"] == [20] * 6
    skips = counts["the server skips what nobody waits for"]
    assert skips[:5] == [20] * 5
    assert skips[5] <= 2


def test_the_default_is_a_trap_too():
    assert "holds out against this outage in fifteen runs of twenty" in TEXT
    for outage_s, kept in ((2, 15), (4, 0)):
        runs = [
            simulate_retry_storm(30, 100, 1.0, 3, outage_s=outage_s, horizon_s=300, seed=seed)[1]
            for seed in range(20)
        ]
        assert sum(run[-60:].mean() > 24 for run in runs) == kept


def test_what_the_chapter_says_of_the_closed_population_is_in_its_table():
    lines = table("The advice under two laws")[2:]
    answered = {name.split(":")[0]: float(line[-1][:-2]) for name, *line in lines}
    assert min(answered["default"], answered["fewer retries only"]) > 52
    assert answered["as advised"] == answered["shorter time-out only"] == 0
    assert [line[1] for line in lines] == ["25/s", "25/s", "50/s", "50/s"]


def test_what_the_chapter_says_of_skipping_late_work_is_in_its_table():
    lines = {line[0]: line[1:] for line in table("A server that skips what nobody waits for")[2:]}
    recovers = {load: int(line[2].split()[0]) for load, line in lines.items()}
    assert recovers["70/s, 3 retries"] == recovers["80/s, 3 retries"] == 8
    assert lines["80/s, 3 retries"][1] != "none"
    assert max(recovers[load] for load in ("90/s, 3 retries", "80/s, 8 retries")) == 0


def test_what_the_chapter_says_of_the_plane_is_in_its_tables():
    """Columns: 0, 1, 2, 3, 5 and 8 retries. The tests of the simulator try the whole plane."""
    before = {line[0]: line[1:] for line in table("Set up beforehand")[2:]}
    assert before["nothing"] == ["95 %", "40 %", "30 %", "none", "none", "none"]
    assert before["a budget: retries at most a tenth"] == ["95 %"] + ["80 %"] * 5
    for name, line in before.items():
        everywhere = line == ["95 %"] * 6
        assert everywhere == (name not in list(before)[:3]), name
    assert "Skipping what has less than three services left** holds on the whole plane" in TEXT
    tonight = {line[0]: line[1:] for line in table("Done in the storm")[2:]}
    assert tonight["retries off, queue emptied"] == ["95 %"] * 6
    assert tonight["retries off"][-1] != "95 %"
    minutes = {line[0]: line[-1] for line in table("30 requests a second, 3 retries")[2:]}
    assert minutes["turn away 18 %"] == "not in 45 minutes"
    assert "nothing happens for three quarters of an hour" in TEXT
    times = [float(minutes[name].split()[0]) for name in list(minutes)[1:]]
    assert times == sorted(times, reverse=True)
    assert 20 < times[0] < 30 < 60 * times[-2] < 100 > 1 > times[-1]


def test_the_chapter_counts_as_the_case_does():
    assert "nothing is fitted, and nothing is predicted" in TEXT
    assert {number.status for number in lease.case().numbers} == {"identity"}
    assert freedom(lease.case()).left == 0


def test_twenty_five_threads():
    text = solution(CHAPTER, "lease-pool")
    assert f"50/{response_s('flush')} \\times 4 = {BUSY['flush']:.1f}$" in text
    assert f"at least {math.ceil(BUSY['flush'])};" in text
    assert f"From 11.5 to 12.5 batches a second: {4 * 11.5:.0f} to {4 * 12.5:.0f} threads" in text


def test_a_percentile_that_jumps():
    text = solution(CHAPTER, "lease-percentile")
    low, high = (
        predict(failure_probability=p, reply_s=0.1, **row_settings("flush"))["latency_p99_s"]
        for p in (0.009, 0.011)
    )
    advised = predict(failure_probability=0.11, reply_s=0.1, **row_settings("both"))
    assert text.strip().endswith(f"so it is {advised['latency_p99_s']:.1f} s.")
    assert f"{low:.1f} s and {high:.1f} s" in text
    assert f"0.11^2 = {lost('both', 0.11):.4f}$" in text


def test_which_run_would_tell():
    text = solution(CHAPTER, "lease-experiment")
    free, pool = (predict(clients=100, threads=threads) for threads in (100, 50))
    assert f"{free['throughput_per_s']:.1f} queries a second, {free['response_s']:.1f} s" in text
    assert f"{pool['throughput_per_s']:.1f} a second, and {pool['response_s']:.1f} s" in text
    assert predict(clients=50, threads=50) == predict(clients=50, threads=100)


def test_fifty_callers():
    text = solution(CHAPTER, "storm-callers")
    most = [CALLS / row_settings(row)["timeout_s"] for row in ("flush", "both")]
    assert "$N/T$: {:.0f} and {:.0f} a second".format(*most) in text
    assert most[0] < 60 < most[1]
    assert "the simulation above answers none of them" in text


def test_ten_minutes_of_storm():
    text = solution(CHAPTER, "storm-drain")
    assert f"to {grouped(600 * (30 * 4 - 100))}." in text
    assert f"{drain_time_s(600, 30 * 4, 100, 30):.0f} s. With half" in text
    assert f"at 40: {drain_time_s(600, 30 * 4, 100, 15 * 4):.0f} s." in text


def test_the_words_of_the_lab():
    def seconds(flush, lease):
        delay_s = DATA[f"{flush}-flush-delay-max"] / 1000
        base_s, think_s = 0.076, think_time_s()
        settings = row_settings(lease)
        return rdu(max_delay_s=delay_s, base_s=base_s, think_s=think_s, **settings)["response_s"]

    text = prose(LAB)
    saved = [
        seconds("original", "original") - seconds(*row)
        for row in (("flush", "original"), ("original", "both"), ("flush", "both"))
    ]
    assert f"the flush delay alone takes off {saved[0]:.2f} s" in text
    assert f"the time-out alone takes off {saved[1]:.2f} s" in text
    assert f"together they take off {saved[2]:.2f} s" in text
    assert sum(saved[:2]) == pytest.approx(saved[2])
    assert f"{1000 * think_time_s():.0f} ms (row 3)" in text
    most = [CALLS / row_settings(row)["timeout_s"] for row in ("flush", "both")]
    assert f"{most[0]:.0f} by default and {most[1]:.0f} as advised" in text
