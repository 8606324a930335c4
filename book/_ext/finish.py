"""Sphinx extension: the last work on the written pages. Done twice, it changes nothing more."""

from pathlib import Path

from holds import told
from icons import inline
from offline import lean
from policy import guarded
from style_attributes import classed, rules, write

from tunables.reader.compiled import compile_charts
from tunables.reader.pictures import with_drawings


def finish(app, exception) -> None:
    """Compile the charts of all pages, draw their icons, drop what they do not need.

    And have each say what it holds, and what it may run.
    """
    if exception:
        return
    styles: set[str] = set()
    for path in sorted(Path(app.outdir).rglob("*.html")):
        before = path.read_text(encoding="utf-8")
        after = told(inline(compile_charts(lean(with_drawings(before), path.stem))))
        styles |= rules(after)
        after = guarded(classed(after))
        if after != before:
            path.write_text(after, encoding="utf-8")
    write(Path(app.outdir) / "_static", styles)


def setup(app) -> dict:
    """Register the extension."""
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
