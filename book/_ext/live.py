"""Sphinx extension: loads the script that wakes the live parts of a page."""

import re

# What asks the Python engine as soon as the page is there.
ASKING = re.compile(r'class="tunables-(?:explorer|guess|validity|practice)')


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the script of one page; where parts will ask the engine, have it start meanwhile."""
    engine = "now" if ASKING.search(context.get("body", "")) else "when-asked"
    # The script need not wait for the page to be read, and the engine takes the longest.
    how = {"async": "async", "fetchpriority": "high", "data-engine": engine}
    app.add_js_file("vendor/page.js", **how)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
