"""Sphinx extension: the last work on the written pages. Done twice, it changes nothing more."""

from pathlib import Path

from holds import told
from icons import inline
from offline import lean

from tunables.reader.compiled import compile_charts
from tunables.reader.pictures import with_drawings


def finish(app, exception) -> None:
    """Compile the charts of all pages, draw their icons, drop what they do not need.

    And have each say what it holds.
    """
    if exception:
        return
    for path in sorted(Path(app.outdir).rglob("*.html")):
        before = path.read_text(encoding="utf-8")
        after = told(inline(compile_charts(lean(with_drawings(before), path.stem))))
        if after != before:
            path.write_text(after, encoding="utf-8")


def setup(app) -> dict:
    """Register the extension."""
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
