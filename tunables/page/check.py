"""Is a student's answer right? A sentence that says so, or in which way it is not."""

from tunables.plain.digits import significant
from tunables.plain.typed import typed_number
from tunables.plain.units import UNITS, unit_factor

_EXACT = 0.0005  # nearer than this is right without a remark


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
    value *= unit_factor(word, problem.unit)
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
