"""The numbers of the lesson's key that no role computes, computed."""

import pytest

from tests.chapters.lessons import lesson
from tunables.chapters.group_commit import calibration
from tunables.chapters.group_commit import case as rdu
from tunables.chapters.group_commit.predictor import predict
from tunables.evidence.published import published
from tunables.page.formats import grouped


def response_ms(hypothesis, row="original", **changes) -> str:
    return grouped(1000 * predict(**rdu.rival(hypothesis, row, **changes))["response_s"])


def test_the_board():
    text = lesson("group_commit")
    records = published("rdu-batch-tuning")
    left = []
    for row in ("original", "flush", "both"):
        attempts = records[f"{row}-lease-retries"].value + 1
        lease_ms = attempts * records[f"{row}-lease-timeout"].value
        left.append(round(records[f"{row}-response"].value - lease_ms))
    assert "{:,}, {} and {} ms".format(*left) in text
    assert f"= {(left[0] - left[1]) / 1975:.3f}$, so $k = 2$" in text
    assert f"= {left[1] - 2 * 25}$ ms" in text


@pytest.mark.parametrize(
    ("words", "hypothesis"),
    [
        ("pays the maximum once", "one cap"),
        ("pays it twice", "two caps"),
        ("never; it holds one of 25 threads", "thread pool"),
        ("once, and holds one of 13 commit threads meanwhile", "commit stage"),
        ("waits for all who are active (adaptive flusher)", "ideal adaptive flusher"),
        ("the same, and one transaction is stuck", "adaptive flusher with a stuck transaction"),
    ],
)
def test_six_explanations(words, hypothesis):
    cells = [response_ms(hypothesis, row) for row in ("original", "flush", "both")]
    cells[0 if hypothesis == "thread pool" else 1] = "fitted"
    assert f"| {words} | {' | '.join(cells)} |" in lesson("group_commit")


def test_the_run_that_decides():
    assert calibration.fitted_pool_threads() == 25
    assert calibration.fitted_commit_threads() == 13
    two, stage = "two caps", "commit stage"
    fourth = {"timeout_s": 0.5, "retries": 1}
    few = [response_ms(name, clients=25) for name in (two, stage)]
    other = [response_ms(name, **fourth) for name in (two, stage)]
    assert "twice says {} ms, commit threads {}.".format(*few) in lesson("group_commit")
    assert "row 3's lease query: {} against {}.".format(*other) in lesson("group_commit")
