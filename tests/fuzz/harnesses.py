"""What is fuzzed: a parser each, and what it may say of any bytes.

A parser returns, or raises ValueError with a sentence. Anything else ends the run.
"""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tunables.base.interventions import parse_interventions
from tunables.base.numbers_as_text import parse_number
from tunables.core.registry import find_animation, find_case, fit_source
from tunables.core.trace import read_keys
from tunables.evidence.published import published
from tunables.evidence.quagga import parse_thread_cpu, parse_work_queues
from tunables.page.animation import AnimationSession
from tunables.page.explorer import ExplorerSession
from tunables.page.guess import read_guess
from tunables.page.labs import your_numbers
from tunables.page.problem import PracticeSession
from tunables.sweep.plan import parse_axis
from tunables.views.animation import describe_animation
from tunables.views.classroom import read_roster
from tunables.views.explorer import describe

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "labs" / "samples" / "own"
_CASE, _STORM = find_case("rrd"), find_animation("storm")
_EXPLORER = ExplorerSession(json.dumps(describe(_CASE)))
_STAGE = AnimationSession(json.dumps(describe_animation(_STORM)))
_PAGES = {
    "explorer": _EXPLORER,
    "animation": _STAGE,
    "practice": PracticeSession('{"chapter": "cache_cliff"}'),
    "own-numbers": your_numbers.LabSession(),
}
_KINDS = {"outage": (0.1, 20), "drop": None}
_FOLDER = tempfile.TemporaryDirectory(prefix="fuzz-", dir=os.environ.get("FUZZ_FOLDER"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _in_file(name: str, data: bytes) -> Path:
    path = Path(_FOLDER.name) / name
    path.write_bytes(data)
    return path


def _ask_page(page: str, data: bytes) -> None:
    """Ask a page; its reply must be JSON, and no refusal without a word."""
    reply = json.loads(_PAGES[page].reply(_text(data)))
    assert reply.get("refusal") != ""


def _read_table(data: bytes) -> None:
    """Read the bytes as a table of the book's own data package."""
    package = json.loads((ROOT / "data" / "datapackage.json").read_text())
    table = package["resources"][0]
    _in_file("datapackage.json", json.dumps(package).encode())
    _in_file(table["schema"], (ROOT / "data" / table["schema"]).read_bytes())
    _in_file(table["path"], data)
    published(table["name"], Path(_FOLDER.name))


PARSERS: dict[str, Callable[[bytes], object]] = {
    "table": lambda data: fit_source(2, data),
    "flows": lambda data: fit_source(4, data),
    "printout": lambda data: fit_source(6, data),
    "trace": lambda data: fit_source(3, data),
    "keys": lambda data: read_keys(data, 0),
    "threads": lambda data: parse_thread_cpu(_text(data)),
    "queues": lambda data: parse_work_queues(_text(data)),
    "roster": lambda data: read_roster(_in_file("roster.csv", data)),
    "published": _read_table,
    "number": lambda data: parse_number(_text(data)),
    "guess": lambda data: read_guess(_text(data), "s"),
    "grid": lambda data: parse_axis(_CASE, _text(data)),
    "deeds": lambda data: parse_interventions(_text(data), _KINDS, 120),
    "explorer": lambda data: _ask_page("explorer", data),
    "animation": lambda data: _ask_page("animation", data),
    "practice": lambda data: _ask_page("practice", data),
    "own-numbers": lambda data: _ask_page("own-numbers", data),
}
_STATE = json.dumps({"state": _CASE.settings()}).encode()
_PLAY = json.dumps({"play": {"settings": _STORM.bookmarks[0].settings}}).encode()
# What a run begins with, so that it need not guess the form.
SEEDS: dict[str, list[bytes]] = {
    "table": [(SAMPLES / "2-fits.csv").read_bytes()[:2000]],
    "flows": [(SAMPLES / "4-fits.csv").read_bytes()[:2000]],
    "printout": [(SAMPLES / "6-fits.txt").read_bytes()],
    "trace": [b"at,key\n1,a\n2,b\n" * 300],
    "keys": [b'at,file\r\n1,a.rrd\r\n2,"b,c"\r\n'],
    "threads": [(SAMPLES / "6-fits.txt").read_bytes()],
    "queues": [(SAMPLES / "6-fits.txt").read_bytes()],
    "roster": [b"id,name\ns1,Ada\n"],
    "published": [(ROOT / "data" / "rrd-system-cache.csv").read_bytes()],
    "number": [b"12,500", "≈ 1.2 × 10^4 /s".encode()],
    "guess": [b"4126 ms", b"0.5 min"],
    "grid": [b"graphs=1000:45000:9", b"scheme=lru,mru", b"memory_gib=1 GiB:2 GiB:3"],
    "deeds": [b"20_outage_2-60_drop"],
    "explorer": [_STATE, b'{"draw_s": 0}'],
    "animation": [_PLAY],
    "practice": [b'{"kind": "slowdown", "seed": "7", "answer": "20 %"}'],
    "own-numbers": [
        b'{"function": "capacities", "arguments": {"chapter": "cache_cliff", "keys": 9}}'
    ],
}
