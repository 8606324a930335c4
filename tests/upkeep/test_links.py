"""Links are followed: a good, a moved and a dead one, of a server on this machine."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from upkeep import links

MOVED = {"/moved": 301, "/elsewhere-for-now": 302}
HERE = {"/good_", "/new"}


class Host(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path in MOVED:
            self.send_response(MOVED[self.path])
            self.send_header("Location", "/new")
        else:
            self.send_response(200 if self.path in HERE else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture
def host():
    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def site(tmp_path, host, monkeypatch):
    """Return a site of two pages that lead there."""
    names = ["good_", "moved", "elsewhere-for-now", "dead"]
    anchors = "".join(f'<a href="{host}/{name}">{name}</a>' for name in names)
    (tmp_path / "one.html").write_text(f'{anchors}<a href="two.html">two</a><a>nowhere</a>')
    (tmp_path / "two.html").write_text(f'<a href="{host}/dead">dead</a>')
    monkeypatch.setattr(links, "SITE", tmp_path)
    monkeypatch.setattr(links, "worth_following", lambda link: True)
    return tmp_path


def test_it_prints_dead_and_moved_links_and_fails(site, host, capsys, monkeypatch):
    with pytest.raises(SystemExit) as end:
        links.main()
    assert end.value.code == 1
    printed = capsys.readouterr().out
    assert f"dead: {host}/dead\n  404" in printed
    assert "on one.html, two.html\n" in printed
    assert f"moved: {host}/moved\n  {host}/new\n  on one.html\n" in printed
    assert f"{host}/good_\n" not in printed
    assert "elsewhere-for-now" not in printed
    assert printed.endswith("4 links followed: 1 dead, 1 moved.\n")


def test_it_succeeds_if_no_link_is_dead(site, host, capsys):
    (site / "one.html").write_text(f'<a href="{host}/good_">good</a>')
    (site / "two.html").unlink()
    with pytest.raises(SystemExit) as end:
        links.main()
    assert end.value.code == 0
    assert capsys.readouterr().out == "1 links followed: 0 dead, 0 moved.\n"


def test_it_says_when_there_is_no_site(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "SITE", tmp_path)
    with pytest.raises(SystemExit, match="make book"):
        links.main()


@pytest.mark.parametrize(
    ("link", "whether"),
    [
        ("https://doi.org/10.1145/3664191", True),
        ("http://127.0.0.1:8000", False),
        ("mailto:someone@example.org", False),
        ("https://github.com/tunables/tunables", True),
        ("https://github.com/tunables/tunables/issues/new?title=x", False),
    ],
)
def test_it_follows_what_can_be_tried(link, whether):
    assert links.worth_following(link) == whether
