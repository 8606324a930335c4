"""Mean value analysis as steps of a problem's answer, one number of users after another."""

from tunables.page.sheet import show
from tunables.theory.closed_queueing import mva

EXPLAINED = "The page Mean value analysis of this book explains the recursion."


def recursion_steps(demands_s, users, think_s, time) -> list:
    """Return a line for each number of users, from one up.

    demands_s: seconds of each resource; time: the function that writes a time as text.

    >>> from tunables.page.sheet import milliseconds
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
