"""Rate × time = count, bytes × rate = bandwidth, and the thousands that units confuse."""

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.values import plain

_MOST_COMPARED = 200  # rows

COUNT = AuditLaw(
    "rate × time = count",
    "C = X T: operations = throughput × duration",
    "Denning & Buzen (1978), the definition X = C/T",
    "the throughput was measured over the whole run",
)
BANDWIDTH = AuditLaw(
    "size × rate = bandwidth",
    "B = 8 S X: bits per second = 8 × bytes per operation × throughput",
    "definition; the binary prefixes are those of IEC 80000-13",
    "each operation moves this many bytes",
)
BYTES = AuditLaw(
    "size × count = bytes",
    "V = S C: total bytes = bytes per operation × operations",
    "definition; the binary prefixes are those of IEC 80000-13",
    "each operation moves this many bytes",
)
MOVED = AuditLaw(
    "bandwidth × time = bytes",
    "8 V = B T: 8 × total bytes = bits per second × duration",
    "definition; the binary prefixes are those of IEC 80000-13",
    "the bandwidth was measured over the whole run",
)
SAME_WORK = AuditLaw(
    "the same work in every row",
    "X T = C: throughput × duration gives the same number of operations in every row",
    "Denning & Buzen (1978), the definition X = C/T",
    "this row did the same amount of work as most of the others",
)
# What else a byte's prefix may mean, and how the product misses then.
_BINARY = [(1.024, "kB means KiB (1,024 bytes)"), (1.024**2, "MB means MiB (2^20 bytes)")]
_BINARY += [(1.024**3, "GB means GiB (2^30 bytes)")]
_PREFIXES = _BINARY + [(1 / factor, words) for factor, words in _BINARY]
_BITS = [(8.0, "the bytes are really bits"), (0.125, "the bits are really bytes")]


def _relation(sheet, law, result, factors, constant, others, sentence):
    """Return the relation result = constant × product of factors, on all complete rows."""
    checks = []
    for row in sheet.complete([result] + factors):
        cells = [(row, c.index) for c in [result] + factors]
        terms = [(-1, 1, 0)] + [(1, 1, 0)] * len(factors)

        def reason(text, cells=cells):
            return sentence([text(cell) for cell in cells])

        check = Check(law, cells, terms, 1 / constant, 1 / constant, reason)
        check.assume = lambda side: law.kept_if
        check.primary = 0
        check.others = others
        checks.append(check)
    words = f"{result.name} = " + " × ".join([c.name for c in factors])
    return Relation(law, checks, "assumed", words)


def counts(sheet) -> list:
    """Return the relations C = X T between each count, its rate and the duration."""
    duration, found = sheet.one("duration"), []
    rates = sheet.of("throughput")
    if duration is None:
        return []
    for count in sheet.of("count"):
        rate = sheet.partner(count, rates)
        if rate is not None:
            found.append(
                _relation(
                    sheet,
                    COUNT,
                    count,
                    [rate, duration],
                    1.0,
                    [],
                    lambda t: f"{t[1]} for {t[2]} does not come to {t[0]}.",
                )
            )
    return found


def same_work(sheet) -> list:
    """Return X T = C for rows that all did the same work, which the table doesn't print.

    It is used where most rows, with three different durations at least, agree on C.
    """
    duration = sheet.one("duration")
    if duration is None:
        return []
    found = []
    for rate in sheet.of("throughput"):
        rows = list(sheet.complete([rate, duration]))
        if any([list(sheet.complete([rate, duration, count])) for count in sheet.of("count")]):
            continue
        agreed = _agreed(rate, duration, rows)
        if agreed is None:
            continue
        checks = [_work(sheet, (row, rate.index), (row, duration.index), agreed) for row in rows]
        words = f"{rate.name} × {duration.name} is the same in every row"
        found.append(Relation(SAME_WORK, checks, "found", words))
    return found


def _work(sheet, rate, duration, agreed):
    """Return the check that a row did the work that the others agree on."""

    def reason(text):
        work = sheet.number(rate).value * sheet.number(duration).value
        return (
            f"{text(rate)} for {text(duration)} comes to {plain(work, 4)} operations, but the "
            + f"other rows come to {plain((agreed[0] + agreed[1]) / 2, 4)}."
        )

    terms = [(1, 1, 0), (1, 1, 0)]
    check = Check(SAME_WORK, [rate, duration], terms, agreed[0], agreed[1], reason)
    check.assume, check.primary = lambda side: SAME_WORK.kept_if, 0
    return check


def _agreed(rate, duration, rows):
    """Return the interval of C that most rows share, or None."""
    spans = []
    for row in rows[:_MOST_COMPARED]:
        first, second = rate.numbers[row].interval(True), duration.numbers[row].interval(True)
        spans.append((first[0] * second[0], first[1] * second[1], row))
    best: list = []
    for low, _, _ in spans:
        inside = [span for span in spans if span[0] <= low <= span[1]]
        if len(inside) > len(best):
            best = inside
    texts = {duration.numbers[row].text for _, _, row in best}
    if len(texts) < 3 or 3 * len(best) < 2 * len(spans):
        return None
    times = sorted([duration.numbers[row].value for _, _, row in best])
    if times[0] <= 0 or times[-1] < 1.5 * times[0]:
        return None
    return max([low for low, _, _ in best]), min([high for _, high, _ in best])


def bandwidths(sheet) -> list:
    """Return the relations B = 8 S X, V = S C and 8 V = B T of the columns that are there."""
    size, rate = sheet.one("size"), sheet.one("throughput")
    band, volume = sheet.one("bandwidth"), sheet.one("bytes")
    count, duration = sheet.one("count"), sheet.one("duration")
    found = []
    if band and size and rate:
        found.append(
            _relation(
                sheet,
                BANDWIDTH,
                band,
                [size, rate],
                8.0,
                _PREFIXES + _BITS,
                lambda t: f"{t[1]} per operation at {t[2]} does not come to {t[0]}.",
            )
        )
    if volume and size and count:
        found.append(
            _relation(
                sheet,
                BYTES,
                volume,
                [size, count],
                1.0,
                _PREFIXES,
                lambda t: f"{t[2]} operations of {t[1]} do not add up to {t[0]}.",
            )
        )
    if volume and band and duration:
        found.append(
            _relation(
                sheet,
                MOVED,
                volume,
                [band, duration],
                0.125,
                _PREFIXES + _BITS,
                lambda t: f"{t[1]} for {t[2]} does not come to {t[0]}.",
            )
        )
    return found
