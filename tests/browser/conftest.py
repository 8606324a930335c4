"""A web server over the built book, and a Chromium that reaches nothing else."""

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The browser itself must not look for updates or hosts of its maker.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class _Quiet(http.server.SimpleHTTPRequestHandler):
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


@pytest.fixture(scope="module")
def chromium():
    """Start the machine's own Chromium or Chrome; its event loop ends with the module."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "the browser tests need Chromium: run `make browser`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Reader:
    """A page that lets no request leave this machine and notes what went wrong."""

    def __init__(self, chromium, site, **options):
        self.site = site
        self.context = chromium.new_context(
            **({"viewport": {"width": 1280, "height": 900}} | options)
        )
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.context.route("**/*", self._route)
        self.page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        self.page.on("console", self._console)
        self.page.on("requestfailed", lambda r: self.troubles.append(f"failed: {r.url}"))
        self.page.on("response", self._response)

    def _route(self, route):
        url = route.request.url
        if url.startswith((self.site, "data:", "blob:")):
            route.continue_()
        else:
            self.troubles.append(f"another host: {url}")
            route.abort()

    def _console(self, message):
        if message.type == "error":
            self.troubles.append(f"console: {message.text}")

    def _response(self, response):
        if response.status >= 400:
            self.troubles.append(f"{response.status}: {response.url}")

    def open(self, path):
        """Go to a page of the book and wait until its explorers, if any, are awake."""
        self.page.goto(f"{self.site}/{path}")
        self.page.wait_for_load_state("networkidle")
        return self.page

    def wake(self, path):
        """Open a page and return its first explorer, with its engine running."""
        self.open(path)
        section = self.page.locator(".tunables-explorer").first
        self.page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=20_000)
        return section


@pytest.fixture
def reader(chromium, site):
    """Make readers with options such as viewport, color_scheme or java_script_enabled."""
    made = []

    def make(**options):
        made.append(Reader(chromium, site, **options))
        return made[-1]

    yield make
    for each in made:
        each.context.close()
