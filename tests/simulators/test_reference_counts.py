"""Functions that borrow arrays are compiled without reference counts, all others with them."""

import re
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.runtime import _nrt_python, rtsys

from tunables.simulators.reference_counts import BorrowingCompiler


class Pair(NamedTuple):
    left: np.ndarray
    right: np.ndarray


def borrowing(function):
    return njit(pipeline_class=BorrowingCompiler)(function)


@borrowing
def add_to_row(table, row, amount):
    mine = table[row]
    for i in range(len(mine)):
        mine[i] += amount
    return mine[0]


@borrowing
def add_to_rows(table, rows):
    total = 0.0
    for row in range(rows):
        total += add_to_row(table, row, 1.0)
    return total


@borrowing
def add_with_tuple(table, arguments):
    return add_to_row(table, *arguments, 2.0)


@borrowing
def add_pair(table):
    pair = Pair(table[0], table[1])
    return pair.left[0] + pair.right[0]


@borrowing
def row_of(table, row):
    return table[row]


@borrowing
def pair_of(table):
    return Pair(table[0], table[1])


@borrowing
def sum_of_chosen(table):
    chosen = table[0][np.array([0, 2])]
    return chosen[0] + chosen[1]


@borrowing
def sum_of_double(table):
    double = table[0] * 2
    return double[0] + double[1]


@borrowing
def clear_row(table):
    table[0, :] = 0.0
    return table[0, 0] + table[1, 0]


@borrowing
def sum_of_row(table):
    return row_of(table, 1)[0]


@borrowing
def last_row_of_new():
    table = np.arange(12.0).reshape(4, 3)
    add_to_rows(table, 4)
    return row_of(table, 3)


BORROW = [
    (add_to_row, (1, 0.5)),
    (add_to_rows, (3,)),
    (add_with_tuple, ((2,),)),
    (add_pair, ()),
]
COUNT = [row_of, pair_of, sum_of_chosen, sum_of_double, clear_row, sum_of_row]
MORE = {row_of: (1,)}


@pytest.fixture
def statistics():
    """Return the function that tells what numba has allocated and freed so far."""
    _nrt_python.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    _nrt_python.memsys_disable_stats()


def new_table():
    return np.arange(12.0).reshape(4, 3)


def counts_of_own(function) -> bool:
    """Return whether the code of a compiled function itself counts; Python's way in is another."""
    ((signature, code),) = function.inspect_llvm().items()
    name = function.overloads[signature].fndesc.llvm_func_name
    (body,) = re.findall(rf"^define [^\n]*@{re.escape(name)}\(.*?^}}", code, re.M | re.S)
    return "NRT_incref" in body or "NRT_decref" in body


@pytest.mark.parametrize(
    ("function", "more"), BORROW, ids=lambda each: getattr(each, "__name__", "")
)
def test_a_function_that_borrows_counts_nothing_and_gives_the_same(function, more):
    tables = new_table(), new_table()
    assert function(tables[0], *more) == function.py_func(tables[1], *more)
    np.testing.assert_array_equal(*tables)
    assert not counts_of_own(function)


@pytest.mark.parametrize("function", COUNT, ids=lambda each: each.__name__)
def test_a_function_that_returns_or_makes_arrays_frees_as_many_as_it_makes(function, statistics):
    tables, more = (new_table(), new_table()), MORE.get(function, ())
    before = statistics()
    np.testing.assert_array_equal(function(tables[0], *more), function.py_func(tables[1], *more))
    after = statistics()
    assert after.alloc - before.alloc == after.free - before.free
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free


def test_a_row_outlives_the_function_that_made_its_table():
    rows = [last_row_of_new() for _ in range(50)]
    for row in rows:
        assert row.tolist() == [10.0, 11.0, 12.0]


def test_a_function_that_returns_arrays_counts():
    pair_of(new_table())
    assert counts_of_own(pair_of)
