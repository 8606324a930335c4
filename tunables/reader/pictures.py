"""Drawings as a notebook keeps them: as pictures.

JupyterLab drops drawings from the outputs of a notebook that it does not trust yet, and leaves the
words of their axes; pictures it shows. The book's pages hold the drawings again, whose ink is that
of the page.
"""

import re
from urllib.parse import quote, unquote

SPACE = ' xmlns="http://www.w3.org/2000/svg"'
# What a picture has of no page around it.
ALONE = ' style="background:#fff;color:#222;font-family:sans-serif"'
DRAWING = re.compile(r'(aria-label="([^"]*)">\s*)?<svg\b(.*?)</svg>', re.DOTALL)
LABEL = re.compile(r'aria-label="([^"]*)"')
SAFE = " !$'()*+,-./:;<=>?@[]^_`{|}~"  # but for what ends an attribute, or an address
PICTURE = re.compile(r'<img class="drawing" alt="[^"]*" src="data:image/svg\+xml,([^"]*)">')


def _picture(found: re.Match) -> str:
    before, label, inside = found.groups()
    head, end, rest = inside.partition(">")
    own = LABEL.search(head)
    words = own[1] if own else label or ""
    space = "" if SPACE in head else SPACE
    address = quote(f"<svg{ALONE}{space}{head}{end}{rest}</svg>", SAFE)
    return f'{before or ""}<img class="drawing" alt="{words}" src="data:image/svg+xml,{address}">'


def with_pictures(html: str) -> str:
    """Return markup with a picture in place of each drawing, and its label as words for it."""
    return DRAWING.sub(_picture, html)


def with_drawings(html: str) -> str:
    """Return markup with its drawings again in place of the pictures that `with_pictures` made."""
    return PICTURE.sub(lambda found: unquote(found[1]).replace(ALONE, "", 1), html)
