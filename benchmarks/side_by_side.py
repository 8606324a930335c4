"""Contenders timed in turn, A B A B ..., so that what slows the machine slows them alike."""

from statistics import median
from time import perf_counter


def medians(contenders, runs=5) -> dict:
    """Return {name: median seconds} of contenders, {name: function without arguments}.

    Each is called once untimed, which also compiles it, then runs times in turn. All must
    return the same answer every time: ValueError otherwise.
    """
    answers = {name: call() for name, call in contenders.items()}
    seconds: dict = {name: [] for name in contenders}
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


def compare(title, work, unit, contenders, runs=5) -> dict:
    """Print each contender's rate of work and the first one's speed over it; return the rates.

    work is the number of units that each does in one call; the rest as in `medians`.
    """
    rates = {name: work / time for name, time in medians(contenders, runs).items()}
    first = next(iter(rates.values()))
    print(f"\n{title}: {work:,} {unit}s, median of {runs}, same answer")
    for name, rate in rates.items():
        print(f"  {name:<32} {rate / 1e6:8.2f} M {unit}s/s   {first / rate:7.2f}")
    return rates
