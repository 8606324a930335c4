"""Sphinx extension: each page as Markdown, PAGE.html.md, for programs and for readers of text.

It is made from the finished page, so it holds what the page computes: numbers, tables, answers.
Formulas are LaTeX, and each picture is its description in words. A chapter's code is left out, as
the page folds it; a lab's code is its content. Controls are left out.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from all_cores import for_each
from bs4 import BeautifulSoup, Comment, NavigableString, Tag

ARTICLE = re.compile(r'<article class="bd-article">.*</article>', re.DOTALL)
SCRIPT = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
SVG = re.compile(r"<svg\b([^>]*)>.*?</svg>", re.DOTALL)
LABEL = re.compile(r'aria-label="([^"]*)"')
CONTROLS = {"button", "input", "select", "textarea", "label", "nav", "form"}
NOT_TEXT = {"headerlink", "on-paper", "to-card", "above-input", "visually-hidden"}
BLOCKS = {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "details",
        "div",
        "dl",
        "dt",
        "dd",
        "figcaption",
    ),
    *("figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol"),
    *("p", "pre", "section", "summary", "table", "ul"),
}
MARKS = {"em": "*", "i": "*", "strong": "**", "b": "**"}
BLANKS = re.compile(r"[ \t\r\f\v\n]+")


def picture(words: str) -> str:
    """Return what stands for a picture: its description.

    >>> picture("A curve that jumps.")
    '[Picture: A curve that jumps.]'
    """
    return f"[Picture: {words}]"


def _svg_as_image(found: re.Match) -> str:
    """Return an image in place of a drawing that has a description, else nothing."""
    label = LABEL.search(found[1])
    return f'<img alt="{label[1]}">' if label and 'aria-hidden="true"' not in found[1] else ""


def _classes(tag: Tag) -> list[str]:
    return str(tag.attrs.get("class", "")).split()


def _is_left_out(tag: Tag) -> bool:
    return (
        tag.name in CONTROLS
        or not {"aria-hidden", "hidden"}.isdisjoint(tag.attrs)
        or tag.attrs.get("role") == "status"
        or not NOT_TEXT.isdisjoint(_classes(tag))
    )


def _small_article(html: str) -> Tag | None:
    """Return what a finished page says, without its scripts, its drawings and its controls."""
    found = ARTICLE.search(html)
    if not found:
        return None
    text = SVG.sub(_svg_as_image, SCRIPT.sub("", found[0]))
    article = BeautifulSoup(text, "html.parser", multi_valued_attributes=None).article
    assert article is not None
    tags = article.find_all(True)
    for formula in [tag for tag in tags if "katex" in _classes(tag)]:
        source = formula.find("annotation")
        assert isinstance(source, Tag), "a formula must contain its LaTeX source"
        mark = "$$" if formula.find_parent(class_="katex-display") else "$"
        formula.replace_with(f"{mark}{source.get_text().strip()}{mark}")
    for part in [tag for tag in tags if _is_left_out(tag)]:
        if not part.decomposed:  # with what was around it
            part.decompose()
    _set_apart(article)
    return article


def _set_apart(article: Tag) -> None:
    """Put the title first, and between words what a page's styles put there."""
    title = article.find("h1")
    if isinstance(title, Tag):
        article.insert(0, title.extract())
    for words in article.select(".chapter-card > span"):
        words.append(" ")
    for status in article.select(".status"):
        status.string = f"({status.get_text()})"


def _is_block(node: object) -> bool:
    return isinstance(node, Tag) and (node.name in BLOCKS or _is_picture(node))


def _is_picture(tag: Tag) -> bool:
    return tag.get("role") == "img" and bool(tag.get("aria-label"))


def _link(tag: Tag, words: str) -> str:
    address = str(tag.get("href", ""))
    return f"[{words}]({address})" if words.strip() and address else words


def inline(nodes: Iterable) -> str:
    """Return a run of text and of tags within a line as Markdown."""
    return BLANKS.sub(" ", "".join(map(_inline, nodes)))


def _inline(node: object) -> str:
    if isinstance(node, Comment):
        return ""
    if isinstance(node, NavigableString):
        return str(node)
    assert isinstance(node, Tag)
    if node.name == "br":
        return " "
    if node.name == "img":
        return picture(str(node.get("alt", ""))) if node.get("alt") else ""
    if node.name == "code":
        return f"`{node.get_text()}`"
    words = inline(node.children)
    if node.name == "a":
        return _link(node, words)
    mark = MARKS.get(node.name, "")
    if mark and words.strip():
        ends = words[len(words.rstrip()) :]
        begins = words[: len(words) - len(words.lstrip())]
        return f"{begins}{mark}{words.strip()}{mark}{ends}"
    return words


def _row(cells: Iterable[Tag]) -> list[str]:
    texts = []
    for cell in cells:
        words = " ".join(blocks(cell)) if cell.find(_is_block) else inline(cell.children)
        texts.append(BLANKS.sub(" ", words).strip().replace("|", "\\|"))
        texts += [""] * (int(str(cell.get("colspan", "1"))) - 1)
    return texts


def _table(table: Tag) -> list[str]:
    """Return a table's caption and its rows; Markdown has one row of heads."""
    caption = table.find("caption")
    rows = [_row(row.find_all(["th", "td"], recursive=False)) for row in table.find_all("tr")]
    if not rows:
        return []
    wide = max(map(len, rows))
    head, *body = [row + [""] * (wide - len(row)) for row in rows]
    lines = [head, ["---"] * wide, *body]
    text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return ([inline(caption.children).strip()] if isinstance(caption, Tag) else []) + [text]


def _indented(text: str, first: str) -> str:
    """Return text after a list's sign, its other lines as far in as the first."""
    further = [" " * len(first) + line if line else "" for line in text.split("\n")]
    return first + "\n".join(further)[len(first) :]


def _list(tag: Tag) -> list[str]:
    items = []
    for number, item in enumerate(tag.find_all("li", recursive=False), 1):
        sign = f"{number}. " if tag.name == "ol" else "- "
        items.append(_indented("\n\n".join(blocks(item)), sign))
    return ["\n".join(items)] if items else []


def _code(tag: Tag) -> list[str]:
    text = tag.get_text().strip("\n")
    return [f"```\n{text}\n```"] if text.strip() else []


def _heading(tag: Tag) -> list[str]:
    return [f"{'#' * int(tag.name[1])} {inline(tag.children).strip()}"]


def _quote(tag: Tag) -> list[str]:
    return ["\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks(tag)).split("\n"))]


def _term(tag: Tag) -> list[str]:
    """Return a term in bold; a function's signature is code."""
    if "sig" in str(tag.get("class", "")).split():
        return [f"**`{BLANKS.sub(' ', tag.get_text()).strip()}`**"]
    return _bold(tag)


def _bold(tag: Tag) -> list[str]:
    words = inline(tag.children).replace("**", "").strip()
    return [f"**{words}**"] if words else []


WRITERS: dict[str, Callable[[Tag], list[str]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("ul", "ol"), _list),
    "dt": _term,
    "table": _table,
    "pre": _code,
    "blockquote": _quote,
    "hr": lambda tag: ["---"],
}


def _block(tag: Tag) -> list[str]:
    if _is_picture(tag):
        return [picture(str(tag["aria-label"]))]
    if "admonition-title" in str(tag.get("class", "")) or (
        tag.name == "summary" and not tag.find(re.compile("^h[1-6]$"))
    ):
        return _bold(tag)
    return WRITERS.get(tag.name, blocks)(tag)


def blocks(tag: Tag) -> list[str]:
    """Return what a tag holds as blocks of Markdown, to be written with empty lines between."""
    found: list[str] = []
    line: list[object] = []

    def end_line() -> None:
        if words := inline(line).strip():
            found.append(words)
        line.clear()

    for node in tag.children:
        # A tag within the line may hold blocks, as a link around a whole card does.
        if _is_block(node) or (isinstance(node, Tag) and node.find(_is_block)):
            end_line()
            found.extend(_block(node))  # type: ignore[arg-type]
        else:
            line.append(node)
    end_line()
    return found


def as_markdown(html: str) -> str:
    """Return a finished page as Markdown; no text if it has none of its own.

    >>> as_markdown('<article class="bd-article"><h1>Caches</h1><p>A <em>hit</em>.</p></article>')
    '# Caches\\n\\nA *hit*.\\n'
    """
    article = _small_article(html)
    return "\n\n".join(blocks(article)) + "\n" if article else ""


def write_page(site: Path, page: Path) -> None:
    """Write a page's Markdown beside it."""
    text = as_markdown((site / page).read_text(encoding="utf-8"))
    (site / page).with_suffix(".html.md").write_text(text, encoding="utf-8")


def write_markdown(app, exception) -> None:
    """Write each page's Markdown beside it."""
    if exception:
        return
    for_each(
        write_page, Path(app.outdir), [Path(f"{name}.html") for name in sorted(app.env.found_docs)]
    )


def link_markdown(app, pagename, templatename, context, doctree) -> None:
    """Have a page's head lead to its Markdown."""
    if doctree:
        name = pagename.rpartition("/")[2]
        tag = f'\n<link rel="alternate" type="text/markdown" href="{name}.html.md" />'
        context["metatags"] = context.get("metatags", "") + tag


def setup(app) -> dict:
    """Register the extension; its work comes after that of finish.py."""
    app.connect("html-page-context", link_markdown, priority=600)
    app.connect("build-finished", write_markdown, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
