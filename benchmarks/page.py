"""What a chapter costs its reader: bytes, first live value, slider steps. No peer, but targets.

Each chapter is opened in a new Chromium with a cold cache, from a server on this machine that
compresses as a static host does, and scrolled to its end. `python -m benchmarks.page [FOLDER]`
"""

import gzip
import http.server
import shutil
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

SITE = Path(__file__).parents[1] / "_build" / "html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".txt", ".xml"}
SETTLING_MS = 2000  # of a browser that has just begun, as those of readers have not
STEPS = 100
VISITS = 3
TARGETS = "target: <= 1.0 MB in all, first value <= 1 s, step: median <= 16 ms, p95 <= 50 ms"

# When the first explorer shows a value that the engine computed, since the navigation began.
FIRST_VALUE = """
new MutationObserver(() => {
  if (!window.firstValue && document.querySelector('.tunables-explorer[data-engine=ready]'))
    window.firstValue = performance.now();
}).observe(document, {subtree: true, attributeFilter: ['data-engine']});
"""

SCROLL = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await frame();
  }
}
"""

# Moves a slider one step a frame, up and down; each time until the table has its answer.
DRAG = """
async (steps) => {
  const section = document.querySelector('.tunables-explorer');
  const slider = section.querySelector('input[type=range]');
  slider.scrollIntoView({block: 'center'});
  const frame = () => new Promise(requestAnimationFrame);
  const answered = () => new Promise((resolve) => {
    // A table may keep its numbers: the explorer tells when it has answered.
    const told = () => resolve(performance.now());
    section.addEventListener('tunables:state', told, {once: true});
  });
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    await frame();
    const told = answered();
    const start = performance.now();
    slider[step % 20 < 10 ? 'stepUp' : 'stepDown']();
    slider.dispatchEvent(new Event('input'));
    times.push(await told - start);
  }
  return times;
}
"""


def _browser() -> str | None:
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@cache
def _compressed(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 6)


class _StaticHost(http.server.SimpleHTTPRequestHandler):
    """Sends files as they are or, of the kinds that shrink, gzipped; counts what it sends."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments, sent: Counter, **options):
        self.sent = sent
        super().__init__(*arguments, **options)

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        zipped = path.suffix in COMPRESSED
        body = _compressed(str(path)) if zipped else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.sent[path.name] += len(body)
        return None

    def log_message(self, *_):
        pass


@contextmanager
def served(folder: Path):
    """Serve a folder; yield its address and the Counter of bytes sent a file."""
    for path in folder.rglob("*"):
        if path.suffix in COMPRESSED:  # a static host has them ready
            _compressed(str(path))
    sent: Counter = Counter()
    handler = partial(_StaticHost, sent=sent, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", sent
        server.shutdown()


def visit(chromium, address: str) -> tuple[float, list[float]]:
    """Open a page with nothing cached; return ms to its first value, and of each slider step.

    Each time in a browser of its own: in one that had pages before, frames may stop coming.
    """
    browser = chromium.launch(executable_path=_browser(), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(FIRST_VALUE)
    page.wait_for_timeout(SETTLING_MS)
    page.goto(address)
    page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=30_000)
    first_ms = page.evaluate("firstValue")
    page.evaluate(SCROLL)
    page.wait_for_load_state("networkidle")
    steps_ms = page.evaluate(DRAG, STEPS)
    browser.close()
    return first_ms, steps_ms


def main(folder: Path = SITE) -> None:
    print(f"{VISITS} visits a chapter, {STEPS} slider steps each; gzip 6; {TARGETS}")
    print(f"{'chapter':<22}{'kB':>8}{'files':>7}{'first ms':>10}{'median ms':>11}{'p95 ms':>8}")
    with served(folder) as (address, sent), sync_playwright() as playwright:
        for chapter in sorted((folder / "chapters").glob("*.html")):
            sent.clear()
            page = f"{address}/chapters/{chapter.name}"
            visits = [visit(playwright.chromium, page) for _ in range(VISITS)]
            files = len(sent)
            total_kb = sum(sent.values()) / VISITS / 1000
            first_ms = median(first for first, _ in visits)
            steps_ms = [step for _, steps in visits for step in steps]
            p95_ms = quantiles(steps_ms, n=20)[-1]
            print(
                f"{chapter.stem:<22}{total_kb:8.0f}{files:7}{first_ms:10.0f}"
                f"{median(steps_ms):11.1f}{p95_ms:8.1f}"
            )
        print("\nthe heaviest files of the last chapter, kB:")
        for name, size in sent.most_common(12):
            print(f"  {name:<44}{size / VISITS / 1000:8.1f}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
