"""The practice box in the page: drawn, answered, linked to, and held against CPython."""

import json

import pytest

from tests.page.typed_texts import texts
from tunables.page.chapters import with_facet
from tunables.page.problem import PracticeSession, answer_text, kinds, make_problem

CHAPTER = "chapters/03-cache-cliff.html"
FIRST = next(iter(kinds(3)))

pytestmark = pytest.mark.browser


def open_box(visitor, path=CHAPTER):
    """Open a page and return its practice box, awake."""
    page = visitor.open(f"{path}#practice")
    page.wait_for_selector(".tunables-practice[data-problem]", timeout=20_000)
    return page.locator(".tunables-practice")


def settle(box, problem):
    box.page.wait_for_selector(f'.tunables-practice[data-problem="{problem}"]')


def text(box, part):
    return box.locator(f".{part}").inner_text()


def answer(box, words):
    field = box.get_by_label("Your answer")
    field.fill(words)
    field.press("Enter")
    return box.locator(".practice-verdict")


def test_an_answer_is_checked_by_enter_and_by_the_button(reader):
    box = open_box(reader())
    problem = make_problem(3, 1, FIRST)
    assert text(box, "problem-question") == problem.question
    answer(box, answer_text(problem)).get_by_text("Right: ").wait_for()
    answer(box, str(problem.answer * 1000)).get_by_text("1,000 times too large").wait_for()
    answer(box, "lots").get_by_text("is not a number").wait_for()
    assert box.get_by_label("Your answer").get_attribute("aria-invalid") == "true"
    box.get_by_label("Your answer").fill(str(problem.answer * 2))
    box.get_by_role("button", name="Check my answer").click()
    box.locator(".practice-verdict").get_by_text("Wrong: too high.").wait_for()
    assert box.get_by_label("Your answer").get_attribute("aria-invalid") is None


def test_kind_and_number_change_the_problem_and_the_link_brings_it_back(reader):
    visitor = reader()
    box = open_box(visitor)
    box.page.wait_for_url(lambda url: "?" not in url)
    box.get_by_label("Kind of problem").select_option("late")
    settle(box, "late.1")
    box.get_by_label("Problem number").fill("17")
    box.get_by_label("Problem number").press("Enter")
    settle(box, "late.17")
    problem = make_problem(3, 17, "late")
    assert text(box, "problem-question") == problem.question
    box.page.wait_for_url(lambda url: "problem.3=late.17" in url)
    again = open_box(visitor, box.page.url.removeprefix(f"{visitor.site}/"))
    assert again.get_attribute("data-problem") == "late.17"
    assert text(again, "problem-question") == problem.question
    again.get_by_text("Show the steps").click()
    assert problem.steps[-1] in text(again, "problem-solution")
    assert text(again, "problem-answer") == answer_text(problem)


def test_the_number_can_be_a_students_own(reader):
    visitor = reader()
    box = open_box(visitor)
    for typed, named in (("S1234567", "s1234567"), ("202612345678", 202612345678)):
        box.get_by_label("Problem number").fill(typed)
        box.get_by_label("Problem number").press("Enter")
        settle(box, f"{FIRST}.{named}")
        assert text(box, "problem-question") == make_problem(3, named, FIRST).question
    box.page.wait_for_url(lambda url: f"problem.3={FIRST}.202612345678" in url)
    again = open_box(visitor, box.page.url.removeprefix(f"{visitor.site}/"))
    assert again.get_attribute("data-problem") == f"{FIRST}.202612345678"


def test_new_problem_folds_the_steps_and_clears_the_answer(reader):
    box = open_box(reader())
    box.get_by_text("Show the steps").click()
    answer(box, "1").get_by_text("Wrong").wait_for()
    question, before = text(box, "problem-question"), box.get_attribute("data-problem")
    box.get_by_role("button", name="New problem").click()
    box.page.wait_for_selector(f'.tunables-practice[data-problem]:not([data-problem="{before}"])')
    assert text(box, "problem-question") != question
    assert box.locator("details.problem-solution[open]").count() == 0
    assert box.get_by_label("Your answer").input_value() == ""
    assert text(box, "practice-verdict") == ""
    box.page.wait_for_url(lambda url: "problem.3=" in url)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("problem.3=guess.1", "kind = 'guess': must be one of capacity"),
        ("problem.3=late.x y", "seed = 'x y': must be a whole number"),
        ("problem.3=late.1000000000000000", "seed = '1000000000000000': must be a whole number"),
        ("problem.3=late", "seed = '': must be a whole number"),
    ],
)
def test_a_link_that_makes_no_sense_is_told_so(reader, query, sentence):
    box = open_box(reader(), f"{CHAPTER}?{query}")
    assert sentence in text(box, "practice-message")
    assert text(box, "problem-question") == make_problem(3, 1, FIRST).question


def test_everything_is_reached_by_the_keyboard_in_order(reader):
    box = open_box(reader())
    page = box.page
    box.get_by_label("Kind of problem").focus()
    named = []
    for _ in range(6):
        named.append(page.evaluate("document.activeElement.textContent.slice(0, 20)"))
        style = "getComputedStyle(document.activeElement)"
        assert page.evaluate(f"{style}.outlineStyle + {style}.boxShadow") != "nonenone"
        page.keyboard.press("Tab")
    assert named[2:] == ["New problem", "", "Check my answer", "Show the steps"]


def test_without_its_engine_the_problem_and_its_steps_stand(reader):
    visitor = reader()
    visitor.page.route("**/*.wasm", lambda route: route.abort())
    page = visitor.open(f"{CHAPTER}#practice")
    box = page.locator(".tunables-practice")
    box.get_by_label("Your answer").fill("1")
    box.get_by_role("button", name="Check my answer").click()
    box.get_by_text("could not start").wait_for()
    assert text(box, "problem-question") == make_problem(3, 1, FIRST).question


def test_with_scripts_off_a_problem_and_its_steps_stand(reader):
    page = reader(java_script_enabled=False).open(CHAPTER)
    box = page.locator(".tunables-practice")
    page.locator("#practice summary").first.click()
    assert "enable JavaScript" in text(box, "practice-message")
    problem = make_problem(3, 1, FIRST)
    assert text(box, "problem-question") == problem.question
    box.get_by_text("Show the steps").click()
    assert problem.steps[-1] in text(box, "problem-solution")


ASK = """
async ({chapter, requests}) => {
  const session = new tunables.Session('tunables.page.problem:PracticeSession', {chapter});
  const replies = [];
  for (const request of requests) replies.push(await session.ask(request));
  return replies;
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", with_facet("problems"))
def test_the_pages_engine_gives_cpythons_bytes_on_50_seeds_of_every_kind(reader, chapter):
    seeds = [*range(50), 10**15 - 1, "007", "S1234567"]
    requests: list[dict] = [
        {"kind": kind, "seed": seed} for kind in kinds(chapter) for seed in seeds
    ]
    for request in list(requests):
        typed = f"{make_problem(chapter, request['seed'], request['kind']).answer * 1.006:.6f}"
        requests.append(request | {"answer": typed})
    requests += [{"kind": next(iter(kinds(chapter))), "seed": seed} for seed in ("", "x y", 10**15)]
    here = PracticeSession(json.dumps({"chapter": chapter}))
    expected = [json.loads(here.reply(json.dumps(request))) for request in requests]
    page = reader().open(CHAPTER)
    replies = page.evaluate(ASK, {"chapter": chapter, "requests": requests})
    assert json.dumps(replies, sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_whatever_is_typed_the_pages_engine_says_what_cpython_says(reader):
    kind, *_ = kinds(1)
    requests = [{"kind": kind, "seed": 1, "answer": typed} for typed in texts()]
    here = PracticeSession(json.dumps({"chapter": 1}))
    expected = [json.loads(here.reply(json.dumps(request))) for request in requests]
    page = reader().open(CHAPTER)
    assert page.evaluate(ASK, {"chapter": 1, "requests": requests}) == expected
    assert all(reply.get("sentence") or reply.get("refusal") for reply in expected)
