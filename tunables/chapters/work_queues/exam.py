"""Chapter 6's questions of homework and exam: runs, growing granularity, sessions."""

from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.slicing import (
    cycles_per_run,
    hold_timer_expiry_probability,
    limiting_granularity,
    mean_timer_lateness,
)


def _item(chance):
    """Draw cost and quantum in integer microseconds; the cost never divides the quantum."""
    while True:
        cost_us = round(factor(chance, 20, 2_000))
        quantum_us = chance.choice([1_000, 5_000, 10_000, 20_000, 50_000])
        if 3 * cost_us < quantum_us and 0.05 < quantum_us / cost_us % 1 < 0.95:
            return {"cost_s": cost_us / 1e6, "quantum_s": quantum_us / 1e6}


def _run(chance):
    return {"granularity": chance.randint(1, 60), **_item(chance)}


def _limit(rule):
    def draw(chance):
        return {**_item(chance), "rule": rule}

    return draw


def _turns(chance):
    turns = [uniform(chance, 0.001, 0.02) for _ in range(chance.randint(5, 40))]
    return {"turns_s": [*turns, uniform(chance, 0.1, 0.6)]}


def _lateness(turns_s):
    return mean_timer_lateness(turns_s)


def _block(chance):
    keepalive_s = chance.randint(5, 60)
    hold_s = 3 * keepalive_s
    return {
        "block_s": float(f"{hold_s - keepalive_s * uniform(chance, 0.1, 0.9):.3g}"),
        "keepalive_s": keepalive_s,
        "hold_s": hold_s,
        "sessions": chance.randint(2, 5),
    }


def _outside(chance):
    """Draw a block too short to lose a session, or long enough to lose all."""
    block = _block(chance)
    return {**block, "block_s": block["hold_s"] * chance.choice([0.2, 0.5, 1.1, 2])}


def _draw_one_long_turn(chance):
    return {
        "short": chance.randint(5, 40),
        "short_s": uniform(chance, 0.001, 0.02),
        "long_s": uniform(chance, 0.1, 0.6),
    }


def _one_long_turn(short, short_s, long_s):
    return mean_timer_lateness([*[short_s] * short, long_s])


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "run": (cycles_per_run, _run),
        "first rule": (limiting_granularity, _limit("2005-05-06")),
        "second rule": (limiting_granularity, _limit("2005-05-23")),
        "third rule": (limiting_granularity, _limit("2010")),
        "lateness": (_lateness, _turns),
        "hold timer": (hold_timer_expiry_probability, _block),
        "hold timer, sure": (hold_timer_expiry_probability, _outside),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "run": Question(
            "A queue checks the clock after every {granularity} items and stops if more than "
            "{quantum_s:time} have passed. An item takes {cost_s:time}, and there are always items "
            "left. How many items does a run process?",
            "items",
            ways["run"],
            "the first multiple of g items that takes longer than the quantum",
        ),
        "first rule": Question(
            "A queue checks the clock after every g items and stops if more than "
            "{quantum_s:time} have passed. An item takes {cost_s:time}. g starts at 1, and grows "
            "by 2 after each run of more than 2g items. At which value does g stop growing?",
            "items",
            ways["first rule"],
            "raise g by 2 as long as the run at g has more than 2g items",
        ),
        "second rule": Question(
            "A queue checks the clock after every g items and stops if more than "
            "{quantum_s:time} have passed. An item takes {cost_s:time}. g starts at 1. After a "
            "run of more than 4g items it doubles; otherwise, after a run of more than 2g items, "
            "it grows by 2. At which value does g stop growing?",
            "items",
            ways["second rule"],
            "double g or raise it by 2, as long as the run at g calls for it",
        ),
        "one long turn": Question(
            "The turns of a loop repeat the same pattern: {short} turns of {short_s:time} each, "
            "then one of {long_s:time}. The loop serves its timers between turns. A timer "
            "falls due at a random moment. How late is it on average?",
            "s",
            (_one_long_turn, _draw_one_long_turn),
            "sum of t²/(2 × sum of t): a random moment is more likely to be in a long turn",
        ),
        "hold timer": Question(
            "A router sends each of its {sessions} neighbours a keepalive every {keepalive_s} s. "
            "A neighbour that has heard nothing for {hold_s} s drops the session. Once, the router "
            "sends nothing for {block_s} s. When this silence begins, the time since the last "
            "keepalive is uniform from 0 to {keepalive_s} s, and independent for each neighbour. "
            "What is the probability that at least one session drops?",
            "",
            ways["hold timer"],
            "1 - (1 - p)^n with p = (block - (hold - keepalive))/keepalive",
        ),
    }
