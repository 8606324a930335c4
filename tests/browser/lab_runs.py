"""Runs a lab of a built page in a browser of its own, with a profile on disk: no private window.

The browser opens a page that holds the lab's page in a frame, presses Run if no link has started
the lab, waits until it has ended and posts what it found.
"""

import json

import pytest

from tests.browser.conftest import SITE
from tests.kernels.engines import ENGINES

# In `make test` labs run in Chromium alone.
FIREFOX_LATER = ("chromium", pytest.param("firefox", marks=pytest.mark.long))
DRIVE = """<!doctype html><meta charset="utf-8">
<iframe id="page" width="1200" height="800"></iframe>
<script type="module">
const [path, lab] = %s;
const frame = document.getElementById('page');
const until = async (holds) => {
  for (;;) {
    const found = holds();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
frame.src = path;
const own = ':scope > button'; // gone, once a link has pressed it
const section = await until(() => {
  const there = frame.contentDocument?.querySelector(`#lab-${lab}`);
  return there && (there.frame || there.querySelector(own)) ? there : null;
});
const page = frame.contentWindow;
const breaches = [];
page.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  breaches.push(`${violatedDirective}: ${blockedURI}`);
});
const alive = new Set();
page.Worker = class extends page.Worker {
  constructor(...given) { super(...given); alive.add(this); }
  terminate() { alive.delete(this); super.terminate(); }
};
section.querySelector(own)?.click();
await until(() => section.frame && !section.frame.labRun && section.dataset.state);
const asked = page.performance.getEntriesByType('resource').map(({ name }) => name);
await fetch('/told', { method: 'POST', body: JSON.stringify({
  state: section.dataset.state,
  said: section.querySelector('.lab-said').textContent,
  found: section.querySelector('.lab-found').innerText,
  results: section.results ?? null,
  workers: alive.size,
  breaches,
  elsewhere: asked.filter((name) => !name.startsWith(location.origin) && !name.startsWith('blob:')),
}) });
</script>"""


def run_lab(browser, page, lab, folder) -> dict:
    """Return what a lab found on a page such as "labs/03-cache-cliff.html": its `results` too."""
    (folder / "html").symlink_to(SITE)
    (folder / "in-page.html").write_text(DRIVE % json.dumps([f"html/{page}", lab]))
    told = ENGINES[browser](folder)
    assert told["breaches"] == [], "the lab broke its page's policy"
    return told


def run_from_disk(page, path, lab, odd, refusal, settle):
    """Run a lab of a page on disk: stop it, try an odd setting, then run it beside a guess of 4.

    odd: (label, text) of the setting that is refused with a sentence; settle: function of the lab
    that puts the settings right. Returns the lab, as it begins to run.
    """
    page.goto((SITE / path).as_uri())
    section = page.locator(f"#lab-{lab}")
    section.get_by_label("Your guess").fill("4")
    section.get_by_role("button", name="Run").press("Enter")
    section.get_by_role("button", name="Stop").press("Enter")
    section.get_by_text("Stopped.").wait_for()
    section.get_by_label(odd[0]).fill(odd[1])
    section.get_by_role("button", name="Run").click()
    section.get_by_text(refusal).wait_for()
    settle(section)
    section.get_by_role("button", name="Run").click()
    return section
