"""The published numbers: data/*.csv, read by the schema in the same folder."""

import csv
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunables.base.arguments import choice, path, refuse
from tunables.base.refusals import refusal
from tunables.resources import resource_folder

DATA = resource_folder("data")


@dataclass(frozen=True)
class Record:
    """One number that a document gives, in the document's unit.

    `row_id` names it within its table, `place` says where in the document it is printed, `row` and
    `quantity` what it measures, and `note` whatever a reader should know. `resolution` is the width
    of the interval that rounds to `value`: 6 with resolution 1 means 5.5 to 6.5. `relation` says
    whether the document gives the value itself ("=", "about") or a bound on it ("at least", "at
    most", "above", "below").
    """

    row_id: str
    document: str
    place: str
    row: str
    quantity: str
    value: float
    unit: str
    resolution: float
    relation: str
    note: str


def _cell(field: dict, text: str, where: str) -> str | float:
    """Return the cell's value, or raise ValueError if it breaks the field's constraints."""
    constraints = field.get("constraints", {})
    name = field["name"]
    if constraints.get("required") and not text:
        raise refusal(f"{where}: {name} is empty: a value is required")
    if "enum" in constraints and text not in constraints["enum"]:
        allowed = ", ".join(constraints["enum"])
        raise refusal(f"{where}: {name} = {text!r}: must be one of {allowed}")
    if "pattern" in constraints and not re.fullmatch(constraints["pattern"], text):
        raise refusal(f"{where}: {name} = {text!r}: must match {constraints['pattern']}")
    if field["type"] == "string":
        return text
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < constraints.get("minimum", -math.inf):
        bound = f" at least {constraints['minimum']}" if "minimum" in constraints else ""
        raise refusal(f"{where}: {name} = {text!r}: must be a finite number{bound}")
    return value


def _records(path: Path, fields: list[dict], documents: set[str]) -> Iterator[Record]:
    names = [field["name"] for field in fields]
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if header != names:
            raise refusal(f"{path.name}, line 1: columns {header}: must be {names}")
        for row in reader:
            where = f"{path.name}, line {reader.line_num}"
            if len(row) != len(names):
                raise refusal(f"{where}: has {len(row)} cells: must have {len(names)}")
            cells: dict[str, Any] = {
                f["name"]: _cell(f, text, where) for f, text in zip(fields, row, strict=True)
            }
            if cells["document"] not in documents:
                raise refusal(
                    f"{where}: document = {cells['document']!r}: must be a source named in "
                    f"data/*.json ({', '.join(sorted(documents))})"
                )
            yield Record(**cells)


def existing_folder(folder: str | Path | None, usual: Path) -> Path:
    """Return the folder that was given, or the usual one; raises ValueError if there is none.

    >>> existing_folder(None, usual=DATA) == DATA
    True
    >>> existing_folder("nowhere", DATA)
    Traceback (most recent call last):
    ValueError: folder = 'nowhere': must be a folder that exists
    """
    found = usual if folder is None else Path(path("folder", folder))
    if not found.is_dir():
        refuse("folder", folder, "a folder that exists")
    return found


def _list_entries(folder: Path, kind: str) -> dict[str, dict]:
    """Return the "resources" or "sources" of all data packages in the folder by name.

    datapackage.json describes the book's tables; a user's table brings its own package.
    """
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))]
    packages = [json.loads(text) for text in texts]
    return {each["name"]: each for package in packages for each in package.get(kind, [])}


def tables(folder: str | Path | None = None) -> list[str]:
    """Return the names of the tables that the data packages list; folder: DATA by default.

    Raises ValueError for a folder that does not exist.

    >>> "rrd-system-cache" in tables()
    True
    """
    return list(_list_entries(existing_folder(folder, DATA), "resources"))


def published(table: str, folder: str | Path | None = None) -> dict[str, Record]:
    """Return the records of one table by row_id, in the file's order; folder: DATA by default.

    Raises ValueError that names file, line, field and value where the file breaks the schema,
    for an unknown table, and for a folder that does not exist.

    >>> published("rrd-system-cache")["slowdown-after-overflow"].value
    20.0
    """
    folder = existing_folder(folder, DATA)
    resources = _list_entries(folder, "resources")
    resource = resources[choice("table", table, resources)]
    schema = json.loads((folder / resource["schema"]).read_text(encoding="utf-8"))
    documents = set(_list_entries(folder, "sources"))
    records: dict[str, Record] = {}
    try:
        for record in _records(folder / resource["path"], schema["fields"], documents):
            if record.row_id in records:
                raise refusal(
                    f"{resource['path']}: row_id = {record.row_id!r}: must appear only once"
                )
            records[record.row_id] = record
    except (UnicodeDecodeError, csv.Error) as error:
        raise refusal(f"{resource['path']}: must be a CSV file in UTF-8: {error}") from None
    if not records:
        raise refusal(f"{resource['path']}: has no rows: must have at least one")
    return records
