"""Systems whose clock or whose waits have long steps, as Windows has."""

from types import SimpleNamespace

import pytest

from tunables.measure import clock


@pytest.fixture
def ticking(monkeypatch):
    """Let waits last at least so long, and the clock show steps, of so many seconds."""

    def tick(wait_s: float, clock_s: float) -> None:
        now = [0.0]

        class Event:
            def wait(self, seconds):
                now[0] += max(seconds, wait_s)

        monkeypatch.setattr(clock, "threading", SimpleNamespace(Event=Event))
        clocks = {
            "perf_counter": lambda: now[0],
            "get_clock_info": lambda name: SimpleNamespace(resolution=clock_s),
        }
        monkeypatch.setattr(clock, "time", SimpleNamespace(**clocks))

    return tick


def test_coarse_waits_are_told(ticking, monkeypatch):
    monkeypatch.setattr("platform.system", lambda: "Windows")
    ticking(wait_s=1 / 64, clock_s=1e-7)
    assert clock.step_s() == pytest.approx(1 / 64 - 0.001)
    sentence = clock.too_coarse(0.001)
    assert sentence.startswith("Windows waits here in steps of 15 ms, and this lab needs 1 ms:")
    assert clock.too_coarse(0.05) == ""


def test_a_coarse_clock_is_told_though_waits_are_fine(ticking):
    ticking(wait_s=0.0, clock_s=0.015625)
    assert "in steps of 16 ms" in clock.too_coarse(0.0005)


def test_fine_steps_need_no_words(ticking):
    ticking(wait_s=0.0, clock_s=1e-9)
    assert clock.too_coarse(0.0005) == ""


@pytest.mark.parametrize("needed_s", [0, -1, float("nan"), "soon"])
def test_what_is_needed_must_be_a_time(needed_s):
    with pytest.raises(ValueError, match="needed_s"):
        clock.too_coarse(needed_s)
