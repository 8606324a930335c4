"""A page's policy: nothing of the book breaks it, and it refuses what is smuggled into a page."""

import pytest

from tests.browser.listening import visit
from tests.browser.test_pages import PAGES

BROWSERS = ("chromium", "firefox")
SHARES = 5  # of all pages, so that no run is long
FEW = ["chapters/03-cache-cliff.html", "search.html"]

pytestmark = pytest.mark.browser

# What a link, a document or a line of the book's own could bring in, and what refuses it.
SMUGGLED = {
    "script-src-elem": """
        const script = document.createElement('script');
        script.textContent = 'globalThis.smuggled = 1';
        document.body.append(script);""",
    "script-src-attr": """
        document.body.insertAdjacentHTML('beforeend',
          '<img src="data:," alt="" onerror="globalThis.smuggled = 1">');""",
    "script-src": "setTimeout('globalThis.smuggled = 1');",
    "style-src-elem": """
        const style = document.createElement('style');
        style.textContent = 'body { --smuggled: 1 }';
        document.body.append(style);""",
    "style-src-attr": """
        document.body.insertAdjacentHTML('beforeend', '<p style="--smuggled: 1"></p>');""",
    "img-src": "new Image().src = 'http://127.0.0.1:1/a.png';",
    "connect-src": "fetch('http://127.0.0.1:1/').catch(() => {});",
    "frame-src": """
        const frame = document.createElement('iframe');
        frame.src = 'data:text/html,<script>parent.postMessage(1)</script>';
        document.body.append(frame);""",
    "object-src": """
        const object = document.createElement('object');
        object.data = 'data:text/html,x';
        document.body.append(object);""",
    "worker-src": """
        try { new Worker('data:text/javascript,postMessage(1)'); } catch {}""",
    "base-uri": """
        const base = document.createElement('base');
        base.href = 'http://127.0.0.1:1/';
        document.head.append(base);""",
    "form-action": """
        const form = document.createElement('form');
        form.action = 'http://127.0.0.1:1/';
        document.body.append(form);
        form.submit();""",
}
TRY = """
async () => {
  const heard = new Promise((resolve) => addEventListener('securitypolicyviolation',
    ({ violatedDirective }) => resolve(violatedDirective), { once: true }));
  %s
  const tired = new Promise((resolve) => setTimeout(resolve, 3000, 'nothing'));
  const directive = await Promise.race([heard, tired]);
  await new Promise((resolve) => setTimeout(resolve, 50)); // in which a script would have run
  return [directive, 'smuggled' in globalThis];
}
"""


@pytest.fixture(scope="module")
def a_page(contexts, site):
    """Return a page of the book, to smuggle into."""
    page = contexts().new_page()
    page.goto(f"{site}/search.html")
    yield page
    page.close()


@pytest.mark.parametrize("directive", SMUGGLED)
def test_what_is_smuggled_in_is_refused(a_page, directive):
    assert a_page.evaluate(TRY % SMUGGLED[directive]) == [directive, False]


def test_what_the_theme_would_write_into_attributes_works(reader):
    page = reader().open_when_ready("chapters/03-cache-cliff.html")
    page.evaluate("globalThis.print = () => { globalThis.printed = true; }")
    page.locator(".opens-menu").click()
    page.get_by_role("button", name="Print or save as PDF").click()
    assert page.evaluate("printed")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement")


def test_a_page_whose_script_does_not_come_hides_nothing(reader):
    visitor = reader()
    page = visitor.page
    page.route("**/vendor/*/page.js*", lambda route: route.abort())
    visitor.open("chapters/03-cache-cliff.html")
    page.wait_for_function("() => !('live' in document.documentElement.dataset)")


def assert_nothing_is_broken(found):
    assert {page: told["breaches"] for page, told in found.items() if told["breaches"]} == {}
    assert all(told["charts"] > 0 for page, told in found.items() if "/chapters/" in page)


@pytest.mark.parametrize(
    "from_disk",
    [False, pytest.param(True, marks=pytest.mark.long)],
    ids=["served", "from disk"],
)
def test_firefox_finds_no_breach(tmp_path, from_disk):
    assert_nothing_is_broken(visit("firefox", FEW, tmp_path, from_disk))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("from_disk", [False, True], ids=["served", "from disk"])
@pytest.mark.parametrize("browser", BROWSERS)
def test_no_page_breaks_its_policy(tmp_path, browser, from_disk, share):
    pages = PAGES[share::SHARES]
    found = visit(browser, pages, tmp_path, from_disk)
    assert len(found) == len(pages) > 5
    assert_nothing_is_broken(found)
