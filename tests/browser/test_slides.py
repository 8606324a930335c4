"""A lesson's slides, opened from disk: the arrow keys turn them, and their policy lets them."""

import subprocess
import sys

import pytest

from tests.chapters.notebooks import ROOT
from tunables.page.chapters import page_name

# Which slide is in view.
SHOWN = """
() => 1 + [...document.querySelectorAll('section')]
  .findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 2)
"""

pytestmark = [pytest.mark.browser, pytest.mark.long]  # it makes all lessons


def test_slides_turn_by_the_arrow_keys(disk_page, tmp_path):
    script = [sys.executable, ROOT / "book" / "slides.py", tmp_path]
    subprocess.run(script, cwd=ROOT, check=True)
    disk_page.goto((tmp_path / f"{page_name('cache_cliff')}.html").as_uri())
    assert disk_page.locator('meta[http-equiv="Content-Security-Policy"]').count() == 1
    for key, slide in {"ArrowRight": 2, " ": 3, "ArrowLeft": 2}.items():
        disk_page.keyboard.press(key)
        disk_page.wait_for_function(f"() => ({SHOWN})() === {slide}")
