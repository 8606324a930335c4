"""All models beside their peers: one run, one file, from which a page of the book is built.

python -m benchmarks.suite [FILE]    (about eleven minutes; FILE: benchmarks/measured.json)
"""

import json
import pkgutil
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import benchmarks
from benchmarks.four_workers import measure
from benchmarks.machine import machine

FILE = Path(__file__).with_name("measured.json")


def racing() -> list:
    """Return the modules here that hold races against peers, by their names."""
    found = pkgutil.iter_modules(benchmarks.__path__)
    names = sorted(each.name for each in found if not each.ispkg)
    sources = {name: Path(__file__).with_name(f"{name}.py").read_text() for name in names}
    held = [name for name, source in sources.items() if "\ndef races(" in source]
    return [import_module(f"benchmarks.{name}") for name in held]


def beyond() -> dict[str, str]:
    """Return what each peer does that this book's simulators do not, by its name."""
    return {
        peer: words for module in racing() for peer, words in getattr(module, "BEYOND", {}).items()
    }


def main(file: Path = FILE) -> None:
    """Run all races and the cluster's jobs, print and write them; or nothing, unless all ended."""
    races = []
    for module in racing():
        for race in module.races():
            print(race, flush=True)
            races.append({"module": module.__name__.partition(".")[2], **asdict(race)})
    result = {"machine": machine(), "races": races, "beyond": beyond(), "cluster": measure()}
    file.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
