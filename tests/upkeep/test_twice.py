"""The book, built twice in two folders and surroundings, is the same to the last byte."""

import pytest

from tests.chapters.notebooks import ROOT
from tests.lab.interrupted import start_program
from upkeep import twice

LIMIT_S = 900
SCRIPT = ROOT / "upkeep" / "twice.py"


def test_the_copy_has_what_git_keeps_and_nothing_that_was_built(tmp_path):
    copy = twice.copy(tmp_path / "a" / "b")
    assert (copy / "upkeep" / "twice.py").read_bytes() == SCRIPT.read_bytes()
    assert not (copy / "_build").exists()
    assert not (copy / "book" / "_static" / "vendor").exists()
    assert (copy / "node_modules" / "katex").exists()


@pytest.mark.long
@pytest.mark.timeout(LIMIT_S)
def test_the_book_is_the_same_when_it_is_built_twice(tmp_path):
    program = "from upkeep.twice import main; main()"
    with start_program(program, tmp_path, limit_s=LIMIT_S) as process:
        said, troubles = process.communicate()
        assert process.returncode == 0, troubles[-2000:]
    assert "the same to the last byte" in said
