"""What each kind of problem hands back, and how its numbers look in text."""

from tunables.plain.digits import significant


def sheet(question, given, unit, answer, steps, tolerance=0.01, remark="") -> dict:
    """Return the fields of a `Problem` that its kind fills in.

    given: the numbers of the question by name, SI units; steps: lines of plain text.
    """
    return {
        "question": question,
        "given": given,
        "unit": unit,
        "answer": answer,
        "tolerance": tolerance,
        "steps": steps,
        "remark": remark,
    }


def apart(answer, wrong, margin=0.03) -> bool:
    """Return whether each of the wrong answers is off by more than that share of the right one.

    Numbers for which a wrong way comes out right teach nothing: their kind draws again.

    >>> apart(100, [97.5, 300]), apart(100, [90, 300])
    (False, True)
    """
    return all(abs(other / answer - 1) > margin for other in wrong)


def show(value, unit="") -> str:
    """Return a number to four significant digits, with its unit.

    >>> show(36562.4, "B"), show(0.02)
    ('36,562 B', '0.02')
    """
    return f"{significant(value)} {unit}".strip()


def milliseconds(seconds) -> str:
    """Return a time in ms.

    >>> milliseconds(0.0251)
    '25.1 ms'
    """
    return show(1000 * seconds, "ms")


def microseconds(seconds) -> str:
    """Return a time in µs.

    >>> microseconds(0.0000251)
    '25.1 µs'
    """
    return show(1e6 * seconds, "µs")
