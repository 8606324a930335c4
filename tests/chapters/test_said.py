"""What cases and cards say, against the record of it: what changes is noticed, and by its place."""

import json

import pytest

from tests.chapters.said import changes, laid_out, of_chapter, path
from tunables.page.chapters import CHAPTERS


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_a_chapter_says_what_is_on_record(slug):
    renew = f"if that is meant, run: python -m tests.chapters.said {slug}"
    assert path(slug).exists(), renew
    found = changes(json.loads(path(slug).read_text(encoding="utf-8")), of_chapter(slug))
    assert not found, "\n".join([*found, renew])


def test_a_change_is_told_by_its_place():
    old = {"till": {"default": 3.0, "remark": "", "rows": ["quiet", "busy"], "best": None}}
    new = {"till": {"default": 3.0 + 1e-9, "remark": "of sight", "rows": ["quiet"], "best": 0}}
    assert changes(old, old) == []
    assert changes(old, new) == [
        "till, remark: was '', is 'of sight'",
        "till, rows, 2: was 'busy', is 'nothing'",
        "till, best: was None, is 0",
    ]


def test_the_layout_is_json():
    value = {"a": [1.5, None, True], "b": [], "c": {"long": "x" * 200, "é": [["y" * 200]]}}
    assert json.loads(laid_out(value)) == value
    assert "é" in laid_out(value)
