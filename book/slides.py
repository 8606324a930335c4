"""Builds slides and a handout for each lesson from its plan and the book's figures: `make slides`.

    python book/slides.py OUTPUT

Each is one HTML file that needs no network. Arrow keys turn the slides, which print one per page;
the handout is a sheet without answers. Their numbers are computed as in the plan.
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
from tunables.views.animation import read_stills  # noqa: E402

_WORDS = {"published": computed.published_words, "model": computed.model_words}
_STILLS = (0, 2)  # of the animation's bookmarks: how it begins, and what goes wrong
_ENCODING = '<meta charset="utf-8">'
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


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


def _find(plan: str, pattern: str) -> str:
    found = re.search(pattern, plan, re.DOTALL)
    if not found:
        raise ValueError(f"plan: must have a part that matches {pattern!r}")
    return found[1].strip()


def _stills(chapter: str, page: str) -> list[str]:
    """Return two moments of the chapter's animation, with links to where it plays."""
    animation = animations(chapter)[0]
    stills = read_stills(chapter)[animation.name]
    place = f"../html/chapters/{page}.html#stage-{animation.name}"
    return [
        f"<h2>{escape(animation.title)}</h2>"
        f'<figure class="tunables-animation">{stills[n]["svg"]}'
        f"<figcaption>{escape(animation.bookmarks[n].title)} "
        f'<a href="{place}-{animation.bookmarks[n].name}">Play it.</a></figcaption></figure>'
        for n in _STILLS
    ]


def _large(text: str) -> str:
    return f'<div class="large">{html(text)}</div>'


def parts(plan: str) -> dict[str, str]:
    """Return what slides and handout take from a plan. Raises ValueError if it lacks one."""
    plan = blocks.ANY_COMMENT.sub("", plan)
    reveal = computed_words(_find(plan, r"\| Reveal[:,] ([^|]+) \|"))
    return {
        "title": escape(_find(plan, r"\n# ([^\n]+)")),
        "goal": "By the end you can " + _find(plan, r"\*\*By the end\*\* a student can ([^\n]+)"),
        "guess": _find(plan, r"prediction to ask for\.\*\* \"([^\"]+)\""),
        "reveal": re.split(r"(?<=[.]) (?=[A-Z\"(])", reveal)[0],
        "board": _find(plan, r"(<figure class=\"board\">.*?</figure>)"),
        "question": _find(plan, r"\*\*Exit question\.\*\* ([^\n]+)"),
        "answer": _find(plan, r"```\{dropdown\} Answer\n(.*?)```"),
    }


def slides(chapter: str, part: dict[str, str]) -> list[str]:
    """Return a lesson's slides: goal, guess, reveal, animation, board, exit question, answer."""
    return [
        f"<h1>{part['title']}</h1>{html(part['goal'])}",
        f"<h2>Your guess?</h2>{_large(part['guess'])}",
        f"<h2>What happened</h2>{_large(part['reveal'])}",
        *_stills(chapter, page_name(chapter)),
        f"<h2>The board</h2>{part['board']}",
        f"<h2>Before you go</h2>{_large(part['question'])}",
        f"<h2>The answer</h2>{html(part['answer'])}",
    ]


def _fill(template: str, **words) -> str:
    page = Template((HERE / template).read_text(encoding="utf-8")).render(**words)
    content = policy.policy(finish.parse(page))
    tag = f'{policy.MARK} content="{content}">'
    return page.replace(_ENCODING, f"{_ENCODING}\n{tag}", 1)


def build(chapter: str) -> dict[str, str]:
    """Return the files of a chapter's lesson by name: its slides and its handout."""
    page, number = page_name(chapter), find_chapter(chapter).number
    part = parts((HERE / "teaching" / f"{page}.md").read_text(encoding="utf-8"))
    tokens, of_animations = (
        (HERE / "styles" / f"{name}.css").read_text(encoding="utf-8")
        for name in ("tokens", "animation")
    )
    texts = {name: html(part[name]) for name in ("goal", "guess", "question")}
    given = {"title": part["title"], "number": number}
    return {
        f"{page}.html": _fill(
            "slides.html", slides=slides(chapter, part), styles=tokens + of_animations, **given
        ),
        f"{page}-handout.html": _fill(
            "handout.html", board=part["board"], styles=tokens, **texts, **given
        ),
    }


def main() -> None:
    output = Path(sys.argv[1])
    output.mkdir(parents=True, exist_ok=True)
    for chapter in chapters_with("animation"):
        for name, text in build(chapter).items():
            (output / name).write_text(text, encoding="utf-8")
    formulas.end(None, None)


if __name__ == "__main__":
    main()
