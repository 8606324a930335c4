"""The theme's icons as small pictures in the page, in place of the script that draws them.

Font Awesome's script is 1.5 MB and knows two thousand icons; a page shows a dozen.
Icons: Font Awesome Free, CC BY 4.0.
"""

import re
from functools import cache
from pathlib import Path

import pydata_sphinx_theme

SCRIPT = Path(pydata_sphinx_theme.__file__).parent / (
    "theme/pydata_sphinx_theme/static/scripts/fontawesome.js"
)
LOADER = re.compile(r"<(?:script|link)[^>]*fontawesome\.js[^>]*>(?:</script>)?")
ICON = re.compile(r'<(i|span) class="([^"]*\bfa-[^"]*)"([^>]*)></\1>')
SIZES = {"fa-lg", "fa-fw", "fa-solid", "fa-brands", "fa-regular"}


@cache
def _script() -> str:
    return SCRIPT.read_text(encoding="utf-8")


@cache
def _drawing(name: str) -> tuple[str, str, str]:
    """Return width, height and outline of an icon. Raises ValueError for an unknown one."""
    pattern = rf'[,{{]"?{re.escape(name)}"?:\[(\d+),(\d+),\[[^\]]*\],"[0-9a-f]+","([^"]+)"\]'
    found = re.search(pattern, _script())
    if not found:
        raise ValueError(f"icon = {name!r}: must be one that Font Awesome's script knows")
    return found[1], found[2], found[3]


def _svg(match: re.Match) -> str:
    _, classes, rest = match.groups()
    name = next(c for c in classes.split() if c.startswith("fa-") and c not in SIZES)
    width, height, path = _drawing(name.removeprefix("fa-"))
    return (
        f'<svg class="drawn {classes}" viewBox="0 0 {width} {height}" aria-hidden="true"'
        f'{rest}><path fill="currentColor" d="{path}"/></svg>'
    )


def inline(html: str) -> str:
    """Return a finished page with its icons drawn in it, and without their script."""
    return ICON.sub(_svg, LOADER.sub("", html))
