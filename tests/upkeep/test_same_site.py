"""Two builds are the same, or it is said where they are not."""

import pytest

from upkeep.same_site import differences

ID, OTHER_ID = "9ca0450f618645309a34efa454e960d1", "031c3725032b4fd4b4967f2409aaec4e"

PAGE = "<p>Same.</p><p>Also.</p>"


@pytest.fixture
def sites(tmp_path):
    """Return two folders with the same page and other settings."""
    folders = tmp_path / "one", tmp_path / "other"
    for folder, drawn in zip(folders, (ID, OTHER_ID), strict=True):
        (folder / "book").mkdir(parents=True)
        (folder / "book" / "page.html").write_text(PAGE)
        (folder / ".buildinfo").write_text(drawn)
    return folders


def test_the_hash_of_the_settings_may_differ_unless_nothing_is_explained(sites):
    one, other = sites
    assert differences(one, other) == []
    assert differences(one, other, explained=()) == ["differ: .buildinfo"]


def test_a_page_that_differs_is_told(sites):
    (sites[1] / "book" / "page.html").write_text(PAGE.replace("Also", "Not"))
    assert differences(*sites) == ["differ: book/page.html"]


def test_a_file_that_is_no_page_has_the_same_bytes(sites):
    for folder, drawn in zip(sites, (ID, OTHER_ID), strict=True):
        (folder / "search.js").write_text(drawn)
    assert differences(*sites) == ["differ: search.js"]


def test_a_file_that_only_one_has_is_told(sites):
    (sites[0] / "book" / "more.html").write_text("")
    assert differences(*sites) == [f"only in {sites[0]}: book/more.html"]
    assert differences(*reversed(sites)) == [f"only in {sites[0]}: book/more.html"]
