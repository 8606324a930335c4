"""Follows the links of the built pages that lead to other hosts, and says which are dead.

    python -m upkeep.links

Sphinx's linkcheck follows them: it tries again, and waits where a host asks it to. A link that has
moved for good is told with its new address; a dead one makes the command fail.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import yaml

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "html"
FOR_GOOD = (301, 308)
SETTINGS = ["-Dlinkcheck_timeout=20", "-Dlinkcheck_retries=3", "-Dlinkcheck_anchors=0"]


class Followed(NamedTuple):
    link: str
    dead: bool
    moved: bool
    told: str


class _Leads(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        if tag == "a":
            self.found |= {value for name, value in attrs if name == "href" and value}


def leading_out(site: Path) -> dict[str, list[str]]:
    """Return each address that the pages of a site lead to elsewhere, and from which pages."""
    found: dict[str, list[str]] = {}
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.parts:
            continue  # the theme's own, which no reader sees
        page = _Leads()
        page.feed(path.read_text(encoding="utf-8"))
        for link in page.found:
            parts = urlsplit(link)
            if (parts.scheme or parts.netloc) and parts.scheme != "data":  # a file to download
                found.setdefault(link, []).append(path.relative_to(site).as_posix())
    return found


def worth_following(link: str) -> bool:
    """Say whether a link can be tried: not a reader's own machine, and not what asks to log in."""
    book = yaml.safe_load((ROOT / "_config.yml").read_text())
    own = ("http://127.0.0.1", "mailto:", f"{book['repository']['url']}/issues/new")
    return not link.startswith(own)


def followed(links: Iterable[str]) -> list[Followed]:
    """Return what came of each link."""
    with tempfile.TemporaryDirectory() as folder:
        # An underscore at an address's end would make it a name.
        lines = (f"* `{n} <{link}>`__\n".replace("_>", r"\_>") for n, link in enumerate(links))
        Path(folder, "index.rst").write_text("".join(["Links\n=====\n\n", *lines]))
        command = [sys.executable, "-m", "sphinx", "-b", "linkcheck", "-C", "-Q", *SETTINGS]
        subprocess.run([*command, folder, f"{folder}/out"], check=False)  # it fails for a dead link
        found = Path(folder, "out", "output.json").read_text().splitlines()
    told = map(json.loads, found)
    return [
        Followed(
            one["uri"],
            dead=one["status"] in ("broken", "timeout"),
            moved=one["status"] == "redirected" and one["code"] in FOR_GOOD,
            told=one["info"],
        )
        for one in told
    ]


def main() -> None:
    pages = leading_out(SITE)
    if not pages:
        sys.exit("the book is not built: run `make book` first")
    result = followed(sorted(filter(worth_following, pages)))
    for one in result:
        if one.dead or one.moved:
            word = "dead" if one.dead else "moved"
            print(f"{word}: {one.link}\n  {one.told}\n  on {', '.join(pages[one.link])}")
    dead, moved = sum(one.dead for one in result), sum(one.moved for one in result)
    print(f"{len(result)} links followed: {dead} dead, {moved} moved.")
    sys.exit(bool(dead))


if __name__ == "__main__":
    main()
