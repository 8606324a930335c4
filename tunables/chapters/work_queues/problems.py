"""Problems of chapter 6: slices of a work queue, and the timers that wait for them."""

import math

from tunables.base.portable import plain_sum
from tunables.page.worksheet import apart, milliseconds, sheet, show
from tunables.theory.slicing import (
    GROWTH_RULES,
    cycles_per_run,
    expected_unique_fraction,
    hold_timer_expiry_probability,
    limiting_granularity,
    mean_timer_lateness,
    unique_fraction_alone,
)

RULES = {
    "2005-05-06": "a run of more than 2 g items adds 2 to g",
    "2005-05-23": "a run of more than 4 g items doubles g; otherwise, one of more than 2 g adds 2",
    "2010": "a run of more than 16 g items quadruples g; otherwise, one of more than 4 g adds 4",
}


def _queue(draw):
    while True:
        given = {
            "granularity": draw.between(1, 60),
            "cost_s": draw.between(21, 997) / 1_000_000,
            "quantum_s": draw.pick((5, 10, 20)) / 1000,
        }
        quantum_s, block_s = given["quantum_s"], given["granularity"] * given["cost_s"]
        slice_s = cycles_per_run(**given) * given["cost_s"]
        more_than_a_block = slice_s > 1.5 * block_s
        if more_than_a_block and apart(slice_s, [quantum_s + block_s * k / 2 for k in range(3)]):
            return given  # neither one block, nor so near the quantum that no look is needed


def _queue_words(given):
    return (
        f"A work queue holds items that take {show(1e6 * given['cost_s'], 'µs')} each. After every "
        f"{given['granularity']} items, a slice checks the clock, and it ends if more than "
        f"{milliseconds(given['quantum_s'])} have passed. "
    )


def _run_steps(given):
    g, m = given["granularity"], math.floor(given["quantum_s"] / given["cost_s"] + 1e-9)
    quantum, cost = milliseconds(given["quantum_s"]), show(1e6 * given["cost_s"], "µs")
    return [
        "a run takes k g items, k = floor(m / g) + 1, with m = floor(Q / c) items in the quantum",
        f"m = floor({quantum} / {cost}) = {m}",
        f"k = floor({m} / {g}) + 1 = {m // g + 1}, so {(m // g + 1) * g} items",
    ]


def slice_length(draw):
    given = _queue(draw)
    cycles = cycles_per_run(**given)
    answer = 1000 * cycles * given["cost_s"]
    steps = _run_steps(given)
    steps.append(f"{cycles} × {show(1e6 * given['cost_s'], 'µs')} = {show(answer, 'ms')}")
    return sheet(
        _queue_words(given) + "How long is a slice?",
        given,
        "ms",
        answer,
        steps,
        remark="The quantum is the minimum length of a slice, not the mean, because a slice can "
        "exceed the quantum by up to g c = "
        f"{milliseconds(given['granularity'] * given['cost_s'])}.",
    )


def runs(draw):
    given = _queue(draw)
    cycles = cycles_per_run(**given)
    given["items"] = draw.between(20_000, 400_000, 10)
    answer = math.ceil(given["items"] / cycles)
    steps = _run_steps(given)
    steps.append(f"{show(given['items'])} / {cycles}, rounded up = {show(answer)}")
    return sheet(
        _queue_words(given) + f"How many slices (runs) do {show(given['items'])} items need, if "
        "the granularity stays the same?",
        given,
        "runs",
        answer,
        steps,
        tolerance=0.002,
    )


def limit(draw):
    given = {
        "rule": draw.pick(tuple(sorted(RULES))),
        "cost_s": draw.between(21, 997) / 1_000_000,
        "quantum_s": draw.pick((5, 10, 20)) / 1000,
    }
    answer = limiting_granularity(given["cost_s"], given["quantum_s"], given["rule"])
    m = math.floor(given["quantum_s"] / given["cost_s"] + 1e-9)
    factor = GROWTH_RULES[given["rule"]][0]
    return sheet(
        f"A work queue starts with granularity g = 1, and {RULES[given['rule']]}. Each item takes "
        f"{show(1e6 * given['cost_s'], 'µs')}. A run checks the clock after every g items, and "
        "ends at the first check at which more than "
        f"{milliseconds(given['quantum_s'])} have passed. At which value does g stop growing?",
        given,
        "items",
        answer,
        [
            f"a run takes more than {factor} g items as long as {factor} g items fit into the"
            + f" quantum: growth ends at the first g for which {factor} g exceeds"
            + " m = floor(Q / c)",
            f"m = floor({milliseconds(given['quantum_s'])} / {show(1e6 * given['cost_s'], 'µs')})"
            + f" = {m}",
            f"from 1, the rule's steps lead to g = {answer}, and {factor} × {answer} ="
            + f" {factor * answer} is above {m}",
        ],
        tolerance=0,
        remark="Nothing lowers g again. If items become more expensive, slices become longer.",
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
            break  # otherwise 99, or the sum of the chances, would be close enough
    return sheet(
        f"A router with {n} sessions sends keepalives every {k} s; "
        f"its neighbours drop a session after {h} s without any. Its daemon blocks for {b} s. "
        "What is the chance that at least one session drops?",
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
        f"Each of many prefixes changes at random, {show(given['rate'])} times per second on "
        f"average. Every {show(given['hold_s'], 's')}, a queue processes each prefix that has "
        "changed since the last time, but only once. How much work is that, as a share of the "
        "work of processing every change?",
        given,
        "%",
        answer,
        [
            "a prefix changes x times per period on average, and is processed once if it"
            + " changed at all: (1 - exp(-x)) / x",
            f"x = {show(given['rate'])} × {show(given['hold_s'])} = {show(x)}",
            f"(1 - {show(math.exp(-x))}) / {show(x)} = {show(answer, '%')}",
        ],
        remark="If each prefix waited this long after its own first change instead, the share "
        f"would be 1 / (1 + x) = {show(alone, '%')}.",
    )


def timer_lateness(draw):
    turns = [draw.between(5, 40), draw.between(5, 40), draw.between(41, 600, 5)]
    given = {"cycles_s": [turn / 1000 for turn in turns]}
    answer = 1000 * mean_timer_lateness(given["cycles_s"])
    squares = plain_sum(turn * turn for turn in turns)
    turn_list = ", ".join([f"{turn} ms" for turn in turns])
    return sheet(
        f"The turns of an event loop take {turn_list}, again and again. A timer falls due at a "
        "random moment and is served when the turn ends. How late is it, on average?",
        given,
        "ms",
        answer,
        [
            "E[C^2] / (2 E[C]): a timer falls into a long turn more often than into a short one",
            f"sum of C = {plain_sum(turns)} ms, sum of C^2 = {show(squares)} ms^2",
            f"{show(squares)} / (2 × {plain_sum(turns)}) = {show(answer, 'ms')}",
        ],
        remark=f"Half the mean turn would give only {show(plain_sum(turns) / 6, 'ms')}.",
    )


KINDS = {
    "slice-length": ("How long is a slice?", slice_length, 2),
    "runs": ("How many runs?", runs, 2),
    "limit": ("Where the growth ends", limit, 3),
    "hold-timers": ("Hold timers", hold_timers, 2),
    "gather": ("Gathering changes", gather, 1),
    "timer-lateness": ("How late is a timer?", timer_lateness, 1),
}
