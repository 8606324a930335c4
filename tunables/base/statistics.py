"""Confidence interval of a mean from independent runs, and Student's t behind it.

Student's t needs only + - * / and roots, so that all machines agree.
"""

import math

from tunables.base.arguments import integer, number, numbers
from tunables.base.portable import memoize, plain_sum

_TERMS = 60  # terms of the continued fraction; 46 are enough for all degrees of freedom
_MANY = 1000  # degrees of freedom, from which a series gives the beta function


def _beta(df):
    """Return the beta function of df / 2 and 1/2."""
    a = df / 2
    if df > _MANY:
        rest = 1 + 1 / (8 * a) * (1 + 1 / (16 * a) * (1 - 5 / (8 * a) * (1 + 21 / (160 * a))))
        return math.sqrt(math.pi / a) * rest
    product, start = (math.pi, 1) if df % 2 else (2.0, 2)
    for twice in range(start, df, 2):
        product *= twice / (twice + 1)
    return product


def _power(x, exponent):
    """Return x to a whole power by squaring."""
    result = 1.0
    while exponent:
        if exponent % 2:
            result *= x
        x, exponent = x * x, exponent // 2
    return result


def _fraction(a, b, x):
    """Return I_x(a, b) a B(a, b) / (x^a (1 - x)^b), for x < (a + 1) / (a + b + 2)."""
    value = 1.0
    for m in range(_TERMS - 1, -1, -1):
        value = 1 + (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)) / value
        value = 1 - (a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) / value
    return 1 / value


def _beyond(t, df, beta):
    """Return the probability of |T| > t, and how fast it falls with t."""
    whole_square = df + t * t
    x, y = df / whole_square, t * t / whole_square
    power = _power(math.sqrt(x), df) / beta
    slope = 2 * power * math.sqrt(x / df)
    if t * t > 3:
        return power * math.sqrt(y) * 2 / df * _fraction(df / 2, 0.5, x), slope
    return 1 - power * math.sqrt(y) * 2 * _fraction(0.5, df / 2, y), slope


def student_t(level, df) -> float:
    """Return the t that |T| stays below with probability level; T has df degrees of freedom.

    P(|T| > t) = I_x(df / 2, 1/2) at x = df / (df + t^2), the incomplete beta function, here by its
    continued fraction. It falls ever more slowly, so Newton's steps from t = 0 never pass the root.
    Raises ValueError for a level outside (0, 1) or df that is not a whole number at least 1.
    Source: Student (1908); NIST Digital Library of Mathematical Functions, 8.17.22.

    >>> round(student_t(0.95, 1), 4), round(student_t(0.95, 19), 4)
    (12.7062, 2.093)
    """
    level = number("level", level, above=0, below=1)
    df = integer("df", df, at_least=1)
    beta, t = _beta(df), 0.0
    while True:
        beyond, slope = _beyond(t, df, beta)
        step = (beyond - (1 - level)) / slope
        t += step
        if step <= 1e-15 * t:
            return t


_student_t = memoize(student_t)  # all outputs of a simulation need the same value


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
    mean = (
        values[0] + plain_sum([value - values[0] for value in values]) / m
    )  # exact for equal ones
    variance = plain_sum([(value - mean) * (value - mean) for value in values]) / (m - 1)
    return mean, _student_t(level, m - 1) * math.sqrt(variance / m)


def interval(samples) -> tuple[float, float]:
    """Return mean and half-width of the 95% interval; a single sample has a half-width of 0.

    >>> interval([3.0])
    (3.0, 0.0)
    """
    return confidence_interval(samples) if len(samples) > 1 else (float(samples[0]), 0.0)
