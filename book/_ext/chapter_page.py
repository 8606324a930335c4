"""The chapters as pages: what each says of itself, and how its page begins and ends.

Each notebook says in its metadata, once, what it asks, which setting it is about, where its numbers
come from and how long it takes. A chapter's head and end and the front page read it:

    "chapter": {"question": "…", "tunable": "…", "document": "…", "minutes": 40}

A published number in a question is named: {rdu-batch-tuning.original-response}.

`lay_out` gives a written chapter its head, its opening with the guess beside the words, its last
parts as blocks that fold, and the links at its end.
"""

import json
import re
from collections import namedtuple
from functools import cache
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from computed import published_words
from embedded import mark_parts
from hand_in import hand_in_html
from miniatures import miniature

from tunables.page.chapters import CHAPTERS, page_name

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "chapters"
NUMBER = re.compile(r"\{([\w.-]+)\}")
CARD, PRACTICE = "operator-s-card", "practice"
# What one works with after the argument: the section's id, what its parts are, and what it holds.
PARTS = {
    CARD: ("", "One page for the person on call, with your own numbers"),
    "exercises": (".exercise", "{} problems on paper"),
    PRACTICE: ("", "As many problems as you like, with answers checked in the page"),
    "references": (".citation", "{} sources"),
}
# Before the first chapter, and after the last.
FIRST = ("book/how-to-read", "Before you start", "How to read this book", "")
LAST = (
    "labs/07-your-numbers",
    "Next: the last lab",
    "Your numbers",
    "A system of your own, and a model that can fail on it.",
)
MANY_COLUMNS = 6  # a table with so many is wider than the text
LONG_NAME, SHORT_CELL = 20, 8  # letters: beside such names a phone has no room for such cells
LIVE = ".tunables-animation, .tunables-explorer, .tunables-validity"
NARROW = {"fold", "one-screen", "tunables-guess", "part"}  # what is in them has their width

ChapterPage = namedtuple(
    "ChapterPage",
    ["number", "title", "question", "tunable", "document", "minutes", "page", "slug"],
)


def _read(chapter) -> ChapterPage:
    page = page_name(chapter.slug)
    notebook = json.loads((FOLDER / f"{page}.ipynb").read_text(encoding="utf-8"))
    written = dict(notebook["metadata"]["chapter"])
    question = NUMBER.sub(lambda name: published_words(name[1]), written.pop("question"))
    return ChapterPage(
        number=chapter.number,
        title=chapter.title,
        question=question,
        page=f"chapters/{page}",
        slug=chapter.slug,
        **written,
    )


@cache
def chapters() -> tuple[ChapterPage, ...]:
    """Return the chapters in order; `page` is the document's name, such as chapters/03-cache-cliff.

    >>> [chapter.title for chapter in chapters()][2]
    'The LRU cliff'
    """
    return tuple(_read(chapter) for chapter in CHAPTERS)


def _tag(html: str) -> Tag:
    """Return the one element that the markup is."""
    found = BeautifulSoup(html, "html.parser", multi_valued_attributes=None).find(True)
    assert isinstance(found, Tag)
    return found


def _classes(tag: Tag) -> set[str]:
    return {*str(tag.get("class", "")).split()}


def _add_class(tag: Tag, name: str) -> None:
    tag["class"] = f"{tag.get('class', '')} {name}".strip()


def _cell(tag: Tag) -> Tag | None:
    """Return the notebook's cell, or the scrolling box, that a tag is in."""
    boxes = {"cell", "pst-scrollable-table-container"}
    return tag.find_parent(lambda parent: not boxes.isdisjoint(_classes(parent)))


def _head(chapter: ChapterPage, has_card: bool) -> Tag:
    # The lab opens with this chapter's kind of data chosen.
    to_lab = f"../labs/07-your-numbers.html?lab.your_numbers.data={chapter.slug}#lab-your_numbers"
    to_card = (
        f'<p class="to-card d-print-none"><a href="#{CARD}">On call? Put in your numbers</a> '
        f'<a href="{to_lab}">Fit your own data</a></p>'
    )
    return _tag(
        '<header class="chapter-head"><p class="chapter-kicker">'
        f'<span class="kicker-number" aria-hidden="true">{chapter.number}</span>'
        f"<span>Chapter {chapter.number} of {len(chapters())} · {chapter.minutes} minutes · "
        f"from {escape(chapter.document)}</span></p>"
        f'<p class="chapter-question">{escape(chapter.question)}</p>'
        f"{to_card if has_card else ''}</header>"
    )


def _begins_the_rest(tag: Tag) -> bool:
    return tag.name == "section" or "one-screen" in _classes(tag)


def _opening(section: Tag, chapter: ChapterPage) -> None:
    """Put all before the first pane or section into the opening: its head, its words, its guess.

    From the first guess on, the rest goes beside the words where there is room.
    """
    opening = _tag('<div class="opening"></div>')
    words = _tag('<div class="opening-words"></div>')
    guess = _tag('<div class="opening-guess"></div>')
    place = words
    for node in list(section.children):
        if isinstance(node, Tag) and _begins_the_rest(node):
            break
        if isinstance(node, Tag) and node.select_one(".tunables-guess"):
            place = guess
        place.append(node.extract())
    head = _head(chapter, bool(section.select_one(f"#{CARD}")))
    title = words.find("h1")
    assert isinstance(title, Tag)
    head.insert(1, title.extract())
    opening.extend([head, words, guess] if guess.contents else [head, words])
    section.insert(0, opening)


def _count(section: Tag, selector: str, words: str) -> str:
    """Return what a part holds, counted; one of them is not many."""
    count = len(section.select(selector)) if selector else 0
    told = words.format(count)
    return told.replace("problems", "problem").replace("sources", "source") if count == 1 else told


def _fold_part(section: Tag, note: str) -> None:
    """Fold what is below the title of a section; the title's own link would be a button's part."""
    title = section.find("h2", recursive=False)
    if not isinstance(title, Tag):
        return
    for link in title.select(".headerlink"):
        link.decompose()
    part = _tag('<details class="part"><summary></summary><div class="part-body"></div></details>')
    summary, body = part.select("summary, .part-body")
    body.extend([node.extract() for node in list(title.next_siblings)])
    section.append(part)
    _add_class(section, "holds-part")
    summary.extend([title.extract(), " ", _tag(f'<span class="part-note">{escape(note)}</span>')])


def _has_room(tag: Tag) -> bool:
    """Say whether a tag may be wider than the text: it is in nothing that has a width."""
    return not tag.find_parent(lambda parent: not NARROW.isdisjoint(_classes(parent)))


def _has_many_columns(table: Tag) -> bool:
    row = table.find("tr")
    return isinstance(row, Tag) and len(row.find_all(["th", "td"])) >= MANY_COLUMNS


def _has_long_names(table: Tag) -> bool:
    """Say whether a table has many short cells and long names in front of them."""
    if not _has_many_columns(table):
        return False
    rows = [
        [cell.get_text(" ", strip=True) for cell in row.find_all(["th", "td"])]
        for row in table.select("tbody tr")
    ]
    longest = max((len(name) for name, *_ in rows), default=0)
    return longest >= LONG_NAME and all(
        len(cell) <= SHORT_CELL for _, *cells in rows for cell in cells
    )


def _mark_widths(section: Tag) -> None:
    """Mark what is wider than the text: wide tables, live parts, and the title over a pane."""
    tables = section.select("table:not(.validity-grid)")
    for table in tables:
        if _has_long_names(table):
            _add_class(table, "names-above")
    wide = [(table, "is-wide") for table in tables if _has_many_columns(table)]
    for part, name in [*wide, *((live, "holds-live") for live in section.select(LIVE))]:
        cell = _cell(part)
        if cell and _has_room(part) and name not in _classes(cell):
            _add_class(cell, name)
    for title in section.select("h2:has(+ .one-screen)"):
        _add_class(title, "over-band")


def _title_of(page: str) -> str:
    """Return the title of a notebook, which its first cell begins with."""
    notebook = json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))
    return notebook["cells"][0]["source"][0].removeprefix("# ").strip()


def _way(kind: str, page: str, kicker: str, title: str, question: str, drawing: str) -> str:
    return (
        f'<a class="chapter-way is-{kind}" rel="{kind}" href="../{page}.html">'
        f'<span class="way-words"><span class="way-kicker">{escape(kicker)}</span> '
        f'<span class="way-title">{escape(title)}</span> '
        f'<span class="way-question">{escape(question)}</span></span>'
        f'<span class="chapter-mini">{drawing}</span></a>'
    )


def _to_chapter(kind: str, number: int) -> str:
    """Return the link to the chapter of that place in their order, or to what is beyond them."""
    if not 0 <= number < len(chapters()):
        page, kicker, title, question = FIRST if kind == "prev" else LAST
        return _way(kind, page, kicker, title, question, "")
    chapter = chapters()[number]
    kicker = f"{'Next' if kind == 'next' else 'Back'}: chapter {chapter.number}"
    drawing = miniature(chapter.slug)
    return _way(kind, chapter.page, kicker, chapter.title, chapter.question, drawing)


def end_html(chapter: ChapterPage) -> str:
    """Return the links at a chapter's end: to the next and the previous, and to what is beside."""
    place = chapters().index(chapter)
    lab = chapter.page.replace("chapters/", "labs/")
    beside = [("book/ledger", "The ledger", "Every published number, fitted or predicted")]
    if (ROOT / f"{lab}.ipynb").exists():
        beside.insert(0, (lab, _title_of(lab), "Measure it on your own machine"))
    if place + 1 < len(chapters()):
        beside.append((LAST[0], _title_of(LAST[0]), LAST[3]))
    links = "".join(
        f'<a href="../{page}.html"><b>{escape(title)}</b> <span>{escape(words)}</span></a>'
        for page, title, words in beside
    )
    return (
        '<nav class="chapter-end" aria-label="Where to go from here">'
        f"{_to_chapter('next', place + 1)}{_to_chapter('prev', place - 1)}"
        f'<div class="chapter-beside">{links}</div></nav>'
    )


def _part(section: Tag, name: str) -> Tag | None:
    """Return the section of that name, or None. One with a label has two names, and Sphinx 9 makes
    the label its id, where Sphinx 7 took the title's."""
    return section.select_one(f':scope > section:is([id="{name}"], :has(> span[id="{name}"]))')


def lay_out(page: BeautifulSoup, name: str) -> None:
    """Lay out the page of that name, if it is a chapter's."""
    chapter = next((each for each in chapters() if each.page == name), None)
    section = page.select_one(".bd-article > section")
    if not chapter or not section:
        return
    _opening(section, chapter)
    for part, (selector, words) in PARTS.items():
        if found := _part(section, part):
            if part == PRACTICE and found.select_one(".tunables-practice"):
                found.append(_tag(hand_in_html(chapter.slug)))
            _fold_part(found, _count(found, selector, words))
    _mark_widths(section)
    mark_parts(section, Path(name).name)
    for footer in page.select(".prev-next-footer"):
        footer.clear()
        footer.append(_tag(end_html(chapter)))
