"""What the committed chapters say of their simulations: the page calls what they name."""

import json
import re

import pytest

from tests.chapters.notebooks import ROOT, cells
from tunables.core.registry import find_case, find_map
from tunables.views.simulation import describe_simulation

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))
BOX = re.compile(
    r'<script type="application/json" class="(explorer|validity)-description">(.*?)</script>', re.S
)


def boxes(path):
    """Yield the kind and the description of each explorer and map of a notebook."""
    for cell in cells(path, "code"):
        for output in cell["outputs"]:
            yield from BOX.findall("".join(output.get("data", {}).get("text/html", "")))


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_explorers_and_maps_name_the_runs_of_their_cases(path):
    named = 0
    for kind, text in boxes(path):
        box = json.loads(text)
        if "simulation" not in box:
            continue
        of_map = kind == "validity"
        simulation = (find_map if of_map else find_case)(box["name"]).simulation
        fresh = describe_simulation(simulation)
        assert box["simulation"] == fresh, f"run `make notebooks ONE=chapters/{path.name}`"
        named += 1
    assert named
