"""What the report's digits allow of chapter 4's model: one port rate and four times."""

from functools import cache

from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.structures import NAMES, calibrated
from tunables.parts.allowed import Allowed, digits_interval
from tunables.parts.surviving import Hypothesis
from tunables.plain.adding import added

RATE = "port_rate_gbps"
FREE = (
    RATE,
    "queueing_delay_s",
    "extra_small_residual_s",
    "small_residual_s",
    "medium_residual_s",
)
_REAL = (*FREE, "medium_excess_s")
# Table 1's counts are met whatever these are: each class's delay is solved for.
FITTED = ("extra-small-without", "extra-small-with", "small-with", "medium-with")
LARGE = ("large-1-without", "large-2-without")
MEAN = "mean of the large classes without priority, sharing only"
ASKED = ("small-without", "medium-without", "large-1-with")


@cache
def allowed() -> Allowed:
    """Return the port rates and times that give every number that they were fitted to."""
    numbers = case().by_row
    rows = {row: numbers[row] for row in (*FITTED, *LARGE, *ASKED)}

    def answer(changes) -> dict[str, float]:
        return case().predict(**case().settings() | changes)

    @cache  # sharing knows neither waits nor residuals
    def shared_mean_s(rate: float) -> float:
        sharing = answer({RATE: rate, "table_1_" + RATE: rate, "structure": "S0"})
        return added(sharing[rows[row].output] for row in LARGE) / len(LARGE)

    def answers(values) -> dict[str, float]:
        free = dict(zip(FREE, values, strict=True))
        answered = answer(free | {"table_1_" + RATE: free[RATE]})
        told = {row: answered[number.output] for row, number in rows.items()}
        return told | {MEAN: shared_mean_s(free[RATE])}

    ends = zip(*(digits_interval(rows[row]) for row in LARGE), strict=True)
    low, high = (added(each) / len(LARGE) for each in ends)
    return Allowed(
        case="dpp",
        names=FREE,
        start=tuple(float(case().settings()[name]) for name in FREE),
        bounds={row: digits_interval(rows[row]) for row in FITTED} | {MEAN: (low, high)},
        answers=answers,
        means="With 20 users and a residual each. No port rate gives both large classes without "
        "priority within their digits: the model's second is the faster one, the report's "
        "the slower. So the rate was fitted to their mean, by sharing only, and so it "
        "is bounded here.",
        asked=ASKED,
    )


def hypotheses() -> tuple[Hypothesis, ...]:
    """Return the rival structures, each with the parameters that it was fitted by."""
    found = []
    for name, settings in calibrated().items():
        real = {key: x for key, x in settings.items() if isinstance(x, float) and key in _REAL}
        start = {key: x for key, x in real.items() if x > 0}
        fixed = {key: x for key, x in settings.items() if key not in start}
        tied = {"table_1_" + RATE: RATE}
        found.append(Hypothesis(name=NAMES[name], start=start, settings=fixed, tied=tied))
    return tuple(found)
