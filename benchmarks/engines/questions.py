"""The questions for every engine: drawn once, by a seed, and written into a folder."""

import json
import random
from pathlib import Path

from kernels.entries import module_names
from tests.kernels.cases import write_all
from tests.page.states import random_state
from tunables.core.registry import cases

STATES = 200  # of each case's parameters
INPUTS, EVENTS = 20, 300  # of each kernel, with about this many events each
SEED = 20070423


def questions() -> dict[str, dict]:
    """Return {case: {"predictor": module, "states": settings}}, the same each time."""
    chance = random.Random(SEED)
    return {
        case.name: {
            "predictor": case.predictor,
            "states": [random_state(case, chance) for _ in range(STATES)],
        }
        for case in cases().values()
    }


def write_questions(folder: Path) -> int:
    """Write asked.json, and a folder of inputs and results for each module of kernels.

    Return the number of inputs.
    """
    (folder / "asked.json").write_text(json.dumps(questions()))
    return sum(write_all(folder, module_names(), range(INPUTS), EVENTS).values())
