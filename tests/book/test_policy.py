"""The built pages as files: each has its policy, and holds nothing that this would refuse."""

import base64
import hashlib
import re
from functools import cache
from html.parser import HTMLParser

import pytest

from tests.book.test_site import PAGES, SITE

CODE = ("", "text/javascript", "module")  # of a script; any other type is data
ALLOWED = {"'self'", "'none'", "'wasm-unsafe-eval'", "data:", "blob:"}
HASH = re.compile(r"'sha256-[\w+/]{43}='")

each_page = pytest.mark.parametrize(
    "path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix()
)


class _Page(HTMLParser):
    """Collects a page's policy, what stood before it, its attributes, its scripts and styles."""

    def __init__(self):
        super().__init__()
        self.policy: dict[str, list[str]] = {}
        self.before: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.inline: dict[str, list[str]] = {"script": [], "style": []}
        self.within = ""

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self.attributes += [(tag, name, value) for name, value in given.items()]
        if given.get("http-equiv") == "Content-Security-Policy":
            parts = (part.split() for part in given["content"].split(";"))
            self.policy = {name: sources for name, *sources in parts}
        elif not self.policy:
            self.before.append(tag)
        runs = tag == "script" and "src" not in given and given.get("type", "") in CODE
        self.within = tag if runs or tag == "style" else ""
        if self.within:
            self.inline[tag].append("")

    def handle_data(self, data):
        if self.within:
            self.inline[self.within][-1] += data

    def handle_endtag(self, tag):
        self.within = ""


@cache
def read(path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@each_page
def test_a_page_begins_with_its_policy(path):
    page = read(path)
    assert page.policy["default-src"] == ["'self'"]
    assert set(page.before) <= {"html", "head", "meta"}
    assert page.policy["base-uri"] == page.policy["object-src"] == ["'none'"]
    told = {source for sources in page.policy.values() for source in sources}
    assert not {source for source in told - ALLOWED if not HASH.fullmatch(source)}


@each_page
def test_it_names_what_stands_in_the_page_and_nothing_more(path):
    page = read(path)
    for kind, texts in page.inline.items():
        named = {source for source in page.policy[f"{kind}-src"] if HASH.fullmatch(source)}
        assert named == {hash_source(text) for text in texts}


@each_page
def test_no_attribute_holds_a_script_or_a_style(path):
    strange = [
        (tag, name, value)
        for tag, name, value in read(path).attributes
        if name.startswith("on")
        or name == "style"
        or value.strip().lower().startswith("javascript:")
    ]
    assert strange == []


@each_page
def test_the_class_of_each_style_has_its_rule(path):
    rules = (SITE / "_static" / "style-attributes.css").read_text(encoding="utf-8")
    given = [value for _, name, value in read(path).attributes if name == "class"]
    classes = {each for value in given for each in value.split() if re.fullmatch(r"s-\w{8}", each)}
    assert {each for each in classes if f".{each} {{" not in rules} == set()


def test_formulas_are_placed_by_such_rules():
    formulas = [path for path in PAGES if 'class="katex' in path.read_text(encoding="utf-8")]
    assert any(re.search(r'class="s-\w{8} strut"', path.read_text()) for path in formulas)
