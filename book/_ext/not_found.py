"""Sphinx extension: the page that a host shows for an address which leads nowhere.

It is shown at any depth of addresses, so it loads no file and finds the book's root by itself.
"""

from html import escape
from pathlib import Path

PAGE = Path(__file__).with_name("not_found.html")


def write(app, exception) -> None:
    """Write 404.html; the site's address, if it is known, goes before what a script can guess."""
    if not exception:
        text = PAGE.read_text().replace("BASEURL", escape(app.config.html_baseurl))
        (Path(app.outdir) / "404.html").write_text(text)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
