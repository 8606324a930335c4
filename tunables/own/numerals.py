"""Numbers as people's programs write them: 0.25, 1,234.5, 1.234,5, 1 234, 1'234."""

import re

import numpy as np

# A blank or apostrophe that sets thousands apart; it is never anything else.
_SPACING = re.compile(r"(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))")
_POINT = re.compile(r"[+-]?(\d+|\d{1,3}(,\d{3})+|(?=\.\d))(\.\d*)?([eE][+-]?\d+)?")
_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+|(?=,\d))(,\d*)?([eE][+-]?\d+)?")
_ADVICE = "write 1234.5: a decimal point, no thousands separators"


def _plain(columns):
    """Return the columns as arrays if every cell is a number with a decimal point, else None."""
    try:
        return {name: np.array(cells, dtype=np.float64) for name, cells in columns.items()}
    except ValueError:
        return None


def _refuse_cell(name, cell, line):
    if not cell:
        raise ValueError(f"line {line}: {name} is empty; fill it in or take the row out")
    raise ValueError(f"line {line}: {name} = {cell!r} is not a number; {_ADVICE}")


def _separators(columns, lines):
    """Return (thousands, decimal) of a whole file, since one program wrote it.

    A comma that can only be decimal in one cell is decimal in all, and the other way round.
    """
    only: dict[str, tuple[int, str]] = {}  # convention -> a cell that no other one can read
    unsure = None
    for name, cells in columns.items():
        for line, cell in zip(lines, cells, strict=True):
            point, comma = _POINT.fullmatch(cell), _COMMA.fullmatch(cell)
            if not point and not comma:
                _refuse_cell(name, cell, line)
            if point and not comma:
                only.setdefault("point", (line, cell))
            elif comma and not point:
                only.setdefault("comma", (line, cell))
            elif unsure is None and "," in cell:
                unsure = (line, cell)
    if len(only) == 2:
        (line, cell), (other_line, other) = only["point"], only["comma"]
        raise ValueError(
            f"line {line} has {cell!r} and line {other_line} has {other!r}: "
            f"two ways to write a decimal number; {_ADVICE}"
        )
    if unsure and not only:
        line, cell = unsure
        raise ValueError(f"line {line}: {cell!r} may be a thousand or a decimal comma; {_ADVICE}")
    return (".", ",") if "comma" in only else (",", ".")


def numbers_of(columns, lines) -> dict[str, np.ndarray]:
    """Return columns of text, name -> cells, as arrays of finite numbers.

    Thousands separators and decimal commas are recognised where some cell of the file leaves
    no doubt which they are, and are refused where none does: "1,234" alone. lines[i] is the
    line that row i stands on.
    Raises ValueError that names the line, the column and what to write instead.

    >>> numbers_of({"size": ["1.234", "2,5"]}, [2, 3])["size"].tolist()
    [1234.0, 2.5]
    >>> numbers_of({"size": ["1,234"]}, [2])
    Traceback (most recent call last):
    ValueError: line 2: '1,234' may be a thousand or a decimal comma; write 1234.5: a decimal \
point, no thousands separators
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
            raise ValueError(
                f"line {lines[row]}: {name} = {columns[name][row]!r} is not finite; "
                "take out rows without a measurement"
            )
    return result
