"""`make check ONE=...` runs what names the chapter, its page or a case of it, as a whole word."""

import pytest

from tunables.page.chapters import CHAPTERS, page_name
from upkeep.check import WHOLE, command, names_one


@pytest.mark.parametrize(
    ("test", "named"),
    [
        ("tests/a/lock/test_case.py::test_the_busy_hour", True),
        ("tests/a/test_notebooks.py::test_order[09-lock.ipynb]", True),
        ("tests/a/test_statuses.py::test_another_value[lock-lock-busy-time]", True),
        ("tests/a/test_claims.py::test_numbers[{LOCK_S:.0f}]", True),
        ("tests/a/test_kernels.py::test_a_block_ends[rrd]", False),
        ("tests/a/test_clock.py::test_it_runs", False),
        ("tests/a/test_case.py::test_case[locker]", False),
    ],
)
def test_a_test_names_a_chapter_by_a_whole_word(test, named):
    assert names_one(test, ["lock", "09-lock"]) is named


def test_one_chapter_has_its_own_tests_and_those_that_compare_all():
    chapter = CHAPTERS[1]
    found = command(str(chapter.number))
    words = ",".join([chapter.slug, page_name(chapter.slug), *chapter.cases])
    assert f"--names={words}" in found
    assert f"tunables/chapters/{chapter.slug}" in found
    assert {*WHOLE} <= {*found}
    with pytest.raises(ValueError, match="chapter = 'tide'"):
        command("tide")
