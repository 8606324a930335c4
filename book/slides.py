"""Builds slides and a handout for each lesson from its plan and the book's figures: `make slides`.

    python book/slides.py OUTPUT

Each is one HTML file that needs no network. Arrow keys turn the slides, which print one per page.
The handout has two pages: the situation and the guess, then the board and the exit question. So the
first page doesn't give away what the second one shows. Numbers are computed as in the plan.
"""

import re
import sys
from html import escape
from pathlib import Path

from jinja2 import Template
from markdown_it import MarkdownIt

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import blocks  # noqa: E402
import computed  # noqa: E402
import finish  # noqa: E402
import formulas  # noqa: E402
import policy  # noqa: E402

from tunables.core.registry import animations, chapters_with  # noqa: E402
from tunables.page.chapters import find_chapter, page_name  # noqa: E402
from tunables.page.problem import APART  # noqa: E402
from tunables.views.animation import read_stills  # noqa: E402

_WORDS = {"published": computed.published_words, "model": computed.model_words}
_ENCODING = '<meta charset="utf-8">'
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
# A remark for the marker, which is not for the class.
_MARKING = re.compile(r"\s*\(Give [^)]*\)|\s*Give full marks.*$", re.DOTALL)


def _formula(latex: str) -> str:
    """Return a formula as MathML, which browsers set by themselves."""
    found = re.search(r"<math.*?</math>", formulas.render(latex, False), re.DOTALL)
    assert found
    return found[0]


def computed_words(text: str) -> str:
    """Return a plan's text with numbers in place of its roles."""
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


def _optional(plan: str, pattern: str) -> str:
    found = re.search(pattern, plan, re.DOTALL)
    return found[1].strip() if found else ""


def _find(plan: str, pattern: str) -> str:
    found = _optional(plan, pattern)
    if not found:
        raise ValueError(f"plan: must have a part that matches {pattern!r}")
    return found


def panels(svg: str) -> list[str]:
    """Return a still as pictures of one run each: two runs, of the same height, stand in one."""
    width, height = map(float, re.findall(r'viewBox="0 0 (\S+) (\S+)"', svg)[0])
    if height < 1.2 * width:
        return [svg]
    half = height / 2
    return [
        re.sub(
            r'viewBox="[^"]+" width="[^"]+" height="[^"]+"',
            f'viewBox="0 {top:g} {width:g} {half:g}" width="{width:g}" height="{half:g}"',
            svg,
            count=1,
        )
        for top in (0.0, half)
    ]


def _stills(chapter: str, page: str) -> list[str]:
    """Return the steps of the chapter's animation, a run each, with links to where they play."""
    animation = animations(chapter)[0]
    place = f"../html/chapters/{page}.html#stage-{animation.name}"
    return [
        f"<h2>{escape(bookmark.label)}</h2>"
        f'<figure class="tunables-animation">{panel}'
        f'<figcaption>{escape(bookmark.title)} <a href="{place}-{bookmark.name}">Play it</a> '
        f"in chapter {find_chapter(chapter).number}.</figcaption></figure>"
        for bookmark, still in zip(
            animation.bookmarks, read_stills(chapter)[animation.name], strict=True
        )
        for panel in panels(still["svg"])
    ]


def _large(text: str) -> str:
    return f'<div class="large">{html(text)}</div>'


def parts(plan: str) -> dict[str, str]:
    """Return what slides and handout take from a plan. Raises ValueError if it lacks one.

    A game and a table are not in every plan: then they are empty.
    """
    plan = blocks.ANY_COMMENT.sub("", plan)
    reveal = computed_words(_find(plan, r"\| Reveal: ([^|]+) \|"))
    story = computed_words(_find(plan, r"\| Tell the story: ([^|]+?) (?:Ask for|Put the table)"))
    return {
        "title": escape(_find(plan, r"\n# ([^\n]+)")),
        "goal": "By the end you can " + _find(plan, r"\*\*By the end\*\* a student can ([^\n]+)"),
        "situation": story[0].upper() + story[1:],
        "table": _optional(plan, r"\*\*The table\*\*[^\n]*\n\n(\|.*?\|)\n\n"),
        "guess": _find(plan, r"prediction to ask for\.\*\* \"([^\"]+)\""),
        "reveal": reveal[0].upper() + re.split(r"(?<=[.]) (?=[A-Z\"(])", reveal[1:])[0],
        "game": _optional(plan, r"\| Play it\. ([^|\n]+) \|"),
        "formula": _optional(plan, r"\| The board[^|\n]*?(\$[^$\n]*= [A-Za-z][^$\n]*\$)"),
        "board": _find(plan, r"(<figure class=\"board\">.*?</figure>)"),
        "question": _find(plan, r"\*\*Exit question\.\*\* ([^\n]+)"),
        "answer": _MARKING.sub("", _find(plan, r"```\{dropdown\} Answer\n(.*?)```")),
    }


def slides(lesson: str, part: dict[str, str]) -> list[str]:
    """Return a lesson's slides, from its story to the answer of its last question.

    lesson: a chapter, or the word for a lesson without one, which has no animation.
    """
    return [
        f"<h1>{part['title']}</h1>",
        f"<h2>The situation</h2>{_large(part['situation'])}",
        *([f"<h2>The table</h2>{html(part['table'])}"] if part["table"] else []),
        f"<h2>Your guess?</h2>{_large(part['guess'])}",
        f"<h2>What happened</h2>{_large(part['reveal'])}",
        f"<h2>Why?</h2>{_large(part['goal'])}",
        *([f"<h2>Let's play it</h2>{html(part['game'])}"] if part["game"] else []),
        *([] if lesson in APART else _stills(lesson, page_name(lesson))),
        f"<h2>The board</h2>{html(part['formula'])}{part['board']}",
        f"<h2>Before you go</h2>{_large(part['question'])}",
        f"<h2>The answer</h2>{html(part['answer'])}",
    ]


def _fill(template: str, **words) -> str:
    page = Template((HERE / template).read_text(encoding="utf-8")).render(**words)
    content = policy.policy(finish.parse(page))
    tag = f'{policy.MARK} content="{content}">'
    return page.replace(_ENCODING, f"{_ENCODING}\n{tag}", 1)


def build(lesson: str) -> dict[str, str]:
    """Return the files of a lesson by name: its slides and its handout.

    lesson: a chapter, or the word for a lesson without one.
    """
    page = lesson if lesson in APART else page_name(lesson)
    place = APART[lesson][1] if lesson in APART else f"chapter {find_chapter(lesson).number}"
    part = parts((HERE / "teaching" / f"{page}.md").read_text(encoding="utf-8"))
    tokens, of_animations = (
        (HERE / "styles" / f"{name}.css").read_text(encoding="utf-8")
        for name in ("tokens", "animation")
    )
    texts = {
        name: html(part[name])
        for name in ("goal", "situation", "table", "guess", "question", "formula")
    }
    given = {"title": part["title"], "place": place}
    return {
        f"{page}.html": _fill(
            "slides.html", slides=slides(lesson, part), styles=tokens + of_animations, **given
        ),
        f"{page}-handout.html": _fill(
            "handout.html", board=part["board"], styles=tokens, **texts, **given
        ),
    }


def main() -> None:
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for lesson in (*chapters_with("animation"), *APART):
        for name, text in build(lesson).items():
            (output / name).write_text(text, encoding="utf-8")
    formulas.end(None, None)


if __name__ == "__main__":
    main()
