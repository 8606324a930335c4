"""Standard output as people have it: a narrow encoding, a pipe that closes, a disk that is full."""

import codecs
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

READER_GONE = 128 + 13  # what a shell says of a command that SIGPIPE ended
NOT_WRITTEN = 1
# What a typewriter has for the signs that the tables use.
_TYPED = {"×": "x", "±": "+-", "µ": "u", "–": "-", "−": "-", "≈": "~", "≤": "<=", "≥": ">="}
_TYPED |= {"∞": "inf", "→": "->", "·": "*", "’": "'", "…": "...", "λ": "lambda"}


def _typed(character: str) -> str:
    """Return what stands for a character in ASCII: u for ü, rho for ρ, and ? for the unknown."""
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    greek, _, letter = unicodedata.name(character, "").partition(" LETTER ")
    return _TYPED.get(character) or plain or (letter.lower() if "GREEK" in greek else "?")


def _typewritten(error):
    return "".join(map(_typed, error.object[error.start : error.end])), error.end


def _json_escaped(error):
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error("tunables.typewritten", _typewritten)
codecs.register_error("tunables.json", _json_escaped)


def _give_up(error: OSError) -> int:
    """Say why, unless the reader has gone, and let Python's last flush say nothing more."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE if isinstance(error, BrokenPipeError) else _not_written(error.strerror)


def _not_written(reason: str | None) -> int:
    print(f"tunables: the output could not be written: {reason}", file=sys.stderr)
    return NOT_WRITTEN


def write_file(path: str, content: str | bytes) -> None:
    """Write a file. Raises ValueError, a sentence, for one that cannot be written."""
    data = content if isinstance(content, bytes) else f"{content}\n".encode()
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise ValueError(f"output = {path!r}: {error.strerror}") from None


def write(pieces: Iterable[str], form: str = "text") -> int:
    """Print pieces of text, each as soon as it is there; return the command's exit status.

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
