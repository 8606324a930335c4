"""How a case is simulated, as plain data for the page; and two settings compared by the reader."""

import json
from collections.abc import Callable
from html import escape

import altair as alt

from tunables.base.arguments import choice, number
from tunables.base.units import unit_text
from tunables.core.case import Case, Simulation
from tunables.core.model import Parameter
from tunables.core.registry import find_case
from tunables.page.simulation import (
    HIGHEST_SEED,
    MOST_RUNS,
    SERIES,
    SimulationSession,
    first_seeds,
    steps,
    summarize_comparison,
)
from tunables.views.charts import (
    COLOURS,
    CONFIG,
    HEIGHT,
    WIDTH,
    figure_html,
    script_json,
)
from tunables.views.live import Responder, static_text

SEED = 1  # default seed of the ledgers and the maps


def describe_simulation(simulation: Simulation, seed: int = SEED) -> dict:
    """Return a simulation as JSON can hold it: the page imports what it names."""
    needed = simulation.needed
    return {
        "module": simulation.run.__module__,
        "run": simulation.run.__name__,
        "needed": needed.__name__ if needed else None,
        "replications": simulation.replications,
        "seed": seed,
        "highest_seed": HIGHEST_SEED,
        "most_runs": MOST_RUNS,
    }


def _check_fields(parameter: Parameter) -> dict:
    """Return what checks and names a setting."""
    names = ("name", "label", "low", "high", "integer", "choices")
    fields = {name: getattr(parameter, name) for name in names}
    return fields | {"unit_text": unit_text(parameter.unit)}


def simulable(case: Case, simulation: Simulation, outputs: list[str], seed: int = SEED) -> dict:
    """Return a case as `tunables.page.simulation` needs it, for some of its outputs."""
    return {
        "name": case.name,
        "predictor": case.predictor,
        "parameters": [_check_fields(parameter) for parameter in case.parameters],
        "outputs": [{"name": name, "digits": case.output(name).digits} for name in outputs],
        "simulation": describe_simulation(simulation, seed),
    }


class WithSimulation:
    """Responder of a live part that can be simulated: one session for it, one for its runs."""

    def __init__(
        self,
        page: Responder,
        description: dict,
        simulation: Simulation,
        predict: Callable[..., dict[str, float]],
    ):
        self._page = page
        self._simulating = SimulationSession(
            json.dumps(description), predict, simulation.run, simulation.needed
        )

    def reply(self, request_json: str) -> str:
        """Return the reply of the page that the request is for."""
        simulates = "simulate" in json.loads(request_json)
        return (self._simulating if simulates else self._page).reply(request_json)


RUNS, MOST_COMPARED = 40, 320
STATIC_TEXT = static_text("", "run it")
CHART = (
    "Half-widths against the number of runs, on logarithmic axes; the table above gives the same "
    "numbers."
)
WIDTHS = ("Runs", "A's half-width", "A's half-width × √runs", "Half-width of B − A")


def _other_value(parameter: Parameter, factor: float) -> float:
    """Return another value of a parameter: the default times factor, or the next whole number."""
    default = float(parameter.default)
    low, high = parameter.low, parameter.high
    if parameter.integer:
        return default + 1 if default < high else default - 1
    value = default * factor
    return value if low <= value <= high and value != default else (low + high) / 2


def describe_comparison(case: Case, first: str, factor: float) -> dict:
    """Return what the page needs: the simulation, the settings, and what may differ in B.

    first: the parameter that the box begins with, and factor how many times as much B has of it.
    Raises ValueError for an unknown parameter, or a factor that is not above 0.
    """
    choice("first", first, [p.name for p in case.parameters if not p.choices])
    factor = number("factor", factor, above=0)
    given = case.simulation.run(0, **case.settings())
    outputs = [output for output in case.outputs if output.name in given]
    ranged = sorted((p for p in case.parameters if not p.choices), key=lambda p: p.name != first)
    simulated = simulable(case, case.simulation, [output.name for output in outputs])
    simulated["simulation"]["most_runs"] = MOST_COMPARED
    return simulated | {
        "defaults": case.settings(),
        "labels": [output.label + unit_text(output.unit, ", ") for output in outputs],
        "runs": RUNS,
        "varied": [
            {
                "name": parameter.name,
                "title": parameter.label + unit_text(parameter.unit, ", "),
                "a": parameter.default,
                "b": _other_value(parameter, factor),
            }
            for parameter in ranged
        ],
    }


def _as_built(case: Case, description: dict) -> dict:
    """Return the comparison that the box begins with: its seed, common random numbers."""
    varied, simulation = description["varied"][0], description["simulation"]
    starts = first_seeds(simulation["seed"], simulation["replications"])
    output = description["outputs"][0]["name"]
    runs = [
        [
            case.simulation.run(seed, **case.settings(**{varied["name"]: varied[side]}))[output]
            for seed in range(start, start + RUNS)
        ]
        for side, start in zip("ab", starts, strict=True)
    ]
    return summarize_comparison(*runs)


def _width_spec(points: list[dict]) -> dict:
    """Return the Vega-Lite chart of half-widths against runs; both axes are logarithmic."""
    dashes = alt.Scale(domain=list(SERIES), range=[[1, 0], [4, 4], [1, 0]])
    colours = alt.Scale(domain=list(SERIES), range=[COLOURS[0], COLOURS[6], COLOURS[1]])
    runs = alt.X(
        "x:Q",
        title="Runs at each setting",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(values=steps(MOST_COMPARED)),
    )
    chart = (
        alt.Chart(alt.NamedData("points"))
        .mark_line(point=True)
        .encode(
            x=runs,
            y=alt.Y("y:Q", title="Half-width", scale=alt.Scale(type="log")),
            color=alt.Color("of:N", title=None, scale=colours),
            strokeDash=alt.StrokeDash("of:N", title=None, scale=dashes),
        )
    )
    spec = chart.properties(width=WIDTH, height=HEIGHT, description=CHART).to_dict()
    return spec | {"config": CONFIG, "datasets": {"points": points}}


def _rows(heads, cells) -> str:
    lines = zip(heads, cells, strict=True)
    return "".join(f'<tr><th scope="row">{a}</th><td>{b}</td></tr>' for a, b in lines)


def comparison_html(case_name: str, first: str, factor: float) -> str:
    """Return the box as markup with RUNS runs, static until the page's script mounts it.

    Raises ValueError for an unknown case.
    """
    case = find_case(case_name)
    description = describe_comparison(case, first, factor)
    said = _as_built(case, description)
    heads = "".join(f'<th scope="col">{each}</th>' for each in WIDTHS)
    widths = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in said["widths"]
    )
    return (
        f'<section class="tunables-comparing" id="compare-{escape(case_name)}" '
        f'aria-label="Compare two settings: {escape(case.title)}">'
        '<script type="application/json" class="comparing-description">'
        f"{script_json(description)}</script>"
        f'<div class="comparing-controls"><p>{STATIC_TEXT}</p></div>'
        '<table class="comparing-means"><tbody>'
        f"{_rows(('A', 'B', 'B − A'), said['texts'])}</tbody></table>"
        f'<p class="comparing-verdict">{said["verdict"][0].upper()}{said["verdict"][1:]}.</p>'
        '<div class="table-scroll" role="region" tabindex="0" aria-label="Half-widths">'
        f'<table class="comparing-widths"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{widths}</tbody></table></div>"
        f"{figure_html(_width_spec(said['points']), name='widths')}</section>"
    )
