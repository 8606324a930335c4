"""The line above a measurement: its day, and the machine."""

import platform

from tunables.measure.machine import made_on


def test_it_names_the_day_and_the_machine(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    line = made_on(1_795_300_000)
    assert "2026-11-21 (UTC)" in line
    assert line.endswith(f"processors: 2, Python {platform.python_version()}")
