"""What an operator types into a field: the forms that tools print, in CPython and in the page."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.book.test_page_python import PARTS
from tests.node import node_path
from tests.page.typed_texts import texts
from tunables.core.registry import find_card
from tunables.page.explorer import ExplorerSession
from tunables.views.explorer import describe

SCRIPT = Path(__file__).with_name("read_fields.js")
UNITS = ("ms", "s", "µs", "1/s", "%", "1", "GiB", "B", "kB", "MB/s", "Gbit/s", "graphs", "")
PASTED = [
    *("4 Gi", "4.0Gi", "512Mi", "512M", "512m", "0.5g", "1 TB", "1tb", "8k", "64 K", "2TiB", "12k"),
    *(
        "12krps",
        "12k rps",
        "25G",
        "25g/s",
        "100M",
        "10T",
        "5m",
        "5/m",
        "40 mb/s",
        "1,5 s",
        "1.234,5",
    ),
    *("2 minutes", "1 h", "-3 ms", "0", "0 /s", "20k", "2.5", "1e300", "9e15", "123456.789 s"),
]


def parameter(name, unit, low=0.0, high=1e6, integer=False):
    bounds = {"low": low, "high": high, "integer": integer, "choices": []}
    return {"name": name, "unit": unit, "label": name, "title": f"{name} ({unit})"} | bounds


FIELDS = [parameter(f"field{n}", unit, integer=unit == "B") for n, unit in enumerate(UNITS)]
NO_VIEWS: dict[str, list] = {"outputs": [], "rows": [], "views": []}


def read(field, value):
    """Return the number that a field read a text as, or the sentence that refuses it."""
    page = ExplorerSession(json.dumps(NO_VIEWS | {"parameters": [field]}), lambda **state: {})
    reply = json.loads(page.reply(json.dumps({"state": {field["name"]: value}})))
    return reply["refusal"] if "refusal" in reply else reply["state"][field["name"]]


def card_field(chapter, name):
    return next(p for p in describe(find_card(chapter).model)["parameters"] if p["name"] == name)


@pytest.mark.parametrize(
    ("chapter", "name", "typed", "value"),
    [
        (3, "memory_gib", "4 Gi", 4),
        (3, "memory_gib", "512M", 0.5),
        (3, "memory_gib", "512m", 0.5),
        (3, "memory_gib", "0.5g", 0.5),
        (3, "memory_gib", "1 TB", 931.322574615),
        (3, "memory_gib", "512 MB", 0.476837158203),
        (1, "commits_per_s", "12k", 12_000),
        (1, "commits_per_s", "12k/s", 12_000),
        (1, "commits_per_s", "12 kreq/s", 12_000),
        (1, "commits_per_s", "12k rps", 12_000),
        (1, "commits_per_s", "30/min", 0.5),
        (1, "commits_per_s", "30 a minute", 0.5),
        (1, "commits_per_s", "72000/h", 20),
        (2, "service_ms", "2k/s", 0.5),
        (3, "cost_ratio", "40x", 40),
        (3, "cost_ratio", "40×", 40),
        (3, "graphs", "1.2M", 1_200_000),
        (4, "port_gbps", "25G", 25),
        (4, "port_gbps", "100M", 0.1),
        (5, "link_gbps", "25G", 25),
        (5, "window_bytes", "64k", 65_536),
        (5, "changes_mb_per_s", "3 GB/min", 50),
        (5, "changes_mb_per_s", "5 MiB/s", 5.24288),
        (5, "changes_mb_per_s", "5 MBps", 5),
        (5, "changes_mb_per_s", "40 Mbps", 5),
        (5, "compression_ratio", "3:1", 3),
        (7, "page_bytes", "8k", 8192),
        (7, "blob_kb", "100k", 100),
    ],
)
def test_what_tools_print_is_understood(chapter, name, typed, value):
    assert read(card_field(chapter, name), typed) == value


@pytest.mark.parametrize(
    ("chapter", "name", "typed", "sentence"),
    [
        (1, "delay_ms", "5m", '"m" does not fit: the number must be in ms. Write one such as 5 ms'),
        (1, "commits_per_s", "5 MiB/s", '"MiB/s" does not fit: the number must be in 1/s. Write'),
        (1, "commits_per_s", "5/m", "Write one such as 12/s, 12k/s or 3/min."),
        (1, "clients", "12m", "Write one such as 12,000 or 12k."),
        (3, "memory_gib", "4 b", "Write one such as 64 KiB, 512 MiB or 4 GiB."),
        (5, "changes_mb_per_s", "10G", "Write one such as 25 Gb/s, 300 MB/s or 3 GB/min."),
        (5, "compression_ratio", "3:2", "Write one such as 3, 3x, 3:1 or 4%."),
    ],
)
def test_what_could_mean_two_things_is_refused_with_an_example_that_works(
    chapter, name, typed, sentence
):
    field = card_field(chapter, name)
    refusal = read(field, typed)
    assert sentence in refusal
    examples = refusal.split("Write one such as ")[1].rstrip(".").replace(" or ", "; ")
    for example in examples.replace(", ", "; ").split("; "):
        assert "does not fit" not in str(read(field, example))


@pytest.mark.parametrize(
    ("chapter", "name", "typed", "refusal"),
    [
        (
            *(1, "delay_ms", "2 minutes"),
            'Maximum delay before a flush must be at most 5,000 ms; "2 minutes" means 120,000 ms.',
        ),
        (
            *(1, "delay_ms", "6000 ms"),
            'Maximum delay before a flush must be at most 5,000 ms, not "6000 ms".',
        ),
        (
            *(1, "commits_per_s", "9/h"),
            'Commit rate, measured at this delay must be at least 0.1/s; "9/h" means 0.0025/s.',
        ),
        (
            *(1, "clients", "20k"),
            "Clients, each with one commit in flight must be at most 10,000 clients; "
            '"20k" means 20,000 clients.',
        ),
        (
            *(1, "clients", "2.5 clients"),
            "Clients, each with one commit in flight (clients) must be a whole number at least 1 "
            'and at most 10000, not "2.5 clients".',
        ),
        (
            *(1, "delay_ms", "1,5 s"),
            "Maximum delay before a flush (ms) must be a number at least 0 and at most 5000, "
            'not "1,5 s". Write decimals with a point: 1.5 s.',
        ),
        (
            *(1, "busy_limit_percent", 0.5),
            "Largest share of device time that flushes may take (%) must be a number at least 1 "
            "and at most 100, not 0.5. If you mean a share of 0.5, write 50%.",
        ),
        (
            *(1, "busy_limit_percent", 0.001),
            "Largest share of device time that flushes may take (%) must be a number at least 1 "
            "and at most 100, not 0.001.",
        ),
    ],
)
def test_a_refusal_says_what_was_understood_and_what_is_allowed(chapter, name, typed, refusal):
    assert read(card_field(chapter, name), typed) == refusal


def test_the_page_reads_and_refuses_as_the_package_does():
    asked = [(field, text) for field in FIELDS for text in [*PASTED, *texts(60)]]
    others = {field["name"]: field["low"] for field in FIELDS}
    states = [others | {field["name"]: text} for field, text in asked]
    description = NO_VIEWS | {"parameters": FIELDS}
    given = {"sources": PARTS["shared"], "description": description, "states": states}
    done = subprocess.run(
        [node_path(), SCRIPT],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    here = ExplorerSession(json.dumps(description), lambda **state: {})
    for state, answer in zip(states, json.loads(done.stdout), strict=True):
        assert answer == json.loads(here.reply(json.dumps({"state": state})))
