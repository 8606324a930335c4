"""Finds the hand-ins of the page in what a learning platform made of the texts, and opens them."""

import hmac
import html
import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from tunables.base.numbers_as_text import LONGEST
from tunables.page.chapters import find_chapter
from tunables.page.hand_in import (
    ALPHABET,
    BEGIN,
    CHANGED,
    END,
    LONGEST_NAME,
    MOST_COUNT,
    HandIn,
    body_of,
    public_part,
    sign,
    unpack,
)
from tunables.views.safe_text import legible

_WORDS = r"[\W_]+"  # what a platform may put between a marker's words: spaces, a line's end, ">"
_LOOKS = "[*_~`]*"  # of bold and code, as Markdown writes them
_MARKER = re.compile(
    "|".join(
        rf"(?P<{name}>(?<![^\W_]){_WORDS.join(marker.split())}(?![^\W_]){_LOOKS})"
        for name, marker in (("begin", BEGIN), ("end", END))
    ),
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_QUOTES = re.compile(r"^[\s>|»›]+", re.MULTILINE)
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]+")
_TIMES_ESCAPED = 2  # by an editor, and once more by what shows or exports its text
MOST_GUESSES = 99
LONGEST_GUESS_NAME = 200


def decoded(content: bytes) -> str:
    """Return a file's text, in the encodings that platforms and editors write.

    >>> decoded("ü".encode("utf-16")), decoded("ü".encode("cp1252"))
    ('ü', 'ü')
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _without_comments(text: str) -> str:
    """Return a text without HTML's comments; one that does not end is left."""
    parts, at = [], 0
    while (begun := text.find("<!--", at)) >= 0 and (end := text.find("-->", begun + 4)) >= 0:
        parts.append(text[at:begun])
        at = end + 3
    return "\n".join([*parts, text[at:]])


def _plain(text: str) -> str:
    """Return a text without the tags, comments and entities of HTML."""
    for _ in range(_TIMES_ESCAPED):
        text = html.unescape(_TAG.sub("\n", _without_comments(text)))
    return _TAG.sub("\n", _without_comments(text))


def _letters(between: str) -> str:
    """Return what stands between the markers, without what a platform or a mail program adds.

    Raises ValueError for a character that no hand-in has.
    """
    letters = _INVISIBLE.sub("", _QUOTES.sub("", between))
    strange = next((letter for letter in letters if letter not in ALPHABET), "")
    if strange:
        raise ValueError(f'{CHANGED}: no hand-in has "{legible(strange, 10)}" in it')
    return letters


class Piece(NamedTuple):
    """One text that may be a hand-in: what was signed and its signature, or why it is refused."""

    content: bytes = b""
    signature: bytes = b""
    refusal: str = ""


def _piece(between: str) -> Piece:
    try:
        return Piece(*unpack(_letters(between)))
    except ValueError as error:
        return Piece(refusal=str(error))


NO_END = f'it is cut off: the line "{END}" is missing'
NO_BEGIN = f'it is cut off: the line "{BEGIN}" is missing'
NO_HAND_IN = "there is no hand-in in it"


def pieces(text: str) -> Iterator[Piece]:
    """Yield what is between each pair of marker lines, in order; a text without any is refused.

    >>> [piece.refusal for piece in pieces("See my <b>file</b>.")]
    ['there is no hand-in in it']
    """
    plain, begun = _plain(text), None
    found = list(_MARKER.finditer(plain))
    for marker in found:
        if marker["begin"]:
            if begun is not None:
                yield Piece(refusal=NO_END)
            begun = marker.end()
        elif begun is None:
            yield Piece(refusal=NO_BEGIN)
        else:
            yield _piece(plain[begun : marker.start()].rstrip("*_~`"))
            begun = None
    if begun is not None:
        yield Piece(refusal=NO_END)
    if not found:
        yield Piece(refusal=NO_HAND_IN)


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNT


def _is_rows(value: object, width: int) -> bool:
    return isinstance(value, list) and all(
        isinstance(row, list) and len(row) == width for row in value
    )


def _is_sound(found: HandIn) -> bool:
    """Say whether each part is what the page writes: a student can sign anything by hand."""
    return (
        _is_text(found.chapter, LONGEST)
        and _is_text(found.student, LONGEST)
        and _is_text(found.name, LONGEST_NAME)
        and _is_rows(found.guesses, 2)
        and len(found.guesses) <= MOST_GUESSES
        and all(_is_text(part, LONGEST_GUESS_NAME) for row in found.guesses for part in row)
        and isinstance(found.steps, list)
        and len(found.steps) == 2
        and all(map(_is_count, found.steps))
        and all(isinstance(used, bool) for used in (found.map, found.own_numbers))
        and _is_rows(found.answers, 3)
        and all(_is_text(row[0], LONGEST) and _is_text(row[2], LONGEST) for row in found.answers)
    )


def _body(content: bytes) -> HandIn:
    """Return what a piece holds, whoever signed it. Raises ValueError for what no page writes."""
    try:
        found = HandIn(*json.loads(body_of(content)))
        if find_chapter(found.chapter).slug != found.chapter:
            raise ValueError(CHANGED)
    except (ValueError, TypeError, RecursionError):
        raise ValueError(CHANGED) from None
    if not _is_sound(found):
        raise ValueError(CHANGED)
    return found


class UnknownCode(ValueError):
    """A hand-in names a student who has no code in this class."""


def open_piece(piece: Piece, codes: Collection[str]) -> tuple[str, HandIn]:
    """Return the code that signed a piece, of those of a class, and what the piece holds.

    Raises ValueError, a sentence that says why, for a piece that is refused: UnknownCode if it
    names no student of the class.
    """
    if piece.refusal:
        raise ValueError(piece.refusal)
    found = _body(piece.content)
    named = [code for code in codes if public_part(code) == found.student]
    if not named:
        raise UnknownCode(
            f"student {legible(found.student, LONGEST)} has no code in this class: the hand-in is "
            "from another class, or the codes were made with a different secret"
        )
    for code in named:
        if hmac.compare_digest(sign(code, piece.content), piece.signature):
            return code, found
    raise ValueError(CHANGED)
