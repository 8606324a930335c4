"""Sphinx extension: classes in place of style attributes, which no policy tells from smuggled ones.

KaTeX places each letter by such an attribute. Their rules stand in a file of the book instead.
"""

import re
from hashlib import sha256
from html import unescape
from pathlib import Path

SHEET = "style-attributes.css"
STYLED = re.compile(r'<\w+[^<>]* style="[^"]*"[^<>]*>')
STYLE = re.compile(r' style="([^"]*)"')


def _class(style: str) -> str:
    return f"s-{sha256(style.encode()).hexdigest()[:8]}"


def _classed(match: re.Match) -> str:
    tag = match[0]
    name = _class(STYLE.findall(tag)[0])
    tag = STYLE.sub("", tag)
    if ' class="' in tag:
        return tag.replace(' class="', f' class="{name} ', 1)
    return re.sub(r"^<\w+", rf'\g<0> class="{name}"', tag)


def rules(html: str) -> set[str]:
    """Return a rule for each style attribute of a page; as these did, it wins over all others."""
    made = set()
    for tag in STYLED.findall(html):
        style = STYLE.findall(tag)[0]
        each = [part.strip() for part in unescape(style).split(";") if part.strip()]
        made.add(f".{_class(style)} {{ {' '.join(f'{part} !important;' for part in each)} }}")
    return made


def classed(html: str) -> str:
    """Return a page with the classes of these rules in place of its style attributes."""
    return STYLED.sub(_classed, html)


def write(static: Path, found: set[str]) -> None:
    """Write the rules; those of pages that were not built again stand in the file already."""
    sheet = static / SHEET
    kept = set(sheet.read_text(encoding="utf-8").splitlines()) if sheet.exists() else set()
    sheet.write_text("".join(f"{rule}\n" for rule in sorted(kept | found)), encoding="utf-8")


def setup(app) -> dict:
    """Register the style sheet."""
    app.add_css_file(SHEET)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
