"""Problem sets: the seed makes the problem, and the model its answer."""

import random
from dataclasses import dataclass
from urllib.parse import urlencode

from tunables.arguments import choice, whole
from tunables.cases.case import Case, Parameter, Setting
from tunables.cases.registry import cases
from tunables.reader.formats import grouped, shortest


@dataclass(frozen=True)
class Problem:
    """A question about one case under drawn settings; `query` opens its explorer there."""

    question: str
    answer: str
    query: str


def _drawn(parameter: Parameter, chance: random.Random) -> Setting:
    """Draw a value within a factor of two of the default, with two significant digits."""
    if isinstance(parameter.default, str):
        return chance.choice(parameter.choices)
    near = float(f"{parameter.default * 2 ** chance.uniform(-1, 1):.2g}")
    value = min(max(near, parameter.low), parameter.high)
    return round(value) if parameter.whole else value


def _given(parameter: Parameter, value: Setting) -> str:
    text = value if isinstance(value, str) else shortest(value)
    unit = "" if parameter.unit in ("", "1") else f" {parameter.unit}"
    return f"- {parameter.label}: {text}{unit}"


def _chapter_cases(chapter: int) -> list[Case]:
    chapters = {case.chapter for case in cases().values()}
    number = whole("chapter", chapter, at_least=1)
    choice("chapter", str(number), [str(known) for known in sorted(chapters)])
    return [case for case in cases().values() if case.chapter == number]


def make_problem(chapter: int, seed: int) -> Problem:
    """Return the problem of that chapter and seed; the same two give the same problem.

    Raises ValueError for a chapter without a case or a seed that is not a whole number.
    """
    chance = random.Random(whole("seed", seed))
    case = chance.choice(_chapter_cases(chapter))
    state = {parameter.name: _drawn(parameter, chance) for parameter in case.parameters}
    output = chance.choice(case.outputs)
    unit = "" if output.unit == "1" else f" ({output.unit})"
    given = "\n".join(_given(parameter, state[parameter.name]) for parameter in case.parameters)
    value = case.predict(**state)[output.name]
    return Problem(
        question=f"Chapter {case.chapter}, {case.title}. Given\n{given}\n"
        f"what does the model give for: {output.label}{unit}?",
        answer=f"{output.label}: {grouped(value, output.digits)}{unit}",
        query="?" + urlencode({f"{case.name}.{name}": value for name, value in state.items()}),
    )
