"""`diagram(chapter)`: the chapter's system on its first screen, as a picture with alternative text.

The page's script makes the symbols answer: see book/_static/page/diagram.js.
"""

from dataclasses import dataclass
from html import escape

from tunables.core.diagram import Diagram
from tunables.core.registry import find_diagram
from tunables.views.charts import with_pictures


@dataclass(frozen=True)
class DiagramView:
    """A diagram as a cell shows it: a figure, or its words."""

    diagram: Diagram

    def __repr__(self) -> str:
        return self.diagram.words

    def _repr_html_(self) -> str:
        return with_pictures(
            '<figure class="tunables-diagram">'
            f'<div class="diagram-drawing">{self.diagram.drawing}</div>'
            f"<figcaption>{escape(self.diagram.caption)}</figcaption></figure>"
        )


def diagram(chapter: str | int) -> DiagramView:
    """Return the diagram of a chapter's system.

    Raises ValueError for a chapter without one, and for a `diagram.svg` that has a fault.
    """
    return DiagramView(find_diagram(chapter))
