"""Pages that tell what broke their policy, in any browser, served or opened from disk.

Each page is copied with one line more, right behind its policy: a script of its own origin, which
hears every breach, waits until the page is awake and its charts are drawn, and tells its parent.
"""

import json
import os

from tests.browser.checks import DRAW_ALL
from tests.browser.conftest import AWAKE, SITE
from tests.kernels.engines import ENGINES

LISTEN = """
const breaches = [];
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
  breaches.push([violatedDirective, blockedURI, sourceFile].join(' '));
});
const until = async (holds) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};
addEventListener('load', async () => {
  await until(%s);
  await (%s)();
  const charts = document.querySelectorAll('figure.tunables-chart[data-drawn] svg.marks').length;
  parent.postMessage({ breaches, charts }, '*');
});
"""
VISIT = """<!doctype html><meta charset="utf-8">
<iframe id="page" width="1200" height="800"></iframe>
<script type="module">
const found = {};
for (const path of %s) {
  const told = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
  document.getElementById('page').src = path;
  found[path] = (await told).data;
}
const tell = new URLSearchParams(location.search).get('tell');
await fetch(tell, { method: 'POST', mode: 'no-cors', body: JSON.stringify(found) });
</script>"""
POLICY = '<meta http-equiv="Content-Security-Policy"'


def _listening(html: str, script: str) -> str:
    start, mark, rest = html.partition(POLICY)
    policy, end, body = rest.partition('">')
    assert mark, "a page must have a policy"
    return f'{start}{mark}{policy}{end}<script src="{script}"></script>{body}'


def visit(browser, pages, folder, from_disk=False) -> dict:
    """Return {page: {"breaches", "charts"}}: what broke its policy, how many charts were drawn."""
    script = folder / "listen.js"
    script.write_text(LISTEN % (AWAKE, DRAW_ALL))
    for page in pages:
        copy = folder / "html" / page
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = (SITE / page).read_text(encoding="utf-8")
        address = os.path.relpath(script, copy.parent)
        copy.write_text(_listening(text, address), encoding="utf-8")
    for name in ("_static", "searchindex.js"):
        (folder / "html" / name).symlink_to(SITE / name)
    (folder / "in-page.html").write_text(VISIT % json.dumps([f"html/{page}" for page in pages]))
    return ENGINES[browser](folder, from_disk=from_disk)
