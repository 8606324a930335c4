"""Problems of chapter 6: what waits for a slice, and what a queue gathers up meanwhile."""

import math

from tunables.page.sheet import apart, sheet, show
from tunables.plain.adding import added
from tunables.theory.slicing import (
    expected_unique_fraction,
    hold_timer_expiry_probability,
    mean_timer_lateness,
    unique_fraction_alone,
)


def hold_timers(draw):
    while True:
        k = draw.between(10, 60, 5)
        b, n = 2 * k + draw.between(1, k - 1), draw.between(2, 10)
        given = {"keepalive_s": k, "hold_s": 3 * k, "block_s": b, "sessions": n}
        answer = 100 * hold_timer_expiry_probability(**given)
        h = given["hold_s"]
        p = (b - (h - k)) / k
        if answer < 97 and apart(answer, [100 * n * p]):
            break  # so that nobody is right by saying 99, or by adding chances
    return sheet(
        f"A router with {n} sessions sends keepalives every {k} s; "
        f"its neighbours drop a session after {h} s without one. Its daemon blocks for {b} s. "
        "What is the chance that it loses at least one session?",
        given,
        "%",
        answer,
        [
            "p = (B - (H - K)) / K for one session; 1 - (1 - p)^n for n independent ones",
            f"p = ({b} - ({h} - {k})) / {k} = {show(p)}",
            f"1 - (1 - {show(p)})^{n} = {show(answer, '%')}",
        ],
    )


def gather(draw):
    while True:
        given = {"rate": draw.between(1, 80) / 10, "hold_s": draw.between(5, 200, 5) / 100}
        x = given["rate"] * given["hold_s"]
        answer = 100 * expected_unique_fraction(**given)
        alone = 100 * unique_fraction_alone(**given)
        if apart(answer, [alone, 100 * math.exp(-x)]):
            break
    return sheet(
        f"Each of many prefixes changes at random, {show(given['rate'])} times a second on "
        f"average. Every {show(given['hold_s'], 's')}, by the clock, a queue processes once each "
        "prefix that has changed since. What share of the work is left, compared with processing "
        "every change?",
        given,
        "%",
        answer,
        [
            "of x changes of a prefix in a turn of the clock, on average, one is left if there was"
            + " any: (1 - exp(-x)) / x",
            f"x = {show(given['rate'])} × {show(given['hold_s'])} = {show(x)}",
            f"(1 - {show(math.exp(-x))}) / {show(x)} = {show(answer, '%')}",
        ],
        remark="A queue that waits so long from a prefix's own first change would leave "
        f"1 / (1 + x) = {show(alone, '%')}.",
    )


def timer_lateness(draw):
    turns = [draw.between(5, 40), draw.between(5, 40), draw.between(41, 600, 5)]
    given = {"cycles_s": [turn / 1000 for turn in turns]}
    answer = 1000 * mean_timer_lateness(given["cycles_s"])
    squares = added(turn * turn for turn in turns)
    told = ", ".join([f"{turn} ms" for turn in turns])
    return sheet(
        f"The turns of an event loop take {told}, over and over. A timer falls due at any moment "
        "and is served when the turn ends. How late is it, on average?",
        given,
        "ms",
        answer,
        [
            "E[C^2] / (2 E[C]): a timer falls into a long turn more often than into a short one",
            f"sum of C = {added(turns)} ms, sum of C^2 = {show(squares)} ms^2",
            f"{show(squares)} / (2 × {added(turns)}) = {show(answer, 'ms')}",
        ],
        remark=f"Half the mean turn would be {show(added(turns) / 6, 'ms')}.",
    )
