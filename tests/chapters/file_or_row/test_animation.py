"""What chapter 7's animation replays and says, against the closed form and the simulation."""

import re

import pytest

from tunables.chapters.file_or_row.simulation import SHOWN, run
from tunables.core.registry import find_animation
from tunables.views.animation import read_overview, read_stills

RACE = find_animation("blobs")
STILLS = dict(
    zip(
        (bookmark.name for bookmark in RACE.bookmarks), read_stills("file_or_row")["blobs"],
        strict=True,
    )
)  # fmt: skip


def times(replay):
    """Return the time of each file and of each row, from the run."""
    width = len(replay["hit"]) // SHOWN
    rows = [
        replay["lookup"] + replay["one"] * (width - sum(replay["hit"][n * width : (n + 1) * width]))
        for n in range(SHOWN)
    ]
    return [replay["open"] + replay["blob"]] * SHOWN, rows


@pytest.mark.parametrize("bookmark", RACE.bookmarks, ids=lambda bookmark: bookmark.name)
def test_the_sentences_count_what_has_been_read(bookmark):
    files, rows = times(RACE.run(bookmark))
    said = STILLS[bookmark.name]["sentence"]
    found = re.search(r"Done: (\d+) of 24 from files, (\d+) from rows\.", said)
    assert found, said
    ends = [[sum(each[: n + 1]) for n in range(SHOWN)] for each in (files, rows)]
    done = [sum(end <= bookmark.at for end in lane) for lane in ends]
    assert [int(count) for count in found.groups()] == done
    assert said in STILLS[bookmark.name]["svg"]


def test_the_titles_of_the_bookmarks_hold():
    replays = {bookmark.name: RACE.run(bookmark) for bookmark in RACE.bookmarks}
    said = {name: still["sentence"] for name, still in STILLS.items()}
    assert "file 1 is being opened, and 1 of 3 pages of row 2" in said["small"]
    assert "Done: 0 of 24 from files, 1 from rows" in said["small"]
    assert times(replays["small"])[1][0] == pytest.approx(62, abs=1)
    files, pages = r"9\d\d of 1,000 kB of file 1 have been read", r"1[12]\d of 245 pages"
    assert re.search(f"{files}, and {pages}", said["large"])
    assert "of 99 pages" in said["old-pages"]
    assert replays["big-page"]["overflow"] == 0
    assert "A file took 0.43 times as long as a row" in said["two-pages"]


def test_the_overview_says_what_the_runs_did_and_the_rows_are_close_to_whole_runs():
    said = read_overview("blobs")["blobs"]["sentence"]
    assert RACE.overview
    for label, settings in RACE.overview.runs.items():
        replay = RACE.replay(settings)
        files, rows = times(replay)
        quotient = sum(files) / sum(rows)
        assert f"{label}: {quotient:.2f} times as long as from rows." in said
        whole = run(
            1,
            blob_kb=replay["blob"],
            page_bytes=replay["bytes"],
            **{name: RACE.given[name] for name in RACE.given},
        )
        assert quotient == pytest.approx(whole["ratio"], rel=0.05)
