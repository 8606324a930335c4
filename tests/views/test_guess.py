"""Predict first: the answer to a guess, in Jupyter and in the static markup."""

import json
import re

import pytest

from tests.chapters.notebooks import EXPRESSION, ROOT, cells
from tests.views.asked import ask_view
from tunables.core.ledger import entry, ledger
from tunables.core.registry import cases, find_case
from tunables.page.guess import judge, result_html
from tunables.views import guess as module
from tunables.views.guess import guess, guess_html

CHAPTERS = sorted(ROOT.glob("chapters/*.ipynb"))
EIGHTY = ("rrd", "graphs-at-80-percent", "How many?")


def judge_text(row, text, case="rrd"):
    return judge(guess(case, row, "How many?").description, text)


def test_the_answer_is_the_ledgers_own():
    rrd = find_case("rrd")
    for known in ledger(rrd):
        row = known.number.record.row_id
        assert entry(rrd, row) == known
        description = guess("rrd", row, "How many?").description
        published, closed, simulated = description["rows"]
        assert published["value"] == known.number.value
        assert closed["value"] == known.predicted
        assert simulated["value"] == (known.simulated and known.simulated[0])


def test_a_guess_is_shown_with_the_published_number_the_models_and_its_error():
    reply = judge_text("graphs-at-80-percent", "87,500")
    assert reply["guess"] == 87_500
    text = re.sub("<[^>]+>", "|", reply["html"])
    assert "Your guess||87,500||+25.0%" in text
    assert "Published||≈\u00a070,000" in text
    assert "Closed form||73,469||+5.0%" in text
    assert "Simulated||73,469 in every run" in text
    assert "too high by 25%" in text


@pytest.mark.parametrize(
    ("text", "off", "side", "words"),
    [
        (
            "72,000",
            "Right",
            "to the precision of the printed digits",
            "You are right, to the precision of the printed digits.",
        ),
        ("35,001", "50%", "too low", "Your guess is too low by 50%."),
        ("87,500", "25%", "too high", "Your guess is too high by 25%."),
        ("14,000", "5×", "too low", "Your guess is 5 times too small."),
        ("7e6", "100×", "too high", "Your guess is 100 times too large."),
        ("1e15", "Over a million times", "too high", "more than a million times too large."),
    ],
)
def test_the_error_of_the_guess_is_described(text, off, side, words):
    reply = judge_text("graphs-at-80-percent", text)
    assert words in reply["html"]
    assert (reply["off"], reply["side"]) == (off, side)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("case", cases().values(), ids=list(cases()))
def test_no_number_however_extreme_breaks_any_row(case):
    for known in ledger(case):
        description = guess(case.name, known.number.record.row_id, "How many?").description
        for text in ("5e-324", "1e308", "-1e308", "0", "1e-400"):
            assert judge(description, text)["refusal"]
        for text in ("1e-15", "1e-3", "1", "1e15"):
            assert "Your guess" in judge(description, text)["html"]


def test_a_bound_is_kept_or_not():
    assert "You are right" in judge_text("graphs-fit-old-server", "41,000")["html"]
    missed = judge_text("graphs-fit-old-server", "39,000")
    assert "on the wrong side" in missed["html"]
    assert (missed["off"], missed["side"]) == ("", "on the wrong side of the limit")


@pytest.mark.parametrize(
    ("case", "row", "words"),
    [
        ("rrd", "slowdown-after-overflow", "a match proves nothing"),
        ("rrd", "graphs-at-80-percent", "never used this number"),
        ("rdu", "original-throughput", "follows from other published numbers"),
        ("quagga", "longest-thread", "No model here explains"),
        ("wlcg", "compress-triumf-time", "and it still misses"),
    ],
)
def test_the_result_says_what_the_model_was_fitted_to(case, row, words):
    description = guess(case, row, "How many?").description
    assert words in result_html(description)
    assert words in judge(description, "1")["html"]


def test_a_fitted_number_shows_no_error_as_a_success():
    assert "fitted" in judge_text("slowdown-after-overflow", "3")["html"]


def test_beside_a_guess_the_table_is_folded_and_without_one_it_is_open():
    assert "<details" not in result_html(guess(*EIGHTY).description)
    verdict, table = judge(guess(*EIGHTY).description, "70000")["html"].split("<details")
    assert "You are right" in verdict
    assert table.count("<tr>") == 5


def test_a_number_is_asked_for_and_shown_in_the_unit_of_the_question():
    asked = ("quagga", "table-2-work-queue-run-longest-wall", "How many ms?", "ms")
    description = guess(*asked).description
    assert (description["unit"], description["value"]) == ("ms", 541.611)  # printed in µs
    html = judge(description, "271")["html"]
    assert "Published: 541.611\u00a0ms. Your guess is too low by 50%." in html
    assert "Longest slice, wall time (ms)" in html
    slices = guess("quagga", "slice", "How many ms?", "ms").description
    texts = [row["text"] for row in slices["rows"]]
    assert texts == ["≈\u00a010", "15.3", "15.3 ± 0.1"]  # its model computes in seconds
    with pytest.raises(ValueError, match="unit = 'GiB': must measure the same quantity as us"):
        guess(*asked[:3], "GiB")


def test_a_number_is_on_one_line_with_its_sign_and_its_unit():
    because = "A look comes ≈ 10 ms apart, in 3 of 4 states."
    asked = ("How long, after 10 ms?", "ms", because, {6: "If you said 6 ms, try again."})
    description = guess("quagga", "slice", *asked).description
    assert description["because"] == "A look comes ≈\u00a010\u00a0ms apart, in 3 of 4 states."
    assert description["wrong"] == [[6, "If you said 6\u00a0ms, try again."]]
    assert "after 10\u00a0ms?" in guess_html(description)
    assert "Published: ≈\u00a010\u00a0ms." in judge(description, "12")["html"]


def test_the_question_and_case_are_checked():
    with pytest.raises(ValueError, match="question = ' ': must be a sentence"):
        guess("rrd", "graphs-at-80-percent", " ")
    with pytest.raises(ValueError, match="row_id = 'sheep': must be one of"):
        guess("rrd", "sheep", "How many?")
    with pytest.raises(ValueError, match="case = 'farm'"):
        guess("farm", "sheep", "How many?")


def test_the_kernel_answers_a_guess_and_escapes_other_text():
    box = guess(*EIGHTY)
    reply = ask_view(box, {"text": "80,000"})
    assert reply["guess"] == 80_000
    assert "73,469" in reply["html"]
    assert "<i>many</i>" in ask_view(box, {"text": "<i>many</i>"})["refusal"]  # set as text


def test_the_static_markup_hides_the_answer_behind_skip_and_escapes_the_question():
    html = guess_html(guess("rrd", "graphs-at-80-percent", "More than </script> <b>?").description)
    assert html.count("</script>") == 1
    question, answer = html.split("<details")
    visible = re.sub(r"<script.*?</script>", "", question, flags=re.DOTALL)
    assert "<b>" not in visible
    assert "70,000" not in visible
    assert "73,469" not in visible
    assert "73,469" in answer
    assert module.STATIC_TEXT in visible


@pytest.mark.slow
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_asks_before_it_shows_and_its_questions_are_the_present_ones(path):
    found = []
    for cell in cells(path, "code"):
        for output in cell["outputs"]:
            html = "".join(output.get("data", {}).get("text/html", ""))
            if 'class="tunables-guess"' in html:
                found.append(html)
    assert 1 <= len(found) <= 4
    for html in found:
        stored = json.loads(html.split('guess-description">')[1].split("</script>")[0])
        case_name, row_id = stored["name"].split(".", 1)
        asked = (case_name, row_id, stored["question"], stored["unit"])
        told = (stored["because"], dict(stored["wrong"]))
        fresh = guess(*asked, *told)._repr_mimebundle_()["text/html"]
        assert html == fresh, f"{stored['name']} is out of date: run `make notebooks`"
        shown = stored["rows"][0]["text"].lstrip("≈≥≤<> ")
        if len(shown) > 2:  # a digit or two may mean something else
            assert shown not in stored["question"], "the question gives the answer away"


# What a page shows only after the guess, folds, what the chapter is about, figures, link targets.
UNSEEN = re.compile(
    r"<!-- (answer|fold)\b[^\n]*? -->.*?<!-- /\1 -->|^```\{admonition\}.*?^```$"
    r"|<svg.*?</svg>|<a [^>]*>",
    re.DOTALL | re.MULTILINE,
)
A_SCREEN = 300  # words


def what_follows(path):
    """Return for each guess of a chapter its answer, and the open text and tables after it.

    An explorer ends them, because it fills a screen.
    """
    text, answers = "", []
    for cell in cells(path, "markdown", "code"):
        if cell["cell_type"] == "markdown":
            text += EXPRESSION.sub("", cell["source"]) + "\n\n"
        for output in cell.get("outputs", []):
            plain = "".join(output.get("data", {}).get("text/plain", ""))
            asked = re.match(r"Guess\('(\w+)\.([\w-]+)'\)", plain)
            if asked:
                row, *_ = guess(asked[1], asked[2], "How much?").description["rows"]
                answers.append(row["text"])
                text += "\1"
            elif "Table(" in cell["source"]:
                text += plain + "\n\n"
            elif plain.startswith("Explorer("):
                text += "\2"
    parts = UNSEEN.sub("", text).split("\1")[1:]
    assert len(parts) == len(answers)
    return [
        (answer, " ".join(" ".join(parts[n:]).partition("\2")[0].split()[:A_SCREEN]))
        for n, answer in enumerate(answers)
    ]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_open_text_or_table_after_a_guess_gives_its_answer(path):
    for answer, text in what_follows(path):
        number = answer.lstrip("≈≥≤<>").strip()
        assert not re.search(rf"(?<![\d.,]){re.escape(number)}(?![.,]?\d)", text), answer


MISTAKES: dict[float, str] = {
    60_000: "You left out the headroom.",
    200_000: "You counted bytes as bits.",
}


def test_the_cause_comes_first_and_a_usual_mistake_has_its_own_sentence():
    description = guess(*EIGHTY, because="A pool fills late.", wrong=MISTAKES).description
    for typed, mine in ((57_000, "headroom"), (210_000, "bits"), (100_000, "")):
        html = judge(description, str(typed))["html"]
        cause, _, rest = html.partition("</p>")
        assert "A pool fills late." in cause
        assert [words for words in ("headroom", "bits") if words in cause] == [mine] * bool(mine)
        assert rest.startswith('<p class="guess-verdict">Published:')
        verdict, _, folded = rest.partition("<details")
        assert "never used this number" in folded
        assert "never used this" not in verdict
    assert "A pool fills late." not in judge(description, "70000")["html"]  # a right guess
    assert result_html(description).startswith('<p class="guess-cause">A pool fills late.</p>')


def test_a_mistake_is_a_number_above_zero_other_than_the_answer_with_a_sentence():
    refused: list[tuple[dict[float, str], str]] = [
        ({70_500: "So near."}, "70500 is too close to the answer"),
        ({0: "Nothing."}, "must map numbers above 0 to sentences"),
        ({5: " "}, "must map numbers above 0 to sentences"),
    ]
    for wrong, words in refused:
        with pytest.raises(ValueError, match=words):
            guess(*EIGHTY, wrong=wrong)
