"""The tables of the book's own reports as documents print them: one row each, a column a quantity.

The audit's code then judges them like any other table; `tests/audit/test_own_reports.py` holds its
verdicts against the ledger's statuses.
"""

from tunables.audit.table import ReadTable
from tunables.evidence.published import Record, published, tables

EVERY = "all rows"  # the row of a number that holds for all others of its section


def _text(record: Record) -> str:
    """Return a number as the document prints it: its digits are its resolution."""
    decimals = 0
    if record.resolution and record.resolution < 1:
        decimals = len(f"{record.resolution:.12f}".rstrip("0").partition(".")[2])
    elif record.value != int(record.value):
        decimals = len(repr(record.value).partition(".")[2])
    signs = {"about": "≈ ", "at least": "≥ ", "above": "> ", "at most": "≤ ", "below": "< "}
    unit = "" if record.unit == "1" else f" {record.unit}"
    return f"{signs.get(record.relation, '')}{record.value:,.{decimals}f}{unit}"


def _section(place: str) -> str:
    return place.partition(",")[0]


def own_table(name: str) -> tuple[ReadTable, dict[tuple[int, int], Record]]:
    """Return a published table of data/ by its rows and quantities, and the record of each cell.

    Raises ValueError for an unknown table.

    >>> own_table("rdu-batch-tuning")[0].rows[0][:3]
    ['original performance', '6 batches/s', '8,072 ms']
    """
    records = list(published(name).values())
    heads = ["row", *dict.fromkeys(record.quantity for record in records)]
    keys = list(dict.fromkeys((each.place, each.row) for each in records if each.row != EVERY))
    rows = [[label, *[""] * (len(heads) - 1)] for _, label in keys]
    places = {}
    for record in records:
        for index, (place, label) in enumerate(keys):
            cell = index, heads.index(record.quantity)
            own = record.row == label and record.place == place
            shared = record.row == EVERY and _section(record.place) == _section(place)
            if (own or shared) and cell not in places:
                rows[cell[0]][cell[1]] = _text(record)
                places[cell] = record
    return ReadTable(name, heads, rows, list(range(len(rows))), 1, "data"), places


def own_tables() -> list[str]:
    """Return the names of the book's own tables, as `published` knows them."""
    return tables()
