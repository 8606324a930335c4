"""Writes the ledger's lines of this version into book/ledgers: python book/ledger_version.py

Raise the version of the book first, unless it has not been published yet, and say in
book/corrections.csv what changed and why.
"""

from pathlib import Path

import tunables
from tunables.views.ledger_versions import ledger_now, write_ledger

if __name__ == "__main__":
    path = Path(__file__).parent / "ledgers" / f"{tunables.__version__}.csv"
    write_ledger(path, ledger_now())
    print(f"written: {path}")
