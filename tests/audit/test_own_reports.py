"""The book's own reports, judged by the same code, agree with the ledger."""

import pytest

from tunables.audit.own import own_table, own_tables
from tunables.audit.verdicts import audit
from tunables.core.registry import cases

# What the columns are called here in other words than the audit knows.
MEANINGS = {
    "time": "duration",
    "LCR rate": "throughput",
    "txns": "throughput",
    "concurrent calls": "clients",
}
IDENTITIES = {
    number.record.row_id: number
    for case in cases().values()
    for number in case.numbers
    if number.status == "identity"
}


def audit_own(name):
    """Return the audit of an own table, and {row id: verdict}."""
    table, places = own_table(name)
    chosen = {i: MEANINGS[head] for i, head in enumerate(table.heads) if head in MEANINGS}
    found = audit(table, chosen, turned=False)
    verdicts = {
        record.row_id: found.verdicts[cell]
        for cell, record in places.items()
        if cell in found.verdicts
    }
    return found, verdicts


@pytest.mark.parametrize("name", own_tables())
def test_no_number_of_the_books_reports_is_called_impossible(name):
    assert audit_own(name)[0].findings == []


def test_rates_that_the_ledger_calls_identities_are_bound_by_the_same_work():
    found, verdicts = audit_own("wlcg-results")
    assert {relation.law.name for relation in found.relations} == {"the same work in every row"}
    rates = [row for row in IDENTITIES if row.endswith(("lcr-rate", "-txns"))]
    assert len(rates) == 15
    assert {verdicts[row].state for row in rates} <= {"follows", "possible"}
    assert all(verdicts[row].laws == ["the same work in every row"] for row in rates)


def test_throughputs_that_the_ledger_calls_identities_keep_littles_law():
    found, verdicts = audit_own("rdu-batch-tuning")
    assert "Little's law" in {relation.law.name for relation in found.relations}
    rows = ["original-throughput", "flush-throughput"]
    assert {row for row in rows if row in IDENTITIES} == set(rows)
    assert all("Little's law" in verdicts[row].laws for row in rows)


def test_mean_times_follow_from_totals_and_calls_in_every_row():
    found, _ = audit_own("quagga-thread-cpu")
    (mean,) = [each for each in found.relations if each.law.name == "a mean"]
    assert mean.words == "mean CPU time = CPU time / calls"
    assert len(mean.checks) > 20
