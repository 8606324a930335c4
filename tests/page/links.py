"""Links to the explorers, cards and problems as they were given away: they go on working.

Each line of a chapter's `links.txt` is such a link, with every parameter at another value than its
default. A line is added, never changed.
"""

import json
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tunables.core.case import Setting

FILES = sorted((Path(__file__).parents[1] / "chapters").glob("*/links.txt"))


class Link(NamedTuple):
    """The page, its entries by what they are for ("rrd"), and the place on the page."""

    page: str
    query: str
    name: str
    entries: dict[str, str]
    place: str


def links(path: Path) -> list[Link]:
    """Return the links of a file."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        url = urlsplit(line)
        entries = dict(parse_qsl(url.query))
        name = next(iter(entries)).split(".")[0]
        named = {key.removeprefix(f"{name}."): text for key, text in entries.items()}
        found.append(Link(url.path, url.query, name, named, url.fragment))
    return found


def state(link: Link) -> dict[str, Setting]:
    """Return the state that a link names, as a page reads it: numbers where they are some."""
    return {name: _number_or_text(text) for name, text in link.entries.items()}


def _number_or_text(text: str) -> Setting:
    try:
        return json.loads(text)
    except ValueError:
        return text


ALL = [link for path in FILES for link in links(path)]
STATES = [link for link in ALL if link.name != "problem"]
PROBLEMS = [link for link in ALL if link.name == "problem"]
