"""The hall of errata: public tables with impossible numbers, as data/errata holds them."""

import json
from dataclasses import dataclass
from pathlib import Path

from tunables.evidence.published import DATA, existing_folder

ERRATA = DATA / "errata"


@dataclass(frozen=True)
class Impossible:
    """A printed number that its own table contradicts: which one, and what it would have to be.

    row and column are counted from 1; since: the day it was first printed, where history tells.
    """

    table: str
    row: int
    column: int
    needed: str
    since: str = ""


@dataclass(frozen=True)
class Erratum:
    """One document whose tables contradict themselves.

    name: the word that the library knows it by; document: its title; repository, path, commit,
    committed: the version that was checked; since: the day from which on it was printed like that;
    tables: names of the CSVs in data/errata, with the cells as printed; impossible: the cells that
    the verdict rules out; verdict: in a sentence; explanation: how it comes about; rests_on: the
    assumption of the verdict; corrected: when and where, "" if it was not; tables_are: what was
    left out or put beside; checked: the two ways in which it was.
    """

    name: str
    document: str
    repository: str
    path: str
    commit: str
    committed: str
    since: str
    tables: tuple[str, ...]
    impossible: tuple[Impossible, ...]
    verdict: str
    explanation: str
    rests_on: str
    corrected: str
    tables_are: str
    checked: tuple[str, ...]


def table_path(name: str, folder: Path | None = None) -> Path:
    """Return the CSV of a table by its name; folder: ERRATA by default."""
    return (folder or ERRATA) / f"{name}.csv"


def errata(folder: str | Path | None = None) -> list[Erratum]:
    """Return all errata, in the file's order; folder: ERRATA by default.

    Raises TypeError for an entry that lacks a field or has another, and ValueError for a folder
    that does not exist.

    >>> [erratum.name for erratum in errata()]
    ['leveldb', 'etcd', 'etcd-3-1', 'aws-gp2', 'spdy']
    """
    text = (existing_folder(folder, ERRATA) / "errata.json").read_text(encoding="utf-8")
    return [
        Erratum(
            **each
            | {
                "tables": tuple(each["tables"]),
                "impossible": tuple(Impossible(**cell) for cell in each["impossible"]),
                "checked": tuple(each["checked"]),
            }
        )
        for each in json.loads(text)
    ]
