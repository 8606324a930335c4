"""A static host on this machine, and the browser that visits it."""

import gzip
import http.server
import shutil
import threading
from collections import Counter
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".txt", ".xml"}


def browser_path() -> str | None:
    """Return the path of the machine's own Chromium or Chrome."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@cache
def _compress(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 6)


class _StaticHost(http.server.SimpleHTTPRequestHandler):
    """Sends files as they are or, of the kinds that shrink, gzipped; counts what it sends.

    A browser may keep them for some minutes, as GitHub Pages lets it: a second worker of a page
    does not fetch the engine again.
    """

    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments, sent: Counter, **options):
        self.sent = sent
        super().__init__(*arguments, **options)

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        zipped = path.suffix in COMPRESSED
        body = _compress(str(path)) if zipped else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.sent[path.name] += len(body)
        return None

    def log_message(self, *_):
        pass


@contextmanager
def serve(folder: Path):
    """Serve a folder; yield its address and the Counter of bytes sent per file."""
    for path in folder.rglob("*"):
        if path.suffix in COMPRESSED:  # a static host has them ready
            _compress(str(path))
    sent: Counter = Counter()
    handler = partial(_StaticHost, sent=sent, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", sent
        server.shutdown()
