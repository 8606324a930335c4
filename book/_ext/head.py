"""Sphinx extension: what a page says of itself to search engines and to those who share it.

Its sentence is the `description` in the front matter, or in the notebook's metadata.
"""

import os
from html import escape

from sphinx.errors import ExtensionError

SITE_NAME = "Tunables"
OF_NO_SOURCE = {
    "genindex": "The book's index: its terms and where they are explained, from A to Z.",
    "search": "Search the text of the book in this page, without a server.",
}
PICTURE = "_static/vendor/preview.png"
PICTURE_TEXT = "Tunables: six settings, six cliffs. A curve that stays flat and then falls."


def take_address(app, config) -> None:
    """Take the site's public address from TUNABLES_BASEURL, if it is given."""
    given = os.environ.get("TUNABLES_BASEURL", config.html_baseurl)
    config.html_baseurl = given.rstrip("/") + "/" if given else ""


def tags(app, pagename, templatename, context, doctree) -> None:
    """Add description and preview to one page's head; addresses are absolute if known."""
    sentence = (context.get("meta") or {}).get("description") or OF_NO_SOURCE.get(pagename)
    if not sentence:
        raise ExtensionError(f"{pagename}: its front matter or metadata needs a description")
    base = app.config.html_baseurl
    title = context.get("title", SITE_NAME)
    picture = base + PICTURE if base else context["pathto"](PICTURE, resource=True)
    named = {"description": sentence, "twitter:card": "summary_large_image"}
    properties = {
        "og:type": "website",
        "og:site_name": SITE_NAME,
        "og:title": title,
        "og:description": sentence,
        "og:image": picture,
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": PICTURE_TEXT,
    }
    if base:
        properties["og:url"] = f"{base}{pagename}.html"
    context["metatags"] = (
        context.get("metatags", "")
        + "".join(f'\n<meta name="{k}" content="{escape(v)}" />' for k, v in named.items())
        + "".join(f'\n<meta property="{k}" content="{escape(v)}" />' for k, v in properties.items())
    )


def setup(app) -> dict:
    """Register the extension; its tags come before those of other extensions."""
    app.connect("config-inited", take_address)
    app.connect("html-page-context", tags, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
