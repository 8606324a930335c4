"""Slides and handouts: whole, computed, and with no answer before its time."""

import importlib.util
import os
import re
import sys
from pathlib import Path

import pytest

from tunables.core.registry import chapters_with
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


@pytest.mark.parametrize(
    "chapter", chapters_with("animation")
)  # of which `make slides` makes slides
def test_a_lesson_has_eight_slides_and_a_handout_without_the_answer(slides, chapter):
    made = slides.build(chapter)
    page = page_name(chapter)
    deck, sheet = made[f"{page}.html"], made[f"{page}-handout.html"]
    shown = re.findall(r"<section.*?</section>", deck, re.DOTALL)
    assert len(shown) == 8
    assert sum("Play it." in slide and "<svg" in slide for slide in shown) == 2
    assert [slide for slide in shown if "The answer" in slide] == shown[-1:]
    for text in (deck, sheet):
        assert not re.search(r"\{(model|published|term)\}|FORMULA|\$", text.split("<script>")[0])
        assert '<figure class="board">' in text
        assert text.count('<meta http-equiv="Content-Security-Policy"') == 1
        assert text.count("<svg") == text.count("</svg>")
    answer = slides.html(slides.parts(plan(page))["answer"])
    assert answer in deck
    assert answer not in sheet
    assert slides.html(slides.parts(plan(page))["reveal"]) not in sheet


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
