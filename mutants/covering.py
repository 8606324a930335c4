"""Which tests reach which lines, and how long each takes: found by running all of them once."""

import json
import os
import time
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import pytest

from mutants.forked import forked
from mutants.groups import GROUPS, ROOT

ASK_FOR_CASES = tuple(f"tests/{room}/" for room in ("chapters", "parts", "page", "evidence"))
KEPT = ROOT / "_build" / "mutants"
LONGEST_TEST_S = 60  # one that takes longer is not tried on mutants
LONGEST_RUN_S = 400  # of tests in one process, after which the rest of them are left out
AT_MOST_S = 30  # of the processor, for the tests on one mutant


def pytest_on(arguments: list[str], plugins: list) -> int:
    """Run pytest in this process as `make test` does, but with the same draws each time."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)  # to shrink what failed would take long
    settings.register_profile("mutants", phases=phases, derandomize=True, database=None)
    settings.load_profile("mutants")
    # numba's words overflow in silence, numpy's with a warning; pytest's is of what `warm` imports
    expected = ("ignore:overflow encountered:RuntimeWarning", "ignore:Module already imported")
    quiet = [word for each in expected for word in ("-W", each)]
    return int(pytest.main([*quiet, "-p", "no:xdist", "--rootdir", str(ROOT), *arguments], plugins))


class _Watch:
    """Note for each test that passes its seconds; coverage notes the lines under its name."""

    def __init__(self, coverage):
        self.coverage, self.seconds, self.begun = coverage, {}, 0.0
        self.late = time.monotonic() + LONGEST_RUN_S

    def pytest_collection_modifyitems(self, items):
        for item in items:  # before a limit of its own
            item.add_marker(pytest.mark.timeout(LONGEST_TEST_S), append=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        if time.monotonic() > self.late:
            item.session.shouldstop = "the rest is left out"
        return (yield)

    def pytest_runtest_logstart(self, nodeid):
        self.coverage.switch_context(nodeid)
        self.begun = sum(os.times()[:4])

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = sum(os.times()[:4]) - self.begun


def _run(test_files, sources):
    """Return {test: seconds} and {file: {line: tests}} of modules of tests; a test "" imports."""
    from coverage import Coverage

    os.chdir(ROOT)
    coverage = Coverage(data_file=None, config_file=False, include=[str(ROOT / s) for s in sources])
    watch = _Watch(coverage)
    coverage.start()
    pytest_on([*test_files, "-m", "not browser and not long"], [watch])
    coverage.stop()
    data = coverage.get_data()
    lines = {
        Path(path).relative_to(ROOT).as_posix(): data.contexts_by_lineno(path)
        for path in data.measured_files()
    }
    return watch.seconds, lines


def _run_apart(test_files, sources):
    """Return what `_run` does in a process of its own, or nothing if it crashes or hangs."""
    try:
        return forked(_run, test_files, sources, seconds=2 * LONGEST_RUN_S) or ({}, {})
    except TimeoutError:
        return {}, {}


class Covering:
    """What a run of all tests of a group has found."""

    def __init__(self, seconds: dict[str, float], lines: dict[str, dict[str, list[str]]]):
        self.seconds = seconds
        self.lines = lines

    @cached_property
    def _of_file(self) -> Mapping[str, Mapping[str, set[str]]]:
        """{source: {module of tests: its tests that reach more of it than an import does}}."""
        found: dict[str, defaultdict[str, set[str]]] = {}
        for source, lines in self.lines.items():
            found[source] = defaultdict(set)
            for test in {test for tests in lines.values() for test in tests} & set(self.seconds):
                found[source][test.partition("::")[0]].add(test)
        return found

    def plan(self, source: str, line: int) -> list[list[str]]:
        """Return tests for a line by their modules: the nearest by name first, then the cheapest.

        Within a process the first test that asks leaves its answer to those after it
        (`functools.cache`), so all of a module that reach the file follow those that reach the
        line. A line that an import runs is tried by all that reach the file.
        """
        reach = set(self.lines.get(source, {}).get(str(line), ())) & set(self.seconds)
        of_file = self._of_file.get(source, {})
        near = {test.partition("::")[0] for test in reach} or set(of_file)
        stem = Path(source).stem
        cost = {
            name: (
                stem not in Path(name).stem,
                min(self.seconds[test] for test in (of_file[name] & reach or of_file[name])),
            )
            for name in near
        }
        plan, left = [], float(AT_MOST_S)
        for name in sorted(cost, key=lambda name: cost[name]):
            chosen = []
            for test in sorted(of_file[name], key=lambda t: (t not in reach, self.seconds[t])):
                if self.seconds[test] <= left:
                    left -= self.seconds[test]
                    chosen.append(test)
            plan.append(chosen)
        return [chosen for chosen in plan if chosen]


def covering(interpreted: bool) -> Covering:
    """Return what covers all groups whose kernels run so, as found before where nothing changed."""
    groups = [group for group in GROUPS.values() if group.interpreted == interpreted]
    sources = sorted({path for group in groups for path in group.files()})
    tests = sorted({path for group in groups for path in group.test_files()})
    kept = KEPT / f"covering-{'interpreted' if interpreted else 'compiled'}.json"
    told = json.loads(kept.read_text()) if kept.exists() else {}
    texts = {path: _changed_at(path) for path in sources}
    if told.get("sources") != texts:
        told = {"sources": texts, "tests": {}}
    for files in _together(tests):
        key, when = " ".join(files), max(map(_changed_at, files))
        if told["tests"].get(key, [None])[0] != when:
            seconds, lines = _run_apart(files, sources)
            print(f"{files[0]} to {files[-1]}: {len(seconds)} tests", flush=True)
            told["tests"][key] = [when, seconds, lines]
            kept.write_text(json.dumps(told))
    return _merged([told["tests"][" ".join(files)][1:] for files in _together(tests)])


def _together(tests: list[str]) -> list[list[str]]:
    """Return modules of tests by the process that they run in: those that ask for cases alone.

    A case is kept by the first test that asks for it, and its lines are run for no other.
    """
    apart = [[path] for path in tests if path.startswith(ASK_FOR_CASES)]
    others = [path for path in tests if not path.startswith(ASK_FOR_CASES)]
    return [*apart, others]


def _changed_at(path):
    return (ROOT / path).stat().st_mtime


def _merged(runs) -> Covering:
    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, list[str]]] = {}
    for each, reached in runs:
        seconds |= each
        for source, by_line in reached.items():
            for line, tests in by_line.items():
                lines.setdefault(source, {}).setdefault(str(line), []).extend(tests)
    return Covering(seconds, lines)
