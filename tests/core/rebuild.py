"""A case rebuilt from changed data, as if the document had printed another number.

The whole package takes part: the CSV on disk is changed, and all that was computed from
data/ is forgotten. Nothing can hide, since no module reads data/ when it is imported: a test
in `test_statuses` holds that.
"""

import csv
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

from tunables.core.registry import find_case
from tunables.evidence import published as evidence
from tunables.page.chapters import module as module_of

dpp = module_of("dpp", "predictor")


def _change(folder: Path, row_id: str, value: float) -> None:
    """Write the value into the one row of data/ that has this id."""
    found = 0
    for path in folder.glob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        for row in rows:
            if row[header.index("row_id")] == row_id:
                row[header.index("value")] = repr(value)
                found += 1
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows])
    assert found == 1, f"{row_id} stands in {found} rows of data/"


def _modules() -> list:
    return [module for name, module in sys.modules.items() if name.startswith("tunables.")]


def forget() -> None:
    """Let everything be computed again on its next use."""
    for module in _modules():
        for each in vars(module).values():
            if callable(getattr(each, "cache_clear", None)):
                each.cache_clear()


def _tell_page(transactions: tuple) -> None:
    """Put other numbers where a predictor holds published ones: the page reads no CSV."""
    old, dpp.TRANSACTIONS = dpp.TRANSACTIONS, transactions
    for module in _modules():
        if vars(module).get("TRANSACTIONS") is old:
            vars(module)["TRANSACTIONS"] = transactions


@contextmanager
def rebuilt(name: str, row_id: str, value: float, tmp_path: Path):
    """Yield the case as it would be if that row of data/ held that value.

    Raises ValueError where no case can be built from it.
    """
    folder = tmp_path / "data"
    shutil.copytree(evidence.DATA, folder, dirs_exist_ok=True)
    _change(folder, row_id, value)
    data, transactions = evidence.DATA, dpp.TRANSACTIONS
    table = evidence.published("nexus-dpp", folder)
    rows = (f"{name.replace('_', '-')}-transactions" for name in dpp.CLASSES)
    try:
        evidence.DATA = folder
        forget()
        _tell_page(tuple(int(table[row].value) for row in rows))
        yield find_case(name)
    finally:
        evidence.DATA = data
        _tell_page(transactions)
        forget()
