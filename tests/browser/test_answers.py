"""Text that waits: an answer for its guess, and a folded block for whoever doubts."""

import pytest

from tests.browser.hands import page_switch

CHAPTER = "chapters/04-flow-priority.html"
GUESS = "guess.dpp.medium-with"
ANSWER = "They take 479 s."
WAITS = "The answer stays hidden until you guess or press Skip."
FOLD = "Derivation: the time at the port"

# Names a place within, and follows a link to it.
LEAD_INTO = "box => { box.querySelector('p, li').id = 'within'; location.hash = '#within'; }"

pytestmark = pytest.mark.browser


def answer(page):
    return page.get_by_text(ANSWER)


@pytest.fixture
def page(reader):
    visitor = reader()
    page = visitor.open(CHAPTER)
    page.locator(".answer[hidden]").first.wait_for(state="attached")
    yield page
    assert visitor.troubles == []


def test_an_answer_waits_for_its_guess_and_the_link_keeps_it_open(page):
    waiting = page.locator(".answer[hidden]").count()
    assert waiting >= 2
    assert not answer(page).is_visible()
    box = page.locator(".tunables-guess").first
    assert box.get_by_text(WAITS).is_visible()
    box.get_by_label("Your guess").fill("3")
    box.get_by_label("Your guess").press("Enter")
    answer(page).wait_for()
    assert not box.get_by_text(WAITS).is_visible()
    assert page.locator(".answer[hidden]").count() == waiting - 1  # of other questions
    page.wait_for_url(lambda url: f"{GUESS}=3" in url)
    page.reload()
    answer(page).wait_for()
    box.get_by_role("button", name="Clear").click()
    answer(page).wait_for(state="hidden")


def test_a_skipped_question_stays_skipped_in_the_link(page):
    page.locator(".guess-answer summary").first.press("Enter")
    answer(page).wait_for()
    page.wait_for_url(lambda url: f"{GUESS}=skip" in url)
    page.reload()
    answer(page).wait_for()
    page.locator(".guess-answer summary").first.press("Enter")
    answer(page).wait_for(state="hidden")


def test_a_link_and_a_search_in_the_page_lead_into_an_answer(page):
    first, last = page.locator(".answer").first, page.locator(".answer").last
    assert first.get_attribute("hidden") == "until-found"
    first.evaluate(LEAD_INTO)
    answer(page).wait_for()
    assert last.get_attribute("hidden") == "until-found"
    last.evaluate("box => box.dispatchEvent(new Event('beforematch', {bubbles: true}))")
    last.locator("p").first.wait_for()


def test_a_fold_opens_by_hand_by_link_and_with_all_others(page):
    fold = page.locator("details.fold", has_text=FOLD)
    assert not fold.locator("p").first.is_visible()
    fold.locator("summary").press("Enter")
    assert fold.locator("p").first.is_visible()
    fold.locator("summary").press("Enter")
    fold.evaluate(LEAD_INTO)
    fold.locator("#within").wait_for()
    page_switch(page, "All folded remarks").click()
    assert page.locator("details.fold:not([open])").count() == 0
    page.keyboard.press("Escape")
    fold.locator("summary").click()
    assert page_switch(page, "All folded remarks").get_attribute("aria-pressed") == "false"


def test_on_paper_answers_and_folds_are_open_and_the_page_says_how_to_open_them(page):
    assert not page.locator(".on-paper").is_visible()
    page.emulate_media(media="print")
    assert answer(page).is_visible()
    assert page.locator("details.fold", has_text=FOLD).locator("p").first.is_visible()
    assert page.locator(".on-paper").is_visible()
