"""Slides and handouts: whole, computed, and with no answer before its time."""

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest

from tunables.core.registry import animations, chapters_with
from tunables.page.chapters import page_name

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def slides():
    """Return the module that makes them; end what it starts."""
    spec = importlib.util.spec_from_file_location("slides", ROOT / "book" / "slides.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.MonkeyPatch.context() as patch:  # where there is no node, the environment has one
        beside = str(Path(sys.executable).parent)
        patch.setenv("PATH", os.pathsep.join([beside, os.environ["PATH"]]))
        yield module
        module.formulas.end(None, None)
    sys.path.remove(str(ROOT / "book" / "_ext"))


# Of these `make slides` makes slides.
@pytest.mark.parametrize("lesson", [*chapters_with("animation"), "audit"])
def test_a_lesson_tells_its_story_and_its_handout_keeps_the_answer_back(slides, lesson):
    made = slides.build(lesson)
    page = lesson if lesson == "audit" else page_name(lesson)
    deck, sheet = made[f"{page}.html"], made[f"{page}-handout.html"]
    shown = re.findall(r"<section.*?</section>", deck, re.DOTALL)
    part = slides.parts(plan(page))
    guess, reveal, board, answer = (
        next(n for n, slide in enumerate(shown) if f"<h2>{title}</h2>" in slide)
        for title in ("Your guess?", "What happened", "The board", "The answer")
    )
    assert guess < reveal < board < answer == len(shown) - 1
    assert slides.html(part["situation"]) in "".join(shown[:guess])
    for text in (deck, sheet):
        assert not re.search(r"\{(model|published|term)\}|FORMULA|\$", text.split("<script>")[0])
        assert '<figure class="board">' in text
        assert text.count('<meta http-equiv="Content-Security-Policy"') == 1
        assert text.count("<svg") == text.count("</svg>")
    # What the class should find out isn't on the page with the guess, nor are remarks on marking.
    first, second = sheet.split('<div class="over">')
    assert slides.html(part["guess"]) in first
    assert "<svg" not in first
    assert slides.html(part["goal"]) not in first
    assert slides.html(part["question"]) in second
    assert slides.html(part["answer"]) not in sheet
    assert slides.html(part["reveal"]) not in sheet
    assert not re.search(r"[Gg]ive (full|half)", deck + sheet)


@pytest.mark.parametrize("chapter", chapters_with("animation"))
def test_each_step_of_the_animation_has_a_slide_of_its_own_for_each_run(slides, chapter):
    page = page_name(chapter)
    shown = re.findall(r"<section.*?</section>", slides.build(chapter)[f"{page}.html"], re.DOTALL)
    first = animations(chapter)[0]
    runs = [1 if step.against is None else 2 for step in first.bookmarks]
    played = [slide for slide in shown if "Play it</a>" in slide]
    assert len(played) == sum(runs)
    sizes = [re.findall(r'viewBox="0 \S+ (\S+) (\S+)"', slide) for slide in played]
    assert all(len(size) == 1 and float(size[0][1]) < float(size[0][0]) for size in sizes)


def plan(page):
    return (ROOT / "book" / "teaching" / f"{page}.md").read_text(encoding="utf-8")


def test_numbers_are_computed_and_formulas_set(slides):
    found = slides.html("$h = 1$ gives {model}`rrd.capacity_graphs()`, see [it](x.md)")
    assert "<math" in found
    assert "36,562" in found.replace("\N{NO-BREAK SPACE}", " ")
    assert "x.md" not in found


def test_a_plan_without_a_part_is_refused(slides):
    with pytest.raises(ValueError, match="plan: must have a part that matches"):
        slides.parts("\n# A lesson\n")
