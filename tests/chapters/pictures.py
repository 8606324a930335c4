"""What a chapter's stages show at nine moments of each beat's runs, on record beside its tests.

python -m tests.chapters.pictures [CHAPTER]    writes pictures.csv for it, or for all

A drawing stands there as a fingerprint, its sentence as it is. A change of either fails
`test_pictures.py` until it has been looked at and written down anew.
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

from tests.node import node_path
from tests.tracked import ROOT
from tunables.page.chapters import with_facet
from tunables.parts.registry import stages

SCRIPT = "tests/front/pictures.js"
COLUMNS = ("stage", "beat", "run", "moment", "sentence", "phone", "wide")


def path(slug: str) -> Path:
    """Return where a chapter's record stands."""
    return Path(__file__).parent / slug / "pictures.csv"


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
    told = subprocess.run(
        [node_path(), SCRIPT],
        cwd=ROOT,
        input="".join(line for _, _, line in beats),
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        [stage, beat, *map(str, row)]
        for (stage, beat, _), rows in zip(beats, told.stdout.splitlines(), strict=True)
        for row in json.loads(rows)
    ]


def on_record(slug: str) -> list[list[str]]:
    """Return the rows that were written down."""
    with path(slug).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[1:]


if __name__ == "__main__":
    for slug in sys.argv[1:] or with_facet("stage"):
        with path(slug).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *shown(slug)])
