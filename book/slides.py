"""Makes slides and a handout for each lesson, from its plan and the book's figures: `make slides`.

    python book/slides.py OUTPUT

Each is one HTML file that needs no network. Arrow keys turn the slides, which print one a page;
the handout is a sheet without answers. What they say in numbers is computed as in the plan.
"""

import re
import sys
from html import escape
from pathlib import Path

from jinja2 import Template
from markdown_it import MarkdownIt

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import computed  # noqa: E402
import formulas  # noqa: E402
import policy  # noqa: E402

from tunables.page.chapters import find_chapter, page_name, with_facet  # noqa: E402
from tunables.parts.registry import stages  # noqa: E402
from tunables.reader.stage import kept_stills  # noqa: E402

_WORDS = {"published": computed.published_words, "model": computed.model_words}
_STILLS = (0, 2)  # of the stage's beats: how it begins, and what goes wrong
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def _formula(latex: str) -> str:
    """Return a formula as MathML, which browsers set by themselves."""
    found = re.search(r"<math.*?</math>", formulas._rendered(latex, False), re.DOTALL)
    assert found
    return found[0]


def computed_words(text: str) -> str:
    """Return a plan's text with the numbers that its roles stand for."""
    return re.sub(r"\{(published|model)\}`([^`]+)`", lambda m: _WORDS[m[1]](m[2]), text)


def html(text: str) -> str:
    """Return a paragraph of a plan as HTML: numbers computed, formulas set, links as words."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", computed_words(text))
    formulas_in = re.findall(r"\$([^$]+)\$", text)
    text = re.sub(r"\$[^$]+\$", "FORMULA", text)
    page = _MARKDOWN.render(text)
    for latex in formulas_in:
        page = page.replace("FORMULA", _formula(latex), 1)
    return page


def _said(plan: str, pattern: str) -> str:
    found = re.search(pattern, plan, re.DOTALL)
    if not found:
        raise ValueError(f"plan: must have a part that matches {pattern!r}")
    return found[1].strip()


def _stills(chapter: str, page: str) -> list[str]:
    """Return two moments of the chapter's stage, with links to where it plays."""
    stage = stages(chapter)[0]
    stills = kept_stills(chapter)[stage.name]
    place = f"../html/chapters/{page}.html#stage-{stage.name}"
    return [
        f"<h2>{escape(stage.title)}</h2><figure>{stills[n]['svg']}"
        f"<figcaption>{escape(stage.beats[n].title)} "
        f'<a href="{place}-{stage.beats[n].name}">Play it.</a></figcaption></figure>'
        for n in _STILLS
    ]


def _large(text: str) -> str:
    return f'<div class="large">{html(text)}</div>'


def parts(plan: str) -> dict[str, str]:
    """Return what slides and handout take from a plan. Raises ValueError if it lacks one."""
    reveal = computed_words(_said(plan, r"\| Reveal[:,] ([^|]+) \|"))
    return {
        "title": escape(_said(plan, r"\n# ([^\n]+)")),
        "goal": "By the end you can " + _said(plan, r"\*\*By the end\*\* a student can ([^\n]+)"),
        "guess": _said(plan, r"prediction to ask for\.\*\* \"([^\"]+)\""),
        "reveal": re.split(r"(?<=[.]) (?=[A-Z\"(])", reveal)[0],
        "board": _said(plan, r"(<figure class=\"board\">.*?</figure>)"),
        "question": _said(plan, r"\*\*Exit question\.\*\* ([^\n]+)"),
        "answer": _said(plan, r"```\{dropdown\} Answer\n(.*?)```"),
    }


def slides(chapter: str, part: dict[str, str]) -> list[str]:
    """Return the slides of a lesson: goal, guess, reveal, stage, board, exit question, answer."""
    return [
        f"<h1>{part['title']}</h1>{html(part['goal'])}",
        f"<h2>Your guess?</h2>{_large(part['guess'])}",
        f"<h2>What happened</h2>{_large(part['reveal'])}",
        *_stills(chapter, page_name(chapter)),
        f"<h2>The board</h2>{part['board']}",
        f"<h2>Before you go</h2>{_large(part['question'])}",
        f"<h2>The answer</h2>{html(part['answer'])}",
    ]


def _filled(template: str, **words) -> str:
    page = Template((HERE / template).read_text(encoding="utf-8")).render(**words)
    return policy.guarded(page)


def made(chapter: str) -> dict[str, str]:
    """Return the files of a chapter's lesson by name: its slides and its handout."""
    page, number = page_name(chapter), find_chapter(chapter).number
    part = parts((HERE / "teaching" / f"{page}.md").read_text(encoding="utf-8"))
    stage_css = (HERE / "styles" / "stage.css").read_text(encoding="utf-8")
    said = {name: html(part[name]) for name in ("goal", "guess", "question")}
    given = {"title": part["title"], "number": number}
    return {
        f"{page}.html": _filled(
            "slides.html", slides=slides(chapter, part), stage_css=stage_css, **given
        ),
        f"{page}-handout.html": _filled("handout.html", board=part["board"], **said, **given),
    }


def main() -> None:
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for chapter in with_facet("stage"):
        for name, text in made(chapter).items():
            (output / name).write_text(text, encoding="utf-8")
    formulas.end(None, None)


if __name__ == "__main__":
    main()
