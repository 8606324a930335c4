"""Runs at two settings, compared: with common random numbers, or each with its own.

Plain Python that MicroPython runs.
"""

import math

from tunables.page.formats import grouped, shortest
from tunables.plain.interval import confidence_interval

SERIES = ("A", "1/√runs, from A's first", "B − A")  # of the chart of half-widths
APART = 1000  # seeds between two settings that have random numbers of their own


def first_seeds(seed, replications, common=True) -> list:
    """Return the seeds of the first run at both settings; the runs after it take the next ones.

    A seed s stands for the runs from n s on, n = replications, as in `Simulation`. Numbers of its
    own the second setting has from a seed far away: up to 1000 n runs share none.

    >>> first_seeds(1, 20, True), first_seeds(1, 20, False)
    ([20, 20], [20, 20020])
    """
    return [replications * seed, replications * (seed if common else seed + APART)]


def compared(first, second) -> list:
    """Return mean and half-width of the runs at both settings, and of their differences.

    first, second: m >= 2 results each, in the order of the runs. The difference second - first
    is taken run by run, so its interval holds with common random numbers as without.

    >>> compared([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])[2]
    (1.0, 0.0)
    """
    differences = [b - a for a, b in zip(first, second)]
    return [confidence_interval(samples) for samples in (first, second, differences)]


def verdict(difference) -> str:
    """Say what a difference, mean and half-width, tells.

    >>> [verdict(each) for each in ((3.0, 1.0), (-3.0, 1.0), (1.0, 3.0))]
    ['B is above A', 'B is below A', 'these runs do not tell']
    """
    mean, half_width = difference
    if abs(mean) <= half_width and half_width > 0:
        return "these runs do not tell"
    return "B is above A" if mean > 0 else "B is below A" if mean < 0 else "A and B are equal"


def two_digits(value) -> str:
    """Return a positive number with two significant digits, and 0 as it is.

    >>> two_digits(0.0000354), two_digits(0.005), two_digits(123.4)
    ('0.000035', '0.0050', '123')
    """
    return grouped(value, max(0, 1 - math.floor(math.log10(value)))) if value else "0"


def interval_words(interval) -> str:
    """Return mean and half-width, to two digits of the half-width.

    >>> interval_words((6.15423, 0.00110)), interval_words((4.0, 0.0))
    ('6.1542 ± 0.0011', '4 ± 0')
    """
    mean, half_width = interval
    if half_width == 0:
        return f"{shortest(mean)} ± 0"
    text = two_digits(half_width)
    return f"{grouped(mean, len(text.partition('.')[2]))} ± {text}"


def steps(runs) -> list:
    """Return the numbers of runs at which a half-width is shown: 5, 10, 20, ..., and the last.

    >>> steps(13), steps(20)
    ([5, 10, 13], [5, 10, 20])
    """
    shown, step = [], 5
    while step < runs:
        shown.append(step)
        step *= 2
    return shown + [runs]


def told(first, second) -> dict:
    """Return what a reader sees of the runs at A and B so far, at least one each.

    "texts" are the intervals of A, B and the difference; "widths" the half-widths of A and of
    the difference after ever more runs, as text, and that of A times the root of the runs;
    "points" the half-widths for a chart, and where A's would be if it fell with that root.
    """
    if len(first) == 1:
        texts = [shortest(samples[0]) for samples in (first, second)] + ["–"]
        return {"texts": texts, "verdict": "one run tells no error", "widths": [], "points": []}
    widths, points, law = [], [], None
    for runs in steps(len(first)):
        intervals = compared(first[:runs], second[:runs])
        half, _, gap = [half_width for _, half_width in intervals]
        scaled = half * math.sqrt(runs)
        law = law or scaled
        widths.append([str(runs)] + [two_digits(x) for x in (half, scaled, gap)])
        for name, y in zip(SERIES, (half, law / math.sqrt(runs), gap)):
            if y > 0:  # which has a logarithm
                points.append({"x": runs, "y": y, "of": name})
    return {
        "texts": [interval_words(interval) for interval in intervals],
        "verdict": verdict(intervals[2]),
        "widths": widths,
        "points": points,
    }
