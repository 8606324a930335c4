"""Draws the stills of the chapters' animations with the page's own script: `make stills`.

They are committed, since a notebook must show them without node.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunables.core.animation import Animation, Bookmark, Overview
from tunables.core.registry import animations, chapters_with
from tunables.views.animation import overview_path, stills_path

HERE = Path(__file__).parent


def request(animation: Animation, bookmark: Bookmark) -> str:
    """Return as JSON what the script needs for a still: the events and settings of each run."""
    question = {
        "renderer": animation.renderer,
        "traces": animation.runs(bookmark),
        "settings": [asdict(setting) for setting in animation.settings],
        "states": [state for state in (bookmark.settings, bookmark.other) if state],
        "at": bookmark.at,
    }
    return json.dumps(question) + "\n"


def overview_request(animation: Animation, overview: Overview) -> str:
    """Return as JSON what the script needs for the picture of whole runs."""
    traces = [animation.replay(settings) for settings in overview.runs.values()]
    question = {"renderer": animation.renderer, "traces": traces, "labels": list(overview.runs)}
    return json.dumps(question) + "\n"


def draw(lines: list[str], script: str = "stills.js") -> list[dict[str, Any]]:
    """Return what a script draws for these lines.

    That of the stills: {"sentence", "svg"}, and "beside" for a still with another run.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    node = shutil.which("node", path=path)
    assert node, "node is missing: run `make node_modules/.ready` first"
    command = [node, str(HERE / script)]
    run = subprocess.run(command, input="".join(lines), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def file_text(stills: dict) -> str:
    """Return stills by the names of their animations, as a file keeps them."""
    return json.dumps(stills, ensure_ascii=False, indent=0) + "\n"


def text(slug: str) -> str:
    """Return the file of a chapter's stills: for each animation a list, one per bookmark."""
    return file_text(
        {
            animation.name: draw([request(animation, bookmark) for bookmark in animation.bookmarks])
            for animation in animations(slug)
        }
    )


def overview_text(slug: str) -> str:
    """Return the file of the pictures of whole runs of a chapter's animations."""
    return file_text(
        {
            animation.name: draw([overview_request(animation, animation.overview)])[0]
            for animation in animations(slug)
            if animation.overview
        }
    )


if __name__ == "__main__":
    for slug in sys.argv[1:] or chapters_with("animation"):
        stills_path(slug).write_text(text(slug), encoding="utf-8")
        overview_path(slug).write_text(overview_text(slug), encoding="utf-8")
