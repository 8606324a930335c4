"""Sphinx extension: what a Markdown page says in numbers comes from the data and the models.

    {published}`rrd-system-cache.slowdown-after-overflow`   a published number, with its unit
    {model}`rrd.slowdown(graphs=40_000)`                    an output of a case's closed form
    {count}`chapters`                                       how many there are, in letters

and the directives `explorer` (a live figure), `animation` (a running machine), `guess` (a question
about a published number) and `not-explained` (what no model here gives).
A name that does not exist fails the build.
"""

import ast
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from markdown_tables import MarkdownLines
from sphinx.util.docutils import SphinxDirective, SphinxRole

import tunables
from tunables.core.ledger import LedgerRow, ledger
from tunables.core.registry import cases, find_animation, find_case
from tunables.evidence.published import DATA, published
from tunables.page.chapters import CHAPTERS, find_chapter, page_name
from tunables.page.formats import error_text, model_text, published_text, with_commas
from tunables.views.animation import animation_html, describe_animation, read_stills
from tunables.views.explorer import explore
from tunables.views.guess import guess
from tunables.views.live import Live

PACKAGE = Path(tunables.__file__).parent
SPACE = "\N{NO-BREAK SPACE}"
COUNTS = {
    "chapters": len(CHAPTERS),
    "places": int(find_animation("rrd").bookmarks[0].settings["files"]),
}
NUMERALS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def _with_unit(text: str, unit: str) -> str:
    return text if unit in ("", "1") else f"{text}{SPACE}{'µs' if unit == 'us' else unit}"


def published_words(name: str) -> str:
    """Return the published number of "table.row_id", as printed, with its unit."""
    table, row_id = name.split(".", 1)
    records = published(table)
    if row_id not in records:
        raise ValueError(f"row_id = {row_id!r}: must be one of {', '.join(records)}")
    record = records[row_id]
    return _with_unit(published_text(record.value, record.relation), record.unit)


def model_words(call: str) -> str:
    """Return an output of a case for "case.output(parameter=value, ...)", with its unit."""
    tree = ast.parse(call, mode="eval").body
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute):
        raise ValueError(f"model = {call!r}: must be case.output(parameter=value, ...)")
    case = find_case(ast.unparse(tree.func.value))
    output = case.output(tree.func.attr)
    changes = {str(k.arg): ast.literal_eval(k.value) for k in tree.keywords}
    value = case.predict(**case.settings(**changes))[output.name]
    return _with_unit(with_commas(value, output.digits), output.unit)


def count_words(name: str) -> str:
    """Return how many there are of what is named, in letters; with a capital as the name has it."""
    counted = directives.choice(name, tuple(COUNTS))
    words = NUMERALS[COUNTS[counted]]
    return words.capitalize() if name[0].isupper() else words


def _depend(env, folder: Path) -> None:
    """Have the page built again when a file that its numbers come from changes."""
    for path in sorted(folder.rglob("*.py" if folder == PACKAGE else "*.csv")):
        env.note_dependency(str(path))


class Words(SphinxRole):
    """A role that `tell` replaces by other words."""

    def __init__(self, tell, folders):
        self.tell, self.folders = tell, folders

    def run(self):
        for folder in self.folders:
            _depend(self.env, folder)
        return [nodes.Text(self.tell(self.text))], []


def _static_markup(part: Live) -> nodes.raw:
    return nodes.raw("", part._repr_mimebundle_()["text/html"], format="html")


class ExplorerFigure(SphinxDirective):
    """The explorer of a case; `:only:` names its parameters, `:no-table:` leaves the table out."""

    required_arguments = 1
    option_spec = {"only": directives.unchanged, "no-table": directives.flag}  # noqa: RUF012

    def run(self):
        _depend(self.env, PACKAGE)
        only = tuple(self.options.get("only", "").split())
        shown = explore(self.arguments[0], only, "no-table" not in self.options)
        return [_static_markup(shown)]


def one_control(name: str, setting: str) -> dict:
    """Return what describes an animation in which a reader moves one setting, and no more.

    It opens at the first of its moments.
    """
    described = describe_animation(find_animation(name))
    moved = [each for each in described["settings"] if each["name"] == setting]
    if not moved:
        raise ValueError(f"setting = {setting!r}: must be one of the animation {name}")
    first = described["bookmarks"][0]
    fixed = {key: value for key, value in first["settings"].items() if key != setting}
    return described | {
        "given": described.get("given", {}) | fixed,
        "settings": moved,
        "bookmarks": [first | {"settings": {setting: first["settings"][setting]}}],
    }


class AnimationFigure(SphinxDirective):
    """An animation, of which `:only:` names the one setting that a reader moves.

    It plays one round by itself, once, unless a reader asks for less motion: a page has one.
    """

    required_arguments = 1
    option_spec = {"only": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        _depend(self.env, PACKAGE)
        name = self.arguments[0]
        still = read_stills(name.split("-")[0])[name][:1]
        markup = animation_html(one_control(name, self.options["only"]), still)
        return [nodes.raw("", f'<div class="plays-once">{markup}</div>', format="html")]


class GuessBox(SphinxDirective):
    """A question about the published number CASE.ROW; its content asks."""

    required_arguments = 1
    has_content = True

    def run(self):
        _depend(self.env, PACKAGE)
        _depend(self.env, DATA)
        case, row = self.arguments[0].split(".", 1)
        return [_static_markup(guess(case, row, " ".join(self.content)))]


def chapter_link(chapter: str | int) -> str:
    """Return a Markdown link from a page of book/ to a chapter."""
    return f"[{find_chapter(chapter).number}](../chapters/{page_name(chapter)}.ipynb)"


def _unexplained(entry: LedgerRow) -> bool:
    return entry.number.status == "unexplained"


def _misfit(entry: LedgerRow) -> bool:
    return entry.number.status == "calibrated" and entry.agrees is False


def _missed(entry: LedgerRow) -> bool:
    seen = ("predicted", "consistent", "bound", "identity")
    return entry.number.status in seen and entry.agrees is False


KINDS = {"no-model": _unexplained, "misfit": _misfit, "missed": _missed}


def _repeats(entry: LedgerRow, others: list[LedgerRow]) -> bool:
    """Say whether a number only repeats, by arithmetic, one that the model misses already."""
    missed = {other.position for other in others if other.agrees is False}
    return entry.number.status == "identity" and not missed.isdisjoint(entry.rests_on)


def not_explained(kind: str) -> list[str]:
    """Return the lines of a Markdown table of the numbers of one kind.

    A number that repeats a missed one by arithmetic is left out: the miss is the same.
    """
    wanted = KINDS[directives.choice(kind, tuple(KINDS))]
    modelled = kind != "no-model"
    middle = ("Model | Error | ", "---:|---:|") if modelled else ("", "")
    lines = [f"| Ch. | Number | Published | {middle[0]}Remark |", f"|---|---|---:|{middle[1]}---|"]
    for case in cases().values():
        entries = ledger(case, simulate=False)
        for entry in filter(wanted, entries):
            if _repeats(entry, entries):
                continue
            number = entry.number
            published = published_text(number.value, number.record.relation)
            published_cell = _with_unit(published, entry.unit)
            cells = [chapter_link(case.chapter), number.label, published_cell]
            if modelled:
                error = error_text(number.status, number.relation, entry.agrees, entry.error)
                cells += [model_text(entry.predicted, entry.digits, number.side), error]
            cells.append(number.remark or "–")
            lines.append("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")
    return lines


class NotExplained(MarkdownLines):
    """A table of the numbers of one kind: no-model, misfit or missed."""

    required_arguments = 1

    def run(self):
        _depend(self.env, PACKAGE)
        _depend(self.env, DATA)
        return self.parse_lines(not_explained(self.arguments[0]), "with-remarks")


def setup(app) -> dict:
    """Register roles and directives."""
    app.add_role("published", Words(published_words, (DATA,)))
    app.add_role("model", Words(model_words, (PACKAGE, DATA)))
    app.add_role("count", Words(count_words, (PACKAGE,)))
    app.add_directive("animation", AnimationFigure)
    app.add_directive("explorer", ExplorerFigure)
    app.add_directive("guess", GuessBox)
    app.add_directive("not-explained", NotExplained)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
