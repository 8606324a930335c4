"""`python -m tunables audit FILE`: read a file, audit its tables, say what is impossible."""

from pathlib import Path

from tunables.audit.report import report
from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit

LARGEST = 32_000_000  # bytes


def read_file(path: str) -> str:
    """Return the text of a file; bytes that are not UTF-8 are replaced.

    Raises ValueError, a sentence, for a file that can't be read or is too large.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"file = {path!r}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ValueError(f"file = {path!r}: must be no larger than {LARGEST:,} bytes")
    return data.decode("utf-8", errors="replace")


def parse_columns(texts: list[str]) -> dict[int, str]:
    """Return {column from 0: meaning} of options such as "4=latency" or "5=percentile:0.99".

    Raises ValueError for another form.

    >>> parse_columns(["4=latency"])
    {3: 'latency'}
    """
    found = {}
    for text in texts:
        number, mark, meaning = text.partition("=")
        if not mark or not number.isdecimal() or len(number) > 4 or not int(number):
            raise ValueError(
                f"column = {text!r}: must have the form COLUMN=MEANING, as in 4=latency"
            )
        found[int(number) - 1] = meaning
    return found


def run_command(
    path: str, form: str, columns: list[str], table: int | None = None
) -> tuple[str, bool]:
    """Return the report on a file, and whether something in it is impossible.

    columns: corrections as in `parse_columns`, for the table (from 1), or the only one.
    Raises ValueError, a sentence, for a file without tables, or a correction that does not fit.
    """
    tables = read_tables(read_file(path), path)
    if table is not None:
        if not 1 <= table <= len(tables):
            raise ValueError(f"table = {table}: must be from 1 to {len(tables)}")
        tables = [tables[table - 1]]
    chosen = parse_columns(columns)
    if chosen and len(tables) > 1:
        raise ValueError(f"{path} has {len(tables)} tables: choose one with --table NUMBER")
    audits = [audit(each, chosen) for each in tables]
    return report(audits, form, path), any(each.findings for each in audits)
