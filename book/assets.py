"""Puts what the pages load into book/_static: npm packages, and the Python of the live models."""

import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "book" / "_static"
MODULES = ROOT / "node_modules"
ENGINE = "@micropython/micropython-webassembly-pyscript"
VENDOR = {
    "vega/build/vega.min.js": "vega.min.js",
    "vega-lite/build/vega-lite.min.js": "vega-lite.min.js",
    f"{ENGINE}/micropython.mjs": "micropython/micropython.mjs",
    f"{ENGINE}/micropython.wasm": "micropython/micropython.wasm",
    "mathjax/es5/tex-mml-chtml.js": "mathjax/tex-mml-chtml.js",
    "mathjax/es5/output/chtml/fonts": "mathjax/output/chtml/fonts",
}
PYTHON = [
    "tunables/__init__.py",
    "tunables/arguments.py",
    "tunables/digits.py",
    "tunables/agreement.py",
    "tunables/theory/*.py",
    "tunables/predictors/*.py",
    "tunables/problems/*.py",
    "tunables/reader/__init__.py",
    "tunables/reader/formats.py",
    "tunables/reader/answer.py",
    "tunables/reader/page.py",
]


def page_sources() -> list[str]:
    """Return the paths of the Python files that the page runs, from the root."""
    found = (path for pattern in PYTHON for path in ROOT.glob(pattern))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def copy_vendor() -> None:
    shutil.rmtree(STATIC / "vendor", ignore_errors=True)
    for source, target in VENDOR.items():
        origin, goal = MODULES / source, STATIC / "vendor" / target
        if not origin.exists():
            sys.exit(f"{origin} is missing: run `make node_modules` first")
        goal.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, goal)
        else:
            shutil.copy2(origin, goal)


def bundle_python() -> None:
    sources = {source: (ROOT / source).read_text() for source in page_sources()}
    (STATIC / "python.json").write_text(json.dumps(sources, indent=1) + "\n")


if __name__ == "__main__":
    copy_vendor()
    bundle_python()
