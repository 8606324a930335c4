"""The numbers of the lesson's key that no role computes, computed."""

import pytest

from tests.chapters.lessons import lesson
from tunables.simulators.retry_storm import simulate_retry_storm


def recovers(rate, outage_s, timeout_s=0.5, retries=3, runs=3, **changes) -> bool:
    """Return whether most runs serve their last minute."""
    served = 0
    for seed in range(runs):
        answered = simulate_retry_storm(
            rate, 100, timeout_s, retries, outage_s=outage_s, horizon_s=300, seed=seed, **changes
        )[1]
        served += answered[-60:].mean() > 0.8 * rate
    assert served in (0, runs), "neither a yes nor a no"
    return served == runs


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("jitter, 0.5 to 8 s", {"backoff_base_s": 0.5, "backoff_cap_s": 8.0}),
        ("jitter, 5 to 60 s", {"backoff_base_s": 5.0, "backoff_cap_s": 60.0}),
        ("time-out of 2 s", {"timeout_s": 2.0}),
        ("one retry", {"retries": 1}),
        ("no retry", {"retries": 0}),
        ("the server skips what nobody waits for", {"cancel_stale": True}),
    ],
)
def test_the_vote(words, remedy):
    settings = ((30, 2), (30, 10), (70, 2), (70, 10))
    cells = ["yes" if recovers(*setting, **remedy) else "no" for setting in settings]
    assert f"| {words} | {' | '.join(cells)} |" in lesson("time_outs")


def test_skipping_is_no_cure_all_and_callers_are_bounded():
    assert "At 90 a second with three retries, or at 70 with eight, it stays" in lesson("time_outs")
    assert not recovers(90, 2, cancel_stale=True)
    assert not recovers(70, 2, retries=8, cancel_stale=True)
    assert "Fifty with 1 s cannot overload a server of 60 a second; with 0.5 s they can" in lesson(
        2
    )
    assert 50 / 1.0 < 60 < 50 / 0.5
