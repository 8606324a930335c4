"""The progress bar: every result passes through, and the measurement is closed whatever happens."""

import sys
import types

import pytest

from tunables.lab import progress as module
from tunables.lab.progress import progress


class Source:
    """A generator that says whether it was cleared up."""

    def __init__(self):
        self.closed = False

    def results(self):
        try:
            yield from "abc"
        finally:
            self.closed = True


def test_results_pass_and_the_text_counts_them(capsys):
    assert list(progress(iter("abc"), total=3, label="Letters")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "".join(f"\rLetters: {n} of 3" for n in range(4)) + "\n")


def test_leaving_early_closes_the_measurement(capsys):
    source = Source()
    steps = progress(source.results(), total=3, label="Letters")
    assert next(steps) == "a"
    steps.close()
    assert source.closed
    assert capsys.readouterr().err.endswith("\n")


def test_an_error_in_the_loop_closes_the_measurement():
    source = Source()

    def interrupt():
        for _ in progress(source.results(), total=3, label="Letters"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert source.closed


def test_an_error_in_the_measurement_passes():
    def failing():
        yield 1
        raise RuntimeError("cannot be counted")

    with pytest.raises(RuntimeError, match="cannot be counted"):
        list(progress(failing(), total=2, label="Failing"))


@pytest.fixture
def notebook(monkeypatch):
    """What the bar takes for a Jupyter kernel, which records what is displayed."""
    pytest.importorskip("ipywidgets")
    import IPython
    import IPython.display

    shown = []

    def display(widget, display_id):
        shown.append(widget)
        update = lambda data, raw: shown.append(data["text/plain"])  # noqa: E731
        return types.SimpleNamespace(update=update)

    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    monkeypatch.setattr(IPython.display, "display", display)
    return shown


def test_widget_steps_and_leaves_a_line_of_text(notebook, capsys):
    steps = progress(iter("abc"), total=3, label="Letters")
    values = [(letter, notebook[0].value) for letter in steps]
    assert values == [("a", 0), ("b", 1), ("c", 2)]
    assert notebook[1:] == ["Letters: 3 of 3"]
    assert capsys.readouterr() == ("", "")


def test_widget_left_early_says_how_far_it_came(notebook):
    steps = progress(iter("abc"), total=3, label="Letters")
    next(steps)
    next(steps)
    steps.close()
    assert notebook[1:] == ["Letters: 1 of 3"]


def test_a_kernel_without_ipywidgets_gets_text(notebook, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert list(progress(iter("ab"), total=2, label="Letters")) == ["a", "b"]
    assert notebook == []
    assert capsys.readouterr().err.endswith("Letters: 2 of 2\n")


def test_ipython_in_a_terminal_gets_text(monkeypatch, capsys):
    ipython = types.SimpleNamespace(get_ipython=lambda: object())
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    assert not module._in_notebook()
    monkeypatch.delitem(sys.modules, "IPython")
    assert not module._in_notebook()


def test_total_is_checked_at_once():
    with pytest.raises(ValueError, match="total = 0: must be a whole number at least 1"):
        progress([], total=0, label="Nothing")
