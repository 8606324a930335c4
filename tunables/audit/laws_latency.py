"""What the percentiles, the mean and the extremes of one set of latencies leave each other."""

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.intervals import INFINITY
from tunables.audit.sheet import topic
from tunables.audit.values import plain

ORDER = AuditLaw(
    "the order of percentiles",
    "min ≤ P(p) ≤ P(q) ≤ max for p ≤ q",
    "definition of a percentile",
    "both numbers describe the same latencies",
)
MEAN = AuditLaw(
    "the bounds on the mean",
    "min ≤ mean ≤ max",
    "definition of the mean",
    "both numbers describe the same latencies",
)
MARKOV = AuditLaw(
    "Markov's inequality",
    "(1 - p) P(p) ≤ mean: for a share 1 - p of the requests, the latency is P(p) or more",
    "Markov's inequality; see for example Feller, An Introduction to Probability Theory II, V.7",
    "both numbers describe the same latencies",
)
UPPER_MEAN = AuditLaw(
    "the upper bound on the mean",
    "mean ≤ p P(p) + (1 - p) max",
    "for a share p of the requests, the latency is P(p) or less; for the rest, it is at most the "
    "maximum",
    "all three numbers describe the same latencies",
)
SPREAD = AuditLaw(
    "Popoviciu's inequality",
    "deviation ≤ (max - min) / 2",
    "Popoviciu (1935), Mathematica (Cluj) 9, 129-145",
    "all these numbers describe the same latencies",
)
DEVIATION_MAX = AuditLaw(
    "the upper bound on the deviation",
    "deviation² ≤ mean (max - mean), so deviation ≤ max / 2",
    "Bhatia & Davis (2000), American Mathematical Monthly 107, 353-357",
    "both numbers describe the same latencies",
)
# The share below a maximum and above a minimum.
_RANK = {"minimum": 0.0, "maximum": 1.0}


def _families(sheet):
    """Return [columns] of latencies that speak of the same requests, by the topic of the head."""
    families: dict = {}
    for column in sheet.of("percentile", "minimum", "maximum", "latency", "deviation"):
        families.setdefault(" ".join(topic(column.head)), []).append(column)
    return [families[key] for key in sorted(families) if len(families[key]) > 1]


def _in(family, meaning):
    found = [column for column in family if column.meaning == meaning]
    return found[0] if len(found) == 1 else None


def _pair(sheet, law, small, large, factor, sentence):
    """Return the relation factor × small ≤ large on all complete rows."""
    checks = []
    for row in sheet.complete([small, large]):
        cells = [(row, small.index), (row, large.index)]

        def reason(text, cells=cells):
            return sentence(text(cells[0]), text(cells[1]))

        check = Check(law, cells, [-factor, 1.0], 0.0, INFINITY, reason, linear=True)
        check.assume = lambda side: law.kept_if
        checks.append(check)
    times = "" if factor == 1 else plain(factor) + " × "
    return Relation(law, checks, "certain", f"{times}{small.name} ≤ {large.name}")


def percentile_order(sheet) -> list:
    """Return the relations between neighbours in min ≤ P(p) ≤ P(q) ≤ max."""
    found = []
    for family in _families(sheet):
        ranked = []
        for column in family:
            rank = _RANK.get(column.meaning, column.p if column.meaning == "percentile" else None)
            if rank is not None:
                ranked.append((rank, column.index))
        ranked.sort()
        for (low, first), (high, second) in zip(ranked, ranked[1:]):
            if low == high:
                continue
            small, large = sheet.columns[first], sheet.columns[second]

            def sentence(a, b, small=small, large=large):
                return f"{small.name} ({a}) is larger than {large.name} ({b})."

            found.append(_pair(sheet, ORDER, small, large, 1.0, sentence))
    return found


def mean_bounds(sheet) -> list:
    """Return what extremes and percentiles say of the mean: min ≤ mean ≤ max, and Markov."""
    found = []
    for family in _families(sheet):
        mean = _in(family, "latency")
        if mean is None:
            continue
        low, high = _in(family, "minimum"), _in(family, "maximum")
        if low:
            found.append(
                _pair(
                    sheet,
                    MEAN,
                    low,
                    mean,
                    1.0,
                    lambda a, b: f"The mean of {b} is below the minimum of {a}.",
                )
            )
        if high:
            found.append(
                _pair(
                    sheet,
                    MEAN,
                    mean,
                    high,
                    1.0,
                    lambda a, b: f"The mean of {a} is above the maximum of {b}.",
                )
            )
        for column in family:
            if column.meaning != "percentile" or not 0 < column.p < 1:
                continue
            above = 1 - column.p

            def sentence(a, b, above=above):
                share = plain(100 * above)
                return f"{share}% of the latencies are {a} or more, so the mean can't be {b}."

            found.append(_pair(sheet, MARKOV, column, mean, above, sentence))
            if high:
                found.append(_mean_under(sheet, mean, column, high))
    return found


def _mean_under(sheet, mean, column, high):
    """Return the relation mean ≤ p P(p) + (1 - p) max."""
    checks, p = [], column.p
    for row in sheet.complete([mean, column, high]):
        cells = [(row, c.index) for c in (mean, column, high)]

        def reason(text, cells=cells):
            return (
                f"{plain(100 * p)}% of the latencies are at most {text(cells[1])} and the others "
                + f"at most {text(cells[2])}, so the mean can't be {text(cells[0])}."
            )

        check = Check(UPPER_MEAN, cells, [-1.0, p, 1 - p], 0.0, INFINITY, reason, linear=True)
        check.assume = lambda side: UPPER_MEAN.kept_if
        checks.append(check)
    return Relation(UPPER_MEAN, checks, "certain", f"{mean.name} ≤ p {column.name} + (1 - p) max")


def deviation_bounds(sheet) -> list:
    """Return deviation ≤ (max - min) / 2, or deviation ≤ max / 2 without a minimum."""
    found = []
    for family in _families(sheet):
        spread, low, high = [_in(family, name) for name in ("deviation", "minimum", "maximum")]
        if spread is None or high is None:
            continue
        if low is None:
            found.append(
                _pair(
                    sheet,
                    DEVIATION_MAX,
                    spread,
                    high,
                    2.0,
                    lambda a, b: (
                        f"Latencies of at most {b} can't have a standard deviation of {a}."
                    ),
                )
            )
            continue
        checks = []
        for row in sheet.complete([spread, low, high]):
            cells = [(row, c.index) for c in (spread, low, high)]

            def reason(text, cells=cells):
                return (
                    f"Latencies from {text(cells[1])} to {text(cells[2])} can't have a standard "
                    + f"deviation of {text(cells[0])}, "
                    + "because a standard deviation is at most half of the range."
                )

            check = Check(SPREAD, cells, [-2.0, -1.0, 1.0], 0.0, INFINITY, reason, linear=True)
            check.assume = lambda side: SPREAD.kept_if
            checks.append(check)
        found.append(Relation(SPREAD, checks, "certain", "deviation ≤ (max - min) / 2"))
    return found


def too_few_samples(sheet) -> list:
    """Return sentences on percentiles that so few samples can't know: n (1 - p) < 1.

    With n samples, fewer than one is expected above P(p): what is printed is about the maximum.
    """
    count = sheet.one("count")
    if count is None:
        return []
    said = []
    for column in sheet.of("percentile"):
        if not 0 < column.p < 1:
            continue
        rows = [
            row
            for row in sheet.complete([count, column])
            if count.numbers[row].value * (1 - column.p) < 1
        ]
        if rows:
            cell = (rows[0], count.index)
            said.append(
                (
                    (rows[0], column.index),
                    f"{column.name} of {sheet.text(cell)} samples is hardly different from "
                    + "their maximum, because on average only "
                    + f"{plain(count.numbers[rows[0]].value * (1 - column.p))} "
                    + "of them exceed that percentile.",
                )
            )
    return said
