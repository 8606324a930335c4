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
    "kib": "KiB",
    "mib": "MiB",
    "gib": "GiB",
    "tib": "TiB",
}
_CLOSE = {"%": "%", "1/s": "/s"}  # what stands behind a number without a space
_PREFIXES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6}


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


def _is_word(text):
    return all(c.isalpha() or c >= "\x80" for c in text)


def _unit_name(word):
    """Return the name of the unit that a typed word means, or the word itself."""
    word = word.replace(" per second", "/s").replace(" a second", "/s").replace("per second", "/s")
    word = word.replace("a second", "/s").strip()
    if word.endswith("/s") and word not in UNITS and _lower(word) not in _WORDS:
        thing = word[:-2].strip()
        if thing in ("", "1") or (_is_word(thing) and len(thing) > 2):  # 12 commits/s
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
    if name == "" or name == unit or name in counts or (name in ("times", "x") and not unit):
        return _PREFIXES[prefix]
    if name in UNITS and unit in UNITS and UNITS[name][0] == UNITS[unit][0]:
        return UNITS[name][1] / UNITS[unit][1]
    asked = f"in {unit}" if unit in UNITS and unit != "1" else "a plain number"
    raise ValueError(f'"{word}" does not fit: the number must be {asked}.')


def in_unit(value, word, unit) -> float:
    """Return a typed number in the unit that is asked for: value times `unit_factor`.

    A rate that is typed for a time is 1/rate, the time per event, and a time that is typed for a
    rate is 1/time: 800 requests per second take 1.25 ms each.
    Raises ValueError, a sentence for the reader, for a word that measures something else, for
    a rate or time that is not above 0, and for a number too large or too small for the unit.

    >>> in_unit(800, "/s", "ms"), in_unit(20, "ms", "1/s"), in_unit(3, "s", "ms")
    (1.25, 50.0, 3000.0)
    >>> in_unit(0, "/s", "ms")
    Traceback (most recent call last):
    ValueError: "0 /s" can't be converted to ms: write a number above 0, or a value in ms.
    """
    value = finite("value", value)
    asked, typed = UNITS.get(unit, ("", 1)), UNITS.get(_unit_name(text("word", word)), ("", 1))
    if {asked[0], typed[0]} != {"time", "rate"}:
        found = value * unit_factor(word, unit)
    elif value <= 0:
        raise ValueError(
            f'"{value:g} {word}" can\'t be converted to {unit}: write a number above 0, or '
            f"a value in {unit}."
        )
    else:
        base = value * typed[1]
        found = 1 / base / asked[1] if base else math.inf
    if not math.isfinite(found):
        raise ValueError(f'"{value:g} {word}" is out of range in {unit}: write another number.')
    return found
