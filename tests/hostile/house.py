"""A usual call of what else the package offers: data, parts, pages' laws, readers, sweeps."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import tunables.evidence
import tunables.page
import tunables.page.labs
import tunables.parts
import tunables.plain
import tunables.plain.own
import tunables.reader
import tunables.sweep
from tests.hostile.calls import WORDS, Call, public_functions
from tunables.page.problem import make_problem
from tunables.parts import ledger, model, stage, validity
from tunables.parts.registry import find_allowed, find_case, find_map, find_stage
from tunables.plain.own.columns import Column
from tunables.plain.own.daemon_commands import WORK_QUEUES
from tunables.reader.bank import bank
from tunables.reader.classes import roster_sheets
from tunables.reader.description import describe
from tunables.reader.roster import Student
from tunables.sweep.axes import parsed_axis
from tunables.sweep.plan import Plan

SAMPLES = Path(__file__).parents[2] / "labs" / "samples" / "own"
PRINTOUT = (SAMPLES / "6-fits.txt").read_text()
TABLE = "rtt_s,rate_bps\n0.5,1000\n0.25,2000\n"
KEYS = "at,file\n1,a\n2,b\n3,a\n"


def own_numbers(number: int) -> dict[str, str]:
    """Return the sample of a chapter's own numbers that its model fits."""
    return {"source": (SAMPLES / f"{number}-fits.csv").read_text()}


_COLUMNS = (Column("rtt_s", "", above=0),)
_CASE, _PROBLEM = find_case("rrd"), make_problem(3, 7)
_STATE = _CASE.settings()
_ROW = _CASE.numbers[0].record.row_id
_STUDENTS = [Student("s1", "Ada")]

# The packages, and of their functions that check what they are given a usual call.
PACKAGES: dict[Any, dict[str, dict]] = {
    tunables.evidence: {
        "published.published": {"table": "rrd-system-cache"},
        "quagga.parse_thread_cpu": {"text": PRINTOUT},
        "quagga.parse_work_queues": {"text": PRINTOUT},
    },
    tunables.plain: {
        "deeds.parsed_deeds": {"said": "20_outage_2-60_drop", "end_s": 120.0},
        "digits.significant": {"value": 36562.4, "digits": 4},
        "interval.confidence_interval": {"samples": [1.0, 2.0, 3.0], "level": 0.95},
        "student.student_t": {"level": 0.95, "df": 19},
        "typed.typed_number": {"text": "8.1 ms"},
        "units.unit_factor": {"word": "ms"},
    },
    tunables.plain.own: {
        "daemon_tables.tables_of": {"text": PRINTOUT},
    },
    tunables.parts: {
        "allowed_share.share_allowed": {"draws": 10, "seed": 1},
        "ledger.entry": {"row_id": _ROW, "seed": 1},
        "reading.read_columns": {"source": TABLE},
        "registry.find_case": {"name": "rrd"},
        "registry.find_card": {"chapter": "rrd"},
        "registry.find_diagram": {"chapter": 3},
        "registry.find_map": {"name": "rrd"},
        "registry.stages": {"chapter": "3"},
        "registry.find_stage": {"name": "rrd"},
        "registry.find_fit": {"chapter": "5"},
        "registry.fit_source": {"chapter": 6, "source": PRINTOUT, "column": None},
        "registry.fit_path": {"chapter": 6, "path": str(SAMPLES / "6-fits.txt"), "column": None},
        "text.text_of": {"source": TABLE},
        "text.rows_of": {"delimiter": ","},
        "trace.read_keys": {"text_or_path": KEYS, "column": "file", "delimiter": ","},
        "trace.knee": {"miss_ratio_curve": [1.0, 0.5, 0.1]},
    },
    tunables.page: {
        "answer.check_state": {"state": _STATE},
        "chapters.find_chapter": {"name": "03-cache-cliff"},
        "chapters.module": {"chapter": "3", "facet": "predictor"},
        "check.check_answer": {"text": "20"},
        "guessing.read_guess": {"text": "4126 ms"},
        "problem.kinds": {"chapter": "3"},
        "problem.make_problem": {"chapter": "3", "seed": "7", "kind": _PROBLEM.kind},
    },
    tunables.page.labs: {
        "cache_cliff.miss_ratio": {"order": "cyclic", "rows": 4000, "room": 3600},
        "group_commit.commits_per_s": {
            "writers": 16,
            "delay_s": 0.001,
            "flush_s": 0.003,
            "hop_s": 0.004,
        },
        "time_outs.batches": {
            "timeout_s": 0.5,
            "retries": 1,
            "max_delay_s": 2.0,
            "commits": 2,
            "work_s": 0.076,
            "think_s": 0.032,
            "callers": 50,
            "threads": 50,
        },
    },
    tunables.reader: {
        "allowed_chart.allowed_chart": {"case": "lcr", "first": "a", "second": "b"},
        "bank.bank": {"chapter": "3", "each": 1, "secret": "word"},
        "bank.exported": {"form": "moodle"},
        "classes.secret_seed": {"secret": "word", "chapter": "3", "student": "s1", "again": 0},
        "classes.roster_sheets": {
            "chapter": "3",
            "secret": "word",
            "kind": _PROBLEM.kind,
        },
        "classes.class_problems": {
            "chapter": "3",
            "seed": "7",
            "students": 2,
            "kind": _PROBLEM.kind,
        },
        "classes.counted_sheets": {
            "chapter": "3",
            "seed": "7",
            "students": 2,
            "kind": _PROBLEM.kind,
            "secret": "word",
        },
        "comparing.comparison_html": {"case_name": "rrd", "first": "graphs", "factor": 1.1},
        "description.compact": {
            "only": ("graphs",),
            "table": True,
        },
        "diagram.diagram": {"chapter": "3"},
        "exam.exam": {"chapter": "3", "secret": "word", "questions": 2},
        "exam.exam_sheet": {
            "chapter": "3",
            "secret": "word",
            "questions": 2,
            "form": "csv",
            "with_answer": True,
        },
        "explorer.explore": {"case": "rrd", "only": ("graphs",), "table": False, "graphs": 45_000},
        "guess.describe_guess": {"case_name": "rrd", "row_id": _ROW, "question": "How many?"},
        "guess.guess": {"case_name": "rrd", "row_id": _ROW, "question": "How many?"},
        "handout.handout": {
            "form": "md",
            "with_answer": True,
        },
        "operator_card.operator_card": {"chapter": "3", "graphs": 45_000},
        "practice.exercise": {"chapter": "3", "kind": _PROBLEM.kind, "seed": "7"},
        "practice.practice": {"chapter": "3", "kind": _PROBLEM.kind, "seed": "7"},
        "reproduce.reproduced": {"name": "lease", "form": "csv", "seed": 1},
        "roster.read_roster": {"path": "roster.csv"},
        "stage.stage": {"name": "rrd"},
        "validity.validity_map": {"name": "rrd"},
    },
    tunables.sweep: {
        "axes.parsed_axis": {"said": "graphs=1000:45000:9"},
        "traces.row_group": {"path": "trace.parquet", "column": "key", "group": 0},
        "traces.row_groups": {"path": "trace.parquet", "column": "key"},
    },
}
# What they are given besides, which is the package's own.
OURS: dict[str, dict] = {
    "allowed_share.share_allowed": {"told": find_allowed(_CASE)},
    "answer.check_state": {"parameters": describe(_CASE)["parameters"]},
    "axes.parsed_axis": {"model": _CASE},
    "bank.exported": {"groups": bank(3, 1)},
    "check.check_answer": {"problem": _PROBLEM},
    "classes.roster_sheets": {"students": _STUDENTS},
    "daemon_tables.tables_of": {"command": WORK_QUEUES},
    "deeds.parsed_deeds": {"kinds": {"outage": (0.1, 20), "drop": None}},
    "description.compact": {"description": describe(_CASE)},
    "guessing.read_guess": {"unit": "s"},
    "text.rows_of": {"text": TABLE},
    "units.unit_factor": {"unit": "s"},
    "handout.handout": {"sheets": roster_sheets(3, _STUDENTS, "word")},
    "ledger.entry": {"case": _CASE},
    "reading.read_columns": {"columns": _COLUMNS},
}
# What takes another's functions, or a whole case of its own making, is no reader's to call.
NOT_ASKED = {
    "answer.answer",
    "answer.numbers",
    "answering.answering",
    "card.borrowed",
    "columns.places",
    "comparing.describe_comparison",
    "charts.figure_html",
    "diagram.edge",
    "kernels.call",
    "least_squares.least_squares",
    "numerals.numbers_of",
    "practice.reply",
    "command.planned",
    "roots.root",
    "separators.separators",
    "run.connected",
    "run.run_sweep",
    "validity.sweep",
    "verdict.judge",
    "your_numbers.linked",
    "your_numbers.places",
    "your_numbers.read",
    "your_numbers.separated",
}


def _all_of(function):
    """Return the function, which makes a list of what it yields."""

    def call(**arguments):
        result = function(**arguments)
        return list(result) if isinstance(result, Iterator) else result

    return call


def functions() -> list[Call]:
    """Return the usual call of each function."""
    return [
        Call(name, partial(_all_of(found[name]), **OURS.get(name, {})), arguments, WORDS)
        for package, table in PACKAGES.items()
        for found in [public_functions(package)]
        for name, arguments in table.items()
    ]


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
        "whole": False,
        "choices": (),
        "choice_texts": (),
    }
    axis = parsed_axis(_CASE, "graphs=1000:45000:9")
    side = {"label": "x", "short": "x", "unit": "s", "values": [1.0, 2.0], "assumed": None}
    one, files = next(iter(_CASE.parameters)), stage.Choice("files", "Files", 1, 20)
    scan = find_stage("rrd")
    called: list[tuple] = [
        ("model.Parameter", model.Parameter, parameter),
        ("Parameter.check", one.check, {"value": one.default}),
        ("Model.settings", _CASE.settings, _STATE),
        ("Model.parameter", _CASE.parameter, {"name": "graphs"}),
        ("Model.output", _CASE.output, {"name": "slowdown"}),
        ("Case.simulate", _CASE.simulate, {"seed": 1} | _STATE | {"graphs": 200}),
        ("ledger.ledger", partial(ledger.ledger, _CASE), {"seed": 1}),
        ("validity.Axis", partial(validity.Axis, "x"), side),
        ("ValidityMap.split", find_map("rrd").split, {"x": 40_000, "y": 0.1}),
        ("stage.Choice.check", files.check, {"value": 2}),
        (
            "Stage.replay",
            scan.replay,
            {"settings": scan.beats[0].settings},
        ),
        ("plan.Plan", partial(Plan, "rrd", (axis,)), {"drawn": 0, "seeds": 0, "chunk": 512}),
    ]
    return [Call(name, function, given, WORDS) for name, function, given in called]


def calls() -> list[Call]:
    """Return all of both."""
    return functions() + methods()
