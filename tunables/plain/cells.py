"""Text in a table that a spreadsheet may open."""

from collections.abc import Mapping

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet computes


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_cell(value):
    """Return a value for a CSV: text that a spreadsheet would compute has an apostrophe before it.

    Names, files and errors are what students write: "=1+1" is told, not computed. A number stays.
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or _is_number(value):
        return value
    return f"'{value}"


def as_cells(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row of a CSV, each value as a cell."""
    return {name: as_cell(value) for name, value in row.items()}
