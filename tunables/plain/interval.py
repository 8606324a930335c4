"""Confidence interval of a mean from independent runs."""

import math

from tunables.plain.adding import added
from tunables.plain.arguments import number, numbers
from tunables.plain.remembered import remembered
from tunables.plain.student import student_t

_student_t = remembered(student_t)  # the outputs of a simulation all ask for the same


def confidence_interval(samples, level=0.95):
    """Return (mean, half-width) of Student's interval: t(level, m - 1) s / sqrt(m).

    samples: m >= 2 results of independent runs. Equal samples give a half-width of 0.
    Raises ValueError for fewer than two samples, one that is not finite, or a level outside
    (0, 1). Source: Student (1908).

    >>> mean, half_width = confidence_interval([1.0, 2.0, 3.0])
    >>> round(mean, 3), round(half_width, 3)
    (2.0, 2.484)
    """
    values = numbers("samples", samples)
    level = number("level", level, above=0, below=1)
    m = len(values)
    number("number of samples", m, at_least=2)
    mean = values[0] + added([value - values[0] for value in values]) / m  # exact for equal ones
    variance = added([(value - mean) * (value - mean) for value in values]) / (m - 1)
    return mean, _student_t(level, m - 1) * math.sqrt(variance / m)


def interval(samples) -> tuple[float, float]:
    """Return mean and half-width of the 95 % interval; a single sample is a run without chance.

    >>> interval([3.0])
    (3.0, 0.0)
    """
    return confidence_interval(samples) if len(samples) > 1 else (float(samples[0]), 0.0)
