"""A live part of the book as one Jupyter widget: the page's own script, answered by the kernel."""

import json
from typing import Any, Protocol

import anywidget
import traitlets

from tunables.resources import resource_folder
from tunables.views.charts import compile_charts, script_json, with_pictures
from tunables.views.tables import Table


def static_text(shown: str, wish: str) -> str:
    """Return the text of a static part: what it shows, and how to get what the user wants.

    >>> static_text("One problem of many.", "draw others")
    'One problem of many. To draw others, choose Run → Run All Cells in Jupyter; in a browser, \
enable JavaScript and serve the book with make serve.'
    """
    return (
        f"{shown} To {wish}, choose Run → Run All Cells in Jupyter; in a browser, enable "
        "JavaScript and serve the book with make serve."
    ).strip()


class LabPlace:
    """The numbers of a lab in the page, which shows them as a table until it runs."""

    def __init__(self, table: Table, description: dict):
        self.table, self.description = table, description

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return (
            '<script type="application/json" class="lab-published">'
            f"{script_json(self.description)}</script>{self.table._repr_html_()}"
        )


FRONT = resource_folder("_build/front")
ASSETS = ("vega.js",)  # what a notebook asks for once
NOT_BUILT = """export default { render({ model, el }) {
  el.innerHTML = '<p role="alert">This part is not live: its script has not been built.'
    + ' Run <code>make widgets</code>, then restart the kernel.</p>' + model.get('markup');
} };"""


class Responder(Protocol):
    """What answers a live part: here, and in MicroPython on the book's pages."""

    def reply(self, request_json: str) -> str: ...


def _script() -> str:
    built = FRONT / "widget.js"
    return built.read_text(encoding="utf-8") if built.exists() else NOT_BUILT


class Live(anywidget.AnyWidget):
    """Markup that the page's script brings to life, in a cell's output as on the book's pages.

    entries: what a page keeps in its address, {"rrd.graphs": 45000}; the script writes them and
    follows them. notice: a sentence for the reader, shown until the next answer. Shown outside
    Jupyter the widget is `html`, its static markup, or `plain`, its plain text.
    """

    _esm = _script()
    markup = traitlets.Unicode().tag(sync=True)
    entries = traitlets.Dict().tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)

    def __init__(self, html: str, plain: str, page: Responder):
        self._shown = {"text/plain": plain, "text/html": with_pictures(html)}
        self._page = page
        super().__init__(markup=compile_charts(html))
        self.on_msg(self._hear)

    def _repr_mimebundle_(self, **kwargs):
        view = super()._repr_mimebundle_(**kwargs)
        return (view[0] if view else {}) | self._shown

    def _hear(self, _, message: dict[str, Any], __) -> None:
        self.send({"question": message["question"], **self._answer(message)})

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request, or one of the script's files."""
        if message.get("asset") in ASSETS:
            return {"reply": {"text": (FRONT / message["asset"]).read_text(encoding="utf-8")}}
        try:
            return {"reply": json.loads(self._page.reply(json.dumps(message["request"])))}
        except Exception as error:  # shown to the user, as on the book's pages
            return {"failure": f"failed ({type(error).__name__}: {error})"}

    def say(self, sentence: str) -> None:
        """Show a sentence above the part, also if it is the one shown last."""
        self.notice = ""
        self.notice = sentence
