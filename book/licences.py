"""Gathers the licences of all that the pages load into one text that goes with the site.

The texts come from the installed packages. Those that a package leaves out are in book/licences/,
each with a title and its origin.
"""

import json
import re
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
LEFT_OUT = ROOT / "book" / "licences"
# Sphinx puts their files into _static; the stemmer of the search is from Snowball.
DISTRIBUTIONS = (
    *("Sphinx", "snowballstemmer", "Pygments", "pydata-sphinx-theme", "sphinx-book-theme"),
    *("myst-nb", "sphinx-design", "sphinx-copybutton", "sphinx-togglebutton", "sphinx-thebe"),
    *("sphinx-exercise",),
)
RULE = "=" * 78
HEAD = """Third-party software and fonts that the pages of this book load, with their licences.
For a machine-readable list that also covers the tools that made the pages, see sbom.cdx.json here.
"""
IS_LICENCE = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)


def npm_package(path: str) -> str:
    """Return the package that a file belongs to, or nothing for one of the book's own.

    >>> npm_package("node_modules/@a/b/x.js"), npm_package("node_modules/c/y.js")
    ('@a/b', 'c')
    """
    found = re.search(r"node_modules/((?:@[^/]+/)?[^/]+)", path)
    return found[1] if found else ""


def bundled_packages(records: Iterable[Path]) -> set[str]:
    """Return the packages in the bundles, by the records that esbuild kept."""
    inputs = (path for record in records for path in json.loads(record.read_text())["inputs"])
    return {npm_package(path) for path in inputs} - {""}


def _join(texts) -> str:
    return "\n\n".join(text.strip() for text in texts)


def _of_package(package: str, left_out: dict[str, str]) -> tuple[str, str]:
    """Return title and licence of an npm package.

    Raises ValueError where neither the package nor book/licences has a text of this version.
    """
    about = json.loads((MODULES / package / "package.json").read_text())
    title = f"{package} {about['version']} ({about['license']})"
    files = [path for path in (MODULES / package).iterdir() if IS_LICENCE.match(path.name)]
    if files:
        return title, _join(path.read_text() for path in sorted(files))
    if title in left_out:
        return title, left_out.pop(title)
    raise ValueError(f"{title}: no licence file in the package; put a copy into book/licences")


def _of_distribution(name: str) -> tuple[str, str]:
    """Return title and licence of a Python package. Raises ValueError where it has none."""
    found = distribution(name)
    files = [f for f in found.files or () if ".dist-info" in str(f) and IS_LICENCE.search(str(f))]
    if not files:
        raise ValueError(f"{name}: no licence file in the package; put a copy into book/licences")
    return f"{name} {found.version}", _join(file.read_text() for file in sorted(files))


def _left_out() -> dict[str, str]:
    """Return the texts in book/licences by their titles."""
    texts = (path.read_text() for path in sorted(LEFT_OUT.glob("*.txt")))
    return {title: text for title, _, text in (text.partition("\n") for text in texts)}


def licences(packages: Iterable[str]) -> str:
    """Return the licences of these npm packages, of the theme's files, and of what is in them."""
    left_out = _left_out()
    found = [_of_package(package, left_out) for package in sorted(packages)]
    found += [_of_distribution(name) for name in DISTRIBUTIONS]
    titles: dict[str, list[str]] = {}  # of one text: Vega's packages share theirs
    for title, text in [*found, *left_out.items()]:
        titles.setdefault(text.strip(), []).append(title)
    parts = ("\n".join([*names, "", text]) for text, names in titles.items())
    return f"\n\n{RULE}\n".join([HEAD, *parts]) + "\n"
