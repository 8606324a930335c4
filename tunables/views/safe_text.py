"""Text that others wrote, made safe for a line, a terminal or a cell of a spreadsheet."""

import unicodedata
from collections.abc import Mapping

from tunables.base.user_data.columns import shorten

_TURNS_TEXT = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_NO_LETTERS = ("Cc", "Cs", "Zl", "Zp")  # control characters, half characters, ends of lines


def _is_letter(character: str) -> bool:
    """Say whether a line of any export may hold a character; XML lacks U+FFFE and U+FFFF."""
    return unicodedata.category(character) not in _NO_LETTERS and character not in "\ufffe\uffff"


def one_line(text: str) -> str:
    r"""Return a name on one line, with spaces for what XML and tables cannot hold.

    >>> one_line("Ada\x01\n Lovelace ")
    'Ada Lovelace'
    """
    return " ".join("".join(one if _is_letter(one) else " " for one in text).split())


def _legible(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte of a file's name that is no UTF-8
        return f"\\x{ord(character) - 0xDC00:02x}"
    if not _is_letter(character) or character in _TURNS_TEXT:
        return character.encode("unicode_escape").decode("ascii")
    return character


def legible(text: str, longest: int) -> str:
    r"""Return foreign text on one line, as valid UTF-8, shortened if need be.

    >>> print(legible("L\udcf6sung\x1b[2J", 60))
    L\xf6sung\x1b[2J
    """
    return "".join(map(_legible, shorten(text, longest)))


# How a cell begins that a spreadsheet computes; the wide signs are those of East Asian keyboards.
_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
FORMULA = (*_SIGNS, "\t", "\r")
_ENDS = ";\t\r\n"  # where a spreadsheet may split cells; commas are quoted


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def as_cell(value):
    """Return a value for a CSV: text that a spreadsheet would compute has an apostrophe before it.

    Names, files and errors are what students write: "=1+1" is shown, not computed, and so is
    "x;=1+1" where semicolons split cells, as in Germany. A number stays.

    >>> as_cell("x;=1+1")
    "x;'=1+1"
    """
    if not isinstance(value, str) or _is_number(value):
        return value
    first = "'" if value.startswith(FORMULA) else ""
    if not any(end in value for end in _ENDS):
        return first + value
    told = [first]
    for at, character in enumerate(value):
        told.append(character)
        if character in _ENDS and value[at + 1 :].lstrip(' \t\r\n"').startswith(_SIGNS):
            told.append("'")
    return "".join(told)


def as_cells(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row of a CSV, each value as a cell."""
    return {name: as_cell(value) for name, value in row.items()}
