"""The audit finds the known errata, by the sentence one would write, and nothing else there."""

import pytest

from tests.audit.reading import audit_text
from tunables.audit.report import finding_sentences
from tunables.evidence.errata import ERRATA, errata, table_path

ALL = errata()
CASES = {erratum.name: erratum for erratum in ALL}


def audits(erratum):
    return {
        name: audit_text(table_path(name).read_text(encoding="utf-8"), f"{name}.csv")
        for name in erratum.tables
    }


@pytest.mark.parametrize("name", CASES)
def test_every_known_erratum_is_found_and_no_other_number_is_called_impossible(name):
    erratum = CASES[name]
    found = {
        (table, row + 1, column + 1, needed)
        for table, audit in audits(erratum).items()
        for finding in audit.findings
        for (row, column), needed in finding.needed
    }
    known = {(cell.table, cell.row, cell.column, cell.needed) for cell in erratum.impossible}
    assert found == known


SENTENCES = {
    "etcd-reads": "185,758/s at 2.2ms keeps only 409 requests in flight, but the row has 1000 "
    "clients.",
    "etcd-3-1-reads": "7,500/s at 0.4ms keeps 3 requests in flight, but the row has 1 client.",
    "aws-gp2": (
        "A bucket that fills in 54,000 s at 100/s would last 1,862 s at 3,000 IOPS, not 1,802 s."
    ),
    "spdy-loss": "Going from 2904 ms to 1537 ms is a reduction of 47.07%, not 47.7%.",
    "leveldb-ratios": "1,230,000 ops/s / 1,010,000 ops/s is 1.218x, not 3.60x.",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentence_is_what_one_would_write_by_hand(name):
    audit = audit_text(table_path(name).read_text(encoding="utf-8"), f"{name}.csv")
    said = [finding_sentences(audit, finding) for finding in audit.findings]
    assert SENTENCES[name] in [sentences[0] for sentences in said]
    assert all(any("This holds if" in each for each in sentences) for sentences in said)


def test_the_think_time_that_would_save_the_row_is_named():
    text = table_path("etcd-reads").read_text(encoding="utf-8")
    last = audit_text(text, "etcd-reads.csv").findings[-1]
    assert last.assumes == "each client sends its next request as soon as the last one is answered"
    assert "a think time of 3.18 ms between requests" in last.explanations


def test_each_table_belongs_to_an_erratum_and_each_was_checked_twice():
    named = [table for erratum in ALL for table in erratum.tables]
    assert sorted(named) == sorted(path.stem for path in ERRATA.glob("*.csv"))
    for erratum in ALL:
        assert len(erratum.checked) == 2
        assert len(erratum.commit) == 40
        assert {cell.table for cell in erratum.impossible} <= set(erratum.tables)


def test_the_corrected_table_of_aws_has_no_impossible_number():
    text = table_path("aws-gp2-corrected").read_text(encoding="utf-8")
    audit = audit_text(text, "x.csv")
    assert audit.findings == []
    assert audit.at(0, 2).state == "follows"
