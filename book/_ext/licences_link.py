"""Sphinx extension: the foot of each page leads to the licences of what the pages load."""

FILE = "_static/vendor/licences.txt"


def link(app, pagename, templatename, context, doctree) -> None:
    """Add the link to one page's foot."""
    address = context["pathto"](FILE, resource=True)
    context["theme_extra_footer"] += f'<a href="{address}">Licences of what the pages load</a>.'


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
