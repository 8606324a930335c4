"""Committed notebooks in a real JupyterLab before anything is run, trusted and not."""

import shutil
import subprocess

import pytest

from tests.browser.conftest import Reader, chromium  # noqa: F401
from tests.jupyter.server import PYTHON, ROOT, environment

SEEN = {"chapters/03": ()} | dict.fromkeys(
    ("chapters/01", "chapters/06", "labs/01", "labs/03", "labs/07"), pytest.mark.long
)
NOTEBOOKS = {name: next(ROOT.glob(f"{name}-*.ipynb")) for name in SEEN}
PICTURES = """() => [...document.querySelectorAll('.jp-OutputArea img.drawing')]
  .map((img) => ({ drawn: img.complete && img.naturalWidth > 50, words: img.alt.length }))"""
TROUBLE = ("Error displaying widget", "model not found", "Traceback", "```{", "{term}`", "{cite:")

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]  # the first starts JupyterLab


@pytest.fixture(scope="module")
def lab(shared_lab):
    address, home = shared_lab
    for path in NOTEBOOKS.values():
        shutil.copy(path, home / "notebooks" / f"stored-{path.parent.name}-{path.name}")
    return address, home


def trust_notebook(path, home):
    """Let Jupyter trust a notebook, and so each of the same content."""
    trusting = [PYTHON, "-m", "jupyter", "trust", path]
    subprocess.run(trusting, env=environment(home), check=True, capture_output=True)


@pytest.fixture(scope="module")
def page(lab, chromium):  # noqa: F811
    context = chromium.new_context(viewport={"width": 1280, "height": 1600})
    reader = Reader(context, lab[0])
    reader.page.set_default_timeout(60_000)
    yield reader.page
    context.close()
    assert not [trouble for trouble in reader.troubles if "another host" in trouble]


@pytest.mark.parametrize("trust", ["untrusted", pytest.param("trusted", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "path", [pytest.param(NOTEBOOKS[name], marks=SEEN[name], id=name) for name in SEEN]
)
def test_before_it_is_run_a_notebook_shows_its_charts_and_no_trouble(lab, page, path, trust):
    address, home = lab
    name = f"stored-{path.parent.name}-{path.name}"
    if trust == "trusted":  # after the same untrusted
        trust_notebook(home / "notebooks" / name, home)
    page.goto(f"{address}/lab/tree/{name}?reset")
    page.wait_for_selector(".jp-Notebook .jp-OutputArea img.drawing")
    wanted = path.read_text(encoding="utf-8").count('<img class=\\"drawing\\"')
    page.wait_for_function(
        f"() => ({PICTURES})().filter(({{ drawn }}) => drawn).length >= {wanted}"
    )
    assert all(picture["words"] > 10 for picture in page.evaluate(PICTURES))
    words = page.locator(".jp-Notebook").inner_text()
    assert not [trouble for trouble in TROUBLE if trouble in words]
    folded = page.locator(".jp-Notebook .jp-CodeCell .jp-Placeholder").count()
    assert folded == path.read_text(encoding="utf-8").count('"source_hidden": true')
    solutions = page.locator(".jp-Notebook details.solution, .jp-Notebook details.dropdown")
    assert not [box for box in solutions.all() if box.get_attribute("open") is not None]
