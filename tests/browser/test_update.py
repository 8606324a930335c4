"""An update of the book: a browser that kept files of the last version mixes none of them in."""

import functools
import json
import shutil
import threading
from http.server import ThreadingHTTPServer

import pytest

from tests.browser.conftest import RESTS, SITE, Reader, _Quiet
from tunables.page.chapters import CHAPTERS, page_name

OPENED, UPDATED = CHAPTERS[:2]
FIRST, NEXT = (f"chapters/{page_name(each.slug)}.html" for each in (OPENED, UPDATED))
ADDED = "tunables/base/added_by_the_update.py"
IMPORT = "import tunables.base.added_by_the_update\n"
OF_THE_PAGE = (".js", ".wasm")
THEME = ("_static/scripts/", "_static/doctools", "_static/documentation_options", "_static/sphinx_")

pytestmark = pytest.mark.browser


def change_sources(path, change):
    """Change the sources that a script of the book's Python holds."""
    start, _, end = path.read_text(encoding="utf-8").partition(" = ")
    sources = json.loads(end.rstrip().removesuffix(";"))
    change(sources)
    path.write_text(f"{start} = {json.dumps(sources)};\n", encoding="utf-8")


@pytest.fixture
def book(tmp_path):
    """Serve a copy of the book that a test may update, as Pages does: kept for ten minutes."""
    folder = tmp_path / "html"
    shutil.copytree(SITE / "_static", folder / "_static")
    for name in (FIRST, NEXT):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(SITE / name, folder / name)
    handler = functools.partial(_Quiet, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def update(folder):
    """Have what all pages share gain a module that the next chapter's Python imports."""
    (scripts,) = {path.parent for path in folder.glob("_static/vendor/*/page.js")}
    version = "0" * len(scripts.name)
    renewed = scripts.rename(scripts.with_name(version))
    change_sources(renewed / "python/shared.js", lambda sources: sources.update({ADDED: ""}))

    def use_it(sources):
        for path in sources:
            sources[path] = (
                IMPORT + sources[path] if path.endswith("predictor.py") else sources[path]
            )

    change_sources(renewed / f"python/{UPDATED.slug}.js", use_it)
    for page in (folder / "chapters").glob("*.html"):
        page.write_text(page.read_text("utf-8").replace(scripts.name, version), "utf-8")


def test_a_page_opened_after_an_update_has_all_of_the_new_version(book, contexts):
    folder, address = book
    visitor = Reader(contexts(alone=True), address)
    visitor.open_when_ready(FIRST)
    update(folder)
    explorer = visitor.wake(NEXT)
    assert explorer.get_attribute("data-engine") == "ready"
    visitor.page.wait_for_selector(".tunables-card[data-engine=ready]", state="attached")
    assert [trouble for trouble in visitor.troubles if "page error" in trouble] == []
    visitor.page.close()


def test_every_file_that_a_script_loads_is_of_one_version(reader):
    visitor, asked = reader(alone=True), []
    visitor.page.on("request", lambda request: asked.append(request.url.split("?")[0]))
    page = visitor.open_when_ready(FIRST)
    page.wait_for_function(RESTS, timeout=60_000)
    loaded = [url for url in asked if url.endswith(OF_THE_PAGE) and "/vendor/" in url]
    assert len(loaded) > 6
    assert len({url.split("/vendor/")[1].split("/")[0] for url in loaded}) == 1
    others = [url for url in asked if url.endswith(OF_THE_PAGE) and "/vendor/" not in url]
    known = tuple(url for url in others if any(part in url for part in THEME))
    assert {url.rsplit("/", 1)[1] for url in others} - {url.rsplit("/", 1)[1] for url in known} <= {
        "clipboard.min.js",
        "copybutton.js",
        "togglebutton.js",
    }
