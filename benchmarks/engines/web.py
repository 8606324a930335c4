"""The replies of node and the browsers: the page's MicroPython, kernels, and pages."""

import functools
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from book.page_python import ROOT, parts
from tests.browser.conftest import SITE
from tests.kernels.engines import ENGINES, LIMIT_S, find_program, in_browser
from tests.node import node_path
from tunables.core.registry import cases
from tunables.page.chapters import CHAPTERS, page_name

HERE = Path(__file__).parent
MICROPYTHON = ROOT / "node_modules/@micropython/micropython-webassembly-pyscript"
MINI_BROWSER = ("MiniBrowser", *map(str, Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))


def _webkit(_profile) -> list[str]:
    """Return the command of WebKitGTK's own small browser, on a virtual screen."""
    screen = find_program(("xvfb-run",), "Debian's package xvfb")
    return [
        screen,
        "-a",
        find_program(MINI_BROWSER, "Debian's package libwebkit2gtk-4.1-0"),
        "--private",
    ]


def _pyodide(folder: Path) -> dict:
    package = (ROOT / "node_modules/pyodide/pyodide.mjs").as_uri()
    command = [node_path(), str(folder / "in-pyodide.js"), package]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT_S)
    answer: dict = json.loads(run.stdout)
    return answer


Ask = Callable[[Path], dict]
WEB: dict[str, Ask] = ENGINES | {
    "webkit": functools.partial(in_browser, _webkit),
    "pyodide": _pyodide,
}
AGENTS = {  # what a browser calls itself
    r"Chrome/(\d+)": "Chromium",
    r"Firefox/(\d+)": "Firefox",
    r"Version/([\d.]+) Safari": "WebKitGTK, as Safari",
}


def engine_name(engine: str) -> str:
    """Return the name of an engine, if a browser says what it calls itself.

    >>> engine_name("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0")
    'Firefox 153'
    """
    for pattern, name in AGENTS.items():
        if found_version := re.search(pattern, engine):
            return f"{name} {found_version[1]}"
    return engine


def reply(name: str, folder: Path) -> dict:
    """Return an engine's reply. Raises RuntimeError if it fails."""
    answer = WEB[name](folder)
    if "error" in answer:
        raise RuntimeError(f"{name}: {answer['error']}")
    return answer | {"engine": engine_name(answer["engine"])}


def _a_tenth(parameter) -> float:
    """Return a value a tenth of the way up the range."""
    value = parameter.low + (parameter.high - parameter.low) / 10
    return round(value) if parameter.integer else value


def _shifted_settings() -> dict[str, dict]:
    """Return {page: case and settings} of each chapter's first case, two parameters moved."""
    pages = {}
    for chapter in CHAPTERS:
        name = next(iter(chapter.cases))
        ranged = [p for p in cases()[name].parameters if not p.choices]
        settings = {parameter.name: _a_tenth(parameter) for parameter in ranged[:2]}
        pages[f"chapters/{page_name(chapter.slug)}.html"] = {"case": name, "settings": settings}
    return pages


def prepare(folder: Path) -> None:
    """Put beside what is asked all that a browser and node need to answer it."""
    _webkit(folder)  # what is missing is said now, not after a quarter of an hour
    sources = {path: text for part in parts().values() for path, text in part.items()}
    sources["closed_forms.py"] = (HERE / "closed_forms.py").read_text()
    (folder / "sources.json").write_text(json.dumps(sources))
    (folder / "pages.json").write_text(json.dumps(_shifted_settings()))
    for path in (*HERE.glob("*.js"), *MICROPYTHON.glob("micropython.*")):
        shutil.copy(path, folder)
    (folder / "html").symlink_to(SITE)
