"""Sphinx extension: cells that belong together, marked by comments that notebooks do not show.

    <!-- pane -->             a live box and the text beside it
    <!-- fold: Its title -->  what only some will read, folded
    <!-- answer -->           what a guess must not see
    <!-- lab: NAME -->        a lab that runs here; holds what a page shows where no lab can run
    <!-- lab: NAME | What? --> the same, which asks for a guess before it runs

A block ends with `<!-- /pane -->`, and so on. Both comments are paragraphs of their own under
one heading, and no heading opens in between. A block that does not end fails the build.

Every other comment, such as the expression that gives a number, is left out of the page.

A fold whose title begins with a kind, "For the sceptic: ", shows it above the title. A paragraph
that begins with **Takeaway.** or **In short.** gets a class, and its label loses the full stop.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

COMMENT = re.compile(r"<!-- (?P<end>/?)(?P<kind>pane|fold|answer|lab)(?:: (?P<title>.+?))? -->\s*")
ANY_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
LABS = Path(__file__).parents[1] / "_static" / "labs"
KIND = re.compile(r"(?P<kind>For the sceptic|The same by hand): (?P<title>.+)")
LABELS = {"Takeaway.": "takeaway", "In short.": "in-short"}
LIVE = re.compile(r'class="tunables-(?:animation|explorer)')


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def _box(names: str, children) -> nodes.container:
    return nodes.container("", *children, classes=names.split())


def _is_live(node: nodes.Node) -> bool:
    return any(LIVE.search(raw.astext()) for raw in node.findall(nodes.raw))


def _pane(title: str, content: list[nodes.Node]) -> list[nodes.Node]:
    live = next(filter(_is_live, content), None)
    if not live:
        raise ValueError("<!-- pane -->: must hold an animation or an explorer")
    beside = [node for node in content if node is not live]
    # A reader of a phone meets the first paragraph, then what runs.
    lead, rest = beside[:1], beside[1:]
    if not (lead and isinstance(lead[0], nodes.paragraph)):
        lead, rest = [], beside
    boxes = [_box("foreword", lead)] if lead else []
    return [_box("one-screen", [*boxes, _box("pane", [live]), _box("beside", rest)])]


def summary_html(title: str) -> str:
    """Return a fold's title, with its kind above it.

    >>> summary_html("For the sceptic: why 90,000")
    '<span class="fold-kind">For the sceptic</span> <span class="fold-title">Why 90,000</span>'
    """
    kind = KIND.fullmatch(title)
    if not kind:
        return f'<span class="fold-title">{escape(title)}</span>'
    words = kind["title"][0].upper() + kind["title"][1:]
    return (
        f'<span class="fold-kind">{kind["kind"]}</span> '
        f'<span class="fold-title">{escape(words)}</span>'
    )


def _fold(title: str, content: list[nodes.Node]) -> list[nodes.Node]:
    head = f'<details class="fold"><summary>{summary_html(title)}</summary>'
    return [_raw(head), _box("folded", content), _raw("</details>")]


def _answer(title: str, content: list[nodes.Node]) -> list[nodes.Node]:
    return [_box("answer", content)]


def _lab(title: str, content: list[nodes.Node]) -> list[nodes.Node]:
    name, _, question = title.partition(" | ")
    if not (LABS / name / "lab.js").exists():
        raise ValueError(f"<!-- lab: {name} -->: book/_static/labs has no such lab")
    guess = f' data-guess="{escape(question)}"' if question else ""
    head = (
        f'<section class="tunables-lab" id="lab-{name}" data-lab="{name}"{guess} aria-label="Lab">'
    )
    return [_raw(head), _box("lab-without-scripts", content), _raw("</section>")]


KINDS = {"pane": _pane, "fold": _fold, "answer": _answer, "lab": _lab}


def _mark(node: nodes.Node) -> re.Match | None:
    return COMMENT.fullmatch(node.astext()) if isinstance(node, nodes.raw) else None


def group(children: list[nodes.Node], open_kind: str = "") -> list[nodes.Node]:
    """Return nodes of one parent with each block in a box; takes them from the list's front.

    Raises ValueError for a block that does not end, or ends where it did not begin.
    """
    result: list[nodes.Node] = []
    while children:
        node = children.pop(0)
        mark = _mark(node)
        if not mark:
            result.append(node)
        elif not mark["end"]:
            result += KINDS[mark["kind"]](mark["title"] or "", group(children, mark["kind"]))
        elif mark["kind"] == open_kind:
            return result
        else:
            raise ValueError(f"{node.astext().strip()}: no such block is open here")
    if open_kind:
        raise ValueError(f"<!-- {open_kind} -->: must end under the heading that it began under")
    return result


def remove_comments(tree: nodes.Element) -> None:
    """Take out of a tree what is a comment and nothing else."""
    for node in list(tree.findall(nodes.raw)):
        if ANY_COMMENT.fullmatch(node.astext().strip()):
            node.parent.remove(node)


class Blocks(SphinxPostTransform):
    """Puts each block into its box."""

    default_priority = 900  # the outputs of the cells have been chosen
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Group the children of all that holds a block's comment."""
        for parent in {
            node.parent: None for node in self.document.findall(nodes.raw) if _mark(node)
        }:
            children = list(parent.children)
            parent.children = []
            parent.extend(group(children))
        remove_comments(self.document)


class Labels(SphinxPostTransform):
    """Marks the paragraphs that begin with one of the labels."""

    default_priority = 910  # after the blocks
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Add the classes."""
        for paragraph in self.document.findall(nodes.paragraph):
            mark_label(paragraph)


def mark_label(paragraph: nodes.paragraph) -> None:
    """Give a paragraph the class of its label, if it begins with one."""
    # MyST begins a paragraph of a notebook with a text of no letters.
    first = next((child for child in paragraph.children if child.astext()), None)
    if isinstance(first, nodes.strong) and first.astext() in LABELS:
        paragraph["classes"].append(LABELS[first.astext()])
        first.children = [nodes.Text(first.astext().rstrip("."))]


def setup(app) -> dict:
    """Register the transforms."""
    app.add_post_transform(Blocks)
    app.add_post_transform(Labels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
