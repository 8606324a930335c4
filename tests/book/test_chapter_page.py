"""What a chapter says of itself once, in its notebook's metadata, and the pages show."""

import json
import re
from pathlib import Path

import pytest

from book._ext import chapter_page, finish
from tests.book.test_site import SITE
from tests.chapters.notebooks import cells, prose
from tunables.page.chapters import CHAPTERS, page_name

ROOT = Path(__file__).parents[2]
PAGES = chapter_page.chapters()
LIVE = re.compile(r'class="tunables-(?:animation|explorer|guess|validity)"')
WORDS_A_MINUTE, MINUTES_A_PART = 200, 3


def notebook(page):
    return ROOT / f"{page.page}.ipynb"


def computed_minutes(path):
    """Return the minutes for the words up to the operator's card, and for what moves there."""
    text = prose(path).split("\n## Operator's card")[0]
    outputs = [json.dumps(cell["outputs"]) for cell in cells(path, "code")]
    parts = sum(len(LIVE.findall(html.replace('\\"', '"'))) for html in outputs)
    return len(re.findall(r"\w[\w'’.,-]*", text)) / WORDS_A_MINUTE + MINUTES_A_PART * parts


def test_all_chapters_are_there_in_order():
    assert [(page.number, page.slug, page.title) for page in PAGES] == [
        (chapter.number, chapter.slug, chapter.title) for chapter in CHAPTERS
    ]
    assert all(notebook(page).exists() for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_a_chapter_asks_one_question_whose_numbers_are_published(page):
    assert page.question.endswith("?")
    assert 60 <= len(page.question) <= 140
    assert "{" not in page.question
    assert not re.search(r"[?.:]$", page.tunable + page.document)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.slug)
def test_its_minutes_are_those_of_its_box_and_fit_its_words_and_parts(page):
    told = re.search(r"\*\*Time:\*\* (\d+) minutes", prose(notebook(page)))
    assert told
    assert page.minutes == int(told[1])
    assert page.minutes % 5 == 0
    assert abs(page.minutes - computed_minutes(notebook(page))) <= page.minutes / 4


def test_an_unknown_number_in_a_question_is_refused(monkeypatch, tmp_path):
    written = {"metadata": {"chapter": {"question": "Why {rdu-batch-tuning.no-such-row}?"}}}
    (tmp_path / f"{page_name(1)}.ipynb").write_text(json.dumps(written))
    monkeypatch.setattr(chapter_page, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match="row_id = 'no-such-row'"):
        chapter_page._read(CHAPTERS[0])


SIX = "<td>6</td>" * 6
WRITTEN = """<body><article class="bd-article"><section id="a"><h1>A title</h1>
<p>First words.</p>
<div class="cell container"><div class="tunables-guess">How many?</div></div>
<div class="answer">Twelve.</div>
<div class="one-screen"></div>
<p>More.</p>
<section id="try-it"><h2>Try it</h2>
<div class="one-screen"></div>
<div class="cell container"><table><tr>{six}</tr></table></div>
<details class="fold"><div class="cell container"><table><tr>{six}</tr></table></div></details>
</section>
<section id="exercises"><span id="old-name"></span><h2>Exercises<a class="headerlink">#</a></h2>
<div class="exercise">One.</div></section>
<section id="references"><h2>References</h2><p class="citation">A</p><p class="citation">B</p>
</section>
</section></article><footer class="prev-next-footer">before</footer></body>"""


@pytest.fixture
def written():
    page = finish.parse(WRITTEN.format(six=SIX))
    chapter_page.lay_out(page, "chapters/03-cache-cliff")
    return page


def words(tag):
    return " ".join(tag.get_text(" ").split())


def test_a_chapter_opens_with_its_head_then_its_words_then_its_guess(written):
    opening = written.select_one("section > .opening")
    head, first, guess = opening.find_all(recursive=False)
    assert words(head).startswith(
        f"3 Chapter 3 of {len(PAGES)} · {PAGES[2].minutes} minutes · from a 2007 blog post A title"
    )
    assert words(head).endswith(PAGES[2].question)  # the page has no card to lead to
    assert words(first) == "First words."
    assert words(guess) == "How many? Twelve."
    assert opening.find_next_sibling()["class"] == "one-screen"


def test_what_is_wider_than_the_text_is_marked_but_not_within_a_fold(written):
    assert [words(tag) for tag in written.select(".over-band")] == ["Try it"]
    (wide,) = written.select(".is-wide")
    assert words(wide) == "6 6 6 6 6 6"


def test_the_last_parts_are_folded_under_their_titles_which_say_what_is_inside(written):
    parts = written.select("section > details.part")
    assert [words(part.summary) for part in parts] == [
        "Exercises 1 problem on paper",
        "References 2 sources",
    ]
    assert [words(part.select_one(".part-body")) for part in parts] == ["One.", "A B"]
    assert written.select_one("#exercises > #old-name")  # a link to it leads to the title
    assert not written.select(".part > summary a")


def test_a_part_is_folded_under_either_of_its_names():
    """Sphinx 7 makes the title a section's id, Sphinx 9 the label."""
    seven = '<section id="exercises"><span id="old-name">'
    nine = '<section id="old-name"><span id="exercises">'
    assert seven in WRITTEN
    page = finish.parse(WRITTEN.replace(seven, nine).format(six=SIX))
    chapter_page.lay_out(page, "chapters/03-cache-cliff")
    assert words(page.select_one("#old-name > details.part > summary")).startswith("Exercises 1")


def test_a_chapter_ends_with_the_next_and_the_previous_and_what_is_beside(written):
    following, previous, *beside = written.select(".prev-next-footer a")
    assert (following["rel"], following["href"]) == ("next", f"../{PAGES[3].page}.html")
    assert PAGES[3].question in words(following)
    assert (previous["rel"], previous["href"]) == ("prev", f"../{PAGES[1].page}.html")
    assert all(link.select("svg") for link in (following, previous))
    assert [link["href"] for link in beside] == [
        "../labs/03-cache-cliff.html",
        "../book/ledger.html",
        "../labs/07-your-numbers.html",
    ]
    assert "before" not in words(written)


def test_the_first_and_the_last_chapter_lead_out_of_the_chapters():
    assert 'rel="prev" href="../book/how-to-read.html"' in chapter_page.end_html(PAGES[0])
    assert 'rel="next" href="../labs/07-your-numbers.html"' in chapter_page.end_html(PAGES[-1])
    for page in PAGES:
        for address in re.findall(r'href="\.\./([^"]+)"', chapter_page.end_html(page)):
            assert (SITE / address).exists(), address


def test_another_page_stays_as_it_is():
    page = finish.parse(WRITTEN)
    before = finish.text_of(page)
    chapter_page.lay_out(page, "labs/03-cache-cliff")
    assert finish.text_of(page) == before
