"""A usual call of what else the package offers: data, parts, pages' laws, readers, sweeps."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import tunables.base
import tunables.base.user_data
import tunables.core
import tunables.evidence
import tunables.page
import tunables.page.labs
import tunables.sweep
import tunables.views
from tests.hostile.calls import WORDS, Call
from tests.hostile.examples import public_functions, usual_calls
from tunables.base.user_data.daemon_tables import WORK_QUEUES
from tunables.core import animation, ledger, model, validity
from tunables.core.registry import find_animation, find_case, find_diagram, find_map
from tunables.page.problem import make_problem
from tunables.sweep.plan import Plan, parse_axis
from tunables.views.explorer import describe
from tunables.views.gradebook import Mark

SAMPLES = Path(__file__).parents[2] / "labs" / "samples" / "own"
PRINTOUT = (SAMPLES / "6-fits.txt").read_text()
TABLE = "rtt_s,rate_bps\n0.5,1000\n0.25,2000\n"
KEYS = "at,file\n1,a\n2,b\n3,a\n"

_CASE, _PROBLEM = find_case("rrd"), make_problem(3, 7)
_STATE = _CASE.settings()
_ROW = _CASE.numbers[0].record.row_id
_GUESS = {"case_name": "rrd", "row_id": _ROW, "question": "How many?"}

PACKAGES: tuple[Any, ...] = (
    *(tunables.evidence, tunables.base, tunables.base.user_data, tunables.core, tunables.page),
    *(tunables.page.labs, tunables.views, tunables.sweep),
)
# What has no example, for it reads a file or a long text, or makes HTML that tells a reader little.
WITHOUT_EXAMPLE: dict[Any, dict[str, dict]] = {
    tunables.base.user_data: {
        "daemon_tables.tables_of": {"text": PRINTOUT, "command": WORK_QUEUES}
    },
    tunables.core: {
        "diagram.parse_diagram": {"svg": find_diagram("rrd").drawing},
        "registry.fit_source": {"chapter": 6, "source": PRINTOUT, "column": None},
        "registry.fit_path": {"chapter": 6, "path": str(SAMPLES / "6-fits.txt"), "column": None},
    },
    tunables.page: {
        "explorer.check_state": {"state": _STATE, "parameters": describe(_CASE)["parameters"]},
    },
    tunables.views: {
        "allowed.allowed_chart": {"case": "lcr", "first": "a", "second": "b"},
        "simulation.comparison_html": {"case_name": "rrd", "first": "graphs", "factor": 1.1},
        "explorer.compact": {"description": describe(_CASE), "only": ("graphs",), "table": True},
        "diagram.diagram": {"chapter": "3"},
        "explorer.explore": {"case": "rrd", "only": ("graphs",), "table": False, "graphs": 45_000},
        "guess.guess": _GUESS,
        "operator_card.operator_card": {"chapter": "3", "graphs": 45_000},
        "practice.practice": {"chapter": "3", "kind": _PROBLEM.kind, "seed": "7"},
        "reproduce.reproduce": {"name": "lease", "form": "csv", "seed": 1},
        "classroom.read_roster": {"path": "roster.csv"},
        "classroom.read_roster_rows": {"path": "roster.csv"},
        "classroom.read_grades": {"path": "grades.csv", "columns": ("id",)},
        "gradebook.gradebook": {
            **{"roster": "roster.csv", "marks": {"s1": Mark(1.0)}, "possible": 13},
            "column": "points of the homework",
        },
        "animation.animation": {"name": "rrd"},
        "validity.validity_map": {"name": "rrd"},
    },
    tunables.sweep: {
        "traces.row_group": {"path": "trace.parquet", "column": "key", "group": 0},
        "traces.row_groups": {"path": "trace.parquet", "column": "key"},
    },
}
# What they are given besides, which is the package's own.
OURS: dict[str, set[str]] = {
    "classroom.handout": {"sheets"},
    "classroom.read_grades": {"columns"},
    "classroom.roster_sheets": {"students"},
    "exam.exam_file": {"sheets"},
    "exam.exam_sheets": {"students"},
    "gradebook.gradebook": {"marks"},
    "moodle.identity": {"row"},
    "daemon_tables.tables_of": {"command"},
    "explorer.check_state": {"parameters"},
    "explorer.compact": {"description"},
    "guess.read_guess": {"unit"},
    "interventions.parse_interventions": {"kinds"},
    "problem.check_answer": {"problem"},
    "published.published": {"folder"},
    "question_bank.export": {"groups"},
    "reading.read_columns": {"columns", "at_least_rows"},
    "reading.rows_of": {"text"},
    "units.in_unit": {"unit"},
    "units.unit_factor": {"unit"},
}
# What takes another's functions, or a whole case of its own making, is no reader's to call.
NOT_ASKED = {
    "explorer.answer",
    "explorer.numbers",
    "hand_in.hand_in_of",
    "hand_in.reply",
    "hand_in.unpack",
    "labs.lab_session",
    "card.borrow_parameter",
    "columns.places",
    "simulation.describe_comparison",
    "charts.figure_html",
    "kernels.call",
    "numerics.least_squares",
    "reading.numbers_of",
    "problem.reply",
    "command.make_plan",
    "roots.bisect",
    "roots.root",
    "columns.separators",
    "run.connect",
    "run.run_sweep",
    "validity.sweep",
    "validity.judge",
    "your_numbers.link_result",
    "your_numbers.places",
    "your_numbers.read",
    "your_numbers.find_separators",
}


def _all_of(function):
    """Return the function, which makes a list of what it yields."""

    def call(**arguments):
        result = function(**arguments)
        return list(result) if isinstance(result, Iterator) else result

    return call


def _asked(package: Any) -> dict[str, list[dict]]:
    """Return the usual calls of a package's functions that a reader may make."""
    made = usual_calls(package) | {
        name: [arguments] for name, arguments in WITHOUT_EXAMPLE.get(package, {}).items()
    }
    return {name: each for name, each in made.items() if name not in NOT_ASKED}


def functions() -> list[Call]:
    """Return the usual calls of each function."""
    found = []
    for package in PACKAGES:
        function = public_functions(package)
        for name, made in _asked(package).items():
            for arguments in made:
                ours = {key: arguments[key] for key in OURS.get(name, ())}
                asked = {key: value for key, value in arguments.items() if key not in ours}
                found.append(Call(name, partial(_all_of(function[name]), **ours), asked, WORDS))
    return found


def methods() -> list[Call]:
    """Return the usual call of what checks its arguments as an object is made, or as its method."""
    parameter = {
        "name": "graphs",
        "label": "Graphs",
        "unit": "1",
        "default": 5.0,
        "origin": "published",
        "source": "here",
        "low": 1.0,
        "high": 9.0,
        "scale": "log",
        "integer": False,
        "choices": (),
        "choice_texts": (),
    }
    axis = parse_axis(_CASE, "graphs=1000:45000:9")
    side = {"label": "x", "short": "x", "unit": "s", "values": [1.0, 2.0], "assumed": None}
    one, files = next(iter(_CASE.parameters)), animation.AnimationSetting("files", "Files", 1, 20)
    scan = find_animation("rrd")
    called: list[tuple] = [
        ("model.Parameter", model.Parameter, parameter),
        ("Parameter.check", one.check, {"value": one.default}),
        ("Model.settings", _CASE.settings, _STATE),
        ("Model.parameter", _CASE.parameter, {"name": "graphs"}),
        ("Model.output", _CASE.output, {"name": "slowdown"}),
        ("Case.simulate", _CASE.simulate, {"seed": 1} | _STATE | {"graphs": 200}),
        ("ledger.ledger", partial(ledger.ledger, _CASE), {"seed": 1}),
        ("validity.MapAxis", partial(validity.MapAxis, "x"), side),
        ("ValidityMap.split", find_map("rrd").split, {"x": 40_000, "y": 0.1}),
        ("animation.AnimationSetting.check", files.check, {"value": 2}),
        (
            "Animation.replay",
            scan.replay,
            {"settings": scan.bookmarks[0].settings},
        ),
        ("plan.Plan", partial(Plan, "rrd", (axis,)), {"drawn": 0, "seeds": 0, "chunk": 512}),
    ]
    return [Call(name, function, given, WORDS) for name, function, given in called]


def calls() -> list[Call]:
    """Return all of both."""
    return functions() + methods()
