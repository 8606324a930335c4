"""What a module of closed forms or of simulators says that it offers is there."""

import pkgutil
from importlib import import_module

import pytest

import tunables.simulators
import tunables.theory

MODULES = [
    import_module(f"{package.__name__}.{entry.name}")
    for package in (tunables.theory, tunables.simulators)
    for entry in pkgutil.iter_modules(package.__path__)
]
TELLING = [module for module in MODULES if hasattr(module, "__all__")]


@pytest.mark.parametrize("module", TELLING, ids=lambda module: module.__name__)
def test_every_name_offered_is_there(module):
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_some_modules_tell():
    assert TELLING
