"""Makes a short silent film of each chapter's animation, to show elsewhere: `make films`.

    python book/films.py OUTPUT [CHAPTER ...]

For each chapter there is a WebM and a GIF of at most LONGEST_S: under the chapter's question the
scenes that its animation names, each with what to watch, and then the chapter's title and address.
The frames are the drawings of the stills. The same book gives the same frames each time.
"""

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

import imageio_ffmpeg
import vl_convert
import yaml

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "_ext")]

import chapter_page  # noqa: E402
import frame  # noqa: E402
import previews  # noqa: E402
import stills  # noqa: E402

from tunables.core.animation import Animation, Bookmark  # noqa: E402
from tunables.core.registry import animations, chapters_with  # noqa: E402
from tunables.page.chapters import find_chapter, page_name  # noqa: E402

LONGEST_S = 20
FRAMES_PER_S = 15
MOVING_S, RESTING_S, LEAD_S, END_S = 4, 1.6, 3, 3  # of a scene; before a bookmark; of the last card
SIZE, GIF_SIZE = 1080, 540  # px, both ways
GIF_AT_MOST = 5e6  # bytes
MARGIN = previews.MARGIN
TOP, BOTTOM, APART = 250, 850, 24  # px; the drawing is between TOP and BOTTOM
# Of the font: px, the distance of two lines, and how many letters a line holds at most.
QUESTION, CAPTION = (42, 50, 44), (34, 44, 54)
FFMPEG = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", "-f", "image2pipe"]
WEBM = "-c:v libvpx-vp9 -pix_fmt yuv420p -b:v 0 -crf 32 -deadline realtime -cpu-used 8"
SAME_BYTES = ["-fflags", "+bitexact"]
PALETTE = "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none"
GIF_FILTER = f"scale={GIF_SIZE}:-1:flags=lanczos,{PALETTE}"


def request(animation: Animation, bookmark: Bookmark) -> str:
    """Return as JSON what the script needs for the frames of a scene."""
    question = json.loads(stills.request(animation, bookmark))
    count = round(MOVING_S * FRAMES_PER_S)
    return json.dumps(question | {"since": bookmark.since, "count": count, "lead_s": LEAD_S}) + "\n"


def lines(text: str, top: int, size: tuple[int, int, int], weight: int = 400) -> str:
    """Return a text as lines of markup, the first at `top`."""
    font, pitch, letters = size
    return "".join(
        f'<text x="{MARGIN}" y="{top + n * pitch}" font-size="{font}" font-weight="{weight}" '
        f'fill="{previews.colours()["ink"]}">{escape(line)}</text>'
        for n, line in enumerate(textwrap.wrap(text, letters))
    )


def framed(number: int, inside: str) -> str:
    """Return a frame: the book's name, the chapter's number, and what is inside."""
    return previews.sheet(SIZE, SIZE, previews.kicker(number), 66, inside)


def picture(width: float, tall: float, names: list[str], drawings: list[str]) -> str:
    """Return the drawing of a run, or of two side by side under their titles, in its place."""
    above = 36 if names else 0
    wide = len(drawings) * (width + APART) - APART
    scale = min((SIZE - 2 * MARGIN) / wide, (BOTTOM - TOP) / (tall + above))
    left, top = (SIZE - scale * wide) / 2, (TOP + BOTTOM - scale * (tall + above)) / 2
    inside = ""
    for n, drawing in enumerate(drawings):
        label, value = names[n].split(": ") if names else ("", "")
        label += ":" * bool(label)
        inside += (
            f'<g transform="translate({n * (width + APART)} 0)"><text y="12">{escape(label)}</text>'
            f'<text y="29" font-weight="600">{escape(value)}</text>'
            f'<g transform="translate(0 {above})">{drawing}</g></g>'
        )
    place = f"translate({left:g} {top:g}) scale({scale:g})"
    return f'<g transform="{place}" font-size="13">{previews.readable(inside)}</g>'


def svgs(slug: str, address: str) -> Iterator[tuple[str, float]]:
    """Yield each frame of a chapter's film that differs from the one before, and its seconds.

    address: of the chapter, empty if the site's is unknown.
    """
    chapter = next(each for each in chapter_page.chapters() if each.slug == slug)
    animation, *_ = animations(slug)
    question = lines(chapter.question, 122, QUESTION, 700)
    for bookmark in animation.filmed:
        caption = lines(bookmark.title, 905, CAPTION)
        drawn = stills.draw([request(animation, bookmark)], "films.js")
        for n, each in enumerate(drawn, start=1):
            seconds = RESTING_S if n == len(drawn) else 1 / FRAMES_PER_S
            yield framed(chapter.number, question + picture(**each) + caption), seconds
    words = "The chapter has the numbers, the model and the animation to play with."
    end = lines(chapter.title, 430, (70, 80, 26), 700) + lines(words, 520, CAPTION)
    yield framed(chapter.number, end + lines(address, 640, (28, 38, 66))), END_S


def pngs(slug: str, address: str) -> Iterator[bytes]:
    """Yield a chapter's film frame by frame."""
    for svg, seconds in svgs(slug, address):
        png = vl_convert.svg_to_png(svg)
        for _ in range(round(seconds * FRAMES_PER_S)):
            yield png


def encode(frames: Iterable[bytes], goal: Path) -> None:
    """Write frames as a WebM, and the same as a GIF beside it; raises CalledProcessError."""
    command = [*FFMPEG, "-framerate", str(FRAMES_PER_S), "-c:v", "png", "-i", "-"]
    command += [*WEBM.split(), *SAME_BYTES, str(goal.with_suffix(".webm"))]
    command += ["-vf", GIF_FILTER, *SAME_BYTES, str(goal.with_suffix(".gif"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as run:
        assert run.stdin
        for png in frames:
            run.stdin.write(png)
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)


def main(folder: Path, chapters: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    settings = yaml.safe_load((HERE.parent / "_config.yml").read_text(encoding="utf-8"))
    base = frame.site_address(settings["sphinx"]["config"]["html_baseurl"])
    for slug in [find_chapter(each).slug for each in chapters] or chapters_with("animation"):
        name = page_name(slug)
        encode(pngs(slug, f"{base}chapters/{name}.html" if base else ""), folder / name)
        print(folder / f"{name}.webm", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
