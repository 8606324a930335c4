"""The card of chapter 7: its advice followed in simulated reads and in the report's own table."""

import itertools
import re
import shutil
import sqlite3
from contextlib import closing
from functools import cache, partial

import numpy as np
import pytest

from tests.core.asked import ask_card
from tunables.chapters.file_or_row.calibration import PAGES, SIZES, cells, ratio
from tunables.chapters.file_or_row.predictor import (
    CLEAR,
    MOST_BLOB_KB,
    MOST_MOVED_KB,
    NEAR,
    PAGE_SIZES,
    alarm_size,
    clear_sizes,
    predict,
)
from tunables.chapters.file_or_row.simulation import run
from tunables.core.registry import find_card
from tunables.page.formats import output_text
from tunables.theory.blob_storage import file_cost

ask = partial(ask_card, "file_or_row")
CARD = find_card("file_or_row")
COSTS = ("open_kb", "lookup_kb", "page_kb", "byte_ratio")
PLACES = ("rows", "files")
BYTE = 0.0015  # kB: past the next byte, and past rounding to it
ROUNDING = 1e-6


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
            found += [(settings, stored) for stored in PLACES]
    return found


def time_of(settings, stored, page_bytes=None):
    """Return the time of a read, from simulated pages if it is from a row."""
    file = file_cost(settings["blob_kb"], settings["open_kb"])
    if stored == "files":
        return file
    page = page_bytes or settings["page_bytes"]
    return file / run(1, **{**settings, "page_bytes": page})["ratio"]


def follow(card, stored, page):
    """Return where the BLOBs are and the page size, after the card's advice."""
    if card["state"] in ("page", "page-first"):
        page = int(card["advised_page_bytes"])
    place = {"to-files": "files", "to-rows": "rows", "page-first": "rows"}
    return place.get(card["state"], stored), page


def test_the_advice_never_makes_reads_slower_and_saves_what_the_card_says():
    states = set()
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        states.add(card["state"])
        before = time_of(settings, stored)
        saved = 100 * (
            1 - time_of(settings, *follow(card, stored, settings["page_bytes"])) / before
        )
        assert saved == pytest.approx(card["gain_percent"], abs=12), (settings, stored)
        if card["state"] in ("page", "page-first", "to-files", "to-rows"):
            assert card["gain_percent"] >= 100 * (1 - 1 / CLEAR) - ROUNDING
            assert saved > 0
    assert states == {*CARD.states}


def test_once_the_page_is_changed_first_the_card_says_to_move_into_rows():
    seen = 0
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        if card["state"] in ("page", "page-first"):
            page = int(card["advised_page_bytes"])
            then = ask(**settings | {"page_bytes": page}, stored=stored)
            seen += stored == "files"
            assert (
                then["state"]
                in {
                    "rows": ("keep-rows", "close-rows"),
                    "files": ("to-rows",),
                }[stored]
            )
            assert then["advised_page_bytes"] == page
    assert seen > 5


def test_no_advice_makes_a_cell_of_the_reports_own_table_slower():
    """The report's ratios of one column compare rows of different page sizes, too."""
    changed = set()
    for (page, size), stored in itertools.product(cells(), PLACES):
        card = ask(blob_kb=SIZES[size], page_bytes=page, stored=stored)
        place, then = follow(card, stored, page)
        assert then in PAGES
        before = 1 if stored == "files" else 1 / ratio(page, size)  # in the time of a file
        after = 1 if place == "files" else 1 / ratio(then, size)
        assert after <= before, (page, size, stored, card["state"])
        if (place, then) != (stored, page):
            changed.add(card["state"])
            assert after < 0.95 * before
        if card["state"] == "keep-files":  # no page of the report makes these rows clearly faster
            assert max(ratio(other, size) for other in PAGES) < CLEAR
    assert changed == {"page", "page-first", "to-files", "to-rows"}


def test_the_advised_pages_are_the_reports_own_for_large_blobs():
    for blob_kb, page in ((50, 8192), (100, 8192), (500, 16384), (1000, 16384)):
        assert ask(blob_kb=blob_kb, page_bytes=1024)["advised_page_bytes"] == page


def test_no_page_is_cheaper_than_the_advised_one_by_more_than_a_tenth():
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        page = int(card["advised_page_bytes"])
        ratios = {
            each: predict(**settings | {"page_bytes": each})["ratio"]
            for each in (*PAGE_SIZES, page)
        }
        assert max(ratios.values()) <= ratios[page] * NEAR * (1 + ROUNDING)
        if page != settings["page_bytes"]:
            smaller = [ratios[each] for each in PAGE_SIZES if each < page]
            assert all(each * NEAR < max(ratios.values()) for each in smaller)


def test_where_the_card_says_to_leave_them_no_move_saves_a_quarter():
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        if card["state"].startswith(("keep", "close")):
            other = "files" if stored == "rows" else "rows"
            page = int(card["advised_page_bytes"])
            pages = {settings["page_bytes"], page} if other == "rows" else {None}
            for each in pages:
                assert time_of(settings, other, each) > time_of(settings, stored) / CLEAR * 0.9


def ratio_at(settings, blob_kb, page=None):
    place = {"blob_kb": blob_kb, "page_bytes": page or settings["page_bytes"]}
    return predict(**settings | place)["ratio"]


def is_clear(place, ratio, slack=ROUNDING):
    """Say whether a place is faster by a quarter at a ratio."""
    return ratio >= CLEAR * (1 - slack) if place == "rows" else ratio <= (1 + slack) / CLEAR


def test_the_sizes_to_move_are_all_clearly_faster_there_and_the_next_ones_arent():
    rng, seen = np.random.default_rng(3), dict.fromkeys(PLACES, 0)
    for settings, _ in points():
        blob_kb, page = settings["blob_kb"], settings["page_bytes"]
        for place in PLACES:
            if not is_clear(place, ratio_at(settings, blob_kb), 0):
                continue
            costs = [settings[name] for name in COSTS]
            low, high = clear_sizes(place, blob_kb, page, *costs)
            seen[place] += 1
            assert low <= blob_kb <= high
            for size in low + BYTE + (high - low - BYTE) * rng.random(20) ** 3:
                assert is_clear(place, ratio_at(settings, size)), (settings, place, size)
            if high < MOST_MOVED_KB / 50:  # among larger ones the slack is a page
                assert not is_clear(place, ratio_at(settings, high + BYTE), 0)
            if low > BYTE:
                assert not is_clear(place, ratio_at(settings, low - BYTE), 0)
    assert min(seen.values()) > 50


def test_the_card_moves_into_files_what_better_pages_would_not_save_either():
    for (page, size), stored in itertools.product(cells(), PLACES):
        settings = CARD.model.settings(blob_kb=SIZES[size], page_bytes=page)
        del settings["stored"]
        card = ask(**settings, stored=stored)
        if card["state"] in ("to-files", "to-rows"):
            assert card["move_from_kb"] <= SIZES[size] <= card["move_to_kb"]
            place = card["state"].removeprefix("to-")
            better = place == "files" and card["advised_ratio"] <= 1 / CLEAR
            judged = int(card["advised_page_bytes"]) if better else page
            ends = (max(card["move_from_kb"], 0.1) + BYTE, card["move_to_kb"])
            assert all(is_clear(place, ratio_at(settings, end, judged)) for end in ends)
        else:
            assert (card["move_from_kb"], card["move_to_kb"]) == (0, 0)


def test_no_size_that_is_moved_is_read_as_fast_where_it_is_now():
    rng, seen = np.random.default_rng(11), dict.fromkeys(("to-files", "to-rows"), 0)
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        if card["state"] not in seen:
            continue
        seen[card["state"]] += 1
        low, high = max(card["move_from_kb"], 0.1) + BYTE, card["move_to_kb"]
        for size in rng.uniform(low, high, 20):
            assert is_clear(card["state"].removeprefix("to-"), ratio_at(settings, size))
    assert min(seen.values()) > 20


def test_the_alarm_of_a_size_is_the_nearest_at_which_the_other_place_is_clearly_faster():
    rng, seen = np.random.default_rng(4), dict.fromkeys(PLACES, 0)
    for settings, _ in points():
        blob_kb, page = settings["blob_kb"], settings["page_bytes"]
        costs = [settings[name] for name in COSTS]
        for place, other in (PLACES, PLACES[::-1]):
            if is_clear(other, ratio_at(settings, blob_kb)):
                continue
            alarm = alarm_size(place, blob_kb, page, *costs)
            between = blob_kb + (alarm - blob_kb) * rng.random(20) * (1 - 1e-3)
            assert not any(is_clear(other, ratio_at(settings, each), 0) for each in between)
            if 0 < alarm < MOST_BLOB_KB:
                seen[place] += 1
                past = alarm + (BYTE if place == "rows" else 0)
                assert is_clear(other, ratio_at(settings, past), 1e-4)
    assert min(seen.values()) >= 20


def test_no_alarm_rings_on_the_day_of_the_advice():
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        place, page = follow(card, stored, settings["page_bytes"])
        sizes = [watch for watch in CARD.watch if watch.metric.startswith("Size of the BLOBs")]
        shown = [watch for watch in sizes if card["state"] in watch.states]
        assert [place in watch.metric for watch in shown] == [True]
        assert not shown[0].fires(settings["blob_kb"], card)
        tests = [watch for watch in CARD.watch if watch.metric.startswith("Time to read")]
        then = ratio_at(settings, settings["blob_kb"], page)
        assert not any(watch.fires(then, card) for watch in tests)


def test_the_verdict_names_the_side_of_the_size_that_the_card_shows():
    seen = set()
    for settings, stored in points():
        card = ask(**settings, stored=stored)
        below = settings["blob_kb"] <= card["threshold_kb"]
        assert card["verdict"].startswith("Below the knee" if below else "Past the knee")
        faster = "but a file is faster at this size" in card["verdict"]
        assert faster == (below and card["ratio"] < 1)
        seen.add((below, faster))
    assert seen == {(True, False), (True, True), (False, False)}
    shown = ask(blob_kb=147.4, page_bytes=16384)  # 147.4 kB has just begun a page, the knee is 164
    assert shown["ratio"] < 1
    assert shown["verdict"].startswith("Below the knee, but a file is faster at this size.")


def test_where_opening_costs_less_than_the_look_up_large_blobs_belong_in_rows():
    costs = {"open_kb": 10.0, "lookup_kb": 35.0, "page_kb": 0.1, "byte_ratio": 0.5}
    large, small = (ask(blob_kb=size, stored="files", **costs) for size in (5000, 1))
    assert large["state"] == "to-rows"
    assert large["threshold_kb"] == MOST_BLOB_KB
    assert 20 < large["move_from_kb"] < 200
    assert large["move_to_kb"] == MOST_MOVED_KB
    assert small["state"] == "keep-files"
    moved = ask(blob_kb=1, stored="rows", **costs)
    assert moved["state"] == "to-files"
    assert moved["move_to_kb"] < 50


def test_what_the_steps_give_sqlite_is_what_it_takes(tmp_path):
    """A page size with a comma would be a syntax error."""
    (place,) = (output for output in CARD.model.outputs if output.name == "pragma")
    for page in (1024, 4096, 65536):
        card = ask(blob_kb=10 if page == 65536 else 100, page_bytes=page)
        shown = output_text(card["pragma"], place.digits)
        steps = [step.format_map(dict.fromkeys(card, "?") | {"pragma": shown})
                 for step in CARD.steps_in("page")]  # fmt: skip
        statements = re.findall(r"PRAGMA page_size = [^ ]*\d", " ".join(steps))
        assert len(statements) == 2
        with connect(tmp_path / f"{page}.db") as connection:
            answer(connection, "CREATE TABLE t (x)")
            for statement in (*statements, "VACUUM"):
                answer(connection, statement)
            assert answer(connection, "PRAGMA page_size") == card["advised_page_bytes"]


def test_the_card_opens_over_the_knee_with_the_reports_costs():
    card = ask()
    assert card["verdict"].startswith("Past the knee")
    assert card["ratio"] < 1
    assert card["threshold_kb"] < 100


def connect(path):
    return closing(sqlite3.connect(path, isolation_level=None, timeout=0))


def answer(connection, statement):
    (row,) = connection.execute(statement).fetchall() or [(None,)]
    return row[0]


@pytest.fixture
def database(tmp_path):
    """A database in WAL mode with 50 rows, whose rowids are odd."""
    path = tmp_path / "a.db"
    with connect(path) as connection:
        answer(connection, "PRAGMA journal_mode = WAL")
        answer(connection, "CREATE TABLE t (x)")
        rows = ((2 * row + 1, row) for row in range(50))
        connection.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", rows)
    return path


def test_a_page_in_wal_mode_is_not_changed_by_a_vacuum(database):
    """What the card warns of, and what its steps do instead, in SQLite itself."""
    with connect(database) as connection:
        for statement in ("PRAGMA page_size = 16384", "VACUUM"):
            answer(connection, statement)
        assert answer(connection, "PRAGMA page_size") == 4096
        assert answer(connection, "PRAGMA journal_mode = DELETE") == "delete"
        for statement in ("PRAGMA page_size = 16384", "VACUUM"):
            answer(connection, statement)
        assert answer(connection, "PRAGMA page_size") == 16384


def test_a_page_set_on_another_connection_than_vacuum_is_not_changed(database):
    with connect(database) as first, connect(database) as second:
        answer(first, "PRAGMA page_size = 16384")
        answer(second, "VACUUM")
        assert answer(second, "PRAGMA page_size") == 4096


def test_while_a_reader_is_connected_the_journal_mode_does_not_answer_delete(database):
    with connect(database) as reader, connect(database) as connection:
        answer(reader, "SELECT count(*) FROM t")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            answer(connection, "PRAGMA journal_mode = DELETE")
        for statement in ("PRAGMA page_size = 16384", "VACUUM"):
            answer(connection, statement)
        assert answer(connection, "PRAGMA page_size") == 4096


def test_vacuum_into_makes_the_test_copy_while_a_writer_goes_on(database, tmp_path):
    copy = tmp_path / "copy.db"
    with connect(database) as writer, connect(database) as connection:
        answer(writer, "INSERT INTO t (x) VALUES (50)")
        answer(connection, "PRAGMA page_size = 16384")
        answer(connection, f"VACUUM INTO '{copy}'")
        answer(writer, "INSERT INTO t (x) VALUES (51)")
        assert answer(writer, "PRAGMA page_size") == 4096
    with connect(copy) as copied:
        assert answer(copied, "PRAGMA page_size") == 16384
        assert answer(copied, "PRAGMA integrity_check") == "ok"
        assert answer(copied, "SELECT count(*) FROM t") == 51


def test_a_plain_copy_of_a_database_in_use_lacks_rows_and_its_check_is_ok(database, tmp_path):
    with connect(database) as writer:
        answer(writer, "INSERT INTO t (x) VALUES (50)")
        shutil.copy(database, tmp_path / "copy.db")
        with connect(tmp_path / "copy.db") as copied:
            assert answer(copied, "SELECT count(*) FROM t") < 51
            assert answer(copied, "PRAGMA integrity_check") == "ok"


def test_vacuum_numbers_rows_anew_without_an_integer_primary_key(database):
    with connect(database) as connection:
        assert answer(connection, "SELECT max(rowid) FROM t") == 99
        answer(connection, "VACUUM")
        assert answer(connection, "SELECT max(rowid) FROM t") == 50
