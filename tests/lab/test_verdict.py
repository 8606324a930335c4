"""What is said of a timed law, with made-up measurements."""

import math
from pathlib import Path

import pytest

import tunables.lab.verdict as module
from tunables.lab.verdict import Law, Load, verdict, watch_load

BUSY = Load(processors=2, seconds=9.0, others=1.3)
QUIET = Load(processors=2, seconds=9.0, others=0.02)
UNTOLD = Load(processors=2, seconds=9.0)
GAIN = Law("the gain of 1 ms", 1.11, at_least=1.5)
WHOLE = Law("the share of a flush", 0.98, 0.9, 1.0)


def verdict_text(*laws: Law, load: Load) -> str:
    return verdict(laws, load, held="waiting pays", again="the cell above")


@pytest.mark.parametrize("load", [BUSY, QUIET, UNTOLD])
def test_a_law_that_holds_is_reported_on_any_machine(load):
    assert verdict_text(WHOLE, GAIN._replace(measured=1.6), load=load) == "waiting pays"


def test_a_busy_machine_is_reported_with_its_load_and_the_cell_offered_again():
    sentence = verdict_text(WHOLE, GAIN, load=BUSY)
    assert sentence == (
        "This machine was busy: other programs took 1.3 of its 2 processors, and so the gain of "
        "1 ms came out as 1.11 (the law says at least 1.5). Run the cell above again when "
        "the machine is quieter."
    )


def test_a_quiet_machine_is_no_excuse():
    sentence = verdict_text(GAIN, load=QUIET)
    assert "was not busy (other programs took 0.0 of its 2 processors)" in sentence
    assert "the law does not hold here" in sentence


def test_what_is_not_known_is_not_claimed():
    assert verdict_text(GAIN, load=UNTOLD).startswith(
        "This machine was busy, or the law does not hold on it (its system does not say how "
    )


def test_all_that_was_missed_is_named():
    sentence = verdict_text(GAIN, WHOLE._replace(measured=0.4), load=BUSY)
    assert (
        "came out as 1.11 (the law says at least 1.5); the share of a flush came out as" in sentence
    )
    assert "0.4 (the law says 0.9 to 1)" in sentence


def test_what_did_not_happen_at_all_is_missed():
    nothing = Law("response", math.nan)
    assert not nothing.holds
    assert "response was not measured" in verdict_text(nothing._replace(at_most=2.0), load=BUSY)


@pytest.mark.parametrize(
    ("law", "holds"),
    [
        (Law("x", 1.5, at_least=1.5), True),
        (Law("x", 1.5, at_most=1.5), True),
        (Law("x", 1.49, at_least=1.5), False),
        (Law("x", 1.51, at_most=1.5), False),
    ],
)
def test_a_bound_belongs_to_the_law(law, holds):
    assert law.holds is holds


# user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second
BEFORE = "cpu  1000 100 200 9000 500 0 50 50 700 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
AFTER = "cpu  1500 110 230 9999 900 0 60 100 900 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"  # 600 more


@pytest.fixture
def reporting_system(monkeypatch, tmp_path):
    """A system of two processors that reports what a test writes; of ten seconds four are ours."""
    stat, limit = tmp_path / "stat", tmp_path / "cpu.stat"
    monkeypatch.setattr(module, "_STAT", stat)
    monkeypatch.setattr(module, "_LIMIT_FILES", (limit,))
    monkeypatch.setattr("os.sysconf", lambda name: 100, raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    clocks = {"perf_counter": iter((1.0, 11.0)), "_own_s": iter((2.0, 6.0))}
    for name, values in clocks.items():
        monkeypatch.setattr(module, name, lambda values=values: next(values))
    return stat, limit


def measure(path: Path, before: str, after: str) -> Load:
    path.write_text(before)
    with watch_load() as seen:
        path.write_text(after)
    return seen


def test_what_others_took_is_all_that_worked_less_what_is_ones_own(reporting_system):
    seen = measure(reporting_system[0], BEFORE, AFTER)
    assert seen.others == pytest.approx((6.0 - 4.0) / 10)
    assert not seen.busy  # 0.2 of 2 processors: not above a tenth
    assert str(seen) == "other programs took 0.2 of its 2 processors"


def test_a_container_at_its_limit_was_busy(reporting_system):
    reporting_system[0].write_text(BEFORE)
    limit = "usage_usec 1\nnr_throttled 1\nthrottled_usec {}\n".format
    seen = measure(reporting_system[1], limit(500_000), limit(3_000_000))
    assert seen.stopped_s == pytest.approx(2.5)
    assert seen.busy
    assert str(seen).endswith("and its container hit its limit and was paused for 2.5 s")
    assert str(Load(seconds=10.0, stopped_s=2.5)).startswith(
        "its container hit its limit and was paused"
    )
    assert str(Load(others=0.5)) == "other programs took 0.5 of its 1 processor"


def test_where_the_system_does_not_tell_nothing_is_claimed(reporting_system):
    with watch_load() as seen:
        pass
    assert (seen.others, seen.known, seen.busy) == (None, False, False)
    assert "does not say" in str(seen)


def interrupt(path: Path, seen: list[Load]) -> None:
    with watch_load() as load:
        seen.append(load)
        path.write_text(AFTER)
        raise KeyboardInterrupt


def test_a_block_that_fails_is_measured_all_the_same(reporting_system):
    reporting_system[0].write_text(BEFORE)
    seen: list[Load] = []
    with pytest.raises(KeyboardInterrupt):
        interrupt(reporting_system[0], seen)
    assert seen[0].others == pytest.approx(0.2)
