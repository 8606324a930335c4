"""What the stages show, against the record of it: a change is seen, and where."""

import pytest

from tests.chapters.pictures import on_record, path, shown
from tunables.page.chapters import with_facet


@pytest.mark.parametrize("slug", with_facet("stage"))
def test_a_chapters_stages_show_what_is_on_record(slug):
    renew = f"look at them, and if it is meant, run: python -m tests.chapters.pictures {slug}"
    assert path(slug).exists(), renew
    known = on_record(slug)
    changed = [new for old, new in zip(known, shown(slug), strict=True) if old != new]
    assert not changed, "\n".join([*map(str, changed), renew])
