"""The numbers of the lesson's key that no role computes, computed."""

import pytest

from tests.chapters.lessons import lesson
from tunables.parts.registry import cases
from tunables.theory.tcp import cubic_throughput, mathis_throughput, window_limited_throughput


def test_three_laws():
    near, far, near_s, far_s = 0.095, 0.155, 6940, 7860
    window = near_s * window_limited_throughput(1, near) / window_limited_throughput(1, far)
    reno = near_s * mathis_throughput(1460, near, 1e-4) / mathis_throughput(1460, far, 1e-4)
    cubic = near_s * cubic_throughput(1460, near, 1e-4) / cubic_throughput(1460, far, 1e-4)
    base_s = 18e6 / 64_900
    waited = base_s + (near_s - base_s) * far / near
    assert reno == pytest.approx(window)
    text = lesson("replication").replace("−", "-")
    assert f"the time is {base_s:.0f} s and so many round trips" in text
    for seconds in (window, cubic, waited):
        assert f"| {seconds:,.0f} s | {100 * (seconds / far_s - 1):+.1f} % |" in text
    assert f"the window law says {window:,.0f} s" in text


def test_what_the_ratio_must_be():
    text = lesson("replication").replace("−", "-")
    errors = [100 * (6940 * ratio**0.25 / 7860 - 1) for ratio in (1.36, 2.0)]
    assert "errors from {:.1f} to {:+.1f} %".format(*errors) in text
    low, high = (7850 / 6950) ** 4, (7870 / 6930) ** 4
    assert f"one between {low:.3f} and {high:.3f}" in text
    assert f"near {7860 / 6940:.2f} for A, near {(7860 / 6940) ** 4:.2f} for B" in text
    assert f"{155 / 95 / (7860 / 6940):.2f} times as much to Vancouver" in text
    times_s = [n.value for n in cases()["wlcg"].numbers if n.label.endswith(": time")]
    assert (len(times_s), len(set(times_s))) == (8, 5)
