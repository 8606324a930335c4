"""Sphinx extension: the chapters as the front page shows them, and its contents without them.

The directive `chapter-cards` makes a card of each.
"""

from html import escape

from chapter_page import ChapterPage, chapters
from docutils import nodes
from miniatures import miniature
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

SHOWN_AS_CARDS = "Chapters"  # in book/_toc.yml
AFTER_THE_CONTENTS = 900  # the priority: sphinx-external-toc then has put them in


def card(chapter: ChapterPage, address: str) -> str:
    """Return a chapter's card: its run in miniature, its question and its setting."""
    return (
        f'<li><a class="chapter-card" href="{address}">{miniature(chapter.slug)}'
        f'<span class="card-number">{chapter.number}</span>'
        f'<span class="card-title">{escape(chapter.title)}</span>'
        f'<span class="card-question">{escape(chapter.question)}</span>'
        f'<span class="card-tunable"><b>Setting</b> {escape(chapter.tunable)}</span></a></li>'
    )


class ChapterCards(SphinxDirective):
    """A list with a card for each chapter."""

    def run(self):
        builder, here = self.env.app.builder, self.env.docname
        for chapter in chapters():
            self.env.note_dependency(self.env.doc2path(chapter.page))
        items = "".join(
            card(chapter, escape(builder.get_relative_uri(here, chapter.page)))
            for chapter in chapters()
        )
        return [nodes.raw("", f'<ol class="{self.name}">{items}</ol>', format="html")]


def leave_out_chapters(app, doctree: nodes.document) -> None:
    """Leave the chapters out of the contents of the front page, which shows them as cards."""
    for toctree in doctree.findall(addnodes.toctree):
        if toctree["caption"] == SHOWN_AS_CARDS:
            toctree["hidden"] = True


def setup(app) -> dict:
    """Register the directives."""
    app.add_directive("chapter-cards", ChapterCards)
    app.connect("doctree-read", leave_out_chapters, priority=AFTER_THE_CONTENTS)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
