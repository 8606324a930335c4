"""Other work on the machine, from what a system might tell."""

from pathlib import Path

import pytest

from tunables.measure import load
from tunables.measure.load import Load, watched

# user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second
BEFORE = "cpu  1000 100 200 9000 500 0 50 50 700 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
AFTER = "cpu  1500 110 230 9999 900 0 60 100 900 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"  # 600 more


@pytest.fixture
def told(monkeypatch, tmp_path):
    """A system of two processors that tells what a test writes; ten seconds pass, four are own."""
    stat, limit = tmp_path / "stat", tmp_path / "cpu.stat"
    monkeypatch.setattr(load, "_STAT", stat)
    monkeypatch.setattr(load, "_LIMIT_FILES", (limit,))
    monkeypatch.setattr("os.sysconf", lambda name: 100, raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    clocks = {"perf_counter": iter((1.0, 11.0)), "_own_s": iter((2.0, 6.0))}
    for name, values in clocks.items():
        monkeypatch.setattr(load, name, lambda values=values: next(values))
    return stat, limit


def measured(path: Path, before: str, after: str) -> Load:
    path.write_text(before)
    with watched() as seen:
        path.write_text(after)
    return seen


def test_what_others_took_is_all_that_worked_less_what_is_ones_own(told):
    seen = measured(told[0], BEFORE, AFTER)
    assert seen.others == pytest.approx((6.0 - 4.0) / 10)
    assert not seen.busy  # 0.2 of 2 processors: not above a tenth
    assert str(seen) == "other programs took 0.2 of its 2 processors"


def test_a_container_at_its_limit_was_busy(told):
    told[0].write_text(BEFORE)
    limit = "usage_usec 1\nnr_throttled 1\nthrottled_usec {}\n".format
    seen = measured(told[1], limit(500_000), limit(3_000_000))
    assert seen.stopped_s == pytest.approx(2.5)
    assert seen.busy
    assert str(seen).endswith("and its container stood still for 2.5 s, at its limit")
    assert str(Load(seconds=10.0, stopped_s=2.5)).startswith("its container stood still")
    assert str(Load(others=0.5)) == "other programs took 0.5 of its 1 processor"


def test_where_the_system_does_not_tell_nothing_is_claimed(told):
    with watched() as seen:
        pass
    assert (seen.others, seen.known, seen.busy) == (None, False, False)
    assert "does not tell" in str(seen)


def interrupted(path: Path, seen: list[Load]) -> None:
    with watched() as load:
        seen.append(load)
        path.write_text(AFTER)
        raise KeyboardInterrupt


def test_a_block_that_fails_is_measured_all_the_same(told):
    told[0].write_text(BEFORE)
    seen: list[Load] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted(told[0], seen)
    assert seen[0].others == pytest.approx(0.2)
