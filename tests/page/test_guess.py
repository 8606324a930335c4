"""Guesses as people type them."""

import pytest

from tunables.page.guess import read_guess


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("12,500", "graphs", 12_500),
        ("12 500", "graphs", 12_500),
        ("12\u00a0500", "graphs", 12_500),
        ("1'234'567.5", "", 1_234_567.5),
        ("12_500 graphs", "graphs", 12_500),
        (" 1.2e4 ", "", 12_000),
        ("1.2E+4s", "s", 12_000),
        ("4 %", "1", 0.04),
        ("4%", "", 0.04),
        ("60 %", "%", 60),
        ("4126 ms", "s", 4.126),
        ("23 ms", "us", 23_000),
        ("23 µs", "us", 23),
        ("2 min", "s", 120),
        (".5", "", 0.5),
        ("+7", "", 7),
        ("ca. 7", "", 7),
        ("~ about 7 %", "%", 7),
        ("\u200e７０\u3000０００", "", 70_000),
        ("٣٫٥٪", "%", 3.5),
    ],
)
def test_a_number_is_read_as_people_type_it(text, unit, value):
    assert read_guess(text, unit) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "unit", "sentence"),
    [
        ("", "", "Type a number first"),
        ("   ", "", "Type a number first"),
        ("twice", "", '"twice" is not a number'),
        ("nan", "", '"nan" is not a number'),
        ("inf", "", '"inf" is not a number'),
        ("1e999", "", "is not a finite number"),
        ("6.02e23", "", "larger than anything measured"),
        ("-3", "", "is not above 0"),
        ("0", "", "is not above 0"),
        ("12,5", "", "Commas separate thousands"),
        ("1,2345", "", "Commas separate thousands"),
        ("12.500,5", "", "Commas separate thousands"),
        ("1.2.3", "", '"1.2.3" is not a number'),
        ("--3", "", '"--3" is not a number'),
        ("e4", "", '"e4" is not a number'),
        ("1e", "", '"e" does not fit: the number must be a plain number'),
        ("5 kg", "s", '"kg" does not fit: the number must be in s'),
        ("4 %", "s", '"%" does not fit'),
        ("3 s", "graphs", '"s" does not fit'),
        ("½", "", "is not a number"),
        ("≥5", "", '"≥5" is not a number'),
        ("-e4", "", '"-e4" is not a number'),
        ("–5", "", '"–5" is not above 0'),
        ("5e-324", "", "smaller than anything measured"),
        ("1e308 d", "s", "larger than anything measured"),
        ("<b>", "", '"<b>" is not a number'),
    ],
)
def test_what_is_no_number_is_refused_in_one_sentence(text, unit, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as refused:
        read_guess(text, unit)
    assert sentence in str(refused.value)
