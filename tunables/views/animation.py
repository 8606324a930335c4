"""`animation(case)`: a chapter's system, running, in a notebook and in a page.

Without scripts, on paper and in a notebook's preview its stills are shown: the same drawing of
the same run, drawn in advance (`make stills`), since a notebook cannot draw them.
"""

import json
from dataclasses import asdict
from html import escape
from importlib.resources import files
from pathlib import Path

from tunables.core.animation import Animation
from tunables.core.registry import find_animation
from tunables.page.animation import AnimationSession
from tunables.page.chapters import find_chapter
from tunables.views.charts import script_json
from tunables.views.live import Live


def _picture_file(folder: str, chapter: str | int) -> Path:
    return Path(str(files("tunables.views"))) / folder / f"{find_chapter(chapter).slug}.json"


def stills_path(chapter: str | int) -> Path:
    """Return where a chapter's stills are kept."""
    return _picture_file("stills", chapter)


def overview_path(chapter: str | int) -> Path:
    """Return where a chapter's pictures of whole runs are kept."""
    return _picture_file("overviews", chapter)


def read_stills(chapter: str | int) -> dict[str, list[dict[str, str]]]:
    """Return the stills of a chapter's animations, by the animations' names, one per bookmark."""
    stills: dict = json.loads(stills_path(chapter).read_text(encoding="utf-8"))
    return stills


def read_overview(chapter: str | int) -> dict[str, dict[str, str]]:
    """Return a chapter's pictures of whole runs, by the names of the animations that have one."""
    pictures: dict = json.loads(overview_path(chapter).read_text(encoding="utf-8"))
    return pictures


def describe_animation(animation: Animation) -> dict:
    """Return an animation as JSON can hold it, with the run that it opens with."""
    given = {"given": animation.given} if animation.given else {}
    listed = list(map(asdict, animation.interventions))
    interventions = {"deeds": listed} if listed else {}
    return (
        given
        | interventions
        | {
            "name": animation.name,
            "title": animation.title,
            "renderer": animation.renderer,
            "module": f"{animation.play.__module__}:{animation.play.__name__}",
            "settings": [asdict(setting) for setting in animation.settings],
            "bookmarks": [
                asdict(bookmark) | {"against": bookmark.other} for bookmark in animation.bookmarks
            ],
            "trace": animation.run(animation.bookmarks[0]),
        }
    )


def overview_html(name: str, title: str, picture: dict[str, str]) -> str:
    """Return the folded picture of an animation's whole runs."""
    return (
        f'<details class="fold animation-overview" id="stage-{name}-whole">'
        f"<summary>Whole runs in one picture</summary><figure>{picture['svg']}"
        f"<figcaption>{escape(title)}</figcaption></figure></details>"
    )


def animation_html(description: dict, stills: list[dict[str, str]], overview: str = "") -> str:
    """Return the animation as static markup: its stills, which the page's script animates.

    overview: markup of the picture of whole runs, if there is one.
    """
    name, title = description["name"], escape(description["title"])
    figures = "".join(
        f'<figure id="stage-{name}-{bookmark["name"]}">{still["svg"]}'
        f"<figcaption>{escape(bookmark['title'])}</figcaption></figure>"
        for bookmark, still in zip(description["bookmarks"], stills, strict=True)
    )
    return (
        f'<section class="tunables-animation" id="stage-{name}" aria-label="Animation: {title}">'
        f'<script type="application/json" class="animation-description">{script_json(description)}'
        f'</script><div class="animation-stills">{figures}</div>{overview}</section>'
    )


def still_text(still: dict[str, str]) -> str:
    """Return the sentence of a still, and that of the run beside it."""
    return " ".join(still[each] for each in ("sentence", "beside") if each in still)


class AnimationView(Live):
    """One animation: its controls, its clock, and its state in words."""

    def __init__(self, animation: Animation):
        description = describe_animation(animation)
        chapter, overview = animation.name.split("-")[0], ""
        stills = read_stills(chapter)[animation.name]
        lines = [still_text(still) for still in stills]
        if animation.overview:
            picture = read_overview(chapter)[animation.name]
            overview = overview_html(animation.name, animation.overview.title, picture)
            lines.append(picture["sentence"])
        markup = animation_html(description, stills, overview)
        super().__init__(markup, "\n".join(lines), AnimationSession(json.dumps(description)))


def animation(name: str) -> AnimationView:
    """Return an animation by its name; raises ValueError for a name that no animation has."""
    return AnimationView(find_animation(name))
