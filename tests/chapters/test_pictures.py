"""What stages and charts show, against the records of it: a change is seen, and where."""

import pytest

from tests.chapters import curves, pictures
from tests.chapters.record import assert_kept
from tunables.page.chapters import with_facet


@pytest.mark.parametrize("slug", with_facet("stage"))
def test_a_chapters_stages_show_what_is_on_record(slug):
    assert_kept(slug, "pictures", pictures.shown(slug))


@pytest.mark.parametrize("slug", with_facet("case"))
def test_a_chapters_charts_show_what_is_on_record(slug):
    assert_kept(slug, "curves", curves.shown(slug))
