"""Contenders timed in turn, A B A B ..., so that a slower machine slows all of them alike."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.machine import machine

Contenders = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True, kw_only=True)
class Race:
    """Contenders that did the same work and gave the same answer; the first is this book's.

    `work`: how many units each did in a call; `seconds`: the median of its calls. `about`: what
    the title leaves out.
    """

    title: str
    about: str
    unit: str
    runs: int
    work: Mapping[str, int]
    seconds: Mapping[str, float]

    @property
    def rates(self) -> dict[str, float]:
        """Units per second, by contender."""
        return {name: self.work[name] / time for name, time in self.seconds.items()}

    def __str__(self) -> str:
        rates = self.rates
        first = next(iter(rates.values()))
        work = " and ".join(f"{units:,}" for units in dict.fromkeys(self.work.values()))
        head = f"{self.title}, {self.about}" if self.about else self.title
        lines = [f"\n{head}: {work} {self.unit}s, median of {self.runs}, same answer"]
        for name, rate in rates.items():
            lines.append(f"  {name:<32} {rate:>16,.0f} {self.unit}s/s   {first / rate:9.2f}")
        return "\n".join(lines)


def medians(contenders: Contenders, runs: int = 5) -> dict[str, float]:
    """Return {name: median seconds} of contenders, {name: function without arguments}.

    Each is called once untimed, which also compiles it, then runs times in turn. All must
    return the same answer every time: ValueError otherwise.
    """
    answers = {name: call() for name, call in contenders.items()}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(runs):
        for name, call in contenders.items():
            start = perf_counter()
            answers[name], previous = call(), answers[name]
            seconds[name].append(perf_counter() - start)
            if answers[name] != previous:
                raise ValueError(f"{name} answered {previous}, then {answers[name]}")
    if len(set(answers.values())) > 1:
        raise ValueError(f"the answers differ: {answers}")
    return {name: median(times) for name, times in seconds.items()}


def race(
    title: str,
    unit: str,
    work: int | Mapping[str, int],
    contenders: Contenders,
    runs: int = 5,
    about: str = "",
) -> Race:
    """Time contenders by `medians`; work: units that each does in one call, or {name: units}."""
    units = work if isinstance(work, Mapping) else dict.fromkeys(contenders, work)
    seconds = medians(contenders, runs)
    return Race(title=title, about=about, unit=unit, runs=runs, work=dict(units), seconds=seconds)


def show(races: Iterable[Race]) -> None:
    """Print the machine, and each race as it ends."""
    print(*(f"{name}: {value}" for name, value in machine().items()), sep="\n")
    print("the last column: speed of the first contender over this one's")
    for each in races:
        print(each, flush=True)
