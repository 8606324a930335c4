"""What the build leaves out of style sheets and fonts is nothing that a page shows."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.conftest import SITE

pytestmark = pytest.mark.browser
PATHS = [
    *("book/index.html", "book/ledger.html", "book/teaching/own-case.html", "search.html"),
    *(path.relative_to(SITE).as_posix() for path in sorted(SITE.glob("labs/*.html"))),
    *(path.relative_to(SITE).as_posix() for path in sorted(SITE.glob("chapters/*.html"))),
]
# Package: where in it the sheet is, and what its file in the site is called.
SHEETS = {
    "pydata_sphinx_theme": (
        "theme/pydata_sphinx_theme/static/styles/pydata-sphinx-theme.css",
        "styles/pydata-sphinx-theme.css",
    ),
    "sphinx_book_theme": (
        "theme/sphinx_book_theme/static/styles/sphinx-book-theme.css",
        "styles/sphinx-book-theme.css",
    ),
    "sphinx_design": ("static/sphinx-design.min.css", "sphinx-design.min.css"),
    "myst_nb": ("static/mystnb.css", "mystnb.*.css"),
}
# What only the whole sheet has: the selectors, and those that match something in the page, whatever
# state it would have to be in.
REMOVED = r"""
([whole, trimmed]) => {
  const states = ['before', 'after', 'hover', 'focus', 'focus-visible', 'focus-within', 'active',
    'visited', 'checked', 'disabled', 'target', 'open', 'placeholder', 'marker'].join('|');
  const state = new RegExp(`::?(?:${states}|file-selector-button|-[\\w-]+)(?![\\w-])`, 'g');
  const selectorsOf = (rules, media = '') => [...rules].flatMap((rule) => (rule.selectorText
    ? rule.selectorText.split(/,(?![^(]*\))/).map((one) => [media, one.trim()])
    : selectorsOf(rule.cssRules ?? [], media + rule.conditionText)));
  const [all, kept] = [whole, trimmed].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return selectorsOf(sheet.cssRules);
  });
  const there = new Set(kept.map(String));
  const removed = all.filter((one) => !there.has(String(one))).map(([, selector]) => selector);
  const bare = (selector) => selector.replace(/^$|(?<=[\s>+~(,])(?=::?)|^(?=::?)/g, '*')
    .replace(state, '').replaceAll(':not()', '');
  const used = removed.filter((one) => document.querySelector(bare(one)));
  return { count: removed.length, used };
}
"""


def whole_sheet(package: str) -> str:
    """Return a package's style sheet as it is installed."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / SHEETS[package][0]).read_text(encoding="utf-8")


@pytest.mark.sampled
@pytest.mark.parametrize("path", PATHS)
def test_no_rule_that_a_page_uses_is_left_out(reader, path):
    page = reader().open_when_ready(path)
    for package, (_, name) in SHEETS.items():
        (trimmed,) = (SITE / "_static").glob(name)
        sheets = [whole_sheet(package), trimmed.read_text(encoding="utf-8")]
        removed = page.evaluate(REMOVED, sheets)
        assert removed["count"] > 100 or package == "sphinx_book_theme"
        assert removed["used"] == []


@pytest.mark.sampled
@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("chapters/")])
def test_every_sign_of_a_formula_is_in_a_font_of_the_book(reader, path):
    page = reader().open_when_ready(path)
    devtools = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        devtools.send(f"{domain}.enable")
    root = devtools.send("DOM.getDocument")["root"]["nodeId"]
    found = devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": ".katex-html .mord"})
    fonts = [
        font
        for node in found["nodeIds"]
        for font in devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    ]
    assert fonts
    assert {font["familyName"] for font in fonts if not font["isCustomFont"]} == set()
