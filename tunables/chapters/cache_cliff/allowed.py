"""What the report's digits allow of chapter 3's model: one unknown, one number."""

from functools import cache

from tunables.chapters.cache_cliff.calibration import bytes_per_graph
from tunables.chapters.cache_cliff.case import case
from tunables.parts.allowed import Allowed, digits_interval

FITTED, PREDICTED = "graphs-at-98-percent", "graphs-at-80-percent"


@cache
def allowed() -> Allowed:
    """Return the shares of memory that a graph may take."""
    numbers = case().by_row

    def answers(values) -> dict[str, float]:
        return {
            row: case().answer(numbers[row], bytes_per_graph=values[0])
            for row in (FITTED, PREDICTED)
        }

    return Allowed(
        case="rrd",
        names=("bytes_per_graph",),
        start=(bytes_per_graph(),),
        bounds={FITTED: digits_interval(numbers[FITTED])},
        answers=answers,
        means="A graph takes as much as makes 90,000 fit into 8 GiB at 98 %, give or take 5,000.",
        asked=(PREDICTED,),
    )
