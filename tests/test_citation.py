"""CITATION.cff and codecheck.yml say what the package says, and have what archives ask for."""

from datetime import date
from pathlib import Path

import yaml

from tunables import __version__

ROOT = Path(__file__).parents[1]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
CODECHECK = (ROOT / "codecheck.yml").read_text("utf-8")
# What Zenodo takes from the file when a release is archived
WANTED = {"title", "authors", "version", "date-released", "license", "abstract", "keywords", "type"}


def test_the_citation_has_what_zenodo_takes_and_is_of_this_version():
    assert {*CITATION} >= WANTED
    assert CITATION["version"] == __version__
    assert isinstance(CITATION["date-released"], date)
    assert all({*author} & {"name", "family-names"} for author in CITATION["authors"])


def test_a_codecheck_is_of_this_book_and_of_files_that_are_there():
    assert CODECHECK.startswith("---\n")
    check = yaml.safe_load(CODECHECK)
    assert check["paper"]["title"] == CITATION["title"]
    assert check["paper"]["reference"] == CITATION["repository-code"]
    assert [each["name"] for each in check["paper"]["authors"]] == [
        each["name"] for each in CITATION["authors"]
    ]
    files = [each["file"] for each in check["manifest"]]
    assert f"book/ledgers/{__version__}.csv" in files
    assert [name for name in files if not (ROOT / name).is_file()] == []
