"""Robust output: a narrow encoding, a pipe that closes, a disk that is full."""

import codecs
import contextlib
import json
import os
import sys
import tempfile
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from tunables.interrupts import interrupts_raised

READER_GONE = 128 + 13  # exit status of a command that SIGPIPE ended
NOT_WRITTEN = 1
# ASCII substitutes for the signs that the tables use.
_TYPED = {"×": "x", "±": "+-", "µ": "u", "–": "-", "−": "-", "≈": "~", "≤": "<=", "≥": ">="}
_TYPED |= {"∞": "inf", "→": "->", "·": "*", "’": "'", "…": "...", "λ": "lambda"}


def _ascii_substitute(character: str) -> str:
    """Return the ASCII substitute of a character: u for ü, rho for ρ, and ? for the unknown."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    greek, _, letter = unicodedata.name(character, "").partition(" LETTER ")
    return _TYPED.get(character) or plain or (letter.lower() if "GREEK" in greek else "?")


def _typewritten(error):
    return "".join(map(_ascii_substitute, error.object[error.start : error.end])), error.end


def _json_escaped(error):
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error("tunables.typewritten", _typewritten)
codecs.register_error("tunables.json", _json_escaped)


def _give_up(error: OSError) -> int:
    """Say why, unless the reader has gone, and let Python's last flush say nothing more."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE if isinstance(error, BrokenPipeError) else _not_written(error.strerror)


def say(words: str, end: str = "\n") -> None:
    """Write to standard error, or nowhere if that is closed or its disk is full.

    A command's result does not depend on whether its progress can be shown.
    """
    if sys.stderr is None:  # as the shell's 2>&- leaves it
        return
    try:
        print(words, end=end, file=sys.stderr, flush=True)
    except OSError:
        with contextlib.suppress(OSError):  # Python's last flush is to say nothing more
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def take_standard_error() -> None:
    """Put nothing in the place of standard error where it is closed.

    The next file that is opened would take that place, and what a library says would be in it.
    """
    if sys.stderr is None:
        with contextlib.suppress(OSError):
            os.set_inheritable(os.open(os.devnull, os.O_WRONLY), True)


def _not_written(reason: str | None) -> int:
    say(f"tunables: the output could not be written: {reason}")
    return NOT_WRITTEN


def table_encoding(is_terminal: bool = False) -> str:
    """Return the encoding of a CSV that a teacher opens in a spreadsheet.

    A file begins with a byte order mark, because Excel reads a CSV without one in the machine's
    old encoding, which spoils umlauts. LibreOffice, Moodle's upload of a worksheet
    (`trim_utf8_bom` in its `lib/csvlib.class.php`) and our own commands read both.
    """
    return "utf-8" if is_terminal else "utf-8-sig"


def write_file(path: str, content: str | bytes, encoding: str = "utf-8") -> None:
    """Write a file: all of it, or else leave what was there.

    Raises ValueError, a sentence, for one that cannot be written.
    """
    data = content if isinstance(content, bytes) else f"{content}\n".encode(encoding)
    try:
        _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise ValueError(f"output = {path!r}: {error.strerror}") from None


def _replace(target: Path, data: bytes) -> None:
    """Write a new file and rename it; write directly into a device or a pipe."""
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    if target.exists():
        mode = target.stat().st_mode & 0o777
        os.close(os.open(target, os.O_WRONLY))  # a file that may not be written is not replaced
    else:
        mode = 0o666 & ~_umask()
    with interrupts_raised():
        _rename_onto(target, data, mode)


def _rename_onto(target: Path, data: bytes, mode: int) -> None:
    """Write a new file beside the target and give it its name and mode; leave nothing else."""
    try:
        number, beside = tempfile.mkstemp(prefix=".tunables-", dir=target.parent)
    except PermissionError:
        if not target.exists():
            raise
        target.write_bytes(data)  # in a folder that takes no new file, it is this or nothing
        return
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def _umask() -> int:
    """Return what a new file's mode leaves out; it can be read only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write(pieces: Iterable[str], form: str = "text") -> int:
    """Print pieces of text as they come; return the command's exit status.

    Characters that the output's encoding lacks are typewritten: +- for ±, or, in the form
    "json", escaped. A reader who has gone (`| head`) ends the command quietly, with the status
    141 that other tools end with; a full disk ends it with a sentence on standard error.
    """
    if sys.stdout is None:  # as the shell's >&- leaves it
        return _not_written("it is closed")
    if hasattr(sys.stdout, "reconfigure"):
        errors = "tunables.json" if form == "json" else "tunables.typewritten"
        sys.stdout.reconfigure(errors=errors)
    for piece in pieces:
        try:
            print(piece, flush=True)
        except OSError as error:
            return _give_up(error)
    return 0
