"""Sphinx extension: leaves out of the pages what they do not need, and mends their roles.

Jupyter Book puts Thebe's scripts into every page, twice, and they name another host. This book's
live models need neither a kernel nor the network. The theme puts the search index into every
page; only the search page reads it. And it has a page wait for scripts before its text shows.
"""

import re

UNUSED = ("sphinx-thebe", "design-tabs")
# What a widget's front end would begin with, under names drawn by chance: the pages have none.
WIDGETS = "application/vnd.jupyter.widget-state+json"
SEARCH = re.compile(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>')
THEBE = re.compile(
    r'<script type="text/x-thebe-config">.*?</script>|<script>kernelName = .*?</script>', re.S
)
# Scripts of the theme that a page may read on without; others are named by scripts in the page.
WAITING = re.compile(r'<script src="(?![^"]*documentation_options)')
# The theme begins with colours that no style knows, and its script sets them once the page stands:
# all of it is then styled anew, and a dark one was light before.
UNKNOWN_COLOURS = 'getItem("theme") || "auto"'
SYSTEMS = 'matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"'
COLOURS = f'getItem("theme") || ({SYSTEMS})'
MENDED = {
    ' role="doc-biblioentry"': ' role="listitem"',  # withdrawn by the ARIA standard
    ' aria-label="Toggle hidden content"': "",  # it hides the text that stands in the summary
}


def _is_unused(asset) -> bool:
    given = getattr(asset, "attributes", {})
    name = str(getattr(asset, "filename", asset))
    return (
        given.get("type") == WIDGETS
        or "THEBE_JS_URL" in (given.get("body") or "")
        or any(part in name for part in UNUSED)
    )


def drop_unused(app, pagename, templatename, context, doctree) -> None:
    """Leave out of one page's scripts and styles those that it does not use."""
    for kind in ("script_files", "css_files"):
        context[kind] = [asset for asset in context[kind] if not _is_unused(asset)]


def mend_body(app, pagename, templatename, context, doctree) -> None:
    """Replace what makes a page unclear to readers who listen to it, and drop Thebe's settings."""
    body = THEBE.sub("", context.get("body", ""))
    for old, new in MENDED.items():
        body = body.replace(old, new)
    context["body"] = body


def lean(html: str, pagename: str) -> str:
    """Return a finished page without the search index, unless it is the search page.

    Its scripts wait until it is read, so that the text comes first, in its colours.
    """
    html = html.replace(UNKNOWN_COLOURS, COLOURS)
    if pagename == "search":
        return html
    return WAITING.sub('<script defer src="', SEARCH.sub("", html))


def setup(app) -> dict:
    """Register the extension; it runs after all those that add scripts."""
    app.connect("html-page-context", drop_unused, priority=900)
    app.connect("html-page-context", mend_body)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
