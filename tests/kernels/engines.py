"""The engines that run WebAssembly: node, Chromium and Firefox, each with a page of its own."""

import functools
import http.server
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from tests.browser.conftest import BROWSERS, FLAGS
from tests.node import node_path

LIMIT_S, NODE_LIMIT_S = 150, 60  # below the usual limit of a test, to tell more than it does
FIREFOX = ("firefox-esr", "firefox")
# Whatever it looks for beyond this machine, it asks a proxy that is not there.
PREFERENCES = """
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.no_proxies_on", "127.0.0.1");
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
"""


class _Asked(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and hands on what the page posts; keeps what was asked for."""

    def __init__(self, *args, replies, asked, **options):
        self.replies, self.asked = replies, asked
        super().__init__(*args, **options)

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        self.replies.put(json.loads(self.rfile.read(length)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        self.asked.append(self.requestline)


def find_program(names, hint) -> str:
    """Return where the first of these programs is that there is."""
    path = next(filter(None, map(shutil.which, names)), None)
    assert path, f"these tests need {names[0]}: {hint}"
    return path


def _chromium(profile):
    return [
        find_program(BROWSERS, "run `make browser`"),
        "--headless",
        f"--user-data-dir={profile}",
        *FLAGS,
    ]


def _firefox(profile):
    (Path(profile) / "user.js").write_text(PREFERENCES)
    path = find_program(FIREFOX, "run `make browser`")
    return [path, "--headless", "--no-remote", "--profile", profile]


@contextmanager
def _running(command, folder):
    """Run a browser that keeps all its files in a folder."""
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": folder},
        start_new_session=True,
    ) as process:
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def in_browser(command, folder, from_disk=False) -> dict:
    """Return what in-page.html of a folder posts, in a browser with a new profile."""
    replies: queue.Queue = queue.Queue()
    asked: list[str] = []
    handler = functools.partial(_Asked, directory=folder, replies=replies, asked=asked)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"http://127.0.0.1:{server.server_address[1]}"
        place = (folder / "in-page.html").as_uri() if from_disk else f"{host}/in-page.html"
        address = f"{place}?tell={host}/told"
        profiles = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        try:
            with profiles as profile, _running([*command(profile), address], profile):
                return replies.get(timeout=LIMIT_S)
        except queue.Empty:
            raise AssertionError(f"no answer within {LIMIT_S} s; asked for {asked}") from None
        finally:
            server.shutdown()


def in_node(folder) -> dict:
    """Return what in-node.js of a folder prints."""
    (folder / "package.json").write_text('{"type": "module"}')
    command = [node_path(), folder / "in-node.js"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=NODE_LIMIT_S)
    return json.loads(run.stdout)


ENGINES: dict[str, Callable[..., dict]] = {
    "node": in_node,
    "chromium": functools.partial(in_browser, _chromium),
    "firefox": functools.partial(in_browser, _firefox),
}
