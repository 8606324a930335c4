"""The card of chapter 7: its advice followed in simulated reads, at the corners too."""

import itertools
import sqlite3
from functools import cache, partial

import numpy as np
import pytest

from tests.core.asked import ask_card
from tunables.chapters.file_or_row.predictor import CLEAR, PAGE_SIZES, SAVED
from tunables.chapters.file_or_row.simulation import run
from tunables.core.registry import find_card
from tunables.theory.blob_storage import file_cost

ask = partial(ask_card, "file_or_row")
CARD = find_card("file_or_row")
COSTS = ("open_kb", "lookup_kb", "page_kb", "byte_ratio")


@cache
def points():
    """Return corners of the card's costs and random points, each stored in rows and in files."""
    rng = np.random.default_rng(7)
    corners = list(itertools.product((1, 500), (1, 200), (0, 20), (0.2, 4)))
    costs = [
        *corners,
        *(tuple(10 ** rng.uniform([0, 0, -1, -0.7], [2.7, 2.3, 1.3, 0.6])) for _ in range(40)),
    ]
    found = []
    for each in costs:
        for blob_kb in (1.0, 16.3, float(10 ** rng.uniform(0, 3))):
            place = {"blob_kb": blob_kb, "page_bytes": int(rng.choice(PAGE_SIZES))}
            settings = place | dict(zip(COSTS, map(float, each), strict=True))
            found += [(settings, stored) for stored in ("rows", "files")]
    return found


def time_of(settings, stored, page_bytes=None):
    """Return the time of a read, from simulated pages if it is from a row."""
    file = file_cost(settings["blob_kb"], settings["open_kb"])
    if stored == "files":
        return file
    page = page_bytes or settings["page_bytes"]
    return file / run(1, **{**settings, "page_bytes": page})["ratio"]


def test_the_advice_never_makes_reads_slower_and_saves_what_the_card_says():
    states = set()
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        states.add(card["state"])
        before = time_of(settings, stored)
        state = card["state"]
        goal = {"to files": "files", "to rows": "rows", "page": "rows"}.get(state, stored)
        page = int(card["best_page_bytes"]) if state == "page" else None
        after = time_of(settings, goal, page)
        saved = 100 * (1 - after / before)
        assert saved == pytest.approx(card["gain_percent"], abs=12), (settings, stored)
        if state in ("page", "to files", "to rows"):
            assert saved > 0
        if state == "page":
            assert card["saved_percent"] >= 100 * SAVED
            assert card["best_ratio"] > 1 / CLEAR
    assert states == {*CARD.states}


def test_where_the_card_says_keep_or_close_no_move_saves_a_quarter():
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        if card["state"] in ("keep", "close"):
            other = "files" if stored == "rows" else "rows"
            assert time_of(settings, other) > time_of(settings, stored) / CLEAR * 0.9


def test_the_card_opens_over_the_knee_with_the_reports_costs():
    card = ask()
    assert card["verdict"].startswith("Past the knee")
    assert card["ratio"] < 1
    assert card["threshold_kb"] < 100


def test_a_page_in_wal_mode_is_not_changed_by_a_vacuum(tmp_path):
    """What the card warns of, and what its steps do instead, in SQLite itself."""
    connection = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    for statement in (
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE t (x)",
        "PRAGMA page_size = 16384",
    ):
        connection.execute(statement)
    connection.execute("VACUUM")
    assert connection.execute("PRAGMA page_size").fetchone() == (4096,)
    for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 16384", "VACUUM"):
        connection.execute(statement)
    assert connection.execute("PRAGMA page_size").fetchone() == (16384,)
    connection.close()
