"""No number changes between two versions without a correction that says why."""

from itertools import pairwise
from pathlib import Path

import tunables
from book._ext import corrections
from tunables.core.registry import cases
from tunables.views.ledger_versions import (
    changes,
    ledger_now,
    match_names,
    read_ledger,
    write_ledger,
)

ROOT = Path(__file__).parents[2]

VERSIONS = corrections.versions()


def changed_lines(before, after):
    """Return the numbers that are others, or gone; one that was added corrects nothing."""
    return [change.name for change in changes(before, after) if change.before]


def test_the_newest_version_is_the_books_and_says_what_the_models_say():
    assert list(VERSIONS)[-1] == tunables.__version__
    now = changed_lines(VERSIONS[tunables.__version__], ledger_now())
    assert now == [], "raise the version, run book/ledger_version.py, say why in corrections.csv"


def test_each_change_from_a_version_to_the_next_has_one_correction():
    for (_, before), (new, after) in pairwise(VERSIONS.items()):
        names = changed_lines(before, after)
        told = [
            name
            for each in corrections.corrections()
            if each["version"] == new
            for name in match_names(each["numbers"], names)
        ]
        assert sorted(told) == sorted(names)
        assert changes(before, after)


def test_each_correction_is_of_a_version_and_each_of_its_patterns_means_a_number():
    known = {name for lines in VERSIONS.values() for name in lines}
    for each in corrections.corrections():
        assert each["version"] in VERSIONS
        assert each["stood"]
        assert each["stands"]
        for pattern in each["numbers"].split():
            assert match_names(pattern, known), pattern
            assert not each["chapter"] or all(
                cases()[name.split(".")[0]].chapter == each["chapter"]
                for name in match_names(pattern, known)
            )


def test_a_changed_status_value_or_line_is_a_change_and_a_last_digit_is_none(tmp_path):
    now = ledger_now()
    name = next(name for name, line in now.items() if line["closed_form"])

    def changed_names(**said):
        return [change.name for change in changes(now, now | {name: now[name] | said})]

    value = float(now[name]["closed_form"])
    assert changed_names(closed_form=f"{value * 1.0001:.6g}") == [name]
    assert changed_names(closed_form=repr(value * (1 + 1e-7))) == []
    assert changed_names(status="unexplained") == [name]
    assert changed_names(published="1") == [name]
    assert changed_names(closed_form="") == [name]
    assert changes(now, {})
    assert changes({}, now)
    assert changed_lines(now, {}) == list(now)
    assert changed_lines({}, now) == []
    write_ledger(tmp_path / "1.0.0.csv", now)
    assert read_ledger(tmp_path / "1.0.0.csv") == now


def test_the_page_tells_all_corrections_and_all_changes():
    assert len(corrections.corrections()) == sum(
        line.startswith("| ") and not line.startswith("| We wrote")
        for line in corrections.corrections_lines()
    )
    steps = pairwise(VERSIONS.values())
    assert sum(line.startswith("| ") for line in corrections.changes_lines()) == sum(
        1 + len(changes(before, after)) for before, after in steps
    )


def test_the_page_counts_the_predictions_that_were_none():
    first, second = list(VERSIONS.values())[:2]
    lost = [
        name
        for name, line in first.items()
        if line["status"] == "predicted" and second[name]["status"] != "predicted"
    ]
    page = (ROOT / "book" / "corrections.md").read_text(encoding="utf-8")
    assert len(lost) == 17
    assert "**Takeaway.** Seventeen numbers are no longer called *predicted*." in page
