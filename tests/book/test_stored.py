"""What stands in the committed notebooks before anybody runs them."""

import json
import runpy

import nbformat
import pytest

from tests.chapters.notebooks import ROOT, STORED

PAGE_ALONE = ("Error displaying widget", "with scripts on, or", "read this page from")
MAIN = runpy.run_path(str(ROOT / "book" / "stored.py"))["main"]


@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_notebook_is_as_make_notebooks_leaves_it(path, tmp_path):
    copy = tmp_path / path.parent.name / path.name
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    MAIN([str(copy)])
    assert copy.read_bytes() == path.read_bytes(), "run `make notebooks`, or book/stored.py"


@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_shows_pictures_and_speaks_of_the_place_where_it_is_read(path):
    notebook = nbformat.read(path, as_version=4)
    shown = [
        output.data.get("text/html", "")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "data" in output
    ]
    draws = any("charts.enable()" in cell.source for cell in notebook.cells)
    assert ('img class="drawing"' in "".join(shown)) == draws
    for html in shown:
        assert html.count("<svg") == html.count('<img class="drawing"')
        assert not [words for words in PAGE_ALONE if words in html]


def test_dead_parts_and_folds_are_seen(tmp_path):
    cell = nbformat.v4.new_code_cell("1", metadata={"tags": ["hide-input"]})
    dead = {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}, "text/plain": "1"}
    cell.outputs = [nbformat.v4.new_output("execute_result", data=dead)]
    open_cell = nbformat.v4.new_code_cell("2", metadata={"jupyter": {"source_hidden": True}})
    path = tmp_path / "labs" / "x.ipynb"
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[cell, open_cell]), path)
    MAIN([str(path)])
    one, hint, two = json.loads(path.read_text())["cells"]
    assert "Run All Cells" in hint["source"][0]
    assert one["outputs"][0]["data"] == {"text/plain": ["1"]}
    assert one["metadata"]["jupyter"] == {"source_hidden": True}
    assert "jupyter" not in two["metadata"]
