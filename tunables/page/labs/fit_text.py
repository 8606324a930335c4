"""A fit to a reader's own numbers in words: sentences, and tables of text."""

from tunables.page.chapters import find_chapter
from tunables.page.formats import shortest


def _number(value):
    """Return four significant digits, in full: 396,400,000 and not 3.964e+08."""
    return shortest(float(f"{value:.4g}")) if abs(value) < float("inf") else "∞"


def _error(fit, row):
    if fit.model.error == "difference":
        return f"{row.predicted - row.measured:+.3f}"
    return f"{100 * (row.predicted / row.measured - 1):+.1f} %" if row.measured else "–"


def fit_sentences(fit) -> list:
    """Return the verdict, then the law and the rule, then the notes."""
    model = fit.model
    law = f"Law: {model.law}. The rule, set beforehand: it {model.rule()}."
    return [fit.verdict, law] + list(fit.notes)


def fit_rows(fit) -> list:
    """Return (caption, columns, rows) of three tables: parameters, rows held out, sensitivity."""
    chapter = find_chapter(fit.model.chapter).number
    held_out = [
        (
            f"{row.what} ({row.unit})" if row.unit else row.what,
            _number(row.measured),
            _number(row.predicted),
            _error(fit, row),
            _number(row.baseline),
        )
        for row in fit.held_out
    ]
    parameters = [
        (f"{p.name}, {p.what}", f"{_number(p.value)} {p.unit}".strip(), p.origin)
        for p in fit.parameters
    ]
    # a nought has no sign: which one float noise gives differs between machines
    changes = [(name, f"{round(value, 2) + 0.0:+.2f}") for name, value in fit.sensitivity]
    return [
        (f"Chapter {chapter}: parameters", ("Parameter", "Value", "Origin"), parameters),
        (
            f"Chapter {chapter}: rows held out, which the fit has not seen",
            ("What", "Measured", "Model", "Error", "Baseline"),
            held_out,
        ),
        (
            f"Chapter {chapter}: one per cent more of a parameter changes the {fit.result} by",
            ("Parameter", "Per cent"),
            changes,
        ),
    ]
