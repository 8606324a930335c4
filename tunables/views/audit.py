"""`audit_table()`: judge the numbers of a table, in a notebook and in a page of the book.

`hall_of_errata()` shows the public tables that contradict themselves, `laws_table()` the laws.
"""

import csv
from html import escape

from tunables.audit.laws import explain
from tunables.audit.meanings import MEANINGS
from tunables.audit.report import text_of
from tunables.audit.session import LONGEST_PASTE, AuditSession
from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit
from tunables.base.arguments import text as text_argument
from tunables.evidence.errata import Erratum, errata, table_path
from tunables.views.charts import script_json
from tunables.views.live import Live, static_text
from tunables.views.tables import Table

# The tables that are one press away, and what their buttons say.
SAMPLES = {
    "etcd-reads": "etcd 3.8",
    "etcd-3-1-reads": "etcd 3.1",
    "leveldb-ratios": "LevelDB",
    "aws-gp2": "Amazon EBS",
    "spdy-loss": "SPDY",
    "aws-gp2-corrected": "Amazon EBS, corrected",
}
PERCENTILES = (0.5, 0.9, 0.95, 0.99, 0.999)  # that a column can be said to hold
LONGEST_LINK = 8000  # characters of a table that a link can hold
STATIC_TEXT = static_text(
    "In a terminal, python -m tunables audit README.md checks that file's tables.",
    "paste a table here",
)


def menu() -> list[tuple[str, str]]:
    """Return (meaning, words) for the menu of a column; a percentile is one meaning for each share.

    >>> menu()[0]
    ('label', 'ignore (a name)')
    """
    found = []
    for key, (words, _) in MEANINGS.items():
        if key != "percentile":
            found.append((key, words))
            continue
        found += [(f"{key}:{share}", f"p{100 * share:g}") for share in PERCENTILES]
    return found


def _sample(name: str) -> str:
    return table_path(name).read_text(encoding="utf-8")


def describe_audit() -> dict:
    """Return what the page's script needs: the menu, the samples and the limits."""
    return {
        "menu": menu(),
        "samples": [
            {"name": name, "title": title, "text": _sample(name)} for name, title in SAMPLES.items()
        ],
        "longest_paste": LONGEST_PASTE,
        "longest_link": LONGEST_LINK,
    }


def audit_html() -> str:
    """Return the box as markup, static until the page's script mounts it."""
    return (
        '<section class="tunables-audit" id="audit" aria-label="Audit a table">'
        f'<script type="application/json" class="audit-description">{script_json(describe_audit())}'
        f'</script><p class="audit-message" role="status">{escape(STATIC_TEXT)}</p>'
        '<div class="audit-form"></div><p class="audit-said" role="status"></p>'
        '<div class="audit-results"></div></section>'
    )


class TableAudit(Live):
    """The box into which a reader pastes a table. `entries` hold the text and the corrections."""

    def __init__(self, text: str, name: str):
        self._first = {"audit.text": text, "audit.name": name} if text else {}
        plain = text_of([audit(table) for table in read_tables(text, name)]) if text else "Audit"
        super().__init__(audit_html(), plain, AuditSession())
        self.entries = dict(self._first)


def audit_table(text: str = "", name: str = "") -> TableAudit:
    """Return the box, empty or with a table in it; name: of the file that the text is from.

    Raises ValueError, a sentence, for a text without a table.

    >>> box = audit_table("| clients | tps | latency (ms) |\\n|-|-|-|\\n| 8 | 400 | 50 |")
    >>> box.entries["audit.text"][:11]
    '| clients |'
    """
    text_argument("text", text)
    text_argument("name", name)
    return TableAudit(text, name)


def laws_table() -> Table:
    """Return the laws by which the audit judges, with their formulas and sources."""
    rows = tuple(
        (
            law["name"][:1].upper() + law["name"][1:],
            law["formula"],
            law["holds_if"] or "always",
            law["source"],
        )
        for law in explain()
    )
    return Table("The laws that the audit uses", ("Law", "Formula", "Holds if", "Source"), rows)


def _cells(erratum: Erratum) -> Table:
    """Return the impossible cells of a document, as printed."""
    rows = []
    for cell in erratum.impossible:
        with table_path(cell.table).open(encoding="utf-8", newline="") as file:
            heads, *body = csv.reader(file)
        printed = body[cell.row - 1][cell.column - 1]
        rows.append((f"{cell.row}", heads[cell.column - 1], f"{printed} ✗", cell.needed))
    columns = ("Row", "Column", "Printed", "Would have to be")
    return Table(f"Impossible numbers in {erratum.document}", columns, tuple(rows))


def _erratum_html(erratum: Erratum) -> str:
    """Return one document with what is impossible in it, why, and where it was checked."""
    wrong = dict.fromkeys(cell.table for cell in erratum.impossible)
    address = f"https://github.com/{erratum.repository}/blob/{erratum.commit}/{erratum.path}"
    fate = "It has not been corrected there."
    if erratum.corrected:
        fate = f"Corrected on {erratum.corrected}."
    links = "".join(f' <a href="#audit?sample={name}">Audit this table</a>.' for name in wrong)
    checked = "".join(f"<li>{escape(way)}</li>" for way in erratum.checked)
    return (
        f'<section class="erratum" id="erratum-{erratum.name}">'
        f"<h3>{escape(erratum.document)}</h3>"
        f"<p><strong>{escape(erratum.verdict)}</strong> {escape(erratum.explanation)}</p>"
        f"{_cells(erratum)._repr_html_()}"
        f"<p><em>What this assumes.</em> {escape(erratum.rests_on)}{links}</p>"
        f'<p>Read in <a class="reference external" href="{escape(address)}">'
        f"{escape(erratum.repository)} at commit {erratum.commit[:7]}</a> of "
        f"{erratum.committed}. "
        f"The table has read like this since {erratum.since}. <strong>{escape(fate)}</strong></p>"
        f"<details><summary>How we checked it, in two ways</summary><ul>{checked}</ul>"
        f"<p>{escape(erratum.tables_are)}</p></details></section>"
    )


class Hall:
    """The hall of errata: documents whose tables contradict themselves."""

    def __init__(self, found: list[Erratum]):
        self.errata = found

    def __repr__(self) -> str:
        return "\n".join(f"{each.document}: {each.verdict}" for each in self.errata)

    def _repr_html_(self) -> str:
        return "".join(_erratum_html(each) for each in self.errata)


def hall_of_errata() -> Hall:
    """Return the public tables that contradict themselves, as data/errata holds them.

    >>> len(hall_of_errata().errata)
    5
    """
    return Hall(errata())
