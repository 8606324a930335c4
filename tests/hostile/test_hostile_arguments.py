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
from tests.hostile.calls import calls
from tests.hostile.examples import in_use, public_functions, usual_calls
from tests.hostile.values import VAST
from tunables.base.arguments import numbers
from tunables.core.registry import find_case
from tunables.page.chapters import CHAPTERS
from tunables.simulators.closed_system import simulate_closed_system
from tunables.simulators.cyclic_queues import simulate_cyclic_queues
from tunables.simulators.flows import simulate_queue
from tunables.simulators.packets import simulate_packets
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.simulators.stack import stack_distances
from tunables.simulators.tandem import simulate_tandem
from tunables.theory.caching import che_approximation
from tunables.theory.closed_queueing import machine_repair, mva
from tunables.theory.pipelines import pipeline_throughput
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
    by `tests.hostile.probe`, in a process that is begun again after a crash.
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


# One in so many calls of a group is made in `make test`, where each stays below a few seconds.
STEPS = {"theory": 23, "predictors": 23, "simulators": 23, **dict.fromkeys(OTHER_GROUPS, 401)}


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
            partial(find_case("lease").predict, retries=2**31),
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


@pytest.mark.timeout(900)  # the first time it compiles every kernel
@pytest.mark.parametrize("package", [tunables.theory, tunables.simulators])
def test_every_public_function_has_an_example_of_a_usual_call(package):
    assert sorted(usual_calls(package)) == sorted(public_functions(package))


@pytest.mark.timeout(900)  # the first time it compiles every kernel
@pytest.mark.parametrize("group", ["theory", "simulators"])
def test_every_argument_is_in_use_in_an_example(group):
    """Give an argument that is 0, empty or None in each example a value: odd ones then say more."""
    used: dict[str, bool] = {}
    for call in calls(group):
        for name, value in call.arguments.items():
            key = f"{call.name}({name})"
            used[key] = used.get(key, False) or in_use(value)
    assert [key for key, is_used in used.items() if not is_used] == []


@pytest.mark.parametrize("package", house.PACKAGES)
def test_every_public_function_is_called(package):
    """Give a new one an example of a usual call; without one it is in `tests.hostile.house`."""
    examples, others = usual_calls(package), house.WITHOUT_EXAMPLE.get(package, {})
    assert {*examples, *others} | house.NOT_ASKED >= set(public_functions(package))
    assert examples.keys() & others.keys() == set()


@pytest.mark.timeout(900)  # the first time it compiles every kernel
@pytest.mark.parametrize("slug", [chapter.slug for chapter in CHAPTERS])
def test_every_public_function_of_a_chapter_is_called(slug):
    """Give a new one an example of a usual call; runs, fits and animations need none."""
    package = importlib.import_module(f"tunables.chapters.{slug}")
    called = {each.name for each in [*calls("predictors"), *calls("chapters")]}
    expected = {f"{slug}.{name}" for name in set(public_functions(package)) - chapters.NOT_ASKED}
    assert expected - called == set()


# What is read to its end fills the memory; what is nested too deep Python cannot write.
@pytest.mark.parametrize("vast", VAST, ids=lambda vast: type(vast).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda vast: mva(vast, 10, 1.0),
        lambda vast: mva([1.0], vast, 1.0),
        lambda vast: che_approximation(vast, 2),
        lambda vast: pipeline_throughput(vast),
        lambda vast: stack_distances(vast),
        lambda vast: simulate_tandem(vast, [0]),
        lambda vast: simulate_tandem([[1, 2]], vast),
        lambda vast: simulate_retry_storm(30, 100, deeds=vast),
        lambda vast: find_case("rrd").predict(**find_case("rrd").settings() | {"graphs": vast}),
        lambda vast: numbers("values", vast),
    ],
)
def test_what_has_no_end_or_no_bottom_is_refused_in_a_short_sentence(call, vast):
    with pytest.raises(ValueError, match=r"(?s)^\w.* (=|has) .+: must ") as refused:
        call(vast)
    assert len(str(refused.value)) < 400
