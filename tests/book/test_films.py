"""The films: the scenes that each shows, and one made, decoded and looked at."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tunables.core.registry import animations, chapters_with
from tunables.page.chapters import page_name

ROOT = Path(__file__).parents[2]
SLUG, SHOWN = "cache_cliff", 120  # px, both ways, of a decoded frame
ADDRESS = "https://book.example/"


@pytest.mark.parametrize("slug", chapters_with("animation"))
def test_a_film_shows_three_bookmarks_at_most_and_in_their_order(slug):
    animation, *_ = animations(slug)
    named = [bookmark.name for bookmark in animation.filmed]
    assert named == [each.name for each in animation.bookmarks if each.name in named]
    assert 1 <= len(named) <= 3
    assert not animation.film or named == list(animation.film)


def make(folder: Path) -> Path:
    """Make the film of a chapter there; return its path without a suffix."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {"TUNABLES_BASEURL": ADDRESS, "PATH": path}
    command = [sys.executable, str(ROOT / "book" / "films.py"), str(folder), SLUG]
    subprocess.run(command, env=env, check=True, timeout=400)
    return folder / page_name(SLUG)


def decoded(path: Path) -> np.ndarray:
    """Return a film's frames: frame, row, column, colour."""
    import imageio_ffmpeg

    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-i", str(path)]
    command += ["-vf", f"scale={SHOWN}:{SHOWN}", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    run = subprocess.run(command, check=True, capture_output=True, timeout=100)
    return np.frombuffer(run.stdout, np.uint8).reshape(-1, SHOWN, SHOWN, 3)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_film_is_short_small_moving_and_the_same_each_time(tmp_path):
    sys.path[:0] = [str(ROOT / "book")]
    try:
        import films
    finally:
        sys.path.remove(str(ROOT / "book"))
    film = make(tmp_path / "one")
    each_s = films.FRAMES_PER_S
    for suffix in (".webm", ".gif"):
        frames = decoded(film.with_suffix(suffix)).astype(int)
        assert 15 < len(frames) / each_s <= films.LONGEST_S
        for still in (frames[0], frames[-1]):
            assert (still.sum(axis=2) < 3 * 128).mean() > 0.01, f"{suffix}: a blank frame"
        # The first scene runs and then rests: something moves each half second until then.
        rest, run = round(films.RESTING_S * each_s), round(films.MOVING_S * each_s)
        assert np.abs(frames[run] - frames[run + rest - 2]).max() < 60
        moving = frames[: run - 1]
        steps = range(0, len(moving) - each_s // 2, each_s // 2)
        assert all(np.abs(moving[n] - moving[n + each_s // 2]).max() > 60 for n in steps)
        assert np.abs(frames[0] - frames[-1]).mean() > 5
    assert film.with_suffix(".gif").stat().st_size < films.GIF_AT_MOST
    again = make(tmp_path / "again")
    for suffix in (".webm", ".gif"):
        assert film.with_suffix(suffix).read_bytes() == again.with_suffix(suffix).read_bytes()
