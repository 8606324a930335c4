"""What is fuzzed: a parser each, and what it may say of any bytes.

A parser returns, or raises ValueError with a sentence. Anything else ends the run.
"""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from tunables.evidence.published import published
from tunables.evidence.quagga import parse_thread_cpu, parse_work_queues
from tunables.page import explorer, guessing, practice, staging
from tunables.page.labs import your_numbers
from tunables.parts.registry import find_case, find_stage, fit_source
from tunables.parts.trace import read_keys
from tunables.plain.deeds import parsed_deeds
from tunables.plain.typed import typed_number
from tunables.reader.description import describe
from tunables.reader.roster import read_roster
from tunables.reader.stage import describe_stage
from tunables.sweep.axes import parsed_axis

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "labs" / "samples" / "own"
_CASE, _STORM = find_case("rrd"), find_stage("storm")
_EXPLORER = explorer.Page(json.dumps(describe(_CASE)))
_STAGE = staging.Page(json.dumps(describe_stage(_STORM)))
_PAGES = {
    "explorer": _EXPLORER,
    "stage": _STAGE,
    "practice": practice.Page('{"chapter": "cache_cliff"}'),
    "own-numbers": your_numbers.Page(),
}
_KINDS = {"outage": (0.1, 20), "drop": None}
_FOLDER = tempfile.TemporaryDirectory(prefix="fuzz-", dir=os.environ.get("FUZZ_FOLDER"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _in_file(name: str, data: bytes) -> Path:
    path = Path(_FOLDER.name) / name
    path.write_bytes(data)
    return path


def _answered(page: str, data: bytes) -> None:
    """Ask a page; its reply must be JSON, and no refusal without a word."""
    reply = json.loads(_PAGES[page].reply(_text(data)))
    assert reply.get("refusal") != ""


def _published(data: bytes) -> None:
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
    "published": _published,
    "number": lambda data: typed_number(_text(data)),
    "guess": lambda data: guessing.read_guess(_text(data), "s"),
    "grid": lambda data: parsed_axis(_CASE, _text(data)),
    "deeds": lambda data: parsed_deeds(_text(data), _KINDS, 120),
    "explorer": lambda data: _answered("explorer", data),
    "stage": lambda data: _answered("stage", data),
    "practice": lambda data: _answered("practice", data),
    "own-numbers": lambda data: _answered("own-numbers", data),
}
_STATE = json.dumps({"state": _CASE.settings()}).encode()
_PLAY = json.dumps({"play": {"settings": _STORM.beats[0].settings}}).encode()
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
    "stage": [_PLAY],
    "practice": [b'{"kind": "slowdown", "seed": "7", "answer": "20 %"}'],
    "own-numbers": [b'{"call": "capacities", "given": {"chapter": "cache_cliff", "keys": 9}}'],
}
