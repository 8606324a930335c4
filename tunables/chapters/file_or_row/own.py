"""Chapter 7's fit to a reader's own matrix: reads the table of times."""

from tunables.base.user_data.columns import wanted_text
from tunables.chapters.file_or_row.fit import BRING, COLUMNS, FEWEST_ROWS, MODEL, report, solve
from tunables.core.fit import Fit, FitRequest
from tunables.core.reading import read_columns


def count(data) -> dict:
    """Return what `solve` takes from the columns of a table."""
    names = [column.name for column in COLUMNS]
    return {"rows": [list(row) for row in zip(*(data[n].tolist() for n in names), strict=True)]}


def fit_file_or_row(source) -> Fit:
    """Fit the four costs to two page sizes of a reader's table, and predict the others.

    Fitted are the least page size and the one in the middle of them all.
    Raises ValueError for what `read_columns` and `solve` refuse.
    """
    return report(solve(count(read_columns(source, COLUMNS, FEWEST_ROWS))))


def fit_request() -> FitRequest:
    """Return the fit to a reader's numbers, and what it wants."""
    return FitRequest(fit_file_or_row, MODEL, BRING, wanted_text(COLUMNS))
