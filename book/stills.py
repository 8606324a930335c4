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
from tunables.parts.stage import Beat, Stage, Whole
from tunables.reader.stage import stills_path, whole_path

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


def asked_of(stage: Stage, whole: Whole) -> str:
    """Return as JSON what the script takes for the picture of whole runs."""
    traces = [stage.replay(settings) for settings in whole.runs.values()]
    told = {"machine": stage.machine, "traces": traces, "labels": list(whole.runs)}
    return json.dumps(told) + "\n"


def drawn(lines: list[str]) -> list[dict[str, str]]:
    """Return {"sentence", "svg"} of each line; of a still with another run "beside", too."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    node = shutil.which("node", path=path)
    assert node, "node is missing: run `make node_modules/.ready` first"
    command = [node, str(HERE / "stills.js")]
    run = subprocess.run(command, input="".join(lines), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def as_file(stills: dict) -> str:
    """Return stills by the names of their stages, as a file keeps them."""
    return json.dumps(stills, ensure_ascii=False, indent=0) + "\n"


def text(slug: str) -> str:
    """Return the file of the stills of a chapter's stages, a list in the order of the beats."""
    return as_file(
        {stage.name: drawn([asked(stage, beat) for beat in stage.beats]) for stage in stages(slug)}
    )


def whole_text(slug: str) -> str:
    """Return the file of the pictures of whole runs of a chapter's stages."""
    return as_file(
        {
            stage.name: drawn([asked_of(stage, stage.whole)])[0]
            for stage in stages(slug)
            if stage.whole
        }
    )


if __name__ == "__main__":
    for slug in with_facet("stage"):
        stills_path(slug).write_text(text(slug), encoding="utf-8")
        whole_path(slug).write_text(whole_text(slug), encoding="utf-8")
