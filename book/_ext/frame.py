"""Sphinx extension: what is around the text of every page, and the page for unknown addresses.

The head describes a page to search engines and to people who share it; its sentence is the
`description` in the front matter, or in the notebook's metadata. The foot links to the licences.
A server may show 404.html at any depth of addresses, so it loads no file and finds the book's root
by itself. index.html leads on to the front page and describes it, too: the site's own address is
what most people share.
"""

import os
from html import escape
from pathlib import Path
from string import Template

from previews import HEIGHT, WIDTH, Picture, page_picture
from sphinx.errors import ExtensionError

SITE_NAME = "Tunables"
GENERATED = {
    "genindex": "The book's index: its terms, from A to Z, and where they are explained.",
    "search": "Search the text of the book in your browser, without a server.",
}
LICENCES = "_static/vendor/licences.txt"
NOT_FOUND = Path(__file__).with_name("not_found.html")
ROOT = Template(Path(__file__).with_name("root.html").read_text(encoding="utf-8"))
TOKENS = Path(__file__).parents[1] / "styles" / "tokens.css"
# What the first screen of every page is set in; the italics of a page come when a text needs them.
FONTS = ("serif", "display", "sans")
ITALIC = "serif-italic"  # a chapter's question, under its title


def site_address(configured: str) -> str:
    """Return the site's public address: TUNABLES_BASEURL if it is set, or what is configured."""
    given = os.environ.get("TUNABLES_BASEURL", configured)
    return given.rstrip("/") + "/" if given else ""


def read_address(app, config) -> None:
    """Set the site's public address."""
    config.html_baseurl = site_address(config.html_baseurl)


def head_tags(title: str, sentence: str, picture: Picture, root: str, address: str = "") -> str:
    """Return what describes a page in its head: to search engines, and where it is shared.

    root: what the picture's address begins with, the site's address if it is known. address: the
    page's own, empty if the site's is unknown.
    """
    named = {"description": sentence, "twitter:card": "summary_large_image"}
    properties = {
        "og:type": "website",
        "og:site_name": SITE_NAME,
        "og:title": title,
        "og:description": sentence,
        "og:image": root + picture.path,
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": picture.words,
    }
    if address:
        properties["og:url"] = address
    return "".join(
        [f'\n<meta name="{k}" content="{escape(v)}" />' for k, v in named.items()]
        + [f'\n<meta property="{k}" content="{escape(v)}" />' for k, v in properties.items()]
    )


def add_tags(app, pagename, templatename, context, doctree) -> None:
    """Add description and preview to one page's head; addresses are absolute if known."""
    sentence = (context.get("meta") or {}).get("description") or GENERATED.get(pagename)
    if not sentence:
        raise ExtensionError(f"{pagename}: its front matter or metadata needs a description")
    base = app.config.html_baseurl
    title = context.get("title", SITE_NAME)
    picture = page_picture(pagename)
    root = base or context["pathto"](picture.path, resource=True).removesuffix(picture.path)
    address = f"{base}{pagename}.html" if base else ""
    tags = head_tags(title, sentence, picture, root, address)
    context["metatags"] = context.get("metatags", "") + tags


def preload_fonts(app, pagename, templatename, context, doctree) -> None:
    """Have one page's fonts come before its styles ask for them."""
    fonts = (*FONTS, ITALIC) if "<em>" in context.get("body", "") else FONTS
    context["metatags"] = context.get("metatags", "") + "".join(
        '\n<link rel="preload" as="font" type="font/woff2" crossorigin href="{}" />'.format(
            context["pathto"](f"_static/vendor/fonts/{font}.woff2", resource=True)
        )
        for font in fonts
    )


def link_licences(app, pagename, templatename, context, doctree) -> None:
    """Add a link to the licences to one page's foot."""
    address = context["pathto"](LICENCES, resource=True)
    context["theme_extra_footer"] += f'<a href="{address}">Licences of what the pages load</a>.'


def write_not_found(app, exception) -> None:
    """Write 404.html; the site's address, if it is known, goes before what a script can guess."""
    if not exception:
        text = NOT_FOUND.read_text().replace("BASEURL", escape(app.config.html_baseurl))
        text = text.replace("TOKENS", TOKENS.read_text(encoding="utf-8").strip())
        (Path(app.outdir) / "404.html").write_text(text)


def root_page(sentence: str, page: str, base: str) -> str:
    """Return the page at the site's own address, which leads on to the front page."""
    picture = page_picture(page)
    tags = head_tags(SITE_NAME, sentence, picture, base, f"{base}{page}.html" if base else "")
    if base:
        tags += f'\n<link rel="canonical" href="{escape(base)}{page}.html">'
    return ROOT.substitute(
        title=SITE_NAME, sentence=escape(sentence), tags=tags, page=f"{page}.html"
    )


def write_root(app, exception) -> None:
    """Write index.html, for which Sphinx's contents would else write one that only leads on."""
    if not exception:
        page = app.config.root_doc
        sentence = app.env.metadata[page]["description"]
        html = root_page(sentence, page, app.config.html_baseurl)
        (Path(app.outdir) / "index.html").write_text(html, encoding="utf-8")


def setup(app) -> dict:
    """Register the extension; its tags come before those of other extensions."""
    app.connect("config-inited", read_address)
    app.connect("html-page-context", add_tags, priority=600)
    app.connect("html-page-context", preload_fonts, priority=600)
    app.connect("html-page-context", link_licences)
    app.connect("build-finished", write_not_found)
    app.connect("build-finished", write_root)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
