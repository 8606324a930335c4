"""An embedded page in another site's frame that blocks its storage: live, in its policy, small."""

import http.server
import threading

import pytest

from tests.browser.checks import (
    assert_accessible,
    assert_accessible_in_the_dark,
    assert_nothing_hangs_over,
    assert_reached_by_tab,
)
from tests.browser.conftest import SITE, is_breach
from tests.browser.test_blocked_storage import BLOCK
from tunables.page.chapters import CHAPTERS, page_name

pytestmark = pytest.mark.browser

CHAPTER, EMBEDDED = (f"{folder}/03-cache-cliff.html" for folder in ("chapters", "embed"))
GUESS = "guess.rrd.slowdown-after-overflow=4"
MOST_BYTES = 400_000  # of one page, before a server compresses it
CONTROLS = "input, select, .explorer-buttons, .animation-live"
DRAWN = ".tunables-animation.is-live .animation-screen svg text"


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    """Answers every request with the page that the test has set."""

    page = ""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    """Serve a page of another origin; yield the function that sets it and returns its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()

        def serve(body):
            _Elsewhere.page = f'<!doctype html><html lang="en"><title>A course</title>{body}'
            return f"http://127.0.0.1:{server.server_address[1]}/"

        yield serve
        server.shutdown()
        thread.join()


def copied(page, part, words):
    part.get_by_role("button", name=words, exact=True).click()
    part.get_by_text("Copied.", exact=True).wait_for()
    return page.evaluate("navigator.clipboard.readText()")


def test_what_copy_embed_gives_lives_in_another_sites_frame_without_storage(
    reader, contexts, elsewhere
):
    page = reader().open_when_ready(f"{CHAPTER}?rrd.graphs=45000&{GUESS}")
    code = copied(page, page.locator("#explore-rrd"), "Copy embed")
    assert code.count("<iframe ") == 1
    assert "guess." not in code

    host = contexts(alone=True).new_page()
    heard = []
    host.on("console", lambda message: heard.append(message))
    host.add_init_script(BLOCK)
    host.goto(elsewhere(code))
    frame = host.frame_locator("iframe")
    frame.locator("#explore-rrd[data-engine=ready]").wait_for(timeout=60_000)
    frame.locator(DRAWN).first.wait_for(state="attached")
    assert frame.locator("#explore-rrd").evaluate("s => s.explorer.state.graphs") == 45_000
    play = frame.get_by_role("button", name="Play")
    play.click()
    frame.get_by_role("button", name="Pause").click()
    assert [
        message.text for message in heard if message.type == "error" or is_breach(message)
    ] == []
    host.close()


def test_its_link_leads_to_the_chapter_in_the_present_state(reader):
    visitor = reader()
    page = visitor.open_when_ready(f"{EMBEDDED}?rrd.graphs=45000")
    link = copied(page, page.locator("#explore-rrd"), "Copy link")
    assert link == f"{visitor.site}/{CHAPTER}?rrd.graphs=45000#explore-rrd"
    stage = copied(page, page.locator("#stage-rrd"), "Copy link")
    assert stage == f"{visitor.site}/{CHAPTER}#stage-rrd"  # the explorer's setting is not its own
    assert page.get_by_role("button", name="Copy embed").count() == 0
    whole = page.get_by_role("link", name="Chapter 3 of Tunables")
    assert whole.get_attribute("target") == "_blank"
    assert visitor.troubles == []


@pytest.mark.sampled
@pytest.mark.parametrize("chapter", [chapter.slug for chapter in CHAPTERS])
def test_each_chapter_has_one_that_is_small_live_and_accessible(reader, chapter):
    path = f"embed/{page_name(chapter)}.html"
    assert (SITE / path).stat().st_size < MOST_BYTES
    visitor = reader()
    page = visitor.open_when_ready(path)
    page.locator(DRAWN).first.wait_for(state="attached")
    assert page.locator(".tunables-explorer[data-engine=ready]").count() == 1
    assert_accessible(page)
    assert_reached_by_tab(page)
    for width in (1280, 720, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert_nothing_hangs_over(page)
    assert_accessible_in_the_dark(page)
    assert visitor.troubles == []


def test_without_scripts_and_on_paper_it_shows_its_pictures(reader):
    still = reader(java_script_enabled=False).open(EMBEDDED)
    assert still.locator(".animation-stills svg").first.is_visible()
    assert still.locator(".tunables-chart svg").first.is_visible()
    page = reader().open_when_ready(EMBEDDED)
    page.emulate_media(media="print")
    assert page.locator(".animation-stills svg").first.is_visible()
    assert page.locator(".tunables-chart svg").first.is_visible()
    assert page.locator(f":is({CONTROLS}):visible").count() == 0
