"""Problems of the page Audit a table: the audit itself solves them, and wrong ways don't."""

import math
import re

import pytest

from tests.audit.reading import audit_text, blamed, table_of
from tunables.page.problem import answer_text, as_record, as_text, check_answer, kinds, make_problem
from tunables.views.question_bank import bank, export

SEEDS = range(200)
KIND = "impossible-row"
# The columns of each table: the names of its numbers, the heads, and the column that is changed.
TABLES = {
    "latencies_ms": ("clients", "rates_per_s", "Clients, Throughput (req/s), Mean latency (ms)"),
    "moved_mib_per_s": ("sizes_kib", "rates_per_s", "Size (KiB), IOPS, Bandwidth (MiB/s)"),
    "factors": ("before_ms", "after_ms", "Before (ms), After (ms), Speedup"),
}
DECIMALS = {"latencies_ms": 2, "moved_mib_per_s": 1, "factors": 2}


def kept(given):
    """Return the name of the column that was changed, and the table as Markdown."""
    (name,) = TABLES.keys() & given.keys()
    first, second, heads = TABLES[name]
    columns = zip(given[first], given[second], given[name], strict=True)
    rows = [f"{a}, {b}, {c:.{DECIMALS[name]}f}" for a, b, c in columns]
    return name, table_of(heads.replace("Size (", "Block size ("), *rows)


def problems():
    return [make_problem("audit", seed, KIND) for seed in SEEDS]


def test_the_audit_finds_the_changed_cell_of_every_problem_and_needs_the_answer_there():
    for problem in problems():
        _, text = kept(problem.given)
        found = audit_text(text)
        assert blamed(found) == [(problem.given["row"] - 1, 2)], problem
        needed = found.findings[0].needed[0][1]
        numbers = [float(each) for each in re.findall(r"\d+(?:\.\d+)?", needed.replace(",", ""))]
        assert min(numbers) * 0.99 <= problem.answer <= max(numbers) * 1.01, (needed, problem)


def test_each_table_is_drawn_and_a_seed_draws_the_same_one_again():
    drawn = problems()
    assert {kept(problem.given)[0] for problem in drawn} == set(TABLES)
    assert drawn == problems()
    assert len({problem.question for problem in drawn}) == len(drawn)


def test_steps_lead_to_the_answer_and_the_answer_passes_the_check():
    for problem in problems():
        text = answer_text(problem)
        assert text.split()[0] in problem.steps[-1]
        assert check_answer(problem, text)[0] in ("right", "close")
        assert problem.steps[-1] not in as_text(problem)
        assert "answer" not in as_record(problem, with_answer=False)


def as_printed(given, name):
    return given[name][given["row"] - 1]


def as_the_neighbours_lead(given, name):
    """Return the geometric mean of the rows above and below, or the nearest row at an end."""
    row, values = given["row"] - 1, given[name]
    near = [values[place] for place in (row - 1, row + 1) if 0 <= place < len(values)]
    return math.prod(near) ** (1 / len(near))


def by_the_row_above(given, name):
    """Return what the law says of the row before the wrong one."""
    first, second, _ = TABLES[name]
    row = given["row"] - 2
    a, b = given[first][row], given[second][row]
    return {"latencies_ms": 1000 * a / b, "moved_mib_per_s": a * b / 1024, "factors": a / b}[name]


@pytest.mark.parametrize("way", [as_printed, as_the_neighbours_lead, by_the_row_above])
def test_a_wrong_way_is_right_on_at_most_one_seed_in_twenty(way):
    right = 0
    for problem in problems():
        name, _ = kept(problem.given)
        error = abs(way(problem.given, name) / problem.answer - 1)
        right += error <= problem.tolerance
    assert right <= len(SEEDS) / 20


def test_the_audit_is_no_chapter_but_its_problems_are_made_like_theirs():
    assert list(kinds("audit")) == [KIND]
    problem = make_problem("audit", "S12")
    assert (problem.chapter, problem.kind, problem.seed) == ("audit", KIND, "s12")
    record = as_record(problem)
    assert record["link"] == "?problem.audit=impossible-row.s12#practice-audit"
    assert as_text(problem).startswith("Audit a table: Find the impossible row")


def test_a_bank_of_all_has_them_in_a_category_of_their_own():
    groups = bank(None, each=1)
    assert [group.kind for group in groups if group.chapter == "audit"] == [KIND]
    assert "Tunables/Audit a table/impossible-row" in export(bank("audit", each=2), "moodle")
    assert "Tunables/Chapter 3/zigzag" in export(groups, "moodle")
