"""A case's ledger by the rows of its table, made once for all tests that ask for it."""

from functools import cache

from tunables.core.case import Case
from tunables.core.ledger import LedgerRow, ledger
from tunables.core.registry import find_case


@cache
def _entries(name: str, seed: int) -> dict[str, LedgerRow]:
    return {entry.number.record.row_id: entry for entry in ledger(find_case(name), seed=seed)}


def entries_by_row(case: Case, seed: int) -> dict[str, LedgerRow]:
    """Return the entries of a case's ledger, simulated with a seed, by the ids of their rows."""
    return _entries(case.name, seed)
