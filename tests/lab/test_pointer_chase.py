"""The pointer chase: its way is one cycle, it asserts no time, and it says what it lacks."""

import importlib.util
import sys

import numpy as np
import pytest

from tunables.lab import pointer_chase
from tunables.lab.pointer_chase import L1d, cycle, l1d, sweep, unavailable

needs_numba = pytest.mark.skipif(not importlib.util.find_spec("numba"), reason="numba is optional")


@pytest.mark.parametrize("lines", [2, 3, 512, 545])
def test_way_meets_every_line_once_and_returns(lines):
    following = cycle(lines * 64, seed=5)
    met = []
    at = 0
    for _ in range(lines):
        at = int(following[at])
        met.append(at)
    assert at == 0
    assert sorted(met) == list(range(0, 8 * lines, 8))
    assert following.nbytes == lines * 64


def test_seed_makes_the_way():
    assert np.array_equal(cycle(4096, seed=1), cycle(4096, seed=1))
    assert not np.array_equal(cycle(4096, seed=1), cycle(4096, seed=2))


def test_chase_follows_the_way():
    following = cycle(64 * 100, seed=2)
    after_three = following[following[following[following[0]]]]
    assert pointer_chase._follow(following, 3) == after_three
    assert pointer_chase._follow(following, 100) == following[0]


@needs_numba
def test_a_row_for_each_working_set():
    rows = list(sweep([8 << 10, 16 << 10], accesses=2000, repeats=2))
    assert [row.working_set_bytes for row in rows] == [8192, 16384]
    assert all(row.ns_per_access > 0 for row in rows)


def test_without_numba_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert "needs numba" in unavailable()
    with pytest.raises(RuntimeError, match="needs numba"):
        sweep([4096])


@needs_numba
def test_with_numba_there_is_nothing_to_say():
    assert unavailable() == ""


def sysfs(root, *caches):
    for index, facts in enumerate(caches):
        folder = root / f"index{index}"
        folder.mkdir()
        for name, value in facts.items():
            (folder / name).write_text(value + "\n")
    return root


def test_l1d_is_the_first_level_data_cache(tmp_path):
    instruction = {"level": "1", "type": "Instruction", "size": "64K"}
    second = {"level": "2", "type": "Unified", "size": "1M"}
    data = {"level": "1", "type": "Data", "size": "48K", "ways_of_associativity": "12"}
    assert l1d(sysfs(tmp_path, instruction, second, data)) == L1d(48 * 1024, 12)


def test_l1d_without_its_ways(tmp_path):
    assert l1d(sysfs(tmp_path, {"level": "1", "type": "Data", "size": "32K"})) == L1d(32768, 0)


def test_l1d_that_the_system_does_not_tell(tmp_path):
    assert l1d(tmp_path / "none") is None
    assert l1d(sysfs(tmp_path, {"level": "2", "type": "Unified", "size": "1M"})) is None


@needs_numba
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"working_sets_bytes": [64]}, r"working_sets_bytes\[0\] = 64"),
        ({"working_sets_bytes": [4096], "accesses": 0}, "accesses = 0"),
        ({"working_sets_bytes": [4096], "repeats": 0}, "repeats = 0"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        sweep(**arguments)
