"""Which comma is decimal, and which parts thousands: decided for a whole file.

MicroPython runs this, too. The patterns are those of Python's re and of JavaScript at once.
"""

from tunables.plain.own.words import quoted, refuse, shown

# A blank or apostrophe that sets thousands apart; it is never anything else.
SPACING = r"(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))"
POINT = r"[+-]?(\d+|\d{1,3}(,\d{3})+|(?=\.\d))(\.\d*)?([eE][+-]?\d+)?"
COMMA = r"[+-]?(\d+|\d{1,3}(\.\d{3})+|(?=,\d))(,\d*)?([eE][+-]?\d+)?"
_ADVICE = "write 1234.5: a decimal point, no thousands separators"


def refuse_cell(line, name, cell):
    """Refuse what is no number in either way of writing."""
    if not cell:
        refuse(line, f"{name} is empty; fill it in or take the row out")
    refuse(line, f"{name} = {shown(quoted(cell))} is not a number; {_ADVICE}")


def separators(point, comma, unsure) -> tuple:
    """Return (thousands, decimal) of a file, since one program wrote it.

    point, comma: (line, cell) of a number that can only be read with a decimal point, or only
    with a decimal comma; unsure: one with a comma that may be either. None where there is none.
    Raises ValueError for a file that has both, or leaves it open.

    >>> separators(None, (2, "2,5"), (3, "1,234"))
    ('.', ',')
    >>> separators(None, None, (3, "1,234"))
    Traceback (most recent call last):
    ValueError: line 3: '1,234' may be a thousand or a decimal comma; write 1234.5: a decimal \
point, no thousands separators
    """
    if point and comma:
        (line, cell), (other_line, other) = point, comma
        raise ValueError(
            f"line {line} has {shown(quoted(cell))} and line {other_line} has "
            f"{shown(quoted(other))}: two ways to write a decimal number; {_ADVICE}"
        )
    if unsure and not point and not comma:
        line, cell = unsure
        refuse(line, f"{shown(quoted(cell))} may be a thousand or a decimal comma; {_ADVICE}")
    return (".", ",") if comma else (",", ".")
