"""The lab Your numbers in the page: a fit to a user's numbers, in sentences and tables."""

from tunables.base.units import unit_text
from tunables.base.user_data import columns
from tunables.base.user_data.load_tools import table_of_runs
from tunables.page.chapters import find_chapter, module, with_facet
from tunables.page.formats import percent_text, shortest, with_minus
from tunables.page.labs import lab_session


def _number(value):
    """Return four significant digits, in full: 396,400,000 and not 3.964e+08."""
    return shortest(float(f"{value:.4g}")) if abs(value) < float("inf") else "∞"


def _error(fit, row):
    if fit.model.error == "difference":
        return with_minus(f"{row.predicted - row.measured:+.3f}")
    return percent_text(row.predicted / row.measured - 1 if row.measured else None)


def fit_sentences(fit) -> list:
    """Return the verdict, then the law and the rule, then the notes."""
    model = fit.model
    law = f"Law: {model.law}. The rule, set in advance: the model {model.rule()}."
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
        (f"{p.name}, {p.what}", _number(p.value) + unit_text(p.unit), p.origin)
        for p in fit.parameters
    ]
    # a nought has no sign: which one float noise gives differs between machines
    changes = [
        (name, with_minus(f"{round(value, 2) + 0.0:+.2f}")) for name, value in fit.sensitivity
    ]
    return [
        (f"Chapter {chapter}: parameters", ("Parameter", "Value", "Origin"), parameters),
        (
            f"Chapter {chapter}: rows held out, which the fit has not seen",
            ("What", "Measured", "Model", "Error", "Baseline"),
            held_out,
        ),
        (
            f"Chapter {chapter}: change in the {fit.result} when a parameter grows by 1%",
            ("Parameter", "Percent"),
            changes,
        ),
    ]


def _fit(chapter):
    return module(chapter, "fit")


def _columns_text(fit):
    return fit.COLUMNS if isinstance(fit.COLUMNS, str) else columns.wanted_text(fit.COLUMNS)


def _report(chapter, result):
    fit = _fit(chapter).report(result)
    tables = [list(table) for table in fit_rows(fit)]
    numbers = {"chapter": find_chapter(chapter).slug}
    numbers.update(result)
    return {"sentences": fit_sentences(fit), "tables": tables, "fits": fit.fits, "result": numbers}


def list_fits() -> list:
    """Return what the page can fit: each chapter, what to bring, and how that is read."""
    found = []
    for slug in with_facet("fit"):
        fit = _fit(slug)
        one = {"chapter": slug, "number": find_chapter(slug).number, "bring": fit.BRING}
        one.update({"columns": _columns_text(fit), "wanted": fit.wanted()})
        one["reads"] = getattr(fit, "READS", "")
        found.append(one)
    return found


def patterns() -> dict:
    """Return the patterns of numbers, as JavaScript reads them too."""
    return {
        "spacing": columns.SPACING,
        "point": columns.POINT,
        "comma": columns.COMMA,
    }


def places(chapter, line, first, named=None) -> dict:
    """Return the positions of the wanted columns, and the limits of their numbers.

    first: the first row, on that line; empty if the text is empty. named: what the
    reader says that a heading means, {index: a spelling of a column}. Where columns are lacking
    there are "lacking", the names that the reader has to choose among for each (none if too few
    other columns are there), and the refusal.
    Raises ValueError as `tunables.base.user_data.columns.places` does.
    """
    if not first:
        raise ValueError(columns.EMPTY)
    fit = _fit(chapter)
    headings = list(first)
    for index, spelling in (named or {}).items():
        headings[int(index)] = spelling
    try:
        found = columns.places(fit.COLUMNS, line, headings)
    except columns.MissingColumns as error:
        spellings = [[name for name, _ in column.spellings()] for column in error.columns]
        return {"lacking": spellings, "refusal": str(error)}
    return {
        "columns": [
            {
                "name": column.name,
                "heading": first[index],
                "index": index,
                "factor": factor,
                "limits": column.limits(),
            }
            for column, index, factor in found
        ]
    }


def find_separators(word=None, point=None, comma=None, unsure=None) -> list:
    """Return [thousands, decimal] of a file; raises ValueError where that is left open.

    word: (line, heading, cell) of what is no number; the others as `separators` takes them.
    """
    if word:
        columns.refuse_cell(*word)
    return list(columns.separators(point, comma, unsure))


def check_numbers(chapter, rows, infinite=None, beyond=None) -> bool:
    """Raise ValueError for the first thing that is wrong with a table's numbers, if any is.

    infinite: (line, heading, cell); beyond: (line, heading, value, what is allowed).
    """
    if infinite:
        columns.refuse_infinite(*infinite)
    if beyond:
        columns.refuse_out_of_range(*beyond)
    columns.check_rows(rows, _fit(chapter).FEWEST_ROWS)
    return True


def read(chapter, text) -> dict:
    """Return what a fit counts in a text that is no table; raises ValueError for what it refuses.

    The page takes no more rows than its result's link can hold.
    """
    fit = _fit(chapter)
    counted, wanted = fit.count(text), fit.wanted()
    if len(counted["rows"]) > wanted["most"]:
        raise ValueError(
            f"for this fit the page takes at most {wanted['most']} {wanted['rows']}; use the "
            "command line for more"
        )
    return counted


def capacities(chapter, keys, shares=None) -> list:
    """Return the capacities at which the fit wants the miss ratio."""
    return _fit(chapter).capacities(keys, shares)


def finish_fit(chapter, counted) -> dict:
    """Return the report of a fit: sentences and tables, and the result in numbers."""
    return _report(chapter, _fit(chapter).solve(counted))


def curve(chapter, counted, at) -> list:
    """Return the model's numbers where the page draws them."""
    return _fit(chapter).curve(counted, at)


def link_result(result) -> dict:
    """Return the report of a result that a link held; raises ValueError for anything else."""
    try:
        return _report(result.get("chapter", _FIRST), result)
    except (TypeError, KeyError, AttributeError, ZeroDivisionError, IndexError, OverflowError):
        raise ValueError("this link doesn't hold the result of a fit") from None


_FIRST = 3  # whose links said no chapter, when it was alone

LabSession = lab_session(
    list_fits=list_fits,
    patterns=patterns,
    table_of_runs=table_of_runs,
    places=places,
    find_separators=find_separators,
    check_numbers=check_numbers,
    read=read,
    capacities=capacities,
    finish_fit=finish_fit,
    curve=curve,
    link_result=link_result,
)
