"""What a chapter's stages show at nine moments of each beat's runs, on record beside its tests.

python -m tests.chapters.pictures [CHAPTER]    writes pictures.csv for it, or for all

A drawing stands there as a fingerprint, its sentence as it is. A change of either fails
`test_pictures.py` until it has been looked at and written down anew.
"""

import json
import sys

from tests.chapters.record import told, write
from tunables.page.chapters import with_facet
from tunables.parts.registry import stages

SCRIPT = "tests/front/pictures.js"
COLUMNS = ("stage", "beat", "run", "moment", "sentence", "phone", "wide")


def asked(slug: str) -> list[tuple[str, str, str]]:
    """Return of each beat: its stage, its name, and as JSON what the script takes."""
    return [
        (
            stage.name,
            beat.name,
            json.dumps({"machine": stage.machine, "traces": stage.runs(beat)}) + "\n",
        )
        for stage in stages(slug)
        for beat in stage.beats
    ]


def shown(slug: str) -> list[list[str]]:
    """Return the rows of a chapter's record as they are today."""
    beats = asked(slug)
    replies = told(SCRIPT, (line for _, _, line in beats))
    return [
        [stage, beat, *map(str, row)]
        for (stage, beat, _), rows in zip(beats, replies, strict=True)
        for row in rows
    ]


if __name__ == "__main__":
    for slug in sys.argv[1:] or with_facet("stage"):
        write(slug, "pictures", COLUMNS, shown(slug))
