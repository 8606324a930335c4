"""A box to paste or upload a CSV of keys into, with a button that passes it on."""

from collections.abc import Callable


def paste_box(show: Callable[..., object], sample=""):
    """Return a widget whose button calls show(source, column=..., capacity=...).

    source is what came last, the bytes uploaded or the text pasted; column None where the field
    is empty, an index where it is a number, else a name; capacity None where it is 0. What
    show prints or displays appears below the button, and so does the message of a ValueError.
    sample: the text in the box to begin with.
    """
    import ipywidgets as widgets

    wide = widgets.Layout(width="32rem", height="8rem")
    text = widgets.Textarea(sample, placeholder="one request a line", layout=wide)
    upload = widgets.FileUpload(accept=".csv,.txt", description="or upload a CSV")
    column = widgets.Text(description="column", placeholder="name, or index from 0")
    capacity = widgets.BoundedIntText(description="capacity", min=0, max=2**31 - 1)
    button = widgets.Button(description="Show its curve", button_style="primary")
    output = widgets.Output()

    def clicked(_):
        source = upload.value[0]["content"] if upload.value else text.value + "\n"
        chosen = column.value.strip()
        output.outputs = ()
        with output:
            try:
                show(
                    source,
                    column=int(chosen) if chosen.isdecimal() else chosen or None,
                    capacity=capacity.value or None,
                )
            except ValueError as error:
                print(error)

    def drop_upload(_):
        upload.value = ()

    text.observe(drop_upload, "value")
    button.on_click(clicked)
    choices = widgets.HBox([upload, column, capacity])
    return widgets.VBox([text, choices, button, output])
