"""Sphinx extension: loads the script that wakes the live parts of a page."""

import re
from pathlib import Path

from tunables.page.chapters import find_chapter

# What asks the Python engine as soon as the page is there.
ASKING = re.compile(r'class="tunables-(?:explorer|guess|validity|practice)')
# The chapters whose Python it runs: of a closed form, of a practice box.
RUN = re.compile(r'"predictor": "tunables\.chapters\.(\w+)\.|id="practice-([\w-]+)"')
LAB = 'class="tunables-lab"'
# Until the script has come, styles hide what it will hide; without scripts they hide nothing.
LIVE = """<script>document.documentElement.dataset.live = '';
addEventListener('error', ({ target }) => {
  if (target.dataset?.wakes) delete document.documentElement.dataset.live;
}, true);</script>"""
VENDOR = Path(__file__).parents[1] / "_static" / "vendor"


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the script of one page; where parts will ask the engine, have it start meanwhile."""
    context["metatags"] = context.get("metatags", "") + LIVE
    body = context.get("body", "")
    engine = {"data-engine": "when-asked"}
    if ASKING.search(body):  # the engine takes the longest: it starts meanwhile
        engine = {"data-engine": "now"}
        vendor = context["pathto"]("_static/vendor/", resource=True)
        begin = (VENDOR / "begin.js").read_text().strip()
        context["metatags"] += f'<script data-vendor="{vendor}">{begin}</script>'
    if chapters := sorted({find_chapter(a or b).slug for a, b in RUN.findall(body)}):
        engine["data-python"] = " ".join(chapters)
    # The script need not wait for the page to be read.
    load = {"async": "async", "fetchpriority": "high", "data-wakes": "page"}
    app.add_js_file("vendor/page.js", **load, **engine)
    if LAB in body:  # other pages do not carry it
        app.add_css_file("vendor/lab.css")
        app.add_js_file("vendor/lab.js", **{"async": "async", "data-wakes": "lab"})


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
