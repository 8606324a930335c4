"""Follows the links of the built pages that lead to other hosts, and says which are dead.

    python -m upkeep.links

Sphinx's linkcheck follows them: it tries again, and waits where a host asks it to. A link that has
moved permanently is printed with its new address; a dead one makes the command fail.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import yaml
from bs4 import BeautifulSoup, SoupStrainer

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
PERMANENT = (301, 308)
SETTINGS = ["-Dlinkcheck_timeout=20", "-Dlinkcheck_retries=3", "-Dlinkcheck_anchors=0"]


class Result(NamedTuple):
    link: str
    dead: bool
    moved: bool
    message: str


def external_links(site: Path) -> dict[str, list[str]]:
    """Return the addresses elsewhere that a site's pages link to, each with those pages."""
    found: dict[str, list[str]] = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.parts:
            continue  # the theme's own, which no reader sees
        text = path.read_text(encoding="utf-8")
        page = BeautifulSoup(text, "html.parser", parse_only=SoupStrainer("a", href=True))
        for link in sorted({str(tag["href"]) for tag in page.find_all("a")}):
            parts = urlsplit(link)
            if (parts.scheme or parts.netloc) and parts.scheme != "data":  # a file to download
                found.setdefault(link, []).append(path.relative_to(site).as_posix())
    return found


def worth_following(link: str) -> bool:
    """Say whether a link can be tried: not on a reader's own machine, and without logging in."""
    book = yaml.safe_load((ROOT / "_config.yml").read_text())
    own = ("http://127.0.0.1", "mailto:", f"{book['repository']['url']}/issues/new")
    return not link.startswith(own)


def follow(links: Iterable[str]) -> list[Result]:
    """Return what came of each link."""
    with tempfile.TemporaryDirectory() as folder:
        # An underscore at an address's end would make it a name.
        lines = (f"* `{n} <{link}>`__\n".replace("_>", r"\_>") for n, link in enumerate(links))
        Path(folder, "index.rst").write_text("".join(["Links\n=====\n\n", *lines]))
        command = [sys.executable, "-m", "sphinx", "-b", "linkcheck", "-C", "-Q", *SETTINGS]
        subprocess.run([*command, folder, f"{folder}/out"], check=False)  # it fails for a dead link
        found = Path(folder, "out", "output.json").read_text().splitlines()
    return [
        Result(
            one["uri"],
            dead=one["status"] in ("broken", "timeout"),
            moved=one["status"] == "redirected" and one["code"] in PERMANENT,
            message=one["info"],
        )
        for one in map(json.loads, found)
    ]


def main() -> None:
    pages = external_links(SITE)
    if not pages:
        sys.exit("the book is not built: run `make book` first")
    results = follow(sorted(filter(worth_following, pages)))
    for one in results:
        if one.dead or one.moved:
            word = "dead" if one.dead else "moved"
            print(f"{word}: {one.link}\n  {one.message}\n  on {', '.join(pages[one.link])}")
    dead, moved = sum(one.dead for one in results), sum(one.moved for one in results)
    print(f"{len(results)} links followed: {dead} dead, {moved} moved.")
    sys.exit(bool(dead))


if __name__ == "__main__":
    main()
