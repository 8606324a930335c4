"""A web server over the built book, and a Chromium that reaches nothing else."""

import functools
import http.server
import json
import os
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
# The book, or another build of it: `make sphinx-newest` has the search tried there.
SITE = ROOT / os.environ.get("TUNABLES_SITE", "_build/html")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium's own engine without a window of its own: pages open and are drawn in half the time.
WITHOUT_A_WINDOW = "chromium-headless-shell"
# The browser reaches this machine alone, and must not look for updates or hosts of its maker.
FLAGS = [
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Boxes with a model in them, once the engine has answered.
AWAKE = """
() => [...document.querySelectorAll('.tunables-explorer, .tunables-card, .tunables-validity')]
  .every((box) => box.dataset.engine === 'ready')
"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Keeps its connections and lets a browser keep what it has loaded, as Pages does."""

    protocol_version = "HTTP/1.1"

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    """Serve the book under a subpath, as Pages does; yield its address."""
    assert (SITE / "index.html").exists(), "the book is not built: run `make book` first"
    handler = functools.partial(_Quiet, directory=SITE.parent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/html"
        server.shutdown()
        thread.join()


def chromium_path() -> str:
    """Return where the machine's own Chromium or Chrome is."""
    path = next(filter(None, map(shutil.which, (WITHOUT_A_WINDOW, *BROWSERS))), None)
    assert path, "the browser tests need Chromium: run `make browser`"
    return path


@pytest.fixture(scope="module")
def chromium():
    """Start the machine's own Chromium or Chrome; its event loop ends with the module."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def contexts(chromium):
    """Return the function that gives the browser's context of a look; its pages share a cache."""
    made: dict = {}

    def context(alone=False, **options):
        key = len(made) if alone else json.dumps(options, sort_keys=True)
        if key not in made:
            usual = {"viewport": {"width": 1280, "height": 900}}
            made[key] = chromium.new_context(**(usual | options))
            made[key].grant_permissions(["clipboard-read", "clipboard-write"])
        return made[key]

    return context


# A page that has fetched what its buttons will need.
RESTS = "() => 'kept' in document.documentElement.dataset"


def vendor(path: str) -> Path:
    """Return a file that a page's scripts load: it is in the folder of this version of them."""
    return next(SITE.glob(f"_static/vendor/*/{path}"))


def is_breach(message) -> bool:
    """Whether a message of the console says that the page's policy was broken."""
    return "Content Security Policy" in message.text


class Reader:
    """A page that notes what went wrong, and each request that would leave this machine."""

    def __init__(self, context, site):
        self.site = site
        self.page = context.new_page()
        self.troubles: list[str] = []
        self.breaches: list[str] = []  # of the page's policy: no test may have any
        self.page.on("request", self._request)
        self.page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        self.page.on("console", self._console)
        self.page.on("requestfailed", self._note_failure)
        self.page.on("response", self._response)

    def _request(self, request):
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.troubles.append(f"another host: {request.url}")

    def _note_failure(self, request):
        # A page may be left before its icon is there, or what it fetches once it rests.
        left = request.failure == "net::ERR_ABORTED" and "/_static/vendor/" in request.url
        if not left and not request.url.endswith("favicon.svg"):
            self.troubles.append(f"failed: {request.url}")

    def _console(self, message):
        if message.type == "error":
            self.troubles.append(f"console: {message.text}")
        if is_breach(message):
            self.breaches.append(message.text)

    def _response(self, response):
        if response.status >= 400:
            self.troubles.append(f"{response.status}: {response.url}")

    def open(self, path):
        """Go to a page of the book; its boxes are built, and their engine may still start."""
        self.page.goto(f"{self.site}/{path}")
        return self.page

    def open_when_ready(self, path):
        """Open a page and wait until its engine has answered each of its models."""
        self.open(path).wait_for_function(AWAKE, timeout=60_000)
        return self.page

    def wake(self, path):
        """Open a page and return its first explorer, with its engine running."""
        self.open(path)
        self.page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=60_000)
        return self.page.locator(".tunables-explorer").first


@pytest.fixture
def disk_page(chromium):
    """Return a page for what is opened from disk; a breach of its policy fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    breaches: list[str] = []

    def note(message):
        if is_breach(message):
            breaches.append(message.text)

    page.on("console", note)
    yield page
    context.close()
    assert breaches == []


@pytest.fixture
def reader(contexts, site):
    """Make readers with options such as viewport, color_scheme or java_script_enabled.

    Those of one look share a context; with alone=True a reader has one of its own.
    """
    made = []

    def make(**options):
        made.append(Reader(contexts(**options), site))
        return made[-1]

    yield make
    for each in made:
        each.page.close()
    assert [breach for each in made for breach in each.breaches] == []
