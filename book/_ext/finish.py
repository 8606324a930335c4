"""Sphinx extension: the last work on the written pages. Done twice, it changes nothing more.

Each page is parsed once. What it does not need is removed: Jupyter Book puts Thebe's scripts into
every page, twice, and they name another host, though the live models need neither a kernel nor the
network; the theme puts the search index into every page, though only the search page reads it, and
has a page wait for scripts before its text shows, two of which only work menus that the book's bar
replaces. Icons are drawn in the page, since Font Awesome's
script is 1.5 MB and knows two thousand icons, of which a page shows a dozen (Font Awesome Free,
CC BY 4.0). Classes and a style sheet replace style attributes, by which KaTeX places each letter:
a policy cannot tell these from smuggled ones.
"""

import re
import shutil
from functools import cache
from hashlib import sha256
from pathlib import Path

import pydata_sphinx_theme
from all_cores import for_each
from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.dammit import EntitySubstitution
from bs4.formatter import HTMLFormatter
from chapter_page import lay_out
from live import scripts, use_this_version
from policy import MARK, add_policy

from tunables.views.charts import compile_charts, with_drawings

SHEET = "style-attributes.css"
# What no page uses, by address, type and text. The second type is what a widget's front end would
# begin with, under random names: the pages have none.
UNUSED_FILE = re.compile(
    r"sphinx-thebe|togglebutton|design-tabs|(?:fontawesome|bootstrap|sphinx-book-theme)\.js"
)
UNUSED_TYPES = ("text/x-thebe-config", "application/vnd.jupyter.widget-state+json")
UNUSED_CODE = re.compile(
    r"kernelName = |.*THEBE_JS_URL|let toggle(?:Hint|Open)|var togglebuttonSelector"
)
SEARCH = re.compile(r"(?:searchtools|language_data|searchindex)\.js$")
# Scripts in the page use its names.
NOT_DEFERRED = "documentation_options"
# The theme begins with colours that no style knows, and its script sets them once the page has
# loaded: all of it is then styled again, and a dark page was light before.
UNKNOWN_COLOURS = 'getItem("theme") || "auto"'
SYSTEMS = 'matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"'
COLOURS = f'getItem("theme") || ({SYSTEMS})'
WITHDRAWN_ROLE, ROLE = "doc-biblioentry", "listitem"  # withdrawn by the ARIA standard
HIDING_LABEL = "Toggle hidden content"  # it hides the text in the summary
# Sphinx-exercise gives these to all exercises of a page, and no link leads to them.
REPEATED_IDS = ("exercise-content", "solution-content")
# A class of the body for what the page holds. Styles could ask by `:has()`, but then a browser
# looks through the page after each change: 12 ms on a quiet laptop, once a frame of an animation.
HOLDS = {"holds-panes": "one-screen", "holds-front": "hero"}
# The space between a number and its unit, at which no line may end.
UNITS = "ns|µs|ms|s|min|h|bytes|B|[kMG]B|[KMGT]iB|[kMG]?(?:b|bit|B)/s"
BEFORE_UNIT = re.compile(rf"(?<=\d) (?=(?:{UNITS})\b)")
NO_BREAK = "\N{NO-BREAK SPACE}"
NO_PROSE = {"pre", "code", "svg", "textarea", "button", "label", "option"}
FONT_AWESOME = Path(pydata_sphinx_theme.__file__).parent / (
    "theme/pydata_sphinx_theme/static/scripts/fontawesome.js"
)
ICON = re.compile(r"\bfa-")
SIZES = {"fa-lg", "fa-fw", "fa-solid", "fa-brands", "fa-regular"}
# The parser writes names in lower case.
NAMES = (
    *("viewBox", "preserveAspectRatio", "textLength", "lengthAdjust", "clipPath"),
    *("refX", "refY", "markerWidth", "markerHeight", "markerUnits"),
)
SVG_NAMES = {name.lower(): name for name in NAMES}


class _AsWritten(HTMLFormatter):
    """Keeps the order of attributes and the case of SVG's names."""

    def attributes(self, tag):
        return [(SVG_NAMES.get(name, name), value) for name, value in tag.attrs.items()]


def parse(html: str) -> BeautifulSoup:
    """Return a page as a tree that keeps its spaces, and its classes as text."""
    return BeautifulSoup(
        html, "html.parser", multi_valued_attributes=None, preserve_whitespace_tags={"html"}
    )


def text_of(page: BeautifulSoup) -> str:
    """Return a tree as HTML."""
    escape = EntitySubstitution.substitute_xml
    return page.decode(formatter=_AsWritten(escape, void_element_close_prefix=""))


def remove_unused(page: BeautifulSoup, name: str) -> None:
    """Remove scripts and styles that a page does not use, and have its other scripts wait.

    A page's text then comes first, in its colours; the search page keeps the search index.
    """
    for tag in page.find_all(["script", "link"]):
        source = str(tag.get("src") or tag.get("href") or "").partition("?")[0]
        text = tag.string or ""
        if UNUSED_FILE.search(source) or tag.get("type") in UNUSED_TYPES or UNUSED_CODE.match(text):
            tag.decompose()
        elif tag.name == "script" and source and name != "search":
            if SEARCH.search(source):
                tag.decompose()
            elif next(iter(tag.attrs)) == "src" and NOT_DEFERRED not in source:
                tag.attrs = {"defer": "", **tag.attrs}
        elif UNKNOWN_COLOURS in text:
            tag.string = text.replace(UNKNOWN_COLOURS, COLOURS)


@cache
def _icon(name: str) -> tuple[str, str, str]:
    """Return width, height and outline of an icon. Raises ValueError for an unknown one."""
    pattern = rf'[,{{]"?{re.escape(name)}"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"\]'
    found = re.search(pattern, FONT_AWESOME.read_text(encoding="utf-8"))
    if not found:
        raise ValueError(f"icon = {name!r}: must be one that Font Awesome's script knows")
    return found[1], found[2], found[3]


def draw_icons(page: BeautifulSoup) -> None:
    """Replace a page's icons by drawings."""
    for tag in page.find_all(["i", "span"], class_=ICON):
        if tag.contents:
            continue
        classes = str(tag.attrs.pop("class"))
        name = next(c for c in classes.split() if c.startswith("fa-") and c not in SIZES)
        width, height, outline = _icon(name.removeprefix("fa-"))
        attributes = {"class": f"drawn {classes}", "viewbox": f"0 0 {width} {height}"}
        attributes |= {"aria-hidden": "true"}
        attributes |= {key: str(value) for key, value in tag.attrs.items()}
        drawing = page.new_tag("svg", attrs=attributes)
        drawing.append(page.new_tag("path", attrs={"fill": "currentColor", "d": outline}))
        tag.replace_with(drawing)


def fold_dropdowns(page: BeautifulSoup) -> None:
    """Make each box that Sphinx folds by a script one that folds by itself.

    The title of a solution is a link to the exercise above it, which would be a button in a button.
    """
    for box in page.select("div.dropdown.admonition"):
        title = box.find("p", class_="admonition-title")
        if not isinstance(title, Tag):
            continue
        summary = page.new_tag("summary")
        is_solution = "solution" in str(box["class"]).split()
        summary.string = "Solution" if is_solution else title.get_text()
        title.replace_with(summary)
        box.name = "details"
        box["class"] = str(box["class"]).replace("dropdown admonition", "is-dropdown")


def plain_signatures(page: BeautifulSoup) -> None:
    """Make the parameters of a long signature plain lines: Sphinx's list of them has no terms."""
    for lines in page.select("dt.sig dl"):
        for line in lines.find_all("dd"):
            line.name = "div"
            line["class"] = "sig-line"
        lines.name = "div"


def name_cells(page: BeautifulSoup) -> None:
    """Give each cell of a table that a phone shows row below row its column's name."""
    for table in page.select("table.stacks"):
        heads = [head.get_text(" ", strip=True) for head in table.select("thead th")]
        for row in table.select("tbody tr"):
            for head, cell in zip(heads, row.find_all("td"), strict=True):
                cell["data-head"] = head


def _is_prose(text: NavigableString) -> bool:
    """Say whether a text is the book's own words: live parts set theirs, and code keeps its own."""
    return type(text) is NavigableString and not any(
        part.name in NO_PROSE or str(part.get("class", "")).startswith("tunables-")
        for part in text.parents
        if isinstance(part, Tag)
    )


def keep_units(page: BeautifulSoup) -> None:
    """Put a no-break space between each number and its unit in the text."""
    article = page.select_one(".bd-article")
    for text in article.find_all(string=BEFORE_UNIT) if article else ():
        if _is_prose(text):
            text.replace_with(BEFORE_UNIT.sub(NO_BREAK, text))


def mark_body(page: BeautifulSoup) -> None:
    """Tell the styles by the body's class what a page holds."""
    classes = {str(tag.get("class", "")).split(" ")[0] for tag in page.find_all("div")}
    held = [name for name, what in HOLDS.items() if what in classes]
    if page.body and held:
        page.body["class"] = " ".join(held)


def _style_class(tag: Tag) -> str:
    """Move a tag's style attribute into a class, and return the rule of the class.

    It wins over all other rules, as the attribute did.
    """
    style = str(tag.attrs.pop("style"))
    name = f"s-{sha256(style.encode()).hexdigest()[:8]}"
    if "class" in tag.attrs:
        tag["class"] = f"{name} {tag['class']}"
    else:
        tag.attrs = {"class": name, **tag.attrs}
    parts = [part.strip() for part in style.split(";") if part.strip()]
    return f".{name} {{ {' '.join(f'{part} !important;' for part in parts)} }}"


def mend_attributes(page: BeautifulSoup) -> set[str]:
    """Mend the attributes of a page's tags; return the rules that replace style attributes."""
    rules = set()
    for tag in page.find_all(True):
        given = tag.attrs
        if tag.name in SVG_NAMES:
            tag.name = SVG_NAMES[tag.name]
        if given.get("role") == WITHDRAWN_ROLE:
            given["role"] = ROLE
        if given.get("aria-label") == HIDING_LABEL:
            del given["aria-label"]
        if given.get("id") in REPEATED_IDS:
            del given["id"]
        if "style" in given:
            rules.add(_style_class(tag))
    return rules


def finish_page(html: str, name: str) -> tuple[str, set[str]]:
    """Return the written page of a document as readers get it, and the rules for its styles.

    A page that an earlier build has finished only gets the scripts of this version.
    """
    html = use_this_version(html)
    if MARK in html:
        return html, set()
    page = parse(compile_charts(with_drawings(html)))
    remove_unused(page, name)
    draw_icons(page)
    lay_out(page, name)
    fold_dropdowns(page)
    plain_signatures(page)
    name_cells(page)
    keep_units(page)
    mark_body(page)
    rules = mend_attributes(page)
    add_policy(page)
    return text_of(page), rules


def remove_other_versions(vendor: Path) -> None:
    """Remove what earlier builds loaded from the written site."""
    for folder in vendor.glob("*/page.js"):
        if folder.parent.name != scripts().name:
            shutil.rmtree(folder.parent)


def write_rules(static: Path, rules: set[str]) -> None:
    """Add rules to the style sheet, which has those of pages that were not built again."""
    sheet = static / SHEET
    kept = set(sheet.read_text(encoding="utf-8").splitlines()) if sheet.exists() else set()
    sheet.write_text("".join(f"{rule}\n" for rule in sorted(kept | rules)), encoding="utf-8")


def finish_file(site: Path, path: Path) -> set[str]:
    """Finish a written page where it stands; return the rules for its styles."""
    before = path.read_text(encoding="utf-8")
    after, rules = finish_page(before, path.relative_to(site).with_suffix("").as_posix())
    if after != before:
        path.write_text(after, encoding="utf-8")
    return rules


def finish(app, exception) -> None:
    """Finish the pages."""
    if exception:
        return
    site = Path(app.outdir)
    remove_other_versions(site / "_static" / "vendor")
    rules = for_each(finish_file, site, sorted(site.rglob("*.html")))
    write_rules(site / "_static", set().union(*rules))


def setup(app) -> dict:
    """Register the extension and the style sheet that it writes."""
    app.add_css_file(SHEET)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
