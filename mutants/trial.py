"""Try one mutant: run the tests that reach its line, with its text in the place of its file."""

import os
import shutil
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path

from mutants.covering import AT_MOST_S, Covering, pytest_on
from mutants.forked import KERNELS, forked
from mutants.groups import KEPT, ROOT
from mutants.imports import importers
from mutants.made import Mutant

COMPILE_S = 90  # of the kernels that hold the change, in all modules that are tried
LATE_S = 2 * AT_MOST_S + COMPILE_S
PASSES = (0, 5)  # pytest's codes where all passed, or where the change took the tests' names


class _InOrder:
    """Let pytest run the tests named, in that order, and no others."""

    def __init__(self, tests):
        self.place = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items):
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place),
            key=lambda item: self.place[item.nodeid],
        )


def _compile_anew(file):
    """Have numba forget what it has compiled of a file and of all that import it: it is inlined."""
    from numba import config

    own = KEPT / f"trial-{os.getppid()}"
    shutil.rmtree(own, ignore_errors=True)
    shutil.copytree(KERNELS, own, copy_function=os.link)
    for stem in {Path(each).stem for each in importers(file)}:
        for kept in own.glob(f"*/{stem}.*"):
            kept.unlink()
    os.environ["NUMBA_CACHE_DIR"] = str(own)
    config.reload_config()


def _noticed(file, text, plan):
    """Say whether a test fails where file, by its path from the root, holds text."""
    os.chdir(ROOT)
    _compile_anew(file)
    path = str(ROOT / file)
    code = SourceFileLoader.get_code

    def changed_code(self, fullname):
        return compile(text, path, "exec") if self.path == path else code(self, fullname)

    SourceFileLoader.get_code = changed_code  # type: ignore[method-assign]
    # before pytest, which loads a module of doctests in a way of its own
    import_module(file.removesuffix(".py").replace("/", "."))
    for tests in plan:
        module = tests[0].partition("::")[0]
        if pytest_on(["-x", module], [_InOrder(tests)]) not in PASSES:
            return True
    return False


def tried(mutant: Mutant, covering: Covering) -> str:
    """Return how a trial ended: "killed", "timed out" or "survived"."""
    plan = covering.plan(mutant.file, mutant.line)
    if not plan:
        return "survived"
    try:
        noticed = forked(_noticed, mutant.file, mutant.text(), plan, seconds=LATE_S)
    except TimeoutError:
        return "timed out"
    return "survived" if noticed is False else "killed"  # None: it crashed
