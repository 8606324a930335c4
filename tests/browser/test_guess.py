"""Predict first, in the page: typed, committed by Enter, refused, linked to, skipped."""

import json
import math

import pytest
from playwright.sync_api import expect

from tests.page.typed_texts import texts
from tunables.page.guess import GuessSession
from tunables.views.guess import guess

CHAPTER = "chapters/03-cache-cliff.html"
EIGHTY = "#guess-rrd-graphs-at-80-percent"

pytestmark = pytest.mark.browser


def question(visitor, query=""):
    box = visitor.open(f"{CHAPTER}{query}").locator(EIGHTY)
    box.locator(".guess-form form").wait_for(state="attached")  # hidden after a guess
    return box


def result(box):
    box.locator(".guess-verdict").first.wait_for()
    return box.locator(".guess-result")


def row(box, name):
    if not result(box).locator("table").is_visible():
        result(box).locator("summary").click()
    return result(box).locator("tr", has_text=name).locator("td").all_inner_texts()[:2]


def test_enter_commits_a_guess_and_shows_published_model_and_simulation(reader):
    visitor = reader()
    box = question(visitor)
    field = box.get_by_label("Your guess (graphs)")
    assert not box.get_by_text("73,469").first.is_visible()
    field.focus()
    field.press_sequentially("87,500")
    field.press("Enter")
    assert row(box, "Your guess") == ["87,500", "+25.0%"]
    assert row(box, "Published")[0] == "≈\u00a070,000"
    assert row(box, "Closed form") == ["73,469", "+5.0%"]
    assert row(box, "Simulated")[0] == "73,469 in every run"
    assert "too high by 25%" in result(box).inner_text()
    box.page.wait_for_url(lambda url: "guess.rrd.graphs-at-80-percent=87500" in url)
    assert result(box).get_attribute("role") == "status"
    assert not box.locator(".guess-answer").is_visible()
    assert visitor.troubles == []


def share_of(box, mark):
    """Return where on the line, from 0 to 1, a mark is."""
    at, line = (box.locator(name).bounding_box() for name in (mark, ".guess-line"))
    return (at["x"] - line["x"]) / line["width"]


def test_a_guess_is_set_on_the_scale_and_shown_on_one_line_with_the_answer(reader):
    box = question(reader())
    field = box.get_by_label("Your guess (graphs)")
    dial = box.get_by_role("slider", name="Scale from 1,000 to 1,000,000 graphs")
    assert (field.input_value(), dial.get_attribute("aria-valuetext")) == ("", "not set yet")
    field.fill("10,000")
    assert dial.input_value() == "25"
    dial.press("ArrowRight")
    assert field.input_value() == "11,000"
    assert dial.get_attribute("aria-valuetext") == "11,000 graphs"
    dial.press("End")
    assert field.input_value() == "1,000,000"
    field.fill("lots")
    assert dial.get_attribute("aria-valuetext") == "not set yet"
    field.fill("10,000")
    box.get_by_role("button", name="Check my guess").click()
    assert "7×" in result(box).locator(".guess-off").inner_text()
    assert not field.is_visible()
    assert share_of(box, ".guess-mark.is-yours") == pytest.approx(1 / 3, abs=0.01)
    assert share_of(box, ".guess-mark.is-truth") == pytest.approx(math.log10(70) / 3, abs=0.01)
    assert result(box).evaluate("r => r === document.activeElement")
    again = box.get_by_role("button", name="Clear")
    again.press("Enter")
    assert (field.input_value(), dial.get_attribute("aria-valuetext")) == ("", "not set yet")


def test_a_scale_has_no_thumb_until_it_is_touched_if_only_in_its_middle(reader):
    box = question(reader())
    hint = box.get_by_text("tap or drag")
    assert hint.is_visible()
    box.get_by_role("slider").click()
    assert box.get_by_label("Your guess").input_value() == "33,000"
    assert not hint.is_visible()
    box.get_by_label("Your guess").fill("")
    assert hint.is_visible()


def test_on_a_phone_the_answer_is_in_view_after_the_guess(reader):
    box = question(reader(viewport={"width": 390, "height": 600}))
    field = box.get_by_label("Your guess")
    field.fill("10,000")
    box.get_by_role("button", name="Check my guess").click()
    result(box)
    expect(box.locator(".guess-off")).to_be_in_viewport(ratio=1)
    expect(box.locator(".guess-line")).to_be_in_viewport(ratio=1)


def test_a_guess_is_kept_in_the_link_beside_the_explorers_and_nowhere_else(reader):
    visitor = reader()
    box = question(visitor, "?rrd.graphs=50000")
    box.get_by_label("Your guess").fill("1.2e4")
    box.get_by_role("button", name="Check my guess").click()
    result(box)
    page = box.page
    page.wait_for_selector(".tunables-explorer[data-engine=ready]")
    page.wait_for_url(lambda url: "rrd.graphs=50000" in url)
    assert (
        page.evaluate("[localStorage, sessionStorage].map(s => JSON.stringify(s))").count("12000")
        == 0
    )
    assert "12000" not in page.evaluate("document.cookie")

    again = question(visitor, f"?{page.url.split('?')[1]}")
    assert row(again, "Your guess")[0] == "12,000"
    assert again.get_by_label("Your guess").input_value() == "12000"
    again.get_by_role("button", name="Clear").click()
    again.page.wait_for_url(lambda url: "guess." not in url)
    again.page.wait_for_url(lambda url: "rrd.graphs=50000" in url)
    assert again.locator(".guess-result").inner_text() == ""
    assert again.get_by_label("Your guess").evaluate("f => f === document.activeElement")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Type a number first"),
        ("many", '"many" is not a number'),
        ("nan", '"nan" is not a number'),
        ("-4", "is not above 0"),
        ("12,5", "Commas separate thousands"),
        ("≥5", '"≥5" is not a number'),
        ("<img src=x onerror=alert(1)>", "is not a number"),
    ],
)
def test_what_is_no_number_is_refused_in_one_sentence(reader, text, sentence):
    visitor = reader()
    box = question(visitor)
    field = box.get_by_label("Your guess")
    field.fill(text)
    field.press("Enter")
    box.get_by_text(sentence).wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    assert box.locator(".guess-result").inner_text() == ""
    box.page.wait_for_url(lambda url: "guess." not in url)
    field.fill("70,000")
    field.press("Enter")
    result(box)
    assert field.get_attribute("aria-invalid") is None
    assert visitor.troubles == []


def test_a_link_that_is_no_number_is_told_so(reader):
    box = question(reader(), "?guess.rrd.graphs-at-80-percent=lots")
    box.get_by_text('"lots" is not a number').wait_for()


def test_it_can_be_skipped_by_keyboard(reader):
    box = question(reader())
    summary = box.get_by_text("Skip: show the answer")
    summary.focus()
    assert summary.evaluate("s => getComputedStyle(s).outlineStyle") != "none"
    summary.press("Enter")
    assert box.get_by_text("73,469", exact=True).is_visible()
    box.page.wait_for_url(lambda url: "guess.rrd.graphs-at-80-percent=skip" in url)
    again = question(reader(), f"?{box.page.url.split('?')[1]}")
    assert again.get_by_text("73,469", exact=True).is_visible()
    again.get_by_text("Skip: show the answer").press("Enter")
    again.page.wait_for_url(lambda url: "guess." not in url)


def test_the_tab_key_goes_through_field_commit_and_skip(reader):
    box = question(reader())
    box.get_by_label("Your guess").focus()
    names = []
    for _ in range(2):
        box.page.keyboard.press("Tab")
        names.append(box.page.evaluate("document.activeElement.textContent"))
    assert names == ["Check my guess", "Skip: show the answer"]


def test_without_its_engine_it_says_so_and_the_answer_can_be_opened(reader):
    visitor = reader()
    visitor.page.route("**/*.wasm", lambda route: route.abort())
    box = question(visitor)
    box.get_by_label("Your guess").fill("5")
    box.get_by_role("button", name="Check my guess").click()
    box.get_by_text("could not start").wait_for()
    box.get_by_text("Skip: show the answer").click()
    assert box.get_by_text("73,469", exact=True).is_visible()


def test_with_scripts_off_the_question_stands_and_the_answer_opens(reader):
    page = reader(java_script_enabled=False).open(CHAPTER)
    box = page.locator(EIGHTY)
    assert "Write your guess down, then open the answer." in box.inner_text()
    assert not box.get_by_text("73,469", exact=True).is_visible()
    box.get_by_text("Skip: show the answer").click()
    assert box.get_by_text("73,469", exact=True).is_visible()


ASK = """
async ({description, texts}) => {
  const {Session} = tunables;
  const session = new Session('tunables.page.guess:GuessSession', description);
  const replies = [];
  for (const text of texts) replies.push(await session.ask({text}));
  return replies;
}
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("case", "number"),
    [
        ("rrd", "graphs-at-80-percent"),
        ("rrd", "graphs-fit-old-server"),
        ("rdu", "both-response"),
        ("quagga", "table-2-work-queue-run-mean-wall"),
    ],
)
def test_the_pages_engine_tells_what_cpython_tells(reader, case, number):
    description = guess(case, number, "How many?").description
    page = reader().open(CHAPTER)
    replies = page.evaluate(ASK, {"description": description, "texts": texts()})
    here = GuessSession(json.dumps(description))
    for text, reply in zip(texts(), replies, strict=True):
        expected = json.loads(here.reply(json.dumps({"text": text})))
        assert reply.get("refusal") != ""
        assert reply.get("refusal") == expected.get("refusal")
        assert reply.get("html") == expected.get("html")
        assert [reply.get(name) for name in ("off", "side")] == [
            expected.get(name) for name in ("off", "side")
        ]
        if "guess" in expected:
            assert reply["guess"] == pytest.approx(expected["guess"], rel=1e-12)
