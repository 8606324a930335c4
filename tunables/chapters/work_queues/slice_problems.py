"""Problems of chapter 6: how long a slice is, and how the granularity grows."""

import math

from tunables.page.sheet import apart, milliseconds, sheet, show
from tunables.theory.slicing import GROWTH_RULES, cycles_per_run, limiting_granularity

RULES = {
    "2005-05-06": "a run of more than 2 g items adds 2 to g",
    "2005-05-23": "a run of more than 4 g items doubles g, and one of more than 2 g adds 2",
    "2010": "a run of more than 16 g items makes g four times as large, and one of more than 4 g "
    "adds 4",
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
        f"A work queue takes items of {show(1e6 * given['cost_s'], 'µs')} each. After every "
        f"{given['granularity']} of them it looks at the clock, and yields if more than "
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
        remark="The quantum is the least that a slice takes, never its mean: it may be exceeded by "
        f"g c = {milliseconds(given['granularity'] * given['cost_s'])}.",
    )


def runs(draw):
    given = _queue(draw)
    cycles = cycles_per_run(**given)
    given["items"] = draw.between(20_000, 400_000, 10)
    answer = math.ceil(given["items"] / cycles)
    steps = _run_steps(given)
    steps.append(f"{show(given['items'])} / {cycles}, rounded up = {show(answer)}")
    return sheet(
        _queue_words(given) + f"In how many runs does it do {show(given['items'])} items, if the "
        "granularity stays as it is?",
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
        f"A work queue starts with granularity g = 1: {RULES[given['rule']]}. Each item takes "
        f"{show(1e6 * given['cost_s'], 'µs')}, and a run yields at the first look at the clock, "
        f"after a multiple of g items, that finds more than {milliseconds(given['quantum_s'])} "
        "gone. At which g does the growth end?",
        given,
        "items",
        answer,
        [
            "a run takes more than f g items as long as f g of them fit into the quantum:"
            + f" growth ends at the first g with {factor} g above m = floor(Q / c)",
            f"m = floor({milliseconds(given['quantum_s'])} / {show(1e6 * given['cost_s'], 'µs')})"
            + f" = {m}",
            f"from 1 in the steps of the rule: g = {answer}, and {factor} × {answer} ="
            + f" {factor * answer} is above {m}",
        ],
        tolerance=0,
        remark="Nothing lowers g again. If items grow dearer, slices grow with them.",
    )
