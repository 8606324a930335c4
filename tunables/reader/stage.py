"""`stage(case)`: a chapter's machine, running, in a notebook and in a page.

Without scripts, on paper and in a notebook's preview its stills stand there: the same drawing of
the same run, drawn beforehand (`make stills`), for a notebook has nothing to draw them with.
"""

import json
from dataclasses import asdict
from html import escape
from importlib.resources import files
from pathlib import Path

from tunables.page.chapters import find_chapter
from tunables.page.staging import Page
from tunables.parts.registry import find_stage
from tunables.parts.stage import Stage
from tunables.reader.charts import script_json
from tunables.reader.live import Live


def _kept(chapter: str | int, name: str) -> Path:
    return Path(str(files(f"tunables.chapters.{find_chapter(chapter).slug}"))) / name


def stills_path(chapter: str | int) -> Path:
    """Return where a chapter's stills are kept."""
    return _kept(chapter, "stills.json")


def whole_path(chapter: str | int) -> Path:
    """Return where a chapter's pictures of whole runs are kept."""
    return _kept(chapter, "whole.json")


def kept_stills(chapter: str | int) -> dict[str, list[dict[str, str]]]:
    """Return the stills of a chapter's stages, by the names of the stages, a beat each."""
    stills: dict = json.loads(stills_path(chapter).read_text(encoding="utf-8"))
    return stills


def kept_whole(chapter: str | int) -> dict[str, dict[str, str]]:
    """Return a chapter's pictures of whole runs, by the names of the stages that have one."""
    pictures: dict = json.loads(whole_path(chapter).read_text(encoding="utf-8"))
    return pictures


def describe_stage(stage: Stage) -> dict:
    """Return a stage as JSON can hold it, with the run that it opens with."""
    given = {"given": stage.given} if stage.given else {}
    deeds = {"deeds": [asdict(deed) for deed in stage.deeds]} if stage.deeds else {}
    return (
        given
        | deeds
        | {
            "name": stage.name,
            "title": stage.title,
            "machine": stage.machine,
            "module": stage.play.__module__,
            "settings": [asdict(setting) for setting in stage.settings],
            "beats": [asdict(beat) | {"against": beat.other} for beat in stage.beats],
            "trace": stage.run(stage.beats[0]),
        }
    )


def whole_html(name: str, title: str, picture: dict[str, str]) -> str:
    """Return the folded picture of a stage's whole runs."""
    return (
        f'<details class="fold stage-whole" id="stage-{name}-whole">'
        f"<summary>Whole runs in one picture</summary><figure>{picture['svg']}"
        f"<figcaption>{escape(title)}</figcaption></figure></details>"
    )


def stage_html(description: dict, stills: list[dict[str, str]], whole: str = "") -> str:
    """Return the stage as markup, asleep: its stills, which the page's script brings to life.

    whole: markup of the picture of whole runs, if there is one.
    """
    name, title = description["name"], escape(description["title"])
    figures = "".join(
        f'<figure id="stage-{name}-{beat["name"]}">{still["svg"]}'
        f"<figcaption>{escape(beat['title'])}</figcaption></figure>"
        for beat, still in zip(description["beats"], stills, strict=True)
    )
    return (
        f'<section class="tunables-stage" id="stage-{name}" aria-label="Stage: {title}">'
        f'<script type="application/json" class="stage-description">{script_json(description)}'
        f'</script><div class="stage-stills">{figures}</div>{whole}</section>'
    )


def said(still: dict[str, str]) -> str:
    """Return what a still says in words, and what the run beside it says."""
    return " ".join(still[each] for each in ("sentence", "beside") if each in still)


class StageView(Live):
    """One stage: its controls, its clock, and what stands on it in words."""

    def __init__(self, stage: Stage):
        description = describe_stage(stage)
        chapter, whole = stage.name.split("-")[0], ""
        stills = kept_stills(chapter)[stage.name]
        lines = [said(still) for still in stills]
        if stage.whole:
            picture = kept_whole(chapter)[stage.name]
            whole = whole_html(stage.name, stage.whole.title, picture)
            lines.append(picture["sentence"])
        markup = stage_html(description, stills, whole)
        super().__init__(markup, "\n".join(lines), Page(json.dumps(description)))


def stage(name: str) -> StageView:
    """Return a stage by its name; raises ValueError for a name that no stage has."""
    return StageView(find_stage(name))
