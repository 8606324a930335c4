"""A progress bar around a measurement: a widget in a notebook, lines of text elsewhere."""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TypeVar

from tunables.base.arguments import integer
from tunables.lab.machine import MOST_COUNTED

Result = TypeVar("Result")


def _in_notebook():
    """Say whether a Jupyter kernel runs this; IPython in a terminal cannot draw widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


@contextmanager
def _text_bar(total, label):
    def show(done):
        print(f"\r{label}: {done} of {total}", end="", file=sys.stderr, flush=True)

    show(0)
    try:
        yield show
    finally:
        print(file=sys.stderr)


@contextmanager
def _widget_bar(widgets, total, label):
    from IPython.display import display

    style = {"description_width": "initial"}
    bar = widgets.IntProgress(max=total, description=label, style=style)
    shown = display(bar, display_id=True)

    def show(done):
        bar.value = done

    try:
        yield show
    finally:
        # A bar cannot be drawn once its kernel is gone: leave a line of text in its place.
        shown.update({"text/plain": f"{label}: {bar.value} of {total}"}, raw=True)
        bar.close()


def _bar(total, label):
    if _in_notebook():
        try:
            import ipywidgets
        except ImportError:
            pass
        else:
            return _widget_bar(ipywidgets, total, label)
    return _text_bar(total, label)


def progress(results: Iterable[Result], total, label) -> Generator[Result, None, None]:
    """Yield the results as they come, and show how many of the total are there.

    A generator handed in is closed when the loop ends, also by an error or an interrupt, so
    that it clears up at once. Raises ValueError if total is not a whole number at least 1.
    """
    return _progress(results, integer("total", total, at_least=1, at_most=MOST_COUNTED), label)


def _progress(results, total, label):
    try:
        with _bar(total, label) as show:
            for done, result in enumerate(results, start=1):
                yield result
                show(done)
    finally:
        close = getattr(results, "close", None)
        if close is not None:
            close()
