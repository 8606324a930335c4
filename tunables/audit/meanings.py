"""What the columns of a table mean: guessed from their heads and units, and open to correction.

A meaning is a key of MEANINGS. Words are looked for in the head in lower case; the unit that most
of a column's cells have, or else the one in its head, must fit the meaning.
"""

from tunables.audit.printed import read_number, refine, unit_of
from tunables.base.numbers_as_text import trim

# key -> (what a menu says, kinds of unit that fit; "" is a plain number)
MEANINGS = {
    "label": ("ignore (a name)", None),
    "clients": ("clients, connections or requests in flight", ("",)),
    "throughput": ("throughput (operations per second)", ("rate",)),
    "latency": ("mean latency or response time", ("time",)),
    "percentile": ("percentile of the latency", ("time",)),
    "minimum": ("minimum latency", ("time",)),
    "maximum": ("maximum latency", ("time",)),
    "deviation": ("standard deviation of the latency", ("time",)),
    "think": ("think time between a client's requests", ("time",)),
    "utilisation": ("utilisation (share of time busy)", ("share",)),
    "service": ("service time or demand per operation", ("time",)),
    "servers": ("servers, threads or cores that do the work", ("",)),
    "size": ("bytes per operation", ("bytes",)),
    "bytes": ("total bytes", ("bytes",)),
    "bandwidth": ("bandwidth (bytes or bits per second)", ("bits",)),
    "count": ("total operations", ("",)),
    "duration": ("duration of the run", ("time",)),
    "hits": ("hit ratio", ("share",)),
    "misses": ("miss ratio", ("share",)),
    "cache": ("size of the cache", ("bytes", "")),
    "ratio": ("ratio or speedup, computed from other numbers", ("", "times", "share")),
    "change": ("change in percent, computed from other numbers", ("share",)),
    "share": ("share of a total", ("share",)),
    "difference": ("difference between other numbers", None),
    "total": ("sum of other columns", None),
    "serial": ("serial share of the work (Amdahl)", ("share",)),
    "base_rate": ("rate at which a token bucket fills", ("rate",)),
    "burst_time": ("time a full token bucket lasts", ("time",)),
    "refill_time": ("time an empty token bucket takes to fill", ("time",)),
    "measured": ("a measured number of another kind", None),
}

_TIME_WORDS = ("latency", "latencies", "response", "resp time", "rtt", "time per", "elapsed per")
_MEAN_WORDS = ("avg", "average", "mean")
_UNIT_WORDS = {
    "seconds": "s",
    "second": "s",
    "secs": "s",
    "sec": "s",
    "s": "s",
    "milliseconds": "ms",
    "msec": "ms",
    "ms": "ms",
    "microseconds": "us",
    "usec": "us",
    "us": "us",
    "µs": "us",
    "μs": "us",
    "ns": "ns",
    "nanoseconds": "ns",
    "min": "min",
    "minutes": "min",
    "iops": "1/s",
    "qps": "1/s",
    "tps": "1/s",
    "rps": "1/s",
    "ops": "",
    "%": "%",
    "percent": "%",
    "bytes": "B",
    "kb": "kB",
    "mb": "MB",
    "gb": "GB",
    "kib": "KiB",
    "mib": "MiB",
    "gib": "GiB",
    "mbps": "Mb/s",
    "gbps": "Gb/s",
    "kbps": "kb/s",
    "mb/s": "MB/s",
    "gb/s": "GB/s",
    "kb/s": "kB/s",
    "mib/s": "MiB/s",
    "gib/s": "GiB/s",
    "kib/s": "KiB/s",
    "x": "x",
}
_COUNTED = (
    "ops requests req reqs queries transactions operations events messages msgs "
    "commits writes reads calls hits tx txns entries responses iterations"
)
_RATES = _COUNTED.split()


class TableColumn:
    """A column: its head, its numbers (None where a cell is none), its unit and its meaning.

    p: of a percentile, as a share; guessed: whether the reader did not say the meaning.
    """

    def __init__(self, index, head, numbers):
        self.index, self.head, self.numbers = index, head, numbers
        self.kind, self.factor, self.unit = "", 1, ""
        self.meaning, self.p, self.guessed = "label", None, True

    @property
    def name(self):
        """The head, or the column's number where there is none."""
        return self.head or f"column {self.index + 1}"

    def read(self):
        """Return the numbers that are there."""
        return [number for number in self.numbers if number is not None]


def words_of(head) -> list:
    """Return the words of a head in lower case; letters, digits, % and / are kept together.

    >>> words_of("Average latency per request (ms)"), words_of("p99_latency_ms")
    (['average', 'latency', 'per', 'request', 'ms'], ['p99', 'latency', 'ms'])
    """
    out = ""
    for c in head.lower():
        out += c if c.isalpha() or c in "0123456789%/.µ" or c >= "\x80" else " "
    return [word.strip(".") for word in out.split() if word.strip(".")]


def unit_in_head(head) -> str:
    """Return the unit that a head names, "" if none: in brackets, after "in", or at its end.

    >>> [unit_in_head(head) for head in ("Latency (ms)", "RTT in ms", "Requests/sec", "QPS")]
    ['ms', 'ms', '1/s', '1/s']
    >>> [unit_in_head(head) for head in ("Key size in bytes", "p99_latency_ms", "MB/s", "MB/sec")]
    ['B', 'ms', 'MB/s', 'MB/s']
    """
    found = _unit_in_brackets(head)
    words = words_of(head)
    return found or _rate_in_words(words) or _unit_in_words(words)


def _unit_in_brackets(head):
    for opening, closing in (("(", ")"), ("[", "]")):
        if opening not in head:
            continue
        inside = trim(head.rpartition(opening)[2].partition(closing)[0])
        short = _UNIT_WORDS.get(inside.lower())
        kind = unit_of(inside)[0] if inside else ""
        if short:  # the case of bytes and bits says which of them they are
            return inside if kind in ("bits", "bytes") else short
        if kind:
            return inside
    return ""


def _rate_in_words(words):
    """Return the unit of "requests/sec" or "MB per second", or ""."""
    for index, word in enumerate(words):
        thing, slash, per = word.rpartition("/")
        if slash and word not in _UNIT_WORDS and per in ("s", "sec", "second"):
            if thing in _UNIT_WORDS and unit_of(_UNIT_WORDS[thing])[0] == "bytes":
                return _UNIT_WORDS[thing] + "/s"
            return "1/s" if thing not in ("mbit", "gbit", "kbit") else thing.capitalize() + "/s"
        if word == "per" and words[index + 1 : index + 2] in (["second"], ["sec"], ["s"]):
            known = _UNIT_WORDS.get(words[index - 1], "") if index else ""
            return known + "/s" if unit_of(known)[0] == "bytes" else "1/s"
    return ""


def _unit_in_words(words):
    """Return the last word that is a unit; "s" and "x" only at the end, "min" (least) never."""
    if "%" in words:
        return "%"
    for word in reversed(words):
        if word in _UNIT_WORDS and _UNIT_WORDS[word] and word not in ("min", "x", "s", "second"):
            return _UNIT_WORDS[word]
    return _UNIT_WORDS[words[-1]] if len(words) > 1 and words[-1] in ("s", "x") else ""


def percentile_of(words):
    """Return the share that a head's percentile has below it, or None: p99 is 0.99.

    >>> percentile_of(["p99.9", "ms"]), percentile_of(["99th", "percentile"]), percentile_of(["p"])
    (0.999, 0.99, None)
    """
    for word in words:
        digits = ""
        if word[:1] == "p" and word[1:2] in "0123456789" and len(word) > 1:
            digits = word[1:]
        elif word[:1] in "0123456789" and word[-2:] in ("th", "st", "nd", "rd", "%"):
            digits = word[:-2] if word[-1] != "%" else ""
        elif word[:1] in "0123456789" and word[-1:] == "%" and len(word) > 1:
            digits = word[:-1]
        elif word in ("median", "med"):
            digits = "50"
        if digits and len(digits) <= 8:
            try:
                value = float(digits)
            except ValueError:
                continue
            if "." not in digits and len(digits) >= 3 and value > 100:
                value = value / 10 ** (len(digits) - 2)  # p999 is 99.9
            if 0 < value < 100:
                return round(value * 1e6) / 1e8
    return None


def _any(words, wanted):
    return any([word in wanted for word in words])


def _within(head, wanted):
    return any([word in head for word in wanted])


def guess(head, kind) -> tuple:
    """Return (meaning, share of a percentile or None) of a column by its head and kind of unit.

    >>> guess("Number of clients", ""), guess("Average write QPS", "rate")
    (('clients', None), ('throughput', None))
    >>> guess("p99 latency (ms)", "time"), guess("Speedup", "share"), guess("Consistency", "")
    (('percentile', 0.99), ('change', None), ('measured', None))
    """
    low, words = head.lower(), words_of(head)
    if kind != "share" and _any(words, ("difference", "diff", "delta", "saved")):
        return "difference", None
    if kind == "time":
        p = percentile_of(words)
        return ("percentile", p) if p is not None else (_guess_time(low, words), None)
    ratio = _any(words, ("ratio", "ratios", "speedup", "slowdown", "speedups", "relative"))
    if kind == "times" or (kind in ("", "bytes") and (ratio or "speed-up" in low)):
        return ("hits" if "hit" in low else "misses" if "miss" in low else "ratio"), None
    guessers = {"rate": _guess_rate, "bits": _guess_band, "share": _guess_share}
    guessers["bytes"] = _guess_bytes
    found = guessers.get(kind, _guess_plain)(low, words)
    return found if isinstance(found, tuple) else (found, None)


def _guess_rate(low, words):
    if _any(words, ("stddev", "stdev", "sd", "deviation", "max", "min", "p99", "burst")):
        return "measured"
    if "iops" in low and _any(words, ("baseline", "base", "refill", "fill")):
        return "base_rate"
    return "measured" if _any(words, ("rate-limit", "limit", "target")) else "throughput"


def _guess_band(low, words):
    return "measured" if _any(words, ("max", "min", "limit")) else "bandwidth"


def _guess_bytes(low, words):
    if "cache" in low:
        return "cache"
    if _within(low, ("per request", "per op", "/request", "block size", "request size")):
        return "size"
    moved = ("total", "read", "transferred", "sent", "received", "written")
    return "bytes" if _within(low, moved) or low in ("bytes", "data") else "measured"


# meaning -> words of a head that say it; the first that fits is taken
_TIMES = (
    ("think", (), ("think",)),
    ("refill_time", (), ("refill", "to fill", "recharge")),
    ("burst_time", (), ("burst",)),
    ("maximum", ("max", "maximum", "longest", "slowest", "worst"), ()),
    ("minimum", ("minimum", "shortest", "fastest", "best"), ()),
    ("deviation", ("stddev", "stdev", "sd", "deviation", "std"), ()),
    ("service", (), ("service time", "service demand", "cpu time per", "demand")),
    ("duration", (), ("duration", "elapsed", "runtime", "run time", "total time", "wall")),
    ("latency", ("lat",), _TIME_WORDS),
)


def _guess_time(low, words):
    latency = "lat" in words or _within(low, _TIME_WORDS)
    if words[:1] == ["min"] or ("min" in words and latency):  # else it is minutes
        return "minimum"
    for meaning, alone, within in _TIMES:
        if _any(words, alone) or _within(low, within):
            return meaning
    if words and all([word in _MEAN_WORDS or word in _UNIT_WORDS for word in words]):
        return "latency"
    return "measured"


def _guess_share(low, words):
    if _within(low, ("utili", "busy", "cpu %", "%cpu", "cpu%", "cpu (%")) or words == ["cpu", "%"]:
        return "utilisation", None
    if "hit" in low:
        return "hits", None
    if "miss" in low:
        return "misses", None
    if "serial" in low:
        return "serial", None
    if _within(low, ("share", "of total", "fraction", "portion", "percentage", "% of")):
        return "share", None
    changes: tuple = (
        "speedup",
        "speed-up",
        "change",
        "improve",
        "reduc",
        "increase",
        "decrease",
        "saving",
    )
    changes += ("overhead", "faster", "slower", "slowdown", "Δ")
    found = _within(low, changes) or _any(words, ("gain", "gains", "delta", "diff", "vs", "less"))
    return ("change" if found or "difference" in words else "measured"), None


def _guess_plain(low, words):
    if _any(words, ("clients", "client", "concurrency", "concurrent", "connections", "users")) or (
        _any(words, ("vus", "vu", "conns", "depth", "qd", "iodepth", "inflight", "outstanding"))
    ):
        if _any(words, ("per", "id", "name", "version")):
            return "label", None
        return "clients", None
    if _any(
        words, ("threads", "cores", "cpus", "servers", "workers", "processors", "nodes", "gpus")
    ):
        return "servers", None
    if _any(words, ("total", "sum")) and not _any(words, _RATES):
        return "total", None
    if _any(words, _RATES) and not _any(words, ("size", "per")):
        return "count", None
    if "cache" in low and _any(words, ("size", "entries", "pages", "blocks", "capacity")):
        return "cache", None
    if _within(low, ("hit ratio", "hit rate")):
        return "hits", None
    return "measured", None


def _majority_kind(numbers):
    """Return (kind, factor, unit) that most numbers carry, with at least half of the cells."""
    counts: dict = {}
    for number in numbers:
        key = (number.kind, number.unit)
        counts[key] = counts.get(key, 0) + 1
    best, most = ("", ""), 0
    for key, count in counts.items():
        if key[0] and count > most:
            best, most = key, count
    return best if most * 2 >= len(numbers) else ("", "")


def _take_unit(number, kind, factor, unit):
    """Give a number without a unit of its own that of its column."""
    if number.kind:
        return
    if kind == "rate" and number.factor != 1:  # "40k" among "41k req/s": its own k is enough
        factor, unit = 1, "1/s"
    number.kind, number.factor, number.unit = kind, number.factor * factor, unit or number.unit


def read_columns(table, chosen=None) -> list:
    """Return the TableColumns of a table; chosen: {index: meaning} that the reader says.

    Raises ValueError, a sentence, for a column or a meaning that does not exist.
    """
    chosen = chosen or {}
    for index, meaning in chosen.items():
        if not 0 <= index < len(table.heads):
            raise ValueError(
                f"There is no column {index + 1}: choose one from 1 to {len(table.heads)}."
            )
        if meaning.partition(":")[0] not in MEANINGS:
            known = ", ".join(sorted(MEANINGS))
            raise ValueError(f'"{meaning}" is not a known meaning: choose one of {known}.')
    columns = []
    for index, head in enumerate(table.heads):
        texts = table.column(index)
        column = TableColumn(index, head, [read_number(text) for text in texts])
        _understand(column, texts, chosen.get(index) or table.hints.get(index))
        if table.by_tool:
            for number in column.read():
                number.step = 10.0**number.power
        column.guessed = index not in chosen
        columns.append(column)
    return columns


def _understand(column, texts, meaning):
    """Find a column's unit and meaning, and the steps of its numbers."""
    found = column.read()
    filled = len([text for text in texts if trim(text) and trim(text) not in ("-", "–", "—")])
    counter = not meaning and _is_index(column.head, found)
    if not found or len(found) * 2 < filled or counter:
        column.numbers = [None] * len(texts)
        return
    _find_unit(column, found, meaning)
    if meaning:
        key, _, p = meaning.partition(":")
        column.meaning = key
        column.p = float(p) if p else percentile_of(words_of(column.head))
        if key == "percentile" and column.p is None:
            column.p = 0.5
    else:
        column.meaning, column.p = guess(column.head, column.kind)
        if not column.head and column.kind == "share":
            column.meaning = "change"
    if column.meaning in ("hits", "misses", "utilisation") and not column.kind:
        column.kind = "share"
    refine(found)
    for number in found:
        _take_setting(number, column.meaning)


def _find_unit(column, found, meaning):
    """Find the unit of a column by most of its numbers, or else by its head."""
    kind, unit = _majority_kind(found)
    head_unit = unit_in_head(column.head)
    factor = unit_of(unit)[1]
    if not kind:
        kind, factor = unit_of(head_unit)
        unit = head_unit
    elif kind == "bytes" and unit_of(head_unit)[0] == "rate":  # Transfer/sec: 23.24MB
        kind, factor, unit = "bits", 8 * factor, unit + "/s"
        for number in found:
            if number.kind == "bytes":
                number.kind, number.factor, number.unit = (
                    kind,
                    8 * number.factor,
                    number.unit + "/s",
                )
    if not kind and not meaning and _is_bare_throughput(column.head):
        kind, unit = "rate", "1/s"
    column.kind, column.factor, column.unit = kind, factor, unit
    for number in found:
        _take_unit(number, kind, factor, unit)


def _is_bare_throughput(head):
    """Say whether a head says throughput and nothing of what: operations per second, we guess."""
    words = words_of(head)
    return "throughput" in words and all([w in _MEAN_WORDS or w == "throughput" for w in words])


def _is_index(head, numbers):
    """Say whether a column only counts the rows: its head says so, from 0 or 1 in steps of 1."""
    low = trim(head).lower()
    values = [number.value for number in numbers]
    counted = values in (list(range(len(values))), list(range(1, len(values) + 1)))
    return counted and low in ("(index)", "index", "#", "no", "no.", "nr", "row", "")


def _take_setting(number, meaning):
    """Take what was chosen for a run as exact, and its duration as true to its last digit.

    Nobody runs 1,000 clients and prints a rounded number of them.
    """
    whole = number.power == 0 and number.relation == "="
    if meaning in ("clients", "servers"):
        number.exact = whole and number.factor == 1
    elif meaning in ("size", "cache", "base_rate"):
        number.exact = whole
    elif meaning in ("duration", "think") and whole:
        number.step = 1.0
