"""What the modules of a package define under one name: a new file is found by itself."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def defined(package: ModuleType, name: str) -> list[Any]:
    """Return the value of that name of every module of the package that has one, by file name.

    >>> import tunables.cases
    >>> sorted(case.chapter for case in defined(tunables.cases, "CASE"))[:3]
    [1, 2, 2]
    """
    found = [import_module(f"{package.__name__}.{m.name}") for m in iter_modules(package.__path__)]
    return [getattr(module, name) for module in found if hasattr(module, name)]
