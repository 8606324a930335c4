"""Sphinx extension: the search finds numbers; book/_bundle/search.js ranks and quotes the pages.

A number is one word, with or without its commas, in the outputs of code as well.
"""

import pickle
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import ENV_PICKLE_FILENAME
from sphinx.search.en import SearchEnglish

FRONT = Path(__file__).parents[1] / "_bundle" / "search.js"
# As WORD in search.js.
WORD = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?(?!\w)|\d+\.\d+(?!\w)|\w+")
NO_TEXT = re.compile(r"<(script|style|svg)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^<]+?>")


class English(SearchEnglish):
    """English with its numbers."""

    def split(self, input: str) -> list[str]:
        """Return the words of a text, numbers without their commas."""
        return [word.replace(",", "") for word in WORD.findall(input)]

    def word_filter(self, word: str) -> bool:
        """Say whether a word is to be found: a number is, too, which Sphinx 9 leaves out."""
        return word not in self.stopwords


def searchable(doctree: nodes.document) -> nodes.document:
    """Return a copy with the text of raw HTML in place of its markup, cells separated."""
    copy = doctree.deepcopy()
    for raw in list(copy.findall(nodes.raw)):
        text = TAG.sub(" ", NO_TEXT.sub(" ", raw.astext()))
        raw.parent.replace(raw, nodes.Text(text if raw.get("format") == "html" else ""))
    return copy


def index_texts(app) -> None:
    """Have the builder index what `searchable` returns of a page."""
    if not hasattr(app.builder, "index_page"):
        return
    index = app.builder.index_page
    app.builder.index_page = lambda name, doctree, title: index(name, searchable(doctree), title)


def keep_index(app, exception) -> None:
    """Store the environment again: Sphinx does so before it indexes the words of the glossary.

    Without this, a build of the changed pages alone would leave out those of all others.
    """
    if exception is None and hasattr(app.builder, "index_page"):
        with (Path(app.doctreedir) / ENV_PICKLE_FILENAME).open("wb") as file:
            pickle.dump(app.env, file, pickle.HIGHEST_PROTOCOL)


def setup(app) -> dict:
    """Register the language, the page's script, and the index."""
    app.add_search_language(English)
    app.config.html_search_scorer = str(FRONT)
    app.connect("builder-inited", index_texts)
    app.connect("build-finished", keep_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
