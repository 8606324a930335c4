"""What each kind of problem returns, and how its numbers and steps are written."""

from tunables.base.numbers_as_text import significant
from tunables.base.units import unit_text
from tunables.page.problem import TOLERANCE
from tunables.theory.closed_queueing import mva


def sheet(question, given, unit, answer, steps, tolerance=TOLERANCE, remark="") -> dict:
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
    return significant(value) + unit_text(unit)


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


EXPLAINED = 'The page "Mean value analysis" of this book explains the recursion.'


def recursion_steps(demands_s, users, think_s, time) -> list:
    """Return a line for each number of users, from one up.

    demands_s: seconds of each resource; time: the function that writes a time as text.

    >>> from tunables.page.worksheet import milliseconds
    >>> recursion_steps([0.1], 2, 0.3, milliseconds)
    ['n = 1: R = 100 ms, X = 2.5 /s, Q = 0.25', 'n = 2: R = 125 ms, X = 4.706 /s']
    """
    what = "R" if len(demands_s) == 1 else "sum of R"
    lines = []
    for n in range(1, users + 1):
        rate, response_s, queues = mva(demands_s, n, think_s)
        lines.append(f"n = {n}: {what} = {time(response_s)}, X = {show(rate, '/s')}")
        if n < users:  # the last queues are not asked for
            lines[-1] += f", Q = {', '.join([show(queue) for queue in queues])}"
    return lines
