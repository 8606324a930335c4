"""The types of entries come from a recorded call, so that nobody has to write signatures."""

from importlib import import_module
from unittest import mock


class _ReachedError(Exception):
    pass


def record_call(module, name, call):
    """Return the compiled function module.name, and the arguments with which call() reaches it.

    module: the name of the module in which the caller looks the function up.
    Raises LookupError if the call does not reach it.
    """
    home = import_module(module)
    function = getattr(home, name)
    arguments: list = []

    def record(*values):
        arguments.extend(values)
        raise _ReachedError

    with mock.patch.object(home, name, record):
        try:
            call()
        except _ReachedError:
            return function, tuple(arguments)
    raise LookupError(f"{module}.{name}: the call does not reach it")
