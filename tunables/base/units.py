"""Units as people type them behind a number, and what one of them is in another."""

import math

from tunables.base.arguments import finite, text

# Name of a unit: what it measures, and how many base units it is.
UNITS = {
    "d": ("time", 86_400),
    "h": ("time", 3600),
    "min": ("time", 60),
    "s": ("time", 1),
    "ms": ("time", 1e-3),
    "µs": ("time", 1e-6),
    "us": ("time", 1e-6),
    "ns": ("time", 1e-9),
    "1/s": ("rate", 1),
    "1/min": ("rate", 1 / 60),
    "1": ("share", 1),
    "%": ("share", 0.01),
    "b/s": ("bits", 1),
    "kb/s": ("bits", 1e3),
    "Mb/s": ("bits", 1e6),
    "Gb/s": ("bits", 1e9),
    "kB/s": ("bits", 8e3),
    "MB/s": ("bits", 8e6),
    "GB/s": ("bits", 8e9),
    "B": ("bytes", 1),
    "kB": ("bytes", 1e3),
    "MB": ("bytes", 1e6),
    "GB": ("bytes", 1e9),
    "TB": ("bytes", 1e12),
    "KiB": ("bytes", 2**10),
    "MiB": ("bytes", 2**20),
    "GiB": ("bytes", 2**30),
    "TiB": ("bytes", 2**40),
}
_WORDS = {
    "day": "d",
    "hour": "h",
    "minute": "min",
    "sec": "s",
    "second": "s",
    "millisecond": "ms",
    "msec": "ms",
    "percent": "%",
    "per cent": "%",
    "hz": "1/s",
    "rps": "1/s",
    "qps": "1/s",
    "tps": "1/s",
    "bps": "b/s",
    "kbps": "kb/s",
    "mbps": "Mb/s",
    "gbps": "Gb/s",
    "mbit/s": "Mb/s",
    "gbit/s": "Gb/s",
    "byte": "B",
    "kb": "kB",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
    "kib": "KiB",
    "mib": "MiB",
    "gib": "GiB",
    "tib": "TiB",
}
_CLOSE = {"%": "%", "1/s": "/s"}  # what stands behind a number without a space
_PREFIXES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6}
_SCALES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY_SCALES = {"": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_BITS = {"B": 8, "byte": 8, "bytes": 8, "Byte": 8, "Bytes": 8, "b": 1, "bit": 1, "bits": 1}
_BINARY_FIELDS = ("B", "KiB", "MiB", "GiB", "TiB")  # in which k is 1,024
_THINGS = ("req", "reqs", "requests", "ops", "iops", "IOPS", "commits", "msgs", "messages")
_TIMES = ("x", "X", "*", ":1", ": 1", "times")  # a parser writes "*" for "×"
_EXAMPLES = {
    "time": "5 ms, 2 s or 3 min",
    "rate": "12/s, 12k/s or 3/min",
    "bits": "25 Gb/s, 300 MB/s or 3 GB/min",
    "bytes": "64 KiB, 512 MiB or 4 GiB",
    "share": "3, 3x, 3:1 or 4%",
}


def unit_text(unit, before=" ", after="") -> str:
    """Return a unit as it is shown behind a number or a label; "" for a pure number.

    >>> unit_text("GiB"), unit_text("GiB", " (", ")"), unit_text("1"), unit_text("us")
    (' GiB', ' (GiB)', '', ' µs')
    >>> unit_text("%"), unit_text("%", " (", ")"), unit_text("1/s"), unit_text("1/s", " (", ")")
    ('%', ' (%)', '/s', ' (1/s)')
    """
    if unit in ("", "1"):
        return ""
    if before == " " and unit in _CLOSE:
        return _CLOSE[unit] + after
    return before + ("µs" if unit == "us" else unit) + after


def _lower(word):
    """Return the word in lower case, ASCII's letters only: MicroPython knows no others."""
    return "".join([c.lower() if c < "\x80" else c for c in word])


def _is_counted(thing):
    """Say whether a text before "/s" is empty, 1, or a word for things that are counted."""
    is_word = all(c.isalpha() or c >= "\x80" for c in thing)
    return thing in ("", "1") or (is_word and len(thing) > 2 and not _bits(thing))


def _bits(word):
    """Return how many bits a word such as "GB", "MiB" or "kbit" means, 0 for any other word."""
    for ending, bits in _BITS.items():
        start = len(word) - len(ending)
        scale = word[:start].strip()
        if start >= 0 and word[start:] == ending:
            return bits * (_SCALES.get(scale, 0) or _BINARY_SCALES.get(scale, 0))
    return 0


def _multiple(thing):
    """Return how many of the counted things a text means, 0 for any other text.

    >>> _multiple("requests"), _multiple("k requests"), _multiple("kops"), _multiple("m")
    (1, 1000.0, 1000.0, 0)
    """
    rest = thing[1:]
    if thing[:1] in ("k", "K", "M") and (rest[:1] in ("", " ") or rest in _THINGS):
        return _PREFIXES[thing[0]] if _is_counted(rest.strip()) else 0
    return int(_is_counted(thing))


def _per_time(word):
    """Return what a rate such as "GB/min" or "k/s" measures, and its size; None for another word.

    >>> _per_time("k/s"), _per_time("requests per hour"), _per_time("kb/s"), _per_time("m/s")
    (('rate', 1000.0), ('rate', 0.0002777777777777778), ('bits', 1000.0), None)
    """
    if word[-3:] == "Bps":
        word = word[:-2] + "/s"
    word = (" " + word).replace(" per ", "/").replace(" a ", "/")
    thing, slash, time = word.partition("/")
    thing, (kind, size_s) = thing.strip(), UNITS.get(_unit_name(time.strip()), ("", 1))
    if not slash or kind != "time":
        return None
    if _bits(thing):
        return "bits", _bits(thing) / size_s
    return ("rate", _multiple(thing) / size_s) if _multiple(thing) else None


def _measure(word):
    """Return what a typed word measures and how many base units it is; ("", 1) if nothing known.

    >>> _measure("ms"), _measure("TB"), _measure("krps"), _measure("graphs")
    (('time', 0.001), ('bytes', 1000000000000.0), ('rate', 1000.0), ('', 1))
    """
    rate = _per_time(word)
    if rate:
        return rate
    name, rest = _unit_name(word), _unit_name(word[1:])
    if name in UNITS:
        return UNITS[name]
    if rest == "1/s" and word[:1] in ("k", "K", "M"):
        return "rate", _PREFIXES[word[0]]
    is_bytes = _bits(word) and ("B" in word or "byte" in word)
    return ("bytes", _bits(word) / 8) if is_bytes else ("", 1)


def _abbreviated(word, unit):
    """Return the factor that a letter such as "M" means in a field of a unit, 0 for other words.

    Bytes are binary, as in `free`, Java and Kubernetes, unless the field's own unit is decimal.
    A letter alone in bytes per second could as well mean bits, so it means nothing.

    >>> _abbreviated("M", "GiB"), _abbreviated("k", "kB"), _abbreviated("G", "Mb/s")
    (0.0009765625, 1.0, 1000.0)
    >>> _abbreviated("k", "1/s"), _abbreviated("G", "MB/s"), _abbreviated("m", "s")
    (1000.0, 0, 0)
    """
    kind, size = UNITS.get(unit, ("", 1))
    letter, capital = word[:1], word[:1].upper()
    if kind == "rate":
        return _PREFIXES.get(word, 0) / size
    if kind == "bits" and unit[-3:] == "b/s":
        scale = _SCALES.get("k" if capital == "K" else capital, 0)
        return scale / size if word in (letter, letter + "/s") else 0
    if kind != "bytes" or not letter or word[1:] not in ("", "i"):
        return 0
    scales = _BINARY_SCALES if word[1:] or unit in _BINARY_FIELDS else _SCALES
    return scales.get(capital + "i" if scales is _BINARY_SCALES else capital, 0) / size


def _unit_name(word):
    """Return the name of the unit that a typed word means, or the word itself."""
    word = word.replace(" per second", "/s").replace(" a second", "/s").replace("per second", "/s")
    word = word.replace("a second", "/s").strip()
    is_rate = word.endswith("/s") and word not in UNITS and _lower(word) not in _WORDS
    if is_rate and _multiple(word[:-2].strip()) == 1:  # 12 commits/s
        return "1/s"
    low = _lower(word)
    for name in (low, low[:-1] if low.endswith("s") else low):
        if name in _WORDS:
            return _WORDS[name]
    return word


def canonical(unit) -> str:
    """Return the name under which UNITS has a unit: bits per second have several names.

    >>> canonical("Gbit/s"), canonical("graphs")
    ('Gb/s', 'graphs')
    """
    return _unit_name(unit) if unit else ""


def unit_factor(word, unit) -> float:
    """Return the factor from the typed unit to the unit that is asked for.

    word: the text behind the number, "" for none; unit: "" for a plain number. Counts
    ("12k graphs") may be typed in thousands or millions.
    Raises ValueError, a sentence for the reader, for a word that measures something else.

    >>> unit_factor("ms", "s"), unit_factor("k", "graphs"), unit_factor("%", "1")
    (0.001, 1000.0, 0.01)
    """
    if text("word", word) in ("", unit):
        return 1.0
    prefix, name = "", _unit_name(word)
    pure = unit == "1" or unit not in UNITS
    if pure and name[:1] in ("k", "K", "M") and name[1:].strip() in ("", unit):
        prefix, name = name[0], name[1:].strip()  # 12k graphs
    counts = () if unit in UNITS or not unit else (unit, unit[:-1])
    if name in ("", unit) or name in counts or (name in _TIMES and unit in ("", "1")):
        return _PREFIXES[prefix]
    (kind, size), (asked_kind, asked_size) = _measure(word), UNITS.get(unit, ("a count", 1))
    if kind == asked_kind:
        return size / asked_size
    asked = f"in {unit}" if unit in UNITS and unit != "1" else "a plain number"
    example = _EXAMPLES.get(asked_kind, "12,000 or 12k")
    raise ValueError(
        f'"{word}" does not fit: the number must be {asked}. Write one such as {example}.'
    )


def in_unit(value, word, unit) -> float:
    """Return a typed number in the unit that is asked for: value times `unit_factor`.

    A rate that is typed for a time is 1/rate, the time per event, and a time that is typed for a
    rate is 1/time: 800 requests per second take 1.25 ms each. A letter alone is a multiple, of
    1,024 for bytes unless the unit is kB, MB or GB: 512M are 0.5 GiB. So show what was understood.
    Raises ValueError, a sentence for the reader, for a word that measures something else, for
    a rate or time that is not above 0, and for a number too large or too small for the unit.

    >>> in_unit(800, "/s", "ms"), in_unit(20, "ms", "1/s"), in_unit(3, "s", "ms")
    (1.25, 50.0, 3000.0)
    >>> in_unit(512, "M", "GiB"), in_unit(8, "k", "B"), in_unit(12, "k", "1/s")
    (0.5, 8192.0, 12000.0)
    >>> in_unit(0, "/s", "ms")
    Traceback (most recent call last):
    ValueError: "0 /s" can't be converted to ms: write a number above 0, or a value in ms.
    """
    value = finite("value", value)
    asked, typed = UNITS.get(unit, ("", 1)), _measure(text("word", word))
    if {asked[0], typed[0]} != {"time", "rate"}:
        found = value * (_abbreviated(word, unit) or unit_factor(word, unit))
    elif value <= 0:
        raise ValueError(
            f'"{value:g} {word}" can\'t be converted to {unit}: write a number above 0, or '
            f"a value in {unit}."
        )
    else:
        base = value * typed[1]
        found = 1 / base / asked[1] if base else math.inf
    if not math.isfinite(found):
        raise ValueError(f"This number is out of range in {unit}: enter another number.")
    return found
