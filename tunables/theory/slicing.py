"""Work in slices: how long a slice lasts, and what it does to the timers that wait for it.

A run of a work queue takes one item after another. After every g items (g is the queue's
granularity) it looks at the clock, and yields if more than the quantum Q has passed since the
run began. A run of at least g items may raise g: see GROWTH_RULES.
"""

from tunables.base.arguments import choice, integer, number, numbers
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum
from tunables.theory.gamma_slices import (
    continuation_probabilities,
    expected_cycles_per_run,
    slice_moments,
)
from tunables.theory.gathering import expected_unique_fraction, unique_fraction_alone

__all__ = [
    "GROWTH_RULES",
    "RULE_NAMES",
    "can_have_made",
    "continuation_probabilities",
    "cycles_per_run",
    "expected_cycles_per_run",
    "expected_unique_fraction",
    "hold_timer_expiry_probability",
    "least_longest_run",
    "limiting_granularity",
    "mean_timer_lateness",
    "slice_moments",
    "timer_lateness_survival",
    "unique_fraction_alone",
]

# Rule: (factor f, ramp). A run of more than f g items adds f to g; under a rule that ramps, a
# run of more than f^2 g items multiplies g by f instead. Nothing lowers g: a run yields at a
# multiple of g only. The published daemon ran the first rule; "fixed" keeps g as it is.
# The keys stand in links and stay as they are. The first is a day on which the rule was in
# force: it was committed on 25 April 2005 (354d119a) and replaced on 23 May (269d74fd). The
# third is of January 2010 (3322055b), and FRRouting's still.
GROWTH_RULES = {
    "2005-05-06": (2, False),
    "2005-05-23": (2, True),
    "2010": (4, True),
    "fixed": (0, False),
}
RULE_NAMES = {
    "2005-05-06": "April 2005",
    "2005-05-23": "23 May 2005",
    "2010": "January 2010",
    "fixed": "fixed",
}


def _affordable_items(cost_s, quantum_s):
    """Items of one cost that end within the quantum, in whole nanoseconds as the daemon counts."""
    cost_s = number("cost_s", cost_s, at_least=1e-9)
    quantum_s = number("quantum_s", quantum_s, at_least=0)
    return round(quantum_s * 1e9) // round(cost_s * 1e9)


def cycles_per_run(granularity: int, cost_s: float, quantum_s: float) -> int:
    """Items that a run takes when each costs the same: k g with k = floor(m/g) + 1 clock checks.

    m = floor(Q/c) is the number of items that end within the quantum Q = quantum_s, for the
    cost c = cost_s of an item. The slice lasts k g c, at most Q + g c. Times are rounded to
    nanoseconds. Raises ValueError if granularity is not a whole number at least 1, cost_s is
    below 1 ns, or quantum_s is negative. Source: Quagga, lib/workqueue.c.

    >>> [cycles_per_run(g, 0.000217, 0.010) for g in (1, 3, 5, 7, 9)]
    [47, 48, 50, 49, 54]
    """
    g = integer("granularity", granularity, at_least=1)
    return (_affordable_items(cost_s, quantum_s) // g + 1) * g


def limiting_granularity(cost_s: float, quantum_s: float, rule: str, granularity: int = 1) -> int:
    """Granularity at which a queue of equal items stops growing.

    With m = floor(Q/c): "2005-05-06" stops at the smallest odd g above m/2; "2005-05-23"
    doubles while 4g <= m and then steps by 2 until 2g > m; "2010" multiplies by 4 while
    16g <= m and then steps by 4 until 4g > m; "fixed" stays. Starts from granularity.

    Raises ValueError for a cost below 1 ns, a negative quantum, an unknown rule, or a
    granularity that is not a whole number at least 1. Source: Quagga, lib/workqueue.c.

    >>> [limiting_granularity(0.000217, 0.010, r) for r in ("2005-05-06", "2005-05-23", "2010")]
    [25, 24, 12]
    """
    m = _affordable_items(cost_s, quantum_s)
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    g = integer("granularity", granularity, at_least=1)
    while ramp and m >= factor * factor * g:
        g *= factor
    if factor and m >= factor * g:
        g += factor * ((m - factor * g) // (factor * factor) + 1)
    return g


def can_have_made(granularity: int, rule: str) -> bool:
    """Whether a queue whose first run was long can show this granularity under a rule.

    Steps of f lead from 1 to 1 + f k. Under a rule that ramps, a first run of more than f^2
    items makes the 1 an f, and from there on all are multiples of f.
    Raises ValueError for an unknown rule or a granularity that is not a whole number at
    least 1. Source: Quagga, lib/workqueue.c.

    >>> [can_have_made(23, rule) for rule in ("2005-05-06", "2005-05-23", "2010")]
    [True, False, False]
    """
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    g = integer("granularity", granularity, at_least=1)
    return g == 1 or (factor > 0 and g % factor == (0 if ramp else 1))


def least_longest_run(granularity: int, rule: str) -> int:
    """Fewest items that the longest run must have had for a queue to reach this granularity.

    A queue arrives at g by a step of f from g - f, in a run of more than f (g - f) items, or
    under a rule that ramps by a factor f from g/f, in one of more than f^2 g/f. A run takes a
    multiple of the granularity that it began with: at least (f + 1)(g - f), or (f^2 + 1) g/f.

    Raises ValueError for an unknown rule or a granularity that is not a whole number at
    least 1. Source: Quagga, lib/workqueue.c.

    >>> [least_longest_run(g, "2005-05-06") for g in (1, 23, 29)]
    [1, 63, 81]
    """
    factor, ramp = GROWTH_RULES[choice("rule", rule, GROWTH_RULES)]
    g = integer("granularity", granularity, at_least=1)
    ways = []
    if factor and g > factor:
        ways.append((factor + 1) * (g - factor))
    if ramp and g % factor == 0:
        ways.append((factor * factor + 1) * (g // factor))
    return min(ways) if ways else g


def mean_timer_lateness(cycles_s: Numbers) -> float:
    """Mean wait of a timer for the event loop to come round: E[C^2]/(2 E[C]).

    cycles_s are the lengths C of the loop's turns, s; the timer falls due at any moment of
    them alike, and is served when the turn ends.
    Raises ValueError if cycles_s is empty, has a negative length, or sums to 0.
    Source: Kleinrock (1975), Queueing Systems vol. 1, section 5.2 (residual life).

    >>> mean_timer_lateness([0.010, 0.030])
    0.0125
    """
    cycles = numbers("cycles_s", cycles_s, at_least=0)
    total = number("sum of cycles_s", plain_sum(cycles), above=0)
    return plain_sum(c * c for c in cycles) / (2 * total)


def timer_lateness_survival(cycles_s: Numbers, lateness_s: float) -> float:
    """Pr(L > x): the integral of (1 - F_C)/E[C] from x = lateness_s on.

    For the turns C in cycles_s that is sum max(C - x, 0)/sum C.
    Raises ValueError as mean_timer_lateness does, and if lateness_s is negative.
    Source: Kleinrock (1975), Queueing Systems vol. 1, section 5.2.

    >>> timer_lateness_survival([0.25, 0.75], 0.25)
    0.5
    """
    cycles = numbers("cycles_s", cycles_s, at_least=0)
    total = number("sum of cycles_s", plain_sum(cycles), above=0)
    x = number("lateness_s", lateness_s, at_least=0)
    return plain_sum(max(c - x, 0.0) for c in cycles) / total


def hold_timer_expiry_probability(
    block_s: float, keepalive_s: float, hold_s: float, sessions: int = 1
) -> float:
    """Chance that a router which blocks for B seconds loses at least one of its sessions.

    The neighbour's hold timer H has run since the last keepalive, which left at any moment of
    the interval K before the block: p = clip((B - (H - K))/K, 0, 1), and 1 - (1 - p)^n for
    n independent sessions.

    Raises ValueError if block_s is negative, keepalive_s is not above 0, hold_s is below
    keepalive_s, or sessions is not a whole number at least 1.
    Source: RFC 4271, sections 4.4 and 6.5.

    >>> round(hold_timer_expiry_probability(40, 15, 45, sessions=10), 5)
    0.99998
    """
    b = number("block_s", block_s, at_least=0)
    k = number("keepalive_s", keepalive_s, above=0)
    h = number("hold_s", hold_s, at_least=k)
    n = integer("sessions", sessions, at_least=1)
    p = min(max((b - (h - k)) / k, 0.0), 1.0)
    return 1 - (1 - p) ** n
