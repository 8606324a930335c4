"""Chapter 6: every number of its prose and of its solutions, computed."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

from tests.chapters.notebooks import ROOT, cells, prose, solution
from tests.evidence.quagga_tables import thread_cpu, work_queues
from tunables.chapters.work_queues import case as quagga
from tunables.chapters.work_queues.calibration import calibrate, item_bounds, split_bounds
from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.chapters.work_queues.clocks import CONNECT_RETRY_S, IMPORT_PERIOD_S, read_clocks
from tunables.chapters.work_queues.predictor import predict
from tunables.chapters.work_queues.theft import steal
from tunables.evidence.published import published
from tunables.page.formats import grouped
from tunables.parts.freedom import freedom
from tunables.parts.rival import fair_errors
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.slicing import (
    expected_unique_fraction,
    hold_timer_expiry_probability,
    unique_fraction_alone,
)

CHAPTER = ROOT / "chapters" / "06-work-queues.ipynb"
TEXT = prose(CHAPTER)
RULES = ("2005-05-06", "2005-05-23", "2010")
CPU = [{row["thread"]: row for row in table} for table in thread_cpu()]
MAIN = [{row["name"]: row for row in table}["process_main_queue"] for table in work_queues()]
BEFORE, AFTER = (table["work_queue_run"] for table in CPU)
QUEUE = calibrated()
CLOSED = predict(**quagga.case().settings())
CLOCKS = read_clocks()
COUNT = freedom(quagga.case())
HOLD_S = MAIN[0]["hold_ms"] / 1000
NUMBERS = dict(enumerate(("no", "one", "two", "three", "four", "five", "six", "seven", "eight")))
NUMBERS |= {10: "ten", 12: "twelve"}
CHEAP_THEN_DEAR_S = np.repeat([5e-6, 1e-3], [200_000, 2_000])


def cpu_ms(thread="work_queue_run"):
    return CPU[1][thread]["runtime_ms"] - CPU[0][thread]["runtime_ms"]


def wall_ms():
    return (
        AFTER["wall_avg_us"] * AFTER["invoked"] - BEFORE["wall_avg_us"] * BEFORE["invoked"]
    ) / 1e3


def longest_slices_ms():
    return [1000 * drain_work_queue(CHEAP_THEN_DEAR_S, rule=rule).slice_s.max() for rule in RULES]


def numbers_in_the_prose():
    runs = AFTER["invoked"] - BEFORE["invoked"]
    least, most = item_bounds(QUEUE.snapshots)
    share = cpu_ms() / wall_ms()
    session_s = predict(**quagga.case().settings(items=160_000))["blocked_s"]
    _, main = split_bounds(wall_ms() / 1e3, QUEUE.snapshots[-1].runs)
    main_runs = runs - QUEUE.snapshots[-1].runs
    main_s = wall_ms() / 1e3 - QUEUE.clearing_s
    constant = drain_work_queue(np.full(QUEUE.calibration.items, 178e-6))
    theft = steal(QUEUE.snapshots, QUEUE.calibration.items)
    second, last = QUEUE.snapshots[1], QUEUE.snapshots[-1]
    statuses: dict[str, list] = {}
    for number in quagga.case().numbers:
        statuses.setdefault(number.status, []).append(number)
    return {
        "mean slice": f"**{wall_ms() / runs:.0f} ms** of wall time",
        "longest slice": f"**{AFTER['wall_max_us'] / 1e3:.0f} ms**",
        "items": f"{grouped(least)} to {grouped(most)} items",
        "memory at the start": f"{CLOSED['memory_mib']:.1f} MiB",
        "steps": f"{(995 - 1) // 2} steps to 995",
        "constant cost": (
            f"({constant.best[-1]}, {constant.granularity[-1]}), for instance by 178 µs. But then "
            f"the queue is empty after {grouped(len(constant.cycles))} runs"
        ),
        "limit": f"constant cost would stop at {CLOSED['limiting_granularity']:.0f}; drawn",
        "goes on to": f"on to {CLOSED['granularity']:.0f} or 29",
        "items drained": f"Drain {grouped(QUEUE.calibration.items)} such items",
        "lateness": (
            f"from {CLOSED['blocked_lateness_s']:.0f} s to {1e3 * CLOSED['lateness_s']:.0f} ms"
        ),
        "both sessions": f"would take {QUEUE.clearing_s:.0f} s, five seconds short",
        "both, again": f"Both sessions in one piece take {QUEUE.clearing_s:.0f} s of wall time",
        "both, once more": f"and the model says {QUEUE.clearing_s:.0f}.",
        "slice": f"lasts {1e3 * CLOSED['slice_s']:.0f} ms in the model, not about 10",
        "one session": f"One takes {session_s:.0f} s",
        "its CPU": f"on the CPU for {QUEUE.clearing_s * share / 2:.0f} s",
        "share": f"share of {share:.0%} holds".replace("%", " %"),
        "fitted": f"that makes {NUMBERS[len(COUNT.fitted)]} fitted values for "
        f"{NUMBERS[len(statuses['calibrated'])]} numbers",
        "identities": f"{NUMBERS[len(statuses['identity'])].capitalize()} more are identities",
        "left": f"leaves {NUMBERS[COUNT.left]} degrees of freedom, and "
        f"{NUMBERS[len(statuses['predicted'])]} of these are claims of the text, which all fail",
        "baseline": f"{QUEUE.calibration.items / QUEUE.snapshots[-1].runs:.0f} items in each run",
        "rows": f"hold {sum(map(len, thread_cpu())) + sum(map(len, work_queues()))} rows",
        "last runs": f"{grouped(last.runs - second.runs)} runs took the last "
        f"{grouped(second.items)} items",
        "a block": f"at most {29 * 10 / 54:.1f} ms of work",
        "theft": f"{theft.probability:.0%} against {QUEUE.calibration.probability:.0%}, with one "
        "more value fitted".replace("%", " %"),
        "up again": f"At second {CLOCKS.up_again_s[23]:.0f} a cleared session",
        "clear queue": f"{grouped(last.runs)} runs of more than 10 ms take {last.runs // 100} s",
        "the other": f"The other session took {CLOCKS.up_again_s[18]:.0f} s",
        "retry": f"again {CONNECT_RETRY_S} s after a failed attempt, and "
        f"{CLOCKS.up_again_s[23]:.0f} + {CONNECT_RETRY_S} is "
        f"{CLOCKS.up_again_s[23] + CONNECT_RETRY_S:.0f}",
        "import": f"runs every {IMPORT_PERIOD_S} s",
        "sliced": f"give {wall_ms() / 1e3:.1f} s of slices",
        "main": f"lasted {1e3 * main_s / main_runs:.0f} ms on average",
        "main at most": f"from 0 to {1e3 * main[1] / main_runs:.0f} ms",
        "longest CPU": f"more than {AFTER['cpu_max_us'] / 1e3:.1f} ms of CPU",
        "off the CPU": f"at least {(AFTER['wall_max_us'] - AFTER['cpu_max_us']) / 1e3:.1f} ms",
        "CPU before": f"took {BEFORE['cpu_avg_us'] / 1e3:.1f} ms of CPU on average",
        "between": f"{cpu_ms() / runs:.1f} ms of CPU and {wall_ms() / runs:.1f} ms of wall",
        "gathered": f"change a second {100 * expected_unique_fraction(1, HOLD_S):.0f} % is left",
        "gathered alone": f"is left, {100 * unique_fraction_alone(1, HOLD_S):.0f} %",
        "reads": f"writes took {cpu_ms('bgp_read') / 1e3:.0f} s of CPU each",
        "writes": f"writes took {cpu_ms('bgp_write') / 1e3:.0f} s of CPU each",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, (what, text)


def test_what_the_prose_says_in_words():
    costs_s = QUEUE.calibration.mean_costs_s
    assert all(300e-6 < cost_s < 500e-6 for cost_s in costs_s)
    assert CLOSED["blocked_s"] < 180 - 60 < 2 * CLOSED["blocked_s"]
    assert hold_timer_expiry_probability(40, 60, 180, 100) == 0
    assert hold_timer_expiry_probability(40, 15, 45, 10) > 0.999
    slices = longest_slices_ms()
    assert "twenty to sixty times as long" in TEXT
    assert 19 < min(slices) / 10 < max(slices) / 10 < 67
    # three runs in four took a single block of 29
    second, last = QUEUE.snapshots[1], QUEUE.snapshots[-1]
    runs = last.runs - second.runs
    assert (2 * runs - second.items / 29) / runs == pytest.approx(0.75, abs=0.01)
    assert calibrate(QUEUE.snapshots, 2.0).probability < 1e-4
    busy = [CLOCKS.loop_wall_s / each for each in CLOCKS.tables_s]
    assert 0.8 < min(busy) < max(busy) < 0.9
    theirs, ours = zip(*fair_errors(quagga.case()), strict=True)
    assert all(abs(a) < abs(b) for a, b in zip(theirs, ours, strict=True))  # each is nearer
    # four queues of 10 ms are as late as one of 50
    four = predict(**quagga.case().settings(queues=4))["lateness_s"]
    fifty = predict(**quagga.case().settings(quantum_s=0.05))["lateness_s"]
    assert four == pytest.approx(fifty, rel=0.1)


def test_the_outputs_that_the_prose_reads():
    text = "".join(
        "".join(output.get("text", "")) + "".join(output.get("data", {}).get("text/plain", ""))
        for cell in cells(CHAPTER, "code")
        for output in cell["outputs"]
    )
    assert "37 of 37 rows" in text
    assert "2 of 2 tables" in text
    assert "as printed: 21.5% of the drains" in text  # one in five
    assert "in all prints: 99.5%" in text
    assert "242.3: 81% to 90%" in text
    assert "for 105% of its time" in text
    assert "by the model 81 ms, in 1,088 runs" in text


def test_the_explorers_question_has_an_answer_within_its_range():
    one = predict(**quagga.case().settings())["lateness_s"]

    def excess(quantum_s):
        settings = quagga.case().settings(queues=4, quantum_s=quantum_s)
        return predict(**settings)["lateness_s"] - one

    assert 0.0015 < brentq(excess, 0.001, 0.01) < 0.0025


def test_which_code_ran():
    text = solution(CHAPTER, "quagga-version")
    assert f"{(MAIN[-1]['granularity'] - 1) // 2}." in text
    (low, high), (_, best) = next(
        ((a["granularity"], b["granularity"]), (a["best"], b["best"]))
        for a, b in pairwise(MAIN)
        if b["best"] > a["best"]
    )
    assert (low, high) == (569, 771)
    fits = [g for g in range(low, high, 2) if best % g == 0]
    assert f"from {low} to {high - 2} only {fits[0]} divides {grouped(best)}" in text
    assert len(fits) == 1
    assert best // fits[0] == 9
    first = MAIN[0]["best"]
    assert f"{grouped(first)}, is odd too: {first // 541} blocks of 541" in text
    assert first % 541 == 0
    assert MAIN[0]["granularity"] > 541


def test_three_rules():
    drains = [drain_work_queue(np.full(305_620, 217e-6), rule=rule) for rule in RULES]
    text = solution(CHAPTER, "quagga-rules")
    first, second, third = (grouped(len(drain.cycles)) for drain in drains)
    assert f"{first}, {second} and {third}." in text
    last = drains[0]
    assert f"granularity, {last.granularity[-1]}," in text
    assert f"{last.cycles[-2]} items, {1000 * last.slice_s[-2]:.2f} ms" in text


def test_tame_the_ratchet():
    text = solution(CHAPTER, "quagga-ratchet")
    first, second, third = (f"{longest:.0f}" for longest in longest_slices_ms())
    assert f"{first}, {second} and {third} ms." in text
    rule = "lambda cycles, g: min(g + 2 if cycles > 2 * g else g, 15)"
    assert f"`drain_work_queue(costs_s, rule={rule})`" in text
    tamed = drain_work_queue(CHEAP_THEN_DEAR_S, rule=eval(rule))
    assert f"longest slice of {1000 * tamed.slice_s.max():.0f} ms" in text
    wild = drain_work_queue(CHEAP_THEN_DEAR_S)
    assert f"{grouped(tamed.checks.sum())} times instead of {grouped(wild.checks.sum())}" in text


def test_the_text_and_the_published_tables_name_the_same_claims():
    claims = published("quagga-prose")
    assert claims["slice"].value == 10
    assert f"{claims['blocked-now'].value:.0f} ms that he named" in TEXT
    assert f"`bgp_scan_timer` took {claims['longest-thread'].value:.0f} ms" in TEXT
