"""Which tests reach which lines, and how long each takes: found by running all of them once."""

import hashlib
import json
import os
import subprocess
import sys
from collections import defaultdict
from itertools import takewhile
from pathlib import Path

import pytest

from mutants.forked import KERNELS, forked
from mutants.groups import CALLED, GROUPS, KEPT, ROOT
from mutants.imports import importers

ASK_FOR_CASES = tuple(f"tests/{room}/" for room in ("chapters", "parts", "page", "evidence"))
RECORDS = ("tests/chapters/test_said.py", *CALLED)  # they see much soon
IMPORT = ""  # coverage's name for what runs before the first test
# In seconds of the processor, so that a busy machine leaves out no more tests than a quiet one.
LONGEST_RUN_S = 1800  # of all that run in one process
AT_MOST_S = 20  # of tests on one mutant
FAR = 99  # imports between a file and a test that does not import it by name


def pytest_on(arguments: list[str], plugins: list) -> int:
    """Run pytest in this process as `make test` does, but with the same draws each time."""
    from hypothesis import Phase, settings

    phases = (Phase.explicit, Phase.generate)  # to shrink what failed would take long
    settings.register_profile("mutants", phases=phases, derandomize=True, database=None)
    settings.load_profile("mutants")
    # numba's words overflow in silence, numpy's with a warning; pytest's is of what `warm` imports
    expected = ("ignore:overflow encountered:RuntimeWarning", "ignore:Module already imported")
    usual = ["-p", "no:xdist", "--timeout=0", "--tb=no", "--rootdir", str(ROOT)]
    usual += [word for each in expected for word in ("-W", each)]
    return int(pytest.main([*usual, *arguments], plugins))


class _Watch:
    """Note for each test that passes its seconds; coverage notes the lines under its name."""

    def __init__(self, coverage):
        self.coverage, self.seconds, self.begun = coverage, {}, 0.0

    def pytest_runtest_setup(self, item):
        self.begun = _used()
        self.coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = _used() - self.begun


def _used():
    """Return the seconds of the processor that this process has used, and those it waited for."""
    return sum(os.times()[:4])


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
        return forked(_run, test_files, sources, seconds=LONGEST_RUN_S) or ({}, {})
    except TimeoutError:
        return {}, {}


def _module(test):
    """Return the path of the module that a test stands in."""
    return test.partition("::")[0]


class Covering:
    """What a run of all tests of a group has found: of a test its seconds, of a line its tests.

    A line that ran when a module of tests was imported has the module's name with "::".
    """

    def __init__(self, seconds: dict[str, float], lines: dict[str, dict[str, set[str]]]):
        self.seconds = seconds
        self.lines = lines
        self.of_module: dict[str, list[str]] = defaultdict(list)
        for test in sorted(seconds, key=lambda test: seconds[test]):
            self.of_module[_module(test)].append(test)

    def plan(self, source: str, line: int) -> list[list[str]]:
        """Return tests for a line by their modules: the nearest first, by imports and by name.

        Those of a module that reach the line go first. The others follow, since the first test
        that asks leaves its answer to those after it (`functools.cache`). Of a line that no test
        reaches, or an import, all tests may notice whose modules import the file: it may be of a
        compiled kernel.
        """
        of_file = self.lines.get(source, {})
        reach, far = of_file.get(str(line), {IMPORT}), importers(source)
        modules: set[str] = set()
        if IMPORT in reach:
            room = f"/{Path(source).parent.name}/"  # whose tests may import it by what is there
            beside = {name for name in self.of_module if name.startswith("tests/") and room in name}
            reach, modules = set().union(*of_file.values()), far.keys() | beside
        modules = (modules | {_module(test) for test in reach}) & set(self.of_module)
        plan, left = [], float(AT_MOST_S)

        def order(test):
            return -_near(source, test), test not in reach

        def order_of_modules(name):
            return not name.startswith(RECORDS), far.get(name, FAR) - _near(source, name), name

        for name in sorted(modules, key=order_of_modules):
            tests, of_one = [], min(left, AT_MOST_S / 2)
            for test in sorted(self.of_module[name], key=order):
                if self.seconds[test] <= of_one:
                    of_one -= self.seconds[test]
                    left -= self.seconds[test]
                    tests.append(test)
            plan.append(tests)
        return [tests for tests in plan if tests]


def _near(source, test):
    """Return how near a test is to a file by its folder's name and by its own."""
    stem, folder = Path(source).stem, Path(source).parent.name
    letters = zip(stem, Path(_module(test)).stem.removeprefix("test_"), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return (folder in test) + same / len(stem)


def covering() -> Covering:
    """Return what covers all groups, as found before where nothing has changed."""
    sources = sorted({path for group in GROUPS.values() for path in group.files()})
    tests = sorted({path for group in GROUPS.values() for path in group.test_files()})
    kept = KEPT / "covering.json"
    if not KERNELS.exists():
        _compile(tests)
    told = json.loads(kept.read_text()) if kept.exists() else {}
    texts = _digest(*sources)
    if told.get("sources") != texts:
        told = {"sources": texts, "tests": {}}
    for files in _together(tests):
        key, text = " ".join(files), _digest(*files)
        if told["tests"].get(key, [None])[0] != text:
            seconds, lines = _run_apart(files, sources)
            print(f"{files[0]} to {files[-1]}: {len(seconds)} tests", flush=True)
            told["tests"][key] = [text, seconds, lines]
            kept.write_text(json.dumps(told))
    runs = ((files, *told["tests"][" ".join(files)][1:]) for files in _together(tests))
    return _merged(runs)


def _compile(tests):
    """Run the tests once, so that the seconds of each are its own and not the compiler's."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not browser and not long"]
    subprocess.run([*command, *tests], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)


def _together(tests: list[str]) -> list[list[str]]:
    """Return modules of tests by the process that they run in: those that ask for cases alone.

    A case is kept by the first test that asks for it, and its lines are run for no other.
    """
    apart = [[path] for path in tests if path.startswith(ASK_FOR_CASES)]
    others = [path for path in tests if not path.startswith(ASK_FOR_CASES)]
    return [*apart, others]


def _digest(*paths):
    """Return what tells whether files have changed."""
    texts = [(ROOT / path).read_bytes() for path in paths]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


def _merged(runs) -> Covering:
    seconds: dict[str, float] = {}
    lines: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for files, each, reached in runs:
        imported = f"{files[0]}::" if len(files) == 1 else IMPORT
        seconds |= each
        for source, by_line in reached.items():
            for line, tests in by_line.items():
                lines[source][line] |= {test or imported for test in tests}
    return Covering(seconds, lines)
