"""How each public function is called, on record: the names of its arguments and their defaults.

python -m tests.hostile.signatures    writes signatures.txt
"""

import inspect
from pathlib import Path

import tunables.simulators
import tunables.theory
from tests.hostile.calls import public_functions
from tests.hostile.house import PACKAGES

FILE = Path(__file__).with_name("signatures.txt")


def _told(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter without its annotation, which promises nothing to who calls."""
    default = parameter.default
    if callable(default) and default is not parameter.empty:
        default = default.__name__
    return parameter.replace(annotation=parameter.empty, default=default)


def signatures() -> list[str]:
    """Return package.module.function(arguments) of each public function, in order."""
    found = []
    for package in (tunables.theory, tunables.simulators, *PACKAGES):
        for name, function in public_functions(package).items():
            told = [_told(each) for each in inspect.signature(function).parameters.values()]
            found.append(f"{package.__name__}.{name}{inspect.Signature(told)}")
    return sorted(found)


def on_record() -> list[str]:
    """Return what was written down."""
    return FILE.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in signatures()), encoding="utf-8")
