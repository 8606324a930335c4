"""The ledger page: all numbers, once each, the same as in the ledger."""

import base64
import csv
import io
import json
import re

import pytest

from tests.chapters.notebooks import ROOT
from tunables.core.ledger import ledger
from tunables.core.registry import cases
from tunables.views.ledger import (
    KEYS,
    as_csv,
    as_json,
    book_lines,
    explorer_link,
    far_off,
    ledger_chart,
    ledger_page,
    ledger_points,
    totals_table,
)
from tunables.views.tables import LEDGER_COLUMNS, ledger_records

pytestmark = pytest.mark.slow  # every case is simulated


@pytest.fixture(scope="module")
def lines():
    return book_lines()


@pytest.fixture(scope="module")
def html(lines):
    return ledger_page(lines)._repr_mimebundle_()["text/html"]


@pytest.mark.slow
def test_every_number_of_every_case_has_one_line(lines):
    numbers = [
        (case.name, n.record.row_id, n.label) for case in cases().values() for n in case.numbers
    ]
    assert [(e.record["case"], e.record["number"], e.record["label"]) for e in lines] == numbers


def test_the_records_are_the_command_lines_to_six_digits(lines):
    case = cases()["rrd"]
    plain = ledger_records("rrd", ledger(case, seed=1))
    ours = [line.record for line in lines if line.case is case]
    for record, expected in zip(ours, plain, strict=True):
        for key, value in expected.items():
            near = pytest.approx(value, rel=1e-5) if isinstance(value, float) else value
            assert record[key] == near, key
        assert (record["chapter"], record["citation"]) == (3, case.document)


def test_csv_and_json_hold_the_same_records(lines):
    records = [line.record for line in lines]
    assert json.loads(as_json(records)) == records
    read = list(csv.DictReader(io.StringIO(as_csv(records))))
    for record, row in zip(records, read, strict=True):
        assert {key: "" if value is None else str(value) for key, value in record.items()} == row


def test_the_page_holds_all_rows_and_both_files_without_scripts(lines, html):
    assert html.count('<tr><th scope="row">') == len(lines)
    for kind, text in (("csv", as_csv), ("json", as_json)):
        (data,) = re.findall(rf'data-kind="{kind}" href="data:[^,]+;base64,([^"]+)"', html)
        assert base64.b64decode(data).decode() == text([line.record for line in lines])


def test_each_column_is_a_field_of_the_records(lines, html):
    assert set(KEYS.values()) <= set(lines[0].record)
    assert set(LEDGER_COLUMNS) <= set(KEYS)
    row = html.split('<tr><th scope="row">')[1]
    assert row.count("<td") == len(KEYS) - 1


def test_a_fitted_number_that_comes_back_shows_no_error(lines):
    fitted = [e for e in lines if e.record["status"] == "calibrated" and e.record["agrees"] is None]
    assert fitted
    assert all(line.record["error"] is None for line in fitted)
    labels = {point["label"] for point in ledger_points(lines)}
    assert not labels & {f"{line.chapter}: {line.record['label']}" for line in fitted}


def test_a_numbers_link_opens_its_explorer_at_its_settings(lines):
    links = {line.entry.number.record.row_id: explorer_link(line) for line in lines}
    assert links["graphs-fit-old-server"] == (
        "../chapters/03-cache-cliff.html?rrd.memory_gib=4.0&rrd.graphs=40000.0"
        "&rrd.usage_maximum_percent=98.0#explore-rrd"
    )
    assert links["auto-sized-lowest"] == "../chapters/03-cache-cliff.html"


def test_the_totals_add_up(lines):
    table = totals_table(lines)
    rows = [[int(cell) for cell in row[1:]] for row in table.rows]
    *chapters, everything = rows
    assert [sum(column) for column in zip(*chapters, strict=True)] == everything
    numbers, *by_status, misfits = everything
    assert numbers == sum(by_status) == len(lines)
    assert misfits == sum(line.record["agrees"] is False for line in lines)


def test_the_chart_labels_the_farthest_and_describes_them(lines):
    points = ledger_points(lines)
    misfits = far_off(points)
    assert misfits
    assert all(point["ratio"] > 0 and point["published"] > 0 for point in points)
    chart = ledger_chart(lines).to_dict()
    for point in misfits:
        assert f"chapter {point['label']}, {point['ratio']:.2f}" in chart["description"]
    labels = [point["label"] for point in chart["layer"][-1]["data"]["values"]]
    assert labels[0] == misfits[0]["label"]
    chapters = [label.partition(":")[0] for label in labels]
    assert sorted(chapters) == sorted({point["label"].partition(":")[0] for point in misfits})


def test_in_jupyter_no_line_offers_a_simulation(lines):
    page = ledger_page(lines)
    described = re.search(r'class="ledger-simulations">(.*?)</script>', page.markup)
    assert described
    assert json.loads(described[1]) == {"cases": {}, "rows": []}
    assert page.markup.count('<th scope="row">') == len(lines)


def test_the_page_explains_the_points_that_are_far_off_and_defines_a_bound(lines):
    text = (ROOT / "book" / "ledger.ipynb").read_text(encoding="utf-8")
    first, *others = [point["label"] for point in far_off(ledger_points(lines))]
    assert first == "6: Length of a slice"
    assert {label.partition(":")[0] for label in others} == {"7", "8"}
    assert [label for label in others if label.startswith("8")] == [
        "8: 1,000 keys, hedged",
        "8: Idle, 90th percentile",
    ]
    assert "more than 10% from the line belong to chapter 7" in text
    assert "chapter 8, where two points rest on curves" in text
    assert "The author of that chapter's report estimated that a slice takes about 10 ms" in text
    bounds = [line for line in lines if line.is_of("bound")]
    assert {line.chapter for line in bounds} == {2, 6}
    assert "bounds of chapters 2 and 6" in text
    assert "the number is a *bound*, which can refute the model" in text
