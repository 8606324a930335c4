"""Sphinx extension: loads the script that starts the live parts of a page."""

import re
from pathlib import Path

from tunables.page.chapters import find_chapter

# The parts that ask the Python engine as soon as the page is loaded.
ASKING = re.compile(r'class="tunables-(?:explorer|guess|validity|practice|audit)')
# The chapters whose Python it runs, for a closed form or for a practice box.
RUN = re.compile(r'"predictor": "tunables\.chapters\.(\w+)\.|id="practice-([\w-]+)"')
LAB = 'class="tunables-lab"'
AUDIT = 'class="tunables-audit"'
# Until the script has come, styles hide what it will hide; without scripts they hide nothing.
# Where the browser blocks the data of sites, a script that reads its storage ends there, as the
# theme's do: they get one that keeps nothing.
LIVE = """<script>document.documentElement.dataset.live = '';
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    globalThis[name].length;
  } catch {
    const value = { getItem: () => null, setItem() {}, removeItem() {} };
    Object.defineProperty(globalThis, name, { configurable: true, value });
  }
}
addEventListener('error', ({ target }) => {
  if (target.dataset?.wakes) delete document.documentElement.dataset.live;
}, true);</script>"""
VENDOR = Path(__file__).parents[1] / "_static" / "vendor"
# What runs or is drawn only when a reader asks for it: the chapter of a simulation, a lab.
SIMULATED = re.compile(r'"module": "tunables\.chapters\.(\w+)\.')
LAB_NAME = re.compile(r'class="tunables-lab"[^>]*data-lab="(\w+)"')
VERSION = re.compile(r"(_static/vendor/)[0-9a-f]{12}/")
CHART = 'class="tunables-chart'


def scripts() -> Path:
    """Return the folder of what a page's scripts load; its name is the version of its contents."""
    return next(VENDOR.glob("*/page.js")).parent


def parts_for_later(body: str) -> list[str]:
    """Return the paths of the scripts that a page with this body fetches once it is idle."""
    simulated, labs = (sorted({*find.findall(body)}) for find in (SIMULATED, LAB_NAME))
    named = [f"{kind}/{slug}" for slug in simulated for kind in ("python", "simulations")]
    named += [f"{kind}/{lab}" for lab in labs for kind in ("labs", "laws")]
    named += [f"labs/{lab}-worker" for lab in labs]
    there = [name for name in named if (scripts() / f"{name}.js").exists()]
    charts = ["vega"] if CHART in body else []
    audit = ["python/shared", "python/audit", "audit"] if AUDIT in body else []
    return audit + (["python/shared"] if there else []) + there + charts


def use_this_version(html: str) -> str:
    """Return a written page with the scripts of this version; it may be from an earlier build."""
    return VERSION.sub(rf"\g<1>{scripts().name}/", html)


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the script of one page; where parts will ask the engine, have it start meanwhile."""
    context["metatags"] = context.get("metatags", "") + LIVE
    body = context.get("body", "")
    engine = {"data-engine": "when-asked"}
    if ASKING.search(body):  # the engine takes the longest: it starts meanwhile
        engine = {"data-engine": "now"}
        vendor = context["pathto"](f"_static/vendor/{scripts().name}/", resource=True)
        begin = (VENDOR / "begin.js").read_text().strip()
        context["metatags"] += f'<script data-vendor="{vendor}">{begin}</script>'
    run = {a or b for a, b in RUN.findall(body)} - {"audit"}  # whose problems are of no chapter
    parts = ["audit"] if AUDIT in body else []
    if parts := parts + sorted({find_chapter(each).slug for each in run}):
        engine["data-python"] = " ".join(parts)
    if later := parts_for_later(body):
        engine["data-later"] = " ".join(later)
    # The script need not wait for the page to be read.
    load = {"async": "async", "fetchpriority": "high", "data-wakes": "page"}
    app.add_js_file(f"vendor/{scripts().name}/page.js", **load, **engine)
    if AUDIT in body:
        app.add_css_file("vendor/audit.css")
    if LAB in body:  # other pages do not carry it
        app.add_css_file("vendor/lab.css")
        app.add_js_file(
            f"vendor/{scripts().name}/lab.js", **{"async": "async", "data-wakes": "lab"}
        )


def setup(app) -> dict:
    """Register the extension."""
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
