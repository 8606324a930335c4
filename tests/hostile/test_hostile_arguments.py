"""Whatever a public function is called with: a finite answer or a sentence, and soon."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import tunables.simulators
import tunables.theory
from tests.hostile import chapters, house
from tests.hostile.calls import SIMULATORS, THEORY, public_functions
from tunables.page.chapters import CHAPTERS, module
from tunables.simulators.closed_system import simulate_closed_system
from tunables.simulators.cyclic_queues import simulate_cyclic_queues
from tunables.simulators.flows import simulate_queue
from tunables.simulators.packets import simulate_packets
from tunables.theory.closed_queueing import machine_repair
from tunables.theory.shared_port import completion_times
from tunables.theory.special import regularised_lower_gamma

ROOT = Path(__file__).parents[2]
SOON_S = 20  # of the processor; a call takes milliseconds, but may compile a kernel
MOST_CRASHES = 10
OTHER_GROUPS = ("house", "chapters", "messages", "measure")

pytestmark = pytest.mark.slow


def troubles(
    group: str, done: int = 0, seconds: int = SOON_S, cwd: str | Path = ROOT, step: int = 1
) -> Iterator[tuple[int, str, str]]:
    """Yield (number, call, what went wrong or "") of each call of a group.

    cwd: the folder that the calls may write to; step: one call in so many is made. They are made
    by `tests.hostile.probe`, in a process that is begun anew after a crash.
    """
    for _ in range(MOST_CRASHES):
        process = subprocess.run(
            [sys.executable, "-m", "tests.hostile.probe", group, *map(str, (done, seconds, step))],
            capture_output=True,
            text=True,
            cwd=cwd,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            timeout=900,
        )
        told = [json.loads(line) for line in process.stdout.splitlines()]
        for (number, call), trouble in zip(told[::2], told[1::2], strict=False):
            yield number, call, trouble
        if process.returncode == 0:
            return
        if len(told) % 2 == 0:
            raise RuntimeError(process.stderr)
        done, call = told[-1]
        endless = -process.returncode in (signal.SIGXCPU, signal.SIGALRM)
        yield done, call, "does not end" if endless else f"crashes: {process.stderr[-300:]}"


# One in so many calls of a group is made in `make test`, where each stays below half a minute.
STEPS = {"theory": 5, "predictors": 5, "simulators": 5, **dict.fromkeys(OTHER_GROUPS, 151)}


def assert_each_ends_soon(group: str, folder: Path, step: int = 1) -> None:
    found = list(troubles(group, cwd=folder, step=step))
    assert len(found) > 3000 // step
    assert [f"{call} {trouble}" for _, call, trouble in found if trouble] == []
    assert list(folder.iterdir()) == []


@pytest.mark.timeout(900)  # the first time it compiles every kernel
@pytest.mark.parametrize("group", STEPS)
def test_one_in_many_calls_ends_soon_with_a_finite_answer_or_a_sentence(group, tmp_path):
    assert_each_ends_soon(group, tmp_path, STEPS[group])


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("group", STEPS)
def test_every_call_does(group, tmp_path):
    assert_each_ends_soon(group, tmp_path)


# Some that once ended the interpreter, ran for days or answered nan: two odd arguments together,
# or a call of their own.
@pytest.mark.parametrize(
    ("call", "culprit"),
    [
        (partial(simulate_queue, 1e-308, [1.0], [1.0], "fifo", 1000), "arrival_rate = 1e-308"),
        (partial(simulate_closed_system, 4, 1, 1e308, 2.0, 1000), "think_time_s = 1e+308"),
        (partial(simulate_cyclic_queues, [0.0], 3), "service_demands_s + delay_s = 0"),
        (
            partial(module("lease", "lease_predictor").predict, retries=2**31),
            "retries = 2147483648",
        ),
        (partial(machine_repair, 2**31, 1, 10.0, 2.0), "customers = 2147483648"),
        (partial(regularised_lower_gamma, 1e15, 1e15), "shape = 1000000000000000.0"),
        (partial(completion_times, [1], [1.0], [1], [1.0], 1e-308), "capacity_bps = 1e-308"),
        (partial(simulate_packets, [1], [1e3], [1], [1.0], 1e-308), "capacity_bps = 1e-308"),
    ],
)
def test_what_went_wrong_once_is_refused_by_the_name_of_the_culprit(call, culprit):
    with pytest.raises(ValueError, match=re.escape(culprit)):
        call()


def test_the_probe_sees_all_that_may_go_wrong():
    found = {call: trouble for _, call, trouble in troubles("bad", seconds=1)}
    assert found["bad.fragile()"] == ""
    assert found["bad.fragile(number=-1)"] == ""
    assert found["bad.fragile(number=nan)"] == "returned nan"
    assert found["bad.fragile(number=inf)"] == "returned inf"
    assert found["bad.fragile(number=0.5)"] == "does not end"
    assert found["bad.fragile(number=2147483648)"].startswith("crashes")
    assert found["bad.fragile(number=None)"].startswith("TypeError")
    assert found["bad.fragile(number='')"] == "ValueError names no argument: too little"


@pytest.mark.parametrize(
    ("package", "table"),
    [(tunables.theory, THEORY), (tunables.simulators, SIMULATORS), *house.PACKAGES.items()],
)
def test_every_public_function_is_called(package, table):
    """Of a new one, add a usual call to `tests.hostile.calls` or `tests.hostile.house`."""
    assert sorted(table) == sorted(set(public_functions(package)) - house.NOT_ASKED)


@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_every_public_function_of_a_chapter_is_called(slug):
    """Of a new one, add a usual call to `odd_calls.py` in its tests; stages add their own."""
    package = importlib.import_module(f"tunables.chapters.{slug}")
    found = {name for name in public_functions(package) if not name.endswith((".play", ".predict"))}
    unknown = found - set(chapters.calls_of(slug)) - chapters.NOT_ASKED
    assert unknown == set()
