"""Sphinx extension: tells the styles what a page holds, by classes.

The styles could ask by `:has()`. Then a browser looks through the page after each change of it:
12 ms on a quiet laptop, several times while a page loads and once a frame while a stage runs.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

# The body's class, and the markup that stands for it.
PAGES = {"holds-panes": 'class="one-screen', "holds-front": 'class="front-top'}
DIAGRAM = 'class="tunables-diagram"'
BODY = '<body data-default-mode="auto"'


def told(html: str) -> str:
    """Return a finished page whose body says what it holds. Done twice, it changes nothing more."""
    held = " ".join(name for name, markup in PAGES.items() if markup in html)
    return html.replace(f"{BODY}>", f'{BODY} class="{held}">', 1) if held else html


class Diagrams(SphinxPostTransform):
    """Marks the cell that holds a diagram, and the section that holds the cell."""

    default_priority = 910  # after the blocks
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Add the classes."""
        for raw in list(self.document.findall(nodes.raw)):
            if DIAGRAM not in raw.astext():
                continue
            cell = raw.parent
            while "cell" not in cell["classes"]:
                cell = cell.parent
            cell["classes"].append("holds-diagram")
            cell.parent["classes"].append("opens-with-diagram")


def setup(app) -> dict:
    """Register the transform."""
    app.add_post_transform(Diagrams)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
