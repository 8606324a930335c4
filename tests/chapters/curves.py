"""What the charts of a chapter's explorers show, on record beside its tests.

python -m tests.chapters.curves [CHAPTER]    writes curves.csv for it, or for all

Each case is shown at its defaults and at the settings of every published number. The words of a
drawing stand there as they are, the drawing as a fingerprint. A change of either fails
`test_pictures.py` until it has been looked at and written down anew.
"""

import json
import sys

from tests.chapters.record import told, write
from tunables.page.answer import answer
from tunables.page.chapters import with_facet
from tunables.parts.case import Case
from tunables.parts.registry import defined
from tunables.reader.description import defaults, describe

SCRIPT = "tests/front/curve-pictures.js"
COLUMNS = ("case", "state", "view", "words", "phone", "wide")


def _states(case: Case, opening: dict) -> list[dict]:
    """Return the states that are shown, each once."""
    states = [opening, *(opening | dict(number.settings) for number in case.numbers)]
    return [state for place, state in enumerate(states) if state not in states[:place]]


def asked(slug: str) -> list[tuple[str, str]]:
    """Return of each case its name, and as JSON what the script takes."""
    found = []
    for case in defined(slug, "case"):
        description = describe(case)
        opening = defaults(description)
        states = _states(case, opening)
        replies = [answer(description, case.predict, state) for state in states]
        request = {"description": description | {"defaults": opening}, "replies": replies}
        found.append((case.name, json.dumps(request) + "\n"))
    return found


def shown(slug: str) -> list[list[str]]:
    """Return the rows of a chapter's record as they are today."""
    given = asked(slug)
    replies = told(SCRIPT, (line for _, line in given))
    return [
        [case, *map(str, row)]
        for (case, _), rows in zip(given, replies, strict=True)
        for row in rows
    ]


if __name__ == "__main__":
    for slug in sys.argv[1:] or with_facet("case"):
        write(slug, "curves", COLUMNS, shown(slug))
