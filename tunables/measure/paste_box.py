"""A box to paste or upload a CSV of keys into, with a button that passes it on."""

from collections.abc import Callable

import ipywidgets as widgets

_STATIC = "<p>Open this lab in Jupyter: here is a box to paste or upload a trace.</p>"


class PasteBox(widgets.VBox):
    """A widget whose button calls show(source, column=..., capacity=...).

    source is what came last, the bytes uploaded or the text pasted; column None where the
    field is empty, an index where it is a number, else a name; capacity None where it is 0.
    What show prints or displays appears below the button, and so does the message of a
    ValueError. sample: the text in the box to begin with.
    """

    def __init__(self, show: Callable[..., object], sample=""):
        self._show = show
        wide = widgets.Layout(width="32rem", height="8rem")
        self.text = widgets.Textarea(sample, placeholder="one request a line", layout=wide)
        self.upload = widgets.FileUpload(accept=".csv,.txt", description="or upload a CSV")
        self.column = widgets.Text(description="column", placeholder="name, or index from 0")
        self.capacity = widgets.BoundedIntText(description="capacity", min=0, max=2**31 - 1)
        self.button = widgets.Button(description="Show its curve", button_style="primary")
        self.output = widgets.Output()
        choices = widgets.HBox([self.upload, self.column, self.capacity])
        super().__init__([self.text, choices, self.button, self.output])
        self.text.observe(self._drop_upload, "value")
        self.button.on_click(self._clicked)

    def _repr_mimebundle_(self, **kwargs):
        """Bring along a sentence for pages that no kernel stands behind."""
        return {**super()._repr_mimebundle_(**kwargs), "text/html": _STATIC}

    def _drop_upload(self, _):
        self.upload.value = ()

    def _clicked(self, _):
        uploaded, column = self.upload.value, self.column.value.strip()
        self.output.clear_output(wait=True)
        with self.output:
            try:
                self._show(
                    uploaded[0]["content"] if uploaded else self.text.value + "\n",
                    column=int(column) if column.isdecimal() else column or None,
                    capacity=self.capacity.value or None,
                )
            except ValueError as error:
                print(error)
