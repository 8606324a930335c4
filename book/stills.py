"""Draws the stills of the chapters' stages with the page's own script: `make stills`.

They are committed, since a notebook shows them without node.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from tunables.page.chapters import with_facet
from tunables.parts.registry import stages
from tunables.parts.stage import Beat, Stage
from tunables.reader.stage import stills_path

HERE = Path(__file__).parent


def asked(stage: Stage, beat: Beat) -> str:
    """Return as JSON what the script takes for a still: of each run its events and settings."""
    told = {
        "machine": stage.machine,
        "traces": stage.runs(beat),
        "settings": [asdict(setting) for setting in stage.settings],
        "states": [state for state in (beat.settings, beat.other) if state],
        "at": beat.at,
    }
    return json.dumps(told) + "\n"


def drawn(stage: Stage) -> list[dict[str, str]]:
    """Return {"sentence", "svg"} of each beat of a stage; "beside": of another run, too."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    node = shutil.which("node", path=path)
    assert node, "node is missing: run `make node_modules/.ready` first"
    lines = "".join(asked(stage, beat) for beat in stage.beats)
    command = [node, str(HERE / "stills.js")]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def text(slug: str) -> str:
    """Return the file of the stills of a chapter's stages, by their names."""
    stills = {stage.name: drawn(stage) for stage in stages(slug)}
    return json.dumps(stills, ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    for slug in with_facet("stage"):
        stills_path(slug).write_text(text(slug), encoding="utf-8")
