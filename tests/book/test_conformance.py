"""The conformance report has each criterion once, with a result, and names tests that there are."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORT = (ROOT / "book" / "conformance.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (\d\.\d\.\d+) ([^|]+?)(?: \((new in 2\.2|2\.1 only)\))? \| (AA?) \| ([^|]+) \| (.+) \|$",
    re.MULTILINE,
)
# The numbers of the criteria in each guideline at levels A and AA, in WCAG 2.1 and 2.2 together.
LEVELS = {
    "A": "1.1.1 1.2.1 1.2.2 1.2.3 1.3.1 1.3.2 1.3.3 1.4.1 1.4.2 2.1.1 2.1.2 2.1.4 2.2.1 2.2.2 "
    "2.3.1 2.4.1 2.4.2 2.4.3 2.4.4 2.5.1 2.5.2 2.5.3 2.5.4 3.1.1 3.2.1 3.2.2 3.2.6 3.3.1 3.3.2 "
    "3.3.7 4.1.1 4.1.2",
    "AA": "1.2.4 1.2.5 1.3.4 1.3.5 1.4.3 1.4.4 1.4.5 1.4.10 1.4.11 1.4.12 1.4.13 2.4.5 2.4.6 "
    "2.4.7 2.4.11 2.5.7 2.5.8 3.1.2 3.2.3 3.2.4 3.3.3 3.3.4 3.3.8 4.1.3",
}
A, AA = (LEVELS[level].split() for level in ("A", "AA"))
NEW = {"2.4.11", "2.5.7", "2.5.8", "3.2.6", "3.3.7", "3.3.8"}
RESULTS = {
    "Supports",
    "Partially supports",
    "Does not support",
    "Not applicable",
    "Not evaluated",
}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ROWS = ROW.findall(REPORT)


def test_each_criterion_is_there_once_at_its_level():
    assert Counter(row[0] for row in ROWS) == Counter(A + AA)
    assert {row[0] for row in ROWS if row[3] == "AA"} == {*AA}
    assert {row[0] for row in ROWS if row[2] == "new in 2.2"} == NEW
    assert [row[0] for row in ROWS if row[2] == "2.1 only"] == ["4.1.1"]


def test_each_has_a_result_and_what_is_met_in_part_says_what_is_not():
    assert {row[4] for row in ROWS} <= RESULTS
    for number, *_, result, how in ROWS:
        assert (result == "Partially supports") == ("Not met" in how), number


def test_the_takeaway_counts_them():
    found = Counter(row[4] for row in ROWS)
    assert found["Does not support"] == 0
    partly, open_ = (NUMBERS[found[each]] for each in ("Partially supports", "Not evaluated"))
    assert (
        f"{partly.capitalize()} are met only in part, and we haven't evaluated {open_} others"
        in REPORT
    )


def test_each_test_that_it_names_is_there():
    named = set(re.findall(r"`(tests/[\w/.]+)`", REPORT))
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []
