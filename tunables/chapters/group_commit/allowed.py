"""What the report's digits allow of chapter 1's model: the base of a batch, and the think time."""

from functools import cache

from tunables.chapters.group_commit.calibration import fitted_base_s, think_time_s
from tunables.chapters.group_commit.case import case
from tunables.chapters.group_commit.predictor import HYPOTHESES
from tunables.parts.allowed import Allowed, digits_interval
from tunables.parts.surviving import Hypothesis

FREE = ("base_s", "think_s")
FITTED = ("flush-response", "both-throughput")


@cache
def allowed() -> Allowed:
    """Return the bases and think times that give both numbers that they were fitted to."""
    numbers = case().by_row

    def answers(values) -> dict[str, float]:
        free = dict(zip(FREE, values, strict=True))
        return {row: case().answer(numbers[row], **free) for row in FITTED}

    return Allowed(
        case="rdu",
        names=FREE,
        start=tuple(float(case().settings()[name]) for name in FREE),
        bounds={row: digits_interval(numbers[row]) for row in FITTED},
        answers=answers,
        means="With two caps a batch: the base is fitted to row 2's response, the think time to "
        "row 3's throughput. No base gives the responses of rows 1 and 3 too: the model misses "
        "them by 4 and 5 ms, which their digits do not excuse.",
    )


def hypotheses() -> tuple[Hypothesis, ...]:
    """Return the hypotheses of where the time goes, each with its base and the think time."""
    think_s = think_time_s()
    return tuple(
        Hypothesis(
            name=name,
            start={"base_s": fitted_base_s(name), "think_s": think_s},
            settings={"hypothesis": name},
        )
        for name in HYPOTHESES
    )
