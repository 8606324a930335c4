"""Caches, speedups and token buckets."""

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.intervals import INFINITY
from tunables.audit.printed import read_number
from tunables.audit.values import value_text

WHOLE = AuditLaw(
    "hits + misses = 1", "h + m = 1", "definition", "both shares refer to the same requests"
)
SHARE = AuditLaw(
    "a share is at most 1", "0 ≤ share ≤ 1", "definition", "the shares are parts of one total"
)
STACK = AuditLaw(
    "the law of stack policies",
    "h(c) ≤ h(d) for c ≤ d: a larger cache hits at least as often",
    "Mattson, Gecsei, Slutz & Traiger (1970), IBM Systems Journal 9, 78-117",
    "the policy is a stack policy such as LRU, and both caches get the same requests",
)
AMDAHL = AuditLaw(
    "Amdahl's bound",
    "S ≤ 1 / (s + (1 - s)/n): speedup with a serial share s on n processors",
    "Amdahl (1967), AFIPS Spring Joint Computer Conference, 483-485",
    "the work is the same on one processor and on n, and this share of the work is serial",
)
BUCKET = AuditLaw(
    "the token bucket",
    "t_burst (b - r) = t_fill r: what fills at rate r drains at rate b - r",
    "Both sides are the bucket's size: AWS, Amazon EC2 user guide, I/O credits and burst "
    "performance",
    "the bucket fills at this rate all the time, and a burst drains it at the rate in the heading",
)


def hits_and_misses(sheet) -> list:
    """Return hits + misses = 1, and that each share is at most 1."""
    found = []
    hits, misses = sheet.one("hits"), sheet.one("misses")
    if hits and misses:
        checks = []
        for row in sheet.complete([hits, misses]):
            cells = [(row, hits.index), (row, misses.index)]

            def reason(text, cells=cells):
                hit, miss = text(cells[0]), text(cells[1])
                return f"Hits of {hit} and misses of {miss} do not add up to 100%."

            check = Check(WHOLE, cells, [1.0, 1.0], 1.0, 1.0, reason, linear=True)
            check.assume = lambda side: WHOLE.kept_if
            checks.append(check)
        found.append(Relation(WHOLE, checks, "certain", f"{hits.name} + {misses.name} = 100%"))
    for column in sheet.of("hits", "misses", "serial"):
        checks = []
        for row in sheet.complete([column]):
            cells = [(row, column.index)]

            def reason(text, cells=cells):
                return f"A share of {text(cells[0])} is not between 0 and 100%."

            checks.append(Check(SHARE, cells, [1.0], 0.0, 1.0, reason, linear=True))
        found.append(Relation(SHARE, checks, "certain", f"{column.name} ≤ 100%"))
    return found


def monotone_hits(sheet) -> list:
    """Return h(c) ≤ h(d) for neighbouring cache sizes, where one table has both."""
    size, hits, misses = sheet.one("cache"), sheet.one("hits"), sheet.one("misses")
    column = hits or misses
    if size is None or column is None:
        return []
    others = [
        c for c in sheet.columns if c.meaning == "label" and any(sheet.read_as.column(c.index))
    ]
    groups: dict = {}
    for row in sheet.complete([size, column]):
        key = "\t".join([sheet.read_as.rows[row][c.index] for c in others])
        groups.setdefault(key, []).append((size.numbers[row].value, row))
    checks = []
    for key in sorted(groups):
        ranked = sorted(groups[key])
        for (small, first), (large, second) in zip(ranked, ranked[1:]):
            if small == large:
                continue
            cells = [(first, column.index), (second, column.index)]
            terms = [-1.0, 1.0] if hits else [1.0, -1.0]

            def reason(text, cells=cells, first=first, second=second):
                return (
                    f"The cache of {text((second, size.index))} is larger than the cache of "
                    + f"{text((first, size.index))}, but does worse: {text(cells[1])} against "
                    + f"{text(cells[0])}."
                )

            check = Check(STACK, cells, terms, 0.0, INFINITY, reason, linear=True)
            check.assume = lambda side: STACK.kept_if
            checks.append(check)
    return [Relation(STACK, checks, "assumed", f"{column.name} rises with {size.name}")]


def amdahl(sheet) -> list:
    """Return the check S ≤ 1 / (s + (1 - s)/n) of each row with a serial share.

    The share enters twice, so its interval's best end is taken: the bound is never too low.
    """
    speedup, serial, cores = sheet.one("ratio"), sheet.one("serial"), sheet.one("servers")
    if speedup is None or serial is None or cores is None:
        return []
    checks = []
    for row in sheet.complete([speedup, serial, cores]):
        share = max(serial.numbers[row].interval(True)[0], 0.0)
        count = cores.numbers[row].value
        if count <= 0 or share > 1:
            continue
        bound = 1 / (share + (1 - share) / count)
        cells = [(row, speedup.index)]

        def reason(text, row=row, bound=bound):
            return (
                f"With a serial share of {text((row, serial.index))}, "
                + f"{text((row, cores.index))} processors can give a speedup of at most "
                + f"{value_text(bound, speedup.numbers[row])}."
            )

        check = Check(AMDAHL, cells, [1.0], -INFINITY, bound, reason, linear=True)
        check.assume = lambda side: AMDAHL.kept_if
        checks.append(check)
    return [Relation(AMDAHL, checks, "certain", "S ≤ 1 / (s + (1 - s)/n)")]


def _burst_rate(head):
    """Return (the burst rate, as printed) that a head names, as in "at 3,000 IOPS", or None."""
    words = head.replace("(", " ").replace(")", " ").split()
    for first, second in zip(words, words[1:]):
        number = read_number(first + " " + second)
        if number is not None and number.kind == "rate":
            return number.value, first + " " + second
    return None


def token_bucket(sheet) -> list:
    """Return t_burst (b - r) = t_fill r, for the burst rate b that the head of t_burst names."""
    burst, fill, rate = sheet.one("burst_time"), sheet.one("refill_time"), sheet.one("base_rate")
    top = _burst_rate(burst.head) if burst else None
    if top is None or fill is None or rate is None:
        return []
    checks = []
    for row in sheet.complete([burst, fill, rate]):
        earned = rate.numbers[row].value
        if not 0 < earned < top[0]:
            continue
        # (b - r)/r = b/r - 1 holds the rate once
        cells = [(row, burst.index), (row, fill.index), (row, rate.index)]
        checks.append(_bucket_check(sheet, cells, top))
    words = f"{burst.name} × ({top[1]} - {rate.name}) = {fill.name} × {rate.name}"
    return [Relation(BUCKET, checks, "assumed", words)]


class _Bucket(Check):
    """t_burst / t_fill = r / (b - r): the rate enters through an increasing function."""

    def __init__(self, cells, top, reason):
        Check.__init__(self, BUCKET, cells, [(1, 1, 0), (-1, 1, 0), (-1, 1, 0)], 1.0, 1.0, reason)
        self.top = top

    def _odds(self, interval):
        low, high = max(interval[0], 0.0), interval[1]
        return low / (self.top - low) if low < self.top else INFINITY, (
            high / (self.top - high) if high < self.top else INFINITY
        )

    def _inner(self, box):
        return lambda cell: self._odds(box(cell)) if cell == self.cells[2] else box(cell)

    def implied(self, place, box, ideal=False):
        """Return what the other cells leave, as `Check` does."""
        low, high = Check.implied(self, place, self._inner(box), ideal)
        if place != 2:
            return low, high
        ends = [end / (1 + end) if end < INFINITY else 1.0 for end in (max(low, 0.0), high)]
        return self.top * ends[0], self.top * ends[1]

    def total(self, box):
        """Return the interval of the product, as `Check` does."""
        return Check.total(self, self._inner(box))


def _bucket_check(sheet, cells, top):
    def reason(text):
        size = sheet.number(cells[1]).value * sheet.number(cells[2]).value
        lasts = size / (top[0] - sheet.number(cells[2]).value)
        return (
            f"A bucket that fills in {text(cells[1])} at {text(cells[2])} would last "
            + f"{value_text(lasts, sheet.number(cells[0]))} at {top[1]}, not {text(cells[0])}."
        )

    check = _Bucket(cells, top[0], reason)
    check.assume = lambda side: BUCKET.kept_if
    check.primary = 0
    return check
