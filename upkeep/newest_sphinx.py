"""Builds the site without Jupyter Book, with the newest Sphinx, theme and MyST-NB, and compares it.

    python -m upkeep.newest_sphinx FOLDER

installs in FOLDER what requirements.txt names but jupyter-book, each package at its version or
above, and what Jupyter Book brought along; builds by upkeep/sphinx/conf.py; and compares what a
reader meets with the book in _build/html, page by page: words, links, the names that links lead to.
Fails if the build warns, or if there is a difference.
"""

import difflib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from upkeep.locks import ROOT, direct
from upkeep.newest import loosen
from upkeep.same_site import files, only_in_one

BOOK = ROOT / "_build" / "html"
LEFT_OUT = "jupyter-book"
# The least that the site was compared with; then the other extensions of upkeep/sphinx/conf.py.
BROUGHT_ALONG = """
sphinx>=9.0.4
sphinx-book-theme>=1.4.0
myst-nb>=1.4.0
sphinx-copybutton
sphinx-design
sphinx-external-toc
sphinx-multitoc-numbering
sphinx-thebe
sphinx-togglebutton
sphinxcontrib-bibtex
linkify-it-py
"""
SHOWN = ("sphinx==", "sphinx-book-theme==", "pydata-sphinx-theme==", "myst-nb==", "myst-parser==")
NOT_READ = ["script", "style"]
PAGES_ONLY = "_static/"  # templates of the theme, which no reader opens


def requirements() -> str:
    """Return what to install."""
    lines = loosen(direct([ROOT / "requirements.txt"])).splitlines()
    return "\n".join(line for line in lines if not line.startswith(LEFT_OUT)) + BROUGHT_ALONG


def install(folder: Path) -> Path:
    """Install it in an environment there; print the versions that matter; return its Python."""
    python = folder / "venv" / "bin" / "python"
    uv = (sys.executable, "-m", "uv")
    subprocess.run([*uv, "venv", "--quiet", "--clear", str(folder / "venv")], check=True)
    command = [*uv, "pip", "install", "--quiet", "--python", str(python), "-r", "-"]
    subprocess.run(command, input=requirements(), text=True, check=True)
    frozen = [*uv, "pip", "freeze", "--python", str(python)]
    there = subprocess.run(frozen, check=True, text=True, stdout=subprocess.PIPE).stdout
    print(*(line for line in there.splitlines() if line.lower().startswith(SHOWN)), flush=True)
    return python


def build(python: Path, folder: Path) -> Path:
    """Build the site there; return its folder, or raise CalledProcessError if Sphinx warns."""
    command = [str(python), "-m", "sphinx", "-c", "upkeep/sphinx", "-d", str(folder / "doctrees")]
    command += ["-n", "-W", "--keep-going", "-q", ".", str(folder / "html")]
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    return folder / "html"


def names(page: Tag) -> dict[str, str]:
    """Return, for each name that a link may lead to, the first one of the same place.

    A section with a label has two names, and which of them is its id depends on Sphinx's version.
    """
    places: dict[str, str] = {}
    for tag in page.find_all(id=True):
        inside = tag.select(":scope > span[id]:empty") if tag.name == "section" else []
        same = sorted(str(each["id"]) for each in [tag, *inside])
        places |= {name: min(same[0], places.get(name, same[0])) for name in same}
    return places


def meets(html: str) -> list[str]:
    """Return what a reader meets on a page: its lines of text, its links and its places."""
    page = BeautifulSoup(html, "html.parser")
    for tag in page.find_all(NOT_READ):
        tag.decompose()
    here = names(page)
    hrefs = {str(tag["href"]) for tag in page.select("body a[href]")}
    links = {f"#{here.get(href[1:], href[1:])}" if href[:1] == "#" else href for href in hrefs}
    lines = (" ".join(line.split()) for line in page.get_text("\n").splitlines())
    text = [line for line in lines if line]
    return [
        *text,
        *(f"link to {link}" for link in sorted(links)),
        *(f"place {name}" for name in sorted(here)),
    ]


def pages(site: Path) -> dict[str, Path]:
    """Return the pages of a site by their names."""
    found = files(site, "*.html").items()
    return {name: path for name, path in found if not name.startswith(PAGES_ONLY)}


def differences(one: Path, other: Path) -> Iterator[str]:
    """Yield a line for each page that only one site has, and each line of a page that differs."""
    here, there = pages(one), pages(other)
    yield from only_in_one(one, here, other, there)
    for name in sorted(here.keys() & there.keys()):
        old, new = (meets(path.read_text(encoding="utf-8")) for path in (here[name], there[name]))
        for line in list(difflib.unified_diff(old, new, lineterm="", n=0))[2:]:
            if not line.startswith("@@"):
                yield f"{name}: {line}"


def main(folder: Path) -> None:
    site = build(install(folder), folder)
    found = list(differences(BOOK, site))
    print("\n".join(found) or f"{len(pages(BOOK))} pages, and the same to a reader.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
