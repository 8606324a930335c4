"""What is said of a timed law, with made-up measurements."""

import math

import pytest

from tunables.measure.load import Load
from tunables.measure.verdict import Law, verdict

BUSY = Load(processors=2, seconds=9.0, others=1.3)
QUIET = Load(processors=2, seconds=9.0, others=0.02)
UNTOLD = Load(processors=2, seconds=9.0)
GAIN = Law("the gain of 1 ms", 1.11, at_least=1.5)
WHOLE = Law("the share of a flush", 0.98, 0.9, 1.0)


def said(*laws: Law, load: Load) -> str:
    return verdict(laws, load, held="waiting pays", again="the cell above")


@pytest.mark.parametrize("load", [BUSY, QUIET, UNTOLD])
def test_a_law_that_holds_is_told_on_any_machine(load):
    assert said(WHOLE, GAIN._replace(measured=1.6), load=load) == "waiting pays"


def test_a_busy_machine_is_told_with_what_was_seen_and_the_cell_offered_again():
    sentence = said(WHOLE, GAIN, load=BUSY)
    assert sentence == (
        "This machine was busy: other programs took 1.3 of its 2 processors, and so the gain of "
        "1 ms came out as 1.11 (by the law at least 1.5). Run the cell above again when it is "
        "quieter."
    )


def test_a_quiet_machine_is_no_excuse():
    sentence = said(GAIN, load=QUIET)
    assert "was not busy (other programs took 0.0 of its 2 processors)" in sentence
    assert "the law does not hold here" in sentence


def test_what_is_not_known_is_not_claimed():
    assert said(GAIN, load=UNTOLD).startswith(
        "This machine was busy, or the law does not hold on it (how much other work it had, its "
    )


def test_all_that_was_missed_is_named():
    sentence = said(GAIN, WHOLE._replace(measured=0.4), load=BUSY)
    assert (
        "came out as 1.11 (by the law at least 1.5); the share of a flush came out as" in sentence
    )
    assert "0.4 (by the law 0.9 to 1)" in sentence


def test_what_did_not_happen_at_all_is_missed():
    nothing = Law("response", math.nan)
    assert not nothing.holds
    assert "response came out as nothing" in said(nothing._replace(at_most=2.0), load=BUSY)


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
