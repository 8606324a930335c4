"""Is a student's answer right? A sentence that says so, or in which way it is not."""

from tunables.digits import significant
from tunables.problems.typed import typed_number

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
    "%": ("share", 1),
    "b/s": ("bits", 1),
    "kb/s": ("bits", 1e3),
    "Mb/s": ("bits", 1e6),
    "Gb/s": ("bits", 1e9),
    "kB/s": ("bits", 8e3),
    "MB/s": ("bits", 8e6),
    "GB/s": ("bits", 8e9),
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
    "bps": "b/s",
    "kbps": "kb/s",
    "mbps": "Mb/s",
    "gbps": "Gb/s",
    "mbit/s": "Mb/s",
    "gbit/s": "Gb/s",
}
_PREFIXES = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6}
_EXACT = 0.0005  # nearer than this is right without a remark


def _known(word):
    """Return the unit's own name for a word as people type it, or the word."""
    word = word.replace(" per second", "/s").replace(" a second", "/s").replace("per second", "/s")
    word = word.replace("a second", "/s").strip()
    if word.endswith("/s") and word not in UNITS and word.lower() not in _WORDS:
        thing = word[:-2].strip()
        if thing in ("", "1") or (thing.isalpha() and len(thing) > 2):  # 12 commits/s
            return "1/s"
    low = word.lower()
    for name in (low, low[:-1] if low.endswith("s") else low):
        if name in _WORDS:
            return _WORDS[name]
    return word


def _factor(word, unit):
    """Return what one of the typed unit is in the unit that is asked for."""
    prefix, name = "", _known(word)
    if name[:1] in ("k", "K", "M") and name[1:].strip() in ("", unit) and unit not in UNITS:
        prefix, name = name[0], name[1:].strip()  # 12k graphs
    counts = () if unit in UNITS or not unit else (unit, unit[:-1])
    if name == "" or name == unit or name in counts or (name in ("times", "x") and not unit):
        return _PREFIXES[prefix]
    if name in UNITS and unit in UNITS and UNITS[name][0] == UNITS[unit][0]:
        return UNITS[name][1] / UNITS[unit][1]
    asked = f"in {unit}" if unit in UNITS else "as a plain number"
    raise ValueError(f'"{word}" does not fit: the answer is asked for {asked}.')


def _slip(ratio, unit, tolerance):
    """Return by which factor of a wrong unit the answer is off, or None."""
    slips = [1e3, 1e6]
    if unit == "%":
        slips.append(100)
    if UNITS.get(unit, ("", 1))[0] == "bits":
        slips.append(8)
    for slip in slips:
        for factor in (slip, 1 / slip):
            if abs(ratio / factor - 1) <= tolerance:
                return factor
    return None


def check_answer(problem, text) -> tuple:
    """Return (verdict, sentence) on what a student typed as the answer to a problem.

    Verdicts: "right"; "close", right within the problem's tolerance; "unit", off by a factor of
    1,000 or another slip of a unit; "wrong". Units that measure the same are converted.
    Raises ValueError, a sentence for the reader, for a text that is not a number or has a unit
    that measures something else.
    """
    value, word = typed_number(text)
    value *= _factor(word, problem.unit)
    ratio = value / problem.answer
    error = abs(ratio - 1)
    shown = f"{significant(problem.answer)} {problem.unit}".strip()
    if error <= max(min(problem.tolerance, _EXACT), 1e-9):
        return "right", f"Right: {shown}."
    if error <= problem.tolerance:
        return "close", f"Right within {significant(100 * problem.tolerance)} %: it is {shown}."
    slip = _slip(ratio, problem.unit, max(problem.tolerance, _EXACT))
    if slip:
        much, way = (slip, "large") if slip > 1 else (1 / slip, "small")
        asked = f"is asked for in {problem.unit}" if problem.unit in UNITS else "is a plain number"
        return "unit", (
            f"The digits are right, but it is {significant(much)} times too {way}."
            + f" Look at the units: the answer {asked}."
        )
    if value <= 0:
        return "wrong", "Wrong: the answer is above 0."
    way = "high" if ratio > 1 else "low"
    far = ", by more than ten times" if not 0.1 <= ratio <= 10 else ""
    return "wrong", f"Wrong: too {way}{far}."
