"""What a page may load and run: a Content-Security-Policy in its head, computed from the page.

A browser then runs no script and takes no style but the book's own files, and what stood in the
page when it was built, which the policy names by its hash. No attribute holds a script or a style:
theme.js binds the theme's buttons, and style_attributes.py moves KaTeX's styles into a file.
"""

import base64
import hashlib
import re

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
INLINE = re.compile(r"<(script|style)\b([^>]*)>(.*?)</\1>", re.DOTALL)
NOT_RUN = re.compile(r'\bsrc=|\btype="(?!text/javascript|module)')  # a file, or data for a script
ENCODING = re.compile(r'<meta charset="utf-8"[^>]*>')
MARK = '<meta http-equiv="Content-Security-Policy"'
HANDLERS = re.compile(r' onclick="(?:window\.print|toggleFullScreen)\(\)"')  # the theme's


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def policy(html: str) -> str:
    """Return the policy of a page: what each may load, and the hashes of what stands in it."""
    hashes: dict[str, set[str]] = {"script": set(), "style": set()}
    for kind, attributes, text in INLINE.findall(html):
        if not NOT_RUN.search(attributes):
            hashes[kind].add(_hash(text))
    standing = {f"{kind}-src": sorted(found) for kind, found in hashes.items()}
    return "; ".join(
        " ".join([kind, sources, *standing.get(kind, [])]) for kind, sources in ALLOWED.items()
    )


def guarded(html: str) -> str:
    """Return a finished page with its policy, before all that it is for. Twice is once."""
    if MARK in html:
        return html
    html = HANDLERS.sub("", html)
    encoding = ENCODING.search(html)
    start = encoding.end() if encoding else 0  # the first page has no head: it only leads on
    return f'{html[:start]}\n{MARK} content="{policy(html)}">{html[start:]}'
