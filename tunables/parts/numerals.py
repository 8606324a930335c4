"""Numbers as people's programs write them: 0.25, 1,234.5, 1.234,5, 1 234, 1'234."""

import re

import numpy as np

from tunables.plain.own.columns import refuse_infinite
from tunables.plain.own.separators import COMMA, POINT, SPACING, refuse_cell, separators

_SPACING, _POINT, _COMMA = (re.compile(pattern, re.ASCII) for pattern in (SPACING, POINT, COMMA))


def _plain(columns):
    """Return the columns as arrays if every cell is a number with a decimal point, else None.

    Python reads the digits of all scripts, and 1_000; what else reads these files does not.
    """
    for cells in columns.values():
        together = "".join(cells)
        if not together.isascii() or "_" in together:
            return None
    try:
        return {name: np.array(cells, dtype=np.float64) for name, cells in columns.items()}
    except ValueError:
        return None


def _separators(columns, lines):
    """Return (thousands, decimal) of a whole file.

    A comma that can only be decimal in one cell is decimal in all, and the other way round.
    """
    only: dict[str, tuple[int, str]] = {}  # convention -> a cell that no other one can read
    unsure = None
    for name, cells in columns.items():
        for line, cell in zip(lines, cells, strict=True):
            point, comma = _POINT.fullmatch(cell), _COMMA.fullmatch(cell)
            if not point and not comma:
                refuse_cell(line, name, cell)
            if point and not comma:
                only.setdefault("point", (line, cell))
            elif comma and not point:
                only.setdefault("comma", (line, cell))
            elif unsure is None and "," in cell:
                unsure = (line, cell)
    return separators(only.get("point"), only.get("comma"), unsure)


def numbers_of(columns, lines) -> dict[str, np.ndarray]:
    """Return columns of text, name -> cells, as arrays of finite numbers.

    Thousands separators and decimal commas are recognised where some cell of the file leaves
    no doubt which they are, and are refused where none does: "1,234" alone. lines[i] is the
    line that row i stands on.
    Raises ValueError that names the line, the column and what to write instead.

    >>> numbers_of({"size": ["1.234", "2,5"]}, [2, 3])["size"].tolist()
    [1234.0, 2.5]
    """
    result = _plain(columns)
    if result is None:
        columns = {
            name: [_SPACING.sub("", cell) for cell in cells] for name, cells in columns.items()
        }
        thousands, decimal = _separators(columns, lines)
        result = {
            name: np.array(
                [cell.replace(thousands, "").replace(decimal, ".") for cell in cells],
                dtype=np.float64,
            )
            for name, cells in columns.items()
        }
    for name, values in result.items():
        if not np.isfinite(values).all():
            row = int(np.argmin(np.isfinite(values)))
            refuse_infinite(lines[row], name, columns[name][row])
    return result
