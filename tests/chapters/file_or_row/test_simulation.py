"""The reads of rows against a plain LRU cache, and at the ends where the answer is known."""

from collections import OrderedDict

import pytest

from tunables.chapters.file_or_row.case import case
from tunables.chapters.file_or_row.experiment import page_reads, page_trace, tree_of
from tunables.chapters.file_or_row.simulation import events, play, run, run_of_map, shape_of
from tunables.core.registry import find_map
from tunables.theory.caching import shuffled_hit_ratio

COSTS = {name: case().settings()[name] for name in ("open_kb", "lookup_kb", "page_kb")}
COSTS["byte_ratio"] = case().settings()["byte_ratio"]


def misses(ids, capacity, warmup):
    """Return the misses after the warm-up of an LRU cache, in a dictionary."""
    cache, count = OrderedDict(), 0
    for now, page in enumerate(ids):
        count += page not in cache and now >= warmup
        cache[page] = True
        cache.move_to_end(page)
        if len(cache) > capacity:
            cache.popitem(last=False)
    return count


@pytest.mark.parametrize("capacity", [1, 7, 40, 1000])
@pytest.mark.parametrize("shape", [(50, 1, 8, 3), (64, 6, 100, 0), (1, 1, 5, 9)])
def test_the_count_is_that_of_a_plain_cache(shape, capacity):
    ids = page_trace(3, *shape, 2).tolist()
    counted = misses(ids, capacity, len(ids) // 2) / shape[0]
    assert page_reads(3, *shape, capacity) == pytest.approx(counted)


def test_a_read_goes_from_the_root_to_the_leaf_and_then_along_the_overflow_pages():
    rows, per_leaf, fanout, overflow = 60, 2, 5, 4
    tree = tree_of(rows, per_leaf, fanout).tolist()
    assert tree == [30, 6, 2, 1]
    width = len(tree) + overflow
    ids = page_trace(1, rows, per_leaf, fanout, overflow, 1).reshape(rows, width)
    leaves = ids[:, len(tree) - 1]
    assert sorted(leaves) == sorted(row // per_leaf for row in range(rows))
    assert set(ids[:, 0]) == {sum(tree) - 1}
    for read in ids:
        upper, leaf = read[2] - tree[0], read[3]
        assert upper == leaf // fanout
        assert (read[len(tree) + 1 :] - read[len(tree) : -1] == 1).all()
    spilled = ids[:, len(tree) :]
    assert sorted(spilled.ravel()) == list(range(sum(tree), sum(tree) + rows * overflow))


def test_a_cache_for_everything_leaves_nothing_to_read_and_none_lets_every_page_be_read():
    assert run_of_map(1, blob_kb=20, page_bytes=4096, cache_mb=200)["pages"] == 0
    settings = {"blob_kb": 20, "page_bytes": 4096}
    levels = len(tree_of(*shape_of(**settings)[:3]))
    read = run_of_map(1, cache_mb=0, **settings)["pages"]
    assert read == pytest.approx(shape_of(**settings)[3] + levels, abs=0.01)


def test_the_map_has_the_closed_form_where_its_assumptions_hold():
    held = find_map("blobs")
    settings, _ = held.split(20, 2.0)
    closed = held.case.predict(**settings)["pages"]
    found = run_of_map(1, cache_mb=2.0, **settings)["pages"]
    assert found == pytest.approx(closed, rel=0.03)


def test_a_cache_for_half_of_it_saves_what_chapter_3_says_of_shuffled_scans():
    settings = {"blob_kb": 200, "page_bytes": 4096}
    rows, *_, overflow = shape_of(**settings)
    room = 0.5 * rows * (overflow + 1) * 4096 / 1e6
    pages = [run_of_map(seed, cache_mb=room, **settings)["pages"] for seed in range(8)]
    saved = 1 - sum(pages) / len(pages) / (overflow + 1)
    assert saved == pytest.approx(shuffled_hit_ratio(0.5), abs=0.03)


def test_what_the_animation_replays_is_the_trace_and_the_closed_form():
    replay = play(blob="20", page="4096", **COSTS)
    tree, page, hit = events(1, blob_kb=20, page_bytes=4096, cache_mb=2, shown=24)
    assert (replay["tree"], replay["page"], replay["hit"]) == (tree, page.tolist(), hit.tolist())
    closed = case().predict(**case().settings(blob_kb=20, page_bytes=4096))
    assert replay["ratio"] == closed["ratio"]
    assert replay["overflow"] == closed["pages"] - 1
    assert len(page) == replay["reads"] * (len(tree) + replay["overflow"])


def test_what_is_shown_are_the_last_reads_of_the_run():
    """Held against a plain cache that sees all of it."""
    rows, capacity = 5000, 488
    tree, page, hit = events(1, blob_kb=20, page_bytes=4096, cache_mb=2, shown=24)
    ids = page_trace(1, *shape_of(20, 4096), 2).tolist()
    assert tree == tree_of(*shape_of(20, 4096)[:3]).tolist()
    assert shape_of(20, 4096)[0] == rows
    assert page.tolist() == ids[-len(page) :]
    assert misses(ids, capacity, len(ids) - len(page)) == len(hit) - sum(hit)


def test_a_run_refuses_what_the_closed_form_refuses():
    for wrong in ({"blob_kb": 0}, {"page_bytes": 100}, {"open_kb": -1}, {"lookup_kb": "x"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            run(1, **{"blob_kb": 10, "page_bytes": 1024, **COSTS, **wrong})
