"""Sphinx extension: what a page says of itself to search engines and to those who share it."""

import json
import os
from html import escape
from pathlib import Path

DESCRIPTIONS = Path(__file__).parents[1] / "descriptions.json"
SITE_NAME = "Tunables"
BY_DEFAULT = (
    "An interactive book: six models that reproduce five published performance reports, "
    "run in the page, and say which numbers they were fitted to and which they predict."
)
PICTURE = "_static/preview.png"
PICTURE_TEXT = "Tunables: six settings, six cliffs. A curve that stays flat and then falls."


def take_address(app, config) -> None:
    """Take the site's public address from TUNABLES_BASEURL, if it is given."""
    given = os.environ.get("TUNABLES_BASEURL", config.html_baseurl)
    config.html_baseurl = given.rstrip("/") + "/" if given else ""


def tags(app, pagename, templatename, context, doctree) -> None:
    """Add description and preview to one page's head; addresses are absolute if known."""
    sentence = json.loads(DESCRIPTIONS.read_text()).get(pagename, BY_DEFAULT)
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
