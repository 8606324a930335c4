"""What a live part needs to simulate: in the page by names, here by the functions themselves."""

import json
from collections.abc import Callable

from tunables.page import simulating
from tunables.parts.case import Case
from tunables.parts.model import Parameter
from tunables.parts.replication import Simulation
from tunables.plain.units import unit_text
from tunables.reader.live import Page

SEED = 1  # of the ledgers and of the maps, where nobody asks for another


def describe_simulation(simulation: Simulation, seed: int = SEED) -> dict:
    """Return a simulation as JSON can hold it: the page imports what it names."""
    needed = simulation.needed
    return {
        "module": simulation.run.__module__,
        "run": simulation.run.__name__,
        "needed": needed.__name__ if needed else None,
        "replications": simulation.replications,
        "seed": seed,
        "highest_seed": simulating.HIGHEST_SEED,
        "most_runs": simulating.MOST_RUNS,
    }


def _checked(parameter: Parameter) -> dict:
    """Return what checks and names a setting."""
    names = ("name", "label", "low", "high", "whole", "choices")
    fields = {name: getattr(parameter, name) for name in names}
    return fields | {"unit_text": unit_text(parameter.unit)}


def simulable(case: Case, simulation: Simulation, outputs: list[str], seed: int = SEED) -> dict:
    """Return a case as `tunables.page.simulating` needs it, for some of its outputs."""
    return {
        "name": case.name,
        "predictor": case.predictor,
        "parameters": [_checked(parameter) for parameter in case.parameters],
        "outputs": [{"name": name, "digits": case.output(name).digits} for name in outputs],
        "simulation": describe_simulation(simulation, seed),
    }


class WithSimulation:
    """What answers a live part that can be simulated: its own page, and one for its runs."""

    def __init__(
        self,
        page: Page,
        description: dict,
        simulation: Simulation,
        predict: Callable[..., dict[str, float]],
    ):
        self._page = page
        self._simulating = simulating.Page(
            json.dumps(description), predict, simulation.run, simulation.needed
        )

    def reply(self, request_json: str) -> str:
        """Return the reply of the page that the request is for."""
        simulates = "simulate" in json.loads(request_json)
        return (self._simulating if simulates else self._page).reply(request_json)
