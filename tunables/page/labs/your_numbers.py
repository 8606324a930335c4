"""Lab 7 in the page: a chapter's fit, from what the page read and counted of a reader's numbers."""

from tunables.page.chapters import find_chapter, module, with_facet
from tunables.page.labs.answering import answering
from tunables.page.labs.fit_text import fit_rows, fit_sentences
from tunables.plain.own import columns, separators


def _fit(chapter):
    return module(chapter, "own_fit")


def _columns_text(fit):
    return fit.COLUMNS if isinstance(fit.COLUMNS, str) else columns.wanted_text(fit.COLUMNS)


def _report(chapter, result):
    fit = _fit(chapter).told(result)
    tables = [list(table) for table in fit_rows(fit)]
    numbers = {"chapter": find_chapter(chapter).slug}
    numbers.update(result)
    return {"sentences": fit_sentences(fit), "tables": tables, "fits": fit.fits, "result": numbers}


def offered() -> list:
    """Return what the page can fit: each chapter, what to bring, and how that is read."""
    found = []
    for slug in with_facet("own_fit"):
        fit = _fit(slug)
        one = {"chapter": slug, "number": find_chapter(slug).number, "bring": fit.BRING}
        one.update({"columns": _columns_text(fit), "wanted": fit.wanted()})
        found.append(one)
    return found


def patterns() -> dict:
    """Return the patterns of numbers, as JavaScript reads them too."""
    return {
        "spacing": separators.SPACING,
        "point": separators.POINT,
        "comma": separators.COMMA,
    }


def places(chapter, line, first, named=None) -> dict:
    """Return where the wanted columns stand, and what each number must keep to.

    first: the first row, which stands on that line; none, if the text is empty. named: what the
    reader says that a heading means, {index: a spelling of a column}. Where columns are lacking
    there are "lacking", the names that the reader has to choose among for each, and the refusal.
    Raises ValueError as `tunables.plain.own.columns.places` does.
    """
    if not first:
        raise ValueError(columns.EMPTY)
    fit = _fit(chapter)
    headings = list(first)
    for index, spelling in (named or {}).items():
        headings[int(index)] = spelling
    try:
        found = columns.places(fit.COLUMNS, line, headings)
    except columns.Lacking as error:
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


def separated(word=None, point=None, comma=None, unsure=None) -> list:
    """Return [thousands, decimal] of a file; raises ValueError where that is left open.

    word: (line, heading, cell) of what is no number; the others as `separators` takes them.
    """
    if word:
        separators.refuse_cell(*word)
    return list(separators.separators(point, comma, unsure))


def checked(chapter, rows, infinite=None, beyond=None) -> bool:
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
    counted, wanted = fit.counted(text), fit.wanted()
    if len(counted["rows"]) > wanted["most"]:
        raise ValueError(
            f"more than {wanted['most']} {wanted['rows']} are too many for this fit in the page; "
            "the command line takes them"
        )
    return counted


def capacities(chapter, keys, shares=None) -> list:
    """Return the capacities at which the fit wants the miss ratio."""
    return _fit(chapter).capacities(keys, shares)


def fitted(chapter, counted) -> dict:
    """Return the report of a fit: sentences and tables, and the result in numbers."""
    return _report(chapter, _fit(chapter).solved(counted))


def curve(chapter, counted, at) -> list:
    """Return the model's numbers where the page draws them."""
    return _fit(chapter).curve(counted, at)


def linked(result) -> dict:
    """Return the report of a result that a link held; raises ValueError for one that is none."""
    try:
        return _report(result.get("chapter", _FIRST), result)
    except (TypeError, KeyError, AttributeError, ZeroDivisionError, IndexError, OverflowError):
        raise ValueError("this link holds no result of a fit") from None


_FIRST = 3  # whose links said no chapter, when it was alone

Page = answering(
    offered=offered,
    patterns=patterns,
    places=places,
    separated=separated,
    checked=checked,
    read=read,
    capacities=capacities,
    fitted=fitted,
    curve=curve,
    linked=linked,
)
