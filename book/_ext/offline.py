"""Sphinx extension: takes Thebe's scripts out of the pages, and mends their roles.

Jupyter Book adds them to every page, twice, and they name another host. This book's live models
need neither a kernel nor the network.
"""


def _is_thebe(script) -> bool:
    body = getattr(script, "attributes", {}).get("body") or ""
    return "THEBE_JS_URL" in body or "sphinx-thebe" in str(getattr(script, "filename", script))


def drop_thebe(app, pagename, templatename, context, doctree) -> None:
    """Leave out of one page's scripts those that Thebe put there."""
    context["script_files"] = [s for s in context["script_files"] if not _is_thebe(s)]
    context["css_files"] = [s for s in context["css_files"] if not _is_thebe(s)]


MENDED = {
    ' role="doc-biblioentry"': ' role="listitem"',  # withdrawn by the ARIA standard
    ' aria-label="Toggle hidden content"': "",  # it hides the text that stands in the summary
}


def mend_roles(app, pagename, templatename, context, doctree) -> None:
    """Replace what makes a page unclear to readers who listen to it."""
    for old, new in MENDED.items():
        context["body"] = context.get("body", "").replace(old, new)


def setup(app) -> dict:
    """Register the extension; it runs after all those that add scripts."""
    app.connect("html-page-context", drop_thebe, priority=900)
    app.connect("html-page-context", mend_roles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
