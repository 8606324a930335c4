"""Try mutants of a group, and keep how many were noticed.

python -m mutants GROUP [SAMPLE [SEED]]    GROUP: theory, predictors, simulators, cases or page

Without SAMPLE all of them are tried, which takes hours. Those that no test noticed are printed;
kill each with a test, or say in `mutants/explained.toml` why none can.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mutants.covering import covering
from mutants.explained import explained, stale
from mutants.forked import warm
from mutants.groups import GROUPS, ROOT

PAGE = "page"
ENDS = ("killed", "timed out", "explained", "survived")
MEASURED = Path(__file__).with_name("measured.json")


def interval(killed: int, of: int) -> list[float]:
    """Return the exact 95 % interval of a share (Clopper and Pearson, 1934)."""
    from scipy.stats import binomtest

    low, high = binomtest(killed, of).proportion_ci(method="exact")
    return [round(float(low), 4), round(float(high), 4)]


def _commit() -> str:
    """Return the commit that stands here, with a plus where files differ from it."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()


class Trials(NamedTuple):
    """The mutants of a group, and what tries one."""

    mutants: list
    tried: Callable[[Any], str]


def _trials(name: str) -> Trials:
    """Return all mutants of a group; of the page's scripts they are another tool's."""
    if name == PAGE:
        from mutants.page import Page  # it imports what is mutated in the other groups

        page = Page()
        return Trials(page.mutants, page.tried)
    from mutants.made import mutants
    from mutants.trial import tried

    group = GROUPS[name]
    warm()
    reached = covering()
    every = [mutant for file in group.files() for mutant in mutants(file)]
    return Trials(every, lambda mutant: tried(mutant, reached))


def run(name: str, tries: str, seed: str) -> dict:
    """Try a sample of a group's mutants, one after another, and return what came of it.

    It is kept after every ten, so that what is interrupted has told what it has found.
    """
    began, (every, tried) = time.monotonic(), _trials(name)
    sample = Random(int(seed)).sample(every, min(int(tries or len(every)), len(every)))
    known = {(each.file, each.was, each.now) for each in explained()}
    ends = dict.fromkeys(ENDS, 0)
    result: dict = {"group": name, "date": date.today().isoformat(), "commit": _commit()}
    result |= {"mutants": len(every), "seed": int(seed)}
    for number, mutant in enumerate(sample, 1):
        was, now = mutant.change()
        end = "explained" if (mutant.file, was, now) in known else tried(mutant)
        ends[end] += 1
        if end in ("survived", "timed out"):
            told = f"{mutant.file}:{mutant.line} {end}\n  was = {was}\n  now = {now}"
            print(told, flush=True)
        if number % 10 == 0 or number == len(sample):
            result |= score(ends) | {"minutes": round((time.monotonic() - began) / 60, 1)}
            keep(result)
            print(f"{number} of {len(sample)}: {ends}", flush=True)
    return result


def score(ends: dict[str, int]) -> dict:
    """Return how many mutants ended how, and what share of those not explained was noticed."""
    tried, noticed = sum(ends.values()), ends["killed"] + ends["timed out"]
    counted = max(tried - ends["explained"], 1)
    share = {"score": round(noticed / counted, 4), "interval": interval(noticed, counted)}
    return {"tried": tried, **ends, **share}


def keep(result: dict) -> None:
    """Put a result in the place of the group's last one."""
    told = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else []
    told = [each for each in told if each["group"] != result["group"]] + [result]
    told.sort(key=lambda each: each["group"])
    MEASURED.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def main(name: str, tries: str = "", seed: str = "1") -> None:
    """Try a seeded sample of a group's mutants; exit with 1 if one survived unexplained."""
    old = stale()
    for each in old:
        print(f"explained.toml: no longer in {each.file}: {each.was}")
    result = run(name, tries, seed)
    print(json.dumps(result, indent=1))
    sys.exit(bool(old or result["survived"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
