"""The line above a measurement: its day, and the machine."""

import platform
from types import SimpleNamespace

import pytest

from tunables.lab import machine
from tunables.lab.machine import describe_machine


def test_it_names_the_day_and_the_machine(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    line = describe_machine(1_795_300_000)
    assert "2026-11-21 (UTC)" in line
    assert line.endswith(f"processors: 2, Python {platform.python_version()}")


@pytest.fixture
def ticking(monkeypatch):
    """Let waits last at least wait_s, and the clock show steps of clock_s."""

    def tick(wait_s: float, clock_s: float) -> None:
        now = [0.0]

        class Event:
            def wait(self, seconds):
                now[0] += max(seconds, wait_s)

        monkeypatch.setattr(machine, "threading", SimpleNamespace(Event=Event))
        clocks = {
            "perf_counter": lambda: now[0],
            "get_clock_info": lambda name: SimpleNamespace(resolution=clock_s),
        }
        monkeypatch.setattr(machine, "time", SimpleNamespace(**clocks))

    return tick


def test_coarse_waits_are_reported(ticking, monkeypatch):
    monkeypatch.setattr("platform.system", lambda: "Windows")
    ticking(wait_s=1 / 64, clock_s=1e-7)
    assert machine.step_s() == pytest.approx(1 / 64 - 0.001)
    sentence = machine.too_coarse(0.001)
    said = "Here, Windows can wait only in steps of 15 ms, but this lab needs steps of 1 ms, so"
    assert sentence.startswith(said)
    assert machine.too_coarse(0.05) == ""


def test_a_coarse_clock_is_reported_though_waits_are_fine(ticking):
    ticking(wait_s=0.0, clock_s=0.015625)
    assert "in steps of 16 ms" in machine.too_coarse(0.0005)


def test_fine_steps_need_no_sentence(ticking):
    ticking(wait_s=0.0, clock_s=1e-9)
    assert machine.too_coarse(0.0005) == ""


@pytest.mark.parametrize("needed_s", [0, -1, float("nan"), "soon"])
def test_what_is_needed_must_be_a_time(needed_s):
    with pytest.raises(ValueError, match="needed_s"):
        machine.too_coarse(needed_s)
