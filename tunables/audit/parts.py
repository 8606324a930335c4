"""Shares that are parts of one total, where no row has the total: they add up to 100% at most."""

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.relations import LARGEST_SUM, best_fit, total_row
from tunables.audit.values import plain

PARTS = AuditLaw(
    "shares of one total",
    "p1 + p2 + ... ≤ 1",
    "arithmetic",
    "each row is a different part of one total",
)
_FEWEST = 2


def _columns(sheet, guessed):
    """Return the columns of shares that nothing else in the table says how to compute."""
    if total_row(sheet) is not None or not _FEWEST <= sheet.rows <= LARGEST_SUM:
        return []
    found = [
        column
        for column in sheet.of("share")
        if column.guessed == guessed and len(column.read()) >= _FEWEST
    ]
    return [column for column in found if not _is_computed(sheet, column)]


def _is_computed(sheet, column):
    """Say whether most rows show how to compute a column from others, be it by chance."""
    values = [number.value for number in column.read()]
    fit = best_fit(sheet, column, max(values) - min(values) or 1.0, True)
    return fit is not None and fit.kept >= _FEWEST and fit.kept * 5 >= 3 * (fit.kept + fit.missed)


def parts_of_one(sheet) -> list:
    """Return that shares add up to at most 100%, for each column that the reader called so.

    They may add up to less, because a table may leave small parts out.
    """
    found = []
    for column in _columns(sheet, False):
        cells = [
            (row, column.index)
            for row in range(sheet.rows)
            if column.numbers[row] is not None and row not in sheet.short
        ]
        whole = 1.0
        if column.kind != "share" and max([number.value for number in column.read()]) > 1:
            whole = 100.0

        def reason(text, cells=cells, whole=whole):
            total = 0.0
            for cell in cells:
                total += sheet.number(cell).value
            return (
                f"The shares add up to {plain(100 * total / whole, 6)}%, which is more than 100%."
            )

        check = Check(PARTS, cells, [1.0] * len(cells), 0.0, whole, reason, linear=True)
        check.assume = lambda side: PARTS.kept_if
        words = f"the rows of {column.name} are parts of one total"
        found.append(Relation(PARTS, [check], "certain", words))
    return found


def unchecked_sums(sheet) -> list:
    """Return a sentence for each column of shares whose sum is not checked, and how it could be."""
    return [
        f"The sum of the shares in {column.name} was not checked. If each row is a part of one "
        "total, choose “share of a total” for that column, or add a row named Total."
        for column in _columns(sheet, True)
    ]
