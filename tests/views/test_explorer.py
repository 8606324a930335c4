"""What the page's fields show is understood again: one truth of units, in JavaScript and Python."""

import json
import subprocess

import pytest

from tests.chapters.notebooks import ROOT
from tests.node import node_path
from tunables.core.registry import cases
from tunables.page.explorer import ExplorerSession, check_state
from tunables.views.explorer import describe

SCRIPT = """
import { fieldText } from './book/_static/explorer/controls.js';
const asked = JSON.parse(process.argv[1]);
console.log(JSON.stringify(asked.map(([value, unit]) => fieldText(value, unit))));
"""


def numeric():
    """Yield each parameter of each case that has a range, and values of all its sizes."""
    for case in cases().values():
        for parameter in describe(case)["parameters"]:
            if parameter["choices"]:
                continue
            low, high = parameter["low"], parameter["high"]
            inner = [high * 10**-power for power in range(8)]
            values = [low, high, parameter["default"], *(v for v in inner if v >= low)]
            yield parameter, [round(v) if parameter["integer"] else v for v in values]


def field_texts(asked):
    """Return what the page's fields show of (value, unit) pairs."""
    command = [node_path(), "--input-type=module", "-e", SCRIPT, json.dumps(asked)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(run.stdout)


@pytest.mark.slow
def test_every_number_that_a_field_shows_is_read_again_to_four_digits():
    pairs = [(parameter, value) for parameter, values in numeric() for value in values]
    texts = field_texts([(value, parameter["unit"]) for parameter, value in pairs])
    for (parameter, value), text in zip(pairs, texts, strict=True):
        free = parameter | {"low": -1e30, "high": 1e30, "integer": False}
        (read,) = check_state([free], {parameter["name"]: text}).values()
        assert read == pytest.approx(value, rel=5.1e-4), (parameter["name"], text)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.00035798821956182104, "s", "358 µs"),
        (9.501974507762334, "Gb/s", "9.502 Gb/s"),
        (95443.7176888889, "B", "95,444 bytes"),
        (40_000, "graphs", "40,000"),
        (98, "%", "98%"),
        (0, "s", "0 s"),
    ],
)
def test_a_field_shows_a_unit_that_fits(value, unit, text):
    assert field_texts([(value, unit)]) == [text]


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("36.6k", "graphs", 36_600),
        ("4.35k graphs", "graphs", 4350),
        ("6M", "1", 6_000_000),
        ("358 µs", "s", 358e-6),
        ("0.25 MB", "B", 250_000),
        ("250 Mb/s", "Gbit/s", 0.25),
        ("800/s", "ms", 1.25),
        ("800 requests per second", "ms", 1.25),
        ("800 rps", "s", 0.00125),
        ("20 ms", "1/s", 50),
    ],
)
def test_a_typed_unit_is_understood(text, unit, value):
    free = {"name": "x", "unit": unit, "choices": [], "integer": False, "low": 0, "high": 1e30}
    assert check_state([free], {"x": text}) == {"x": value}


@pytest.mark.parametrize("text", ["0/s", "-5/s", "800 GiB", "abc"])
def test_other_units_are_refused_in_the_words_of_the_label(text):
    parameter: dict[str, object] = {"name": "work_s", "title": "Work per request (s)", "unit": "s"}
    parameter |= {"choices": [], "integer": False, "low": 0, "high": 60}
    description = {"predictor": "", "parameters": [parameter]}
    page = ExplorerSession(json.dumps(description), lambda **state: state)
    said = json.loads(page.reply(json.dumps({"state": {"work_s": text}})))["refusal"]
    assert said.startswith("Work per request (s) must be a number at least 0 and at most 60")
    assert f'not "{text}"' in said
    assert "work_s" not in said
