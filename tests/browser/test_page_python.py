"""Which Python a page fetches: what all share, and the chapter's that its live parts run."""

import pytest

from tests.browser.conftest import RESTS
from tunables.page.chapters import CHAPTERS, page_name
from tunables.page.problem import kinds, make_problem

pytestmark = pytest.mark.browser


@pytest.fixture
def open_and_list(reader):
    """Open a page and return it with the list of the Python parts that it fetches."""

    def open_page(path):
        visitor, parts = reader(), []

        def note(request):
            if "/python/" in request.url:
                parts.append(request.url.rsplit("/", 1)[1].removesuffix(".js"))

        visitor.page.on("request", note)
        return visitor.open(f"{path}#practice"), parts

    return open_page


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.slug)
def test_a_chapters_page_fetches_its_own_python_alone(open_and_list, chapter):
    page, parts = open_and_list(f"chapters/{page_name(chapter.number)}.html")
    page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=20_000)
    practice = page.locator(".tunables-practice")
    practice.get_by_label("Your answer").fill("-1")
    practice.get_by_role("button", name="Check my answer").click()
    practice.get_by_text("Wrong: the answer is above 0.").wait_for()
    assert sorted(parts) == sorted(["shared", chapter.slug])


def test_a_page_without_live_models_fetches_no_python(open_and_list):
    page, parts = open_and_list("book/glossary.html")
    page.wait_for_load_state("networkidle")
    assert parts == []


def test_the_ledger_fetches_each_part_of_the_python_once_as_it_rests(open_and_list):
    page, parts = open_and_list("book/ledger.html")
    page.wait_for_function(RESTS)
    assert sorted(parts) == sorted(["shared", *(chapter.slug for chapter in CHAPTERS)])


def test_another_chapters_python_comes_when_it_is_asked_for(open_and_list):
    page, parts = open_and_list("book/ledger.html")
    asked = [(c.number, kind) for c in CHAPTERS for kind in list(kinds(c.number))[:2]]
    questions = page.evaluate(
        """(asked) => Promise.all(asked.map(async ([chapter, kind]) => {
          const session = new tunables.Session('tunables.page.problem:PracticeSession', {chapter});
          return (await session.ask({kind, seed: 7})).question;
        }))""",
        asked,
    )
    assert questions == [make_problem(number, 7, kind).question for number, kind in asked]
    assert sorted(parts) == sorted(["shared", *(chapter.slug for chapter in CHAPTERS)])
