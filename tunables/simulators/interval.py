"""Confidence interval of a mean from independent runs."""

import numpy as np
from scipy import stats

from tunables.arguments import number, numbers


def confidence_interval(samples, level=0.95) -> tuple[float, float]:
    """Return (mean, half-width) of Student's interval: t(level, m - 1) s / sqrt(m).

    samples: m >= 2 results of independent runs. Equal samples give a half-width of 0.
    Raises ValueError for fewer than two samples, one that is not finite, or a level outside
    (0, 1). Source: Student (1908).

    >>> mean, half_width = confidence_interval([1.0, 2.0, 3.0])
    >>> round(mean, 3), round(half_width, 3)
    (2.0, 2.484)
    """
    values = np.array(numbers("samples", samples))
    number("number of samples", len(values), at_least=2)
    level = number("level", level, above=0, below=1)
    t = stats.t.ppf((1 + level) / 2, len(values) - 1)
    return float(values.mean()), float(t * values.std(ddof=1) / np.sqrt(len(values)))
