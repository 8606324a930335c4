"""The numbers of the lesson's key that no role computes, computed."""

import pytest

from tests.chapters.lessons import lesson
from tunables.chapters.work_queues import clear_queue
from tunables.parts.registry import cases
from tunables.theory.slicing import cycles_per_run, hold_timer_expiry_probability


def test_the_handout():
    text = lesson("work_queues")
    first, *_, last = clear_queue.calibrated().snapshots
    gone = first.runs * first.cycles_per_run, first.runs * (first.cycles_per_run + 1) - 1
    began = [first.items + items for items in gone]
    assert (
        f"{first.runs} × {first.cycles_per_run} = {gone[0]:,} had gone, or up to {gone[1]:,}"
        in text
    )
    assert "began with {:,} to {:,}".format(*began) in text
    least, most = last.runs * last.cycles_per_run, last.runs * (last.cycles_per_run + 1) - 1
    assert f"{last.runs:,} runs of 42 to 43 allow {least:,} to {most:,}: they agree" in text
    assert least <= began[0] <= began[1] <= most
    for snapshot in clear_queue.calibrated().snapshots:
        assert snapshot.best == 3 * (snapshot.granularity - 2)
    assert "63 = 3 × 21, 81 = 3 × 27" in text


def test_the_board():
    for g in (1, 3, 5, 7):
        items = cycles_per_run(g, 0.001, 0.010)
        verdict = "yes" if items > 2 * g else "no: it stays"
        assert f"| {g} | {items} | {verdict} |" in lesson("work_queues")
    assert cycles_per_run(7, 0.010, 0.010) * 10 == 70


def test_a_session():
    one, ten = (100 * hold_timer_expiry_probability(40, 15, 45, n) for n in (1, 10))
    assert f"two times in three ({one:.1f} %)" in lesson("work_queues")
    assert f"almost surely ({ten:.3f} %)" in lesson("work_queues")
    assert hold_timer_expiry_probability(40, 60, 180, 10) == 0
    settings = cases()["quagga"]
    lateness = [
        settings.predict(**settings.settings(queues=queues, quantum_s=quantum))["lateness_s"]
        for queues, quantum in ((1, 0.010), (4, 0.002))
    ]
    assert lateness[0] == pytest.approx(lateness[1], rel=0.03)
