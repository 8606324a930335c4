"""data/ against a second transcript of the documents, and what the reader refuses."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from tunables.evidence.published import DATA, published, tables

CHAPTERS = Path(__file__).parents[1] / "chapters"


def transcript():
    for path in CHAPTERS.glob("*/transcript.csv"):
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                yield row["table"], row["row_id"], float(row["value"])


@pytest.mark.parametrize("table", tables())
def test_every_value_is_the_one_transcribed_a_second_time_from_the_document(table):
    typed = {row_id: value for name, row_id, value in transcript() if name == table}
    wrong = [
        f"{table}.csv: {row_id} is {record.value:g}, the document says {typed.get(row_id)}"
        for row_id, record in published(table).items()
        if typed.get(row_id) != record.value
    ]
    assert not wrong, "; ".join(wrong)
    assert set(typed) == set(published(table))


def test_the_packages_name_every_csv_and_nothing_else():
    listed = {f"{name}.csv" for name in tables()}
    assert listed == {path.name for path in DATA.glob("*.csv")}


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(DATA, tmp_path / "data")
    return tmp_path / "data"


GOOD = "slowdown-after-overflow,rrd-system-cache,paragraph 1"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("flow of", "flow of", None),
        (",20,1,10,=", ",twenty,1,10,=", "line 2: value = 'twenty': must be a finite number"),
        (",20,1,10,=", ",nan,1,10,=", "line 2: value = 'nan': must be a finite number"),
        (",20,1,10,=", ",20,1,-10,=", "line 2: resolution = '-10': must be a finite number at"),
        (",20,1,10,=", ",20,1,10,roughly", "line 2: relation = 'roughly': must be one of"),
        (",20,1,10,=", ",20,,10,=", "line 2: unit is empty"),
        (",20,1,10,=", ",20,10,=", "line 2: has 9 cells: must have 10"),
        (GOOD, "Slow Down,rrd-system-cache,paragraph 1", "line 2: row_id = 'Slow Down': must"),
        (GOOD, "slowdown-after-overflow,elsewhere,paragraph 1", "line 2: document = 'elsewhere'"),
        (
            "graphs-in-production,",
            "slowdown-after-overflow,",
            "'slowdown-after-overflow': must appear only once",
        ),
        ("row_id,document", "id,document", "line 1: columns"),
    ],
)
def test_a_file_that_breaks_the_schema_is_refused_and_the_place_named(folder, old, new, message):
    path = folder / "rrd-system-cache.csv"
    text = path.read_text()
    path.write_text(text.replace(old, new, 1))
    if message is None:
        assert published("rrd-system-cache", folder)
        return
    assert old in text
    with pytest.raises(ValueError, match=r"rrd-system-cache\.csv") as error:
        published("rrd-system-cache", folder)
    assert message in str(error.value)


def test_an_empty_file_and_an_unknown_table_are_refused(folder):
    path = folder / "rrd-system-cache.csv"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    with pytest.raises(ValueError, match="no rows"):
        published("rrd-system-cache", folder)
    with pytest.raises(ValueError, match="table = 'rdd': must be one of"):
        published("rdd", folder)


def test_the_schema_describes_every_field_and_every_source_is_cited():
    schema = json.loads((DATA / "schema.json").read_text())
    assert all(field["description"] for field in schema["fields"])
    packages = [json.loads(path.read_text()) for path in DATA.glob("*.json")]
    cited = {source["name"] for package in packages for source in package.get("sources", [])}
    assert {record.document for name in tables() for record in published(name).values()} == cited
