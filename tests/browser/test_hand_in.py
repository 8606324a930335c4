"""Handing in from the page: a code, the work, the text, and the teacher's mark for it."""

import pytest

from tests.browser.checks import assert_accessible, assert_nothing_hangs_over, open_parts
from tests.hand_in.texts import ADA, BOB, CLASS, SECRET, right_answers
from tunables.hand_in.codes import student_code
from tunables.hand_in.grading import grade_rows
from tunables.page.chapters import CHAPTERS, page_name
from tunables.page.hand_in import problems_of, public_part
from tunables.page.problem import kinds

pytestmark = pytest.mark.browser
CODE = student_code(SECRET, ADA.id)
CHAPTER = 3
SLUG = CHAPTERS[CHAPTER - 1].slug


def path_of(slug):
    return f"chapters/{page_name(slug)}.html"


def open_box(page, code=CODE, name=ADA.name):
    """Unfold the box, type the code by the keyboard, and return the box with its problems."""
    open_parts(page)
    box = page.locator(".tunables-hand-in")
    box.locator("summary").focus()
    page.keyboard.press("Enter")
    box.get_by_label("Your code").fill(code)
    box.get_by_label("Your name").fill(name)
    page.keyboard.press("Enter")
    settle(page, code)
    return box


def settle(page, code=CODE):
    selector = f'.tunables-hand-in[data-student="{public_part(code)}"]'
    page.wait_for_selector(selector, timeout=60_000)


def fill(box, answers):
    for kind, words in answers.items():
        field = box.locator(f'li[data-kind="{kind}"] input')
        field.fill(words)
        field.press("Tab")


def make_text(box):
    box.get_by_role("button", name="Make the text to hand in").click()
    area = box.get_by_label("The text to paste")
    area.wait_for()
    return area.input_value()


def mark(text, tmp_path, slug=SLUG):
    """Return Ada's row of the gradebook."""
    place = tmp_path / "text.txt"
    place.write_text(text, encoding="utf-8")
    return next(row for row in grade_rows(place, CLASS, SECRET, slug) if row["id"] == ADA.id)


def round_trip(visitor, slug, tmp_path):
    page = visitor.open(path_of(slug))
    page.wait_for_selector(".animation-steps a.step")
    page.locator(".animation-steps").first.get_by_label("Next step").click()
    guess = page.locator(".tunables-guess").first
    guess.get_by_label("Your guess").fill("12")
    guess.get_by_role("button", name="Check my guess").click()
    guess.locator(".guess-result > *").first.wait_for(state="attached")
    box = open_box(page)
    assert box.locator("li[data-kind]").count() == len(kinds(slug))
    fill(box, right_answers(ADA, slug))
    text = make_text(box)
    row = mark(text, tmp_path, slug)
    assert row["points"] == row["possible"] == str(len(kinds(slug)))
    assert row["guesses"].startswith("1 of ")
    assert row["steps"].startswith("2 of ")
    assert (row["map"], row["own_numbers"], row["look_at"]) == ("no", "no", "")
    assert visitor.troubles == []
    return page, box, text


def test_an_answer_that_changes_while_the_text_is_signed_is_in_the_text(reader, tmp_path):
    answers = right_answers(ADA, SLUG)
    kind = sorted(answers)[0]
    box = open_box(reader(alone=True).open(path_of(SLUG)))
    fill(box, answers | {kind: "-1"})
    box.evaluate(
        """async (box, [kind, answer]) => {
          const named = (one) => one.textContent === 'Make the text to hand in';
          [...box.querySelectorAll('button')].find(named).click();
          await new Promise((resolve) => setTimeout(resolve)); // the engine has the question
          const field = box.querySelector(`li[data-kind="${kind}"] input`);
          field.value = answer;
          field.dispatchEvent(new Event('change'));
        }""",
        [kind, answers[kind]],
    )
    area = box.get_by_label("The text to paste")
    area.wait_for()
    row = mark(area.input_value(), tmp_path)
    assert row["points"] == row["possible"]


def test_a_chapter_is_handed_in_and_gets_all_points(reader, tmp_path):
    page, box, text = round_trip(reader(alone=True), SLUG, tmp_path)
    box.get_by_role("button", name="Copy the text").click()
    box.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == text
    box.locator("li[data-kind] input").first.fill("1")
    page.keyboard.press("Tab")
    box.locator(".hand-in-output textarea").wait_for(state="detached")  # it held the old answer


@pytest.mark.long
@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_each_chapter_is_handed_in_and_gets_all_points(slug, reader, tmp_path):
    round_trip(reader(alone=True), slug, tmp_path)


def test_a_reload_loses_nothing_and_forgetting_leaves_nothing(reader, tmp_path):
    visitor = reader(alone=True)
    page = visitor.open(f"{path_of(SLUG)}?hand-in={CODE.lower()}#hand-in")
    settle(page)
    page.wait_for_url(lambda url: "hand-in=" not in url)  # a link to the page gives no code away
    box = page.locator(".tunables-hand-in")
    box.get_by_label("Your name").fill(ADA.name)
    answers = right_answers(ADA, SLUG)
    fill(box, answers)
    page.locator(".tunables-card input").first.evaluate(
        "field => field.dispatchEvent(new InputEvent('input', {bubbles: true}))"
    )
    page.locator(".validity-grid td").first.dispatch_event("click")
    page.goto("about:blank")
    visitor.open(path_of(SLUG))
    open_parts(page)
    box.locator("summary").click()
    settle(page)
    row = mark(make_text(box), tmp_path)
    assert (row["points"], row["map"], row["own_numbers"]) == (row["possible"], "yes", "yes")
    box.get_by_role("button", name="Forget my work").click()
    box.get_by_text("no longer kept").wait_for()
    page.reload()
    assert page.evaluate("Object.keys(localStorage).filter(k => k.includes('hand-in'))") == []
    assert box.get_by_label("Your code").input_value() == ""


def test_another_students_code_begins_their_own_work(reader):
    page = reader(alone=True).open(path_of(SLUG))
    box = open_box(page)
    fill(box, {"late": "12"})
    bobs = student_code(SECRET, BOB.id)
    box.get_by_label("Your code").fill(bobs)
    box.get_by_role("button", name="Use this code").click()
    settle(page, bobs)
    assert box.locator('li[data-kind="late"] input').input_value() == ""
    question = next(one.question for one in problems_of(bobs, SLUG) if one.kind == "late")
    assert box.locator('li[data-kind="late"] .problem-question').inner_text() == question
    box.get_by_label("Your code").fill(CODE)
    box.get_by_role("button", name="Use this code").click()
    settle(page)
    assert box.locator('li[data-kind="late"] input').input_value() == "12"
    box.get_by_label("Your code").fill(bobs)  # and not taken: the problems shown are still Ada's
    assert f"(student {public_part(CODE)})" in make_text(box)


def test_what_cannot_be_read_is_said_beside_its_field(reader):
    page = reader(alone=True).open(path_of(SLUG))
    open_parts(page)
    box = page.locator(".tunables-hand-in")
    box.locator("summary").click()
    box.get_by_label("Your code").fill(CODE[:-1])
    box.get_by_role("button", name="Use this code").click()
    box.get_by_text("this one has 19").wait_for()
    assert box.get_by_label("Your code").get_attribute("aria-invalid") == "true"
    box.get_by_label("Your code").fill(CODE)
    box.get_by_role("button", name="Use this code").click()
    settle(page)
    fill(box, {"late": "lots"})
    box.locator('li[data-kind="late"]').get_by_text("is not a number").wait_for()
    box.get_by_role("button", name="Make the text to hand in").click()
    box.get_by_text("Type your name").wait_for()
    box.get_by_label("Your name").fill("Ada")
    box.get_by_role("button", name="Make the text to hand in").click()
    box.locator(".hand-in-body > .hand-in-message").get_by_text("is not a number").wait_for()
    assert box.locator(".hand-in-output textarea").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_the_open_box_is_accessible_and_fits_in_the_dark_too(width, reader):
    page = reader(alone=True, viewport={"width": width, "height": 844}).open(path_of(SLUG))
    box = open_box(page)
    fill(box, {"late": "lots"})
    box.locator('li[data-kind="late"]').get_by_text("is not a number").wait_for()
    fill(box, {"late": "1"})
    make_text(box)
    assert_nothing_hangs_over(page)
    assert_accessible(page, ".tunables-hand-in")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    assert_accessible(page, ".tunables-hand-in", runOnly=["color-contrast"])


def test_without_scripts_the_box_says_what_it_needs(reader):
    page = reader(java_script_enabled=False).open(path_of(SLUG))
    page.locator("#practice summary").first.click()
    page.locator(".tunables-hand-in > summary").click()
    assert "enable JavaScript" in page.locator(".hand-in-message").first.inner_text()
