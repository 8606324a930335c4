"""What a page may load and run: a Content-Security-Policy in its head, computed from the page.

A browser then runs no script and takes no style but the book's own files, and what was in the
page when it was built, which the policy names by its hash. No attribute holds a script or a style:
the bar replaces the theme's buttons, and finish.py moves style attributes into a file.
"""

import base64
import hashlib

from bs4 import BeautifulSoup, Tag

ALLOWED = {
    "default-src": "'self'",  # fonts, and what Firefox fetches of the next page
    "script-src": "'self' 'wasm-unsafe-eval'",  # the engine and the kernels are WebAssembly
    "style-src": "'self'",
    "img-src": "'self' data:",  # the theme's signs
    "connect-src": "'self' data:",  # opened from disk, a page has its engine as data in a script
    "worker-src": "'self' blob:",  # the same for the engine's worker; those of labs are packed too
    "form-action": "'self'",  # the search
    "object-src": "'none'",
    "frame-src": "'none'",
    "base-uri": "'none'",
}
MARK = '<meta http-equiv="Content-Security-Policy"'
CODE = ("", "text/javascript", "module")  # the types of a script that a browser runs


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _is_inline(tag: Tag) -> bool:
    return tag.name == "style" or ("src" not in tag.attrs and tag.get("type", "") in CODE)


def policy(page: BeautifulSoup) -> str:
    """Return the policy of a page: what every page may load, and the hashes of its own scripts."""
    hashes: dict[str, set[str]] = {"script-src": set(), "style-src": set()}
    for tag in page.find_all(["script", "style"]):
        if _is_inline(tag):
            hashes[f"{tag.name}-src"].add(_hash(tag.string or ""))
    return "; ".join(
        " ".join([kind, sources, *sorted(hashes.get(kind, ()))])
        for kind, sources in ALLOWED.items()
    )


def add_policy(page: BeautifulSoup) -> None:
    """Put a page's policy before everything that it applies to."""
    attributes = {"http-equiv": "Content-Security-Policy", "content": policy(page)}
    tag = page.new_tag("meta", attrs=attributes)
    encoding = page.find("meta", charset=True)
    if encoding:
        encoding.insert_after("\n", tag)
    else:  # parts of pages, which the theme leaves among its files, have no head
        page.insert(0, tag)
