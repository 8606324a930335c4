"""What a machine refuses to a measurement, as a sentence that says what to do."""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import contextmanager

_AGAIN = "Then run the cell again."
_ELSEWHERE = f"or start Jupyter with TMPDIR set to another folder. {_AGAIN}"
_FULL = f"The disk is full: {{place}} has no room for the lab's files. Make room, {_ELSEWHERE}"
_REFUSED = f"The user who runs Jupyter can't write to {{place}}. Grant write access, {_ELSEWHERE}"
_DISK = (
    "The disk that holds {place} failed, or the file-size limit (ulimit -f) was reached. "
    f"Check both, {_ELSEWHERE}"
)
_FILES = (
    "This program has as many open files and sockets as the system allows. Close other notebooks, "
    "or "
    f"raise the limit (ulimit -n) before you start Jupyter. {_AGAIN}"
)
_PROCESSES = (
    "You are running as many processes and threads as this system allows. Close other programs, or "
    "raise the "
    f"limit (ulimit -u; in a container, its limit on processes). {_AGAIN}"
)
_MEMORY = f"This system is out of memory. Close other programs. {_AGAIN}"
_LOOPBACK = (
    "This system doesn't let the lab connect to itself over 127.0.0.1. In a container, switch on "
    f"its loopback interface; elsewhere, close programs that hold thousands of ports. {_AGAIN}"
)
_TOO_LARGE = (
    "This system doesn't let files grow as large as the lab needs. Raise the limit (ulimit -f) "
    f"before you start Jupyter. {_AGAIN}"
)
_SENTENCES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EIO: _DISK,
    errno.EACCES: _REFUSED,
    errno.EPERM: _REFUSED,
    errno.EROFS: _REFUSED,
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.EAGAIN: _PROCESSES,
    errno.ENOMEM: _MEMORY,
    errno.ENETUNREACH: _LOOPBACK,
    errno.EADDRNOTAVAIL: _LOOPBACK,
    errno.EADDRINUSE: _LOOPBACK,
}
_CUT = (  # no error, but less was written than was to be
    "The disk that holds {place} is full, or the file-size limit (ulimit -f) was reached. Check "
    f"both, {_ELSEWHERE}"
)
_NAMELESS = (
    "PostgreSQL runs only for a user that the system knows by name (getent passwd). Start Jupyter "
    f"as a user that has a name. {_AGAIN}"
)
_IN_WORDS = {  # what programs say of it
    **{os.strerror(number): sentence for number, sentence in _SENTENCES.items()},
    "Check free disk space": _FULL,
    "write failed: Success": _CUT,  # says pg_test_fsync
    "file descriptors": _FILES,
    "user does not exist": _NAMELESS,
}
_OF_SQLITE = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
}


class Trouble(RuntimeError):
    """The machine does not let a lab measure; the message says why, and what to do."""


def _folder():
    try:
        return tempfile.gettempdir()
    except OSError:
        return "the folder for temporary files"


def advice(number: int | None, place: str = "") -> str:
    """Return what an error of the system (errno.ENOSPC) means to a lab; nothing of others.

    place: the file or folder that was refused, if not the one of temporary files.

    >>> print(advice(errno.EMFILE))  # doctest: +ELLIPSIS
    This program has as many open files and sockets as the system allows. Close other notebooks, ...
    >>> advice(errno.EPIPE)
    ''
    """
    return _SENTENCES.get(number or 0, "").format(place=place or _folder())


def advice_on(words: str) -> str:
    """Return the same of what a program printed.

    >>> print(advice_on("could not write: No space left on device"))  # doctest: +ELLIPSIS
    The disk is full: ...
    """
    found = (sentence for said, sentence in _IN_WORDS.items() if said in words)
    return next(found, "").format(place=_folder())


def _error_number(error: BaseException) -> int | None:
    """Return the number of the system's error behind it."""
    if isinstance(error, MemoryError):
        return errno.ENOMEM
    if isinstance(error, sqlite3.OperationalError):
        code = getattr(error, "sqlite_errorcode", 0)
        return _OF_SQLITE.get(code, _OF_SQLITE.get(code & 0xFF))
    if isinstance(error, FileNotFoundError) and "temporary directory" in str(error):
        return errno.EACCES
    if isinstance(error, OSError):
        return error.errno
    return errno.EAGAIN if "can't start new thread" in str(error) else None


@contextmanager
def explain_trouble() -> Generator[None, None, None]:
    """Raise Trouble, with a sentence, for what the machine refuses within the block."""
    try:
        yield
    except (OSError, MemoryError, RuntimeError, sqlite3.OperationalError) as error:
        sentence = advice(_error_number(error), getattr(error, "filename", None) or "")
        if not sentence:
            raise
        raise Trouble(f"{sentence} ({error})") from error
