"""Problems of chapter 8: the slowest of many, the faster of two, and what the second one costs."""

import math

from tunables.page.worksheet import apart, sheet, show
from tunables.theory.duplicates import safe_budget
from tunables.theory.hedging import any_slow, hedged_tail, slowest_leaf_share


def any_of_many(draw):
    while True:
        given = {"leaves": draw.between(20, 900, 10), "slow_percent": draw.between(5, 150, 5) / 100}
        n, p = given["leaves"], given["slow_percent"] / 100
        answer = 100 * any_slow(n, p)
        if answer < 90 and apart(answer, [100 * n * p, 100 * p, 100 * (1 - p) ** n], 0.1):
            break
    return sheet(
        f"A request asks {n} servers and waits for all of them. Each is slow with "
        f"probability {show(p)}, independently. What share of the requests is slow?",
        given,
        "%",
        answer,
        [
            "1 - (1 - p)^n",
            f"p = {show(p)}, (1 - p)^n = {show((1 - p) ** n)}",
            f"1 - {show((1 - p) ** n)} = {show(answer, '%')}",
        ],
        remark=f"n p would give {show(100 * n * p, '%')}, because it counts requests with two slow "
        "servers twice.",
    )


def leaf_percentile(draw):
    given = {"leaves": draw.between(10, 900, 10), "slow_percent": draw.pick((1, 2, 5, 10))}
    n, p = given["leaves"], given["slow_percent"] / 100
    answer = 1e6 * slowest_leaf_share(p, n)
    return sheet(
        f"A request waits for {n} independent servers. At most {show(100 * p, '%')} of the "
        "requests may be slow. Of a million answers from one server, how many may be slow?",
        given,
        "answers",
        answer,
        [
            "1 - (1 - P)^(1/n), with P the share of slow requests",
            f"(1 - {show(p)})^(1/{n}) = 1 - {show(answer / 1e6)}",
            f"a million times {show(answer / 1e6)} = {show(answer)}",
        ],
    )


def two_copies(draw):
    while True:
        given = {
            "slow_percent": draw.between(20, 200, 5) / 10,
            "shared_percent": draw.between(2, 40),
        }
        s, c = given["slow_percent"] / 100, given["shared_percent"] / 100
        answer = 100 * hedged_tail(s, s, c)
        if apart(answer, [100 * s * s, 100 * s * c, 100 * s, 100 * (s * s + c)], 0.08):
            break
    return sheet(
        f"One copy of a read takes more than 50 ms in {show(100 * s, '%')} of the cases. Two "
        f"copies of each read are sent at the same time. In {show(100 * c, '%')} of the reads, "
        "both copies take the same time; in the others, they are independent. What share of the "
        "reads takes more than 50 ms?",
        given,
        "%",
        answer,
        [
            "S (c + (1 - c) S)",
            f"S = {show(s)}, c = {show(c)}",
            f"{show(s)} × ({show(c)} + {show(1 - c)} × {show(s)}) = {show(answer, '%')}",
        ],
        remark=f"If all copies were independent, the share would be only {show(100 * s * s, '%')}.",
    )


def delay_for_budget(draw):
    given = {"mean_ms": draw.between(5, 200, 5), "budget_percent": draw.pick((1, 2, 3, 4, 5, 10))}
    mean, budget = given["mean_ms"], given["budget_percent"] / 100
    answer = -mean * math.log(budget)
    return sheet(
        f"The time to an answer is exponentially distributed with a mean of "
        f"{show(mean, 'ms')}. You may send a second request for {show(100 * budget, '%')} of the "
        "requests. After what delay should you send it?",
        given,
        "ms",
        answer,
        [
            "exp(-d/m) = b, so d = m ln(1/b)",
            f"ln(1/{show(budget)}) = {show(-math.log(budget))}",
            f"d = {show(mean, 'ms')} × {show(-math.log(budget))} = {show(answer, 'ms')}",
        ],
    )


def hedged_percentile(draw):
    given = {"mean_ms": draw.between(5, 200, 5), "delay_percent": draw.between(80, 95)}
    mean, share = given["mean_ms"], 1 - given["delay_percent"] / 100
    delay = -mean * math.log(share)
    answer = (delay - mean * math.log(0.01)) / 2
    return sheet(
        f"The time to an answer is exponentially distributed with a mean of {show(mean, 'ms')}. "
        f"After a delay equal to the {given['delay_percent']}th percentile, the request is also "
        "sent to a second, independent server. Within what time are 99 of 100 requests answered? "
        "Assume that the copies add no load.",
        given,
        "ms",
        answer,
        [
            "S(t) = exp(-t/m) exp(-(t - d)/m) = 0.01, so t = (d + m ln 100)/2",
            f"d = {show(mean, 'ms')} × ln(1/{show(share)}) = {show(delay, 'ms')}",
            f"t = ({show(delay, 'ms')} + {show(-mean * math.log(0.01), 'ms')})/2"
            + f" = {show(answer, 'ms')}",
        ],
        remark=f"Without copies, the 99th percentile is {show(-mean * math.log(0.01), 'ms')}.",
    )


def budget(draw):
    given = {"load_percent": draw.between(208, 380) / 4}
    load = given["load_percent"] / 100
    answer = 100 * safe_budget(load)
    return sheet(
        f"Servers are busy for {show(100 * load, '%')} of the time if every request is sent once. "
        "Copies are never cancelled. How many second copies per 100 requests can be sent "
        "before the servers are busy all the time?",
        given,
        "copies",
        answer,
        [
            "r (1 + q) = 1, so q = 1/r - 1",
            f"1/{show(load)} - 1 = {show(answer / 100)}",
            f"{show(answer)} copies per 100 requests",
        ],
        remark="This is chapter 2's law: the load multiplied by the number of attempts must "
        "stay below what the servers can do.",
    )


KINDS = {
    "any-of-many": ("Is one of them slow?", any_of_many, 1),
    "leaf-percentile": ("How often may a server be slow?", leaf_percentile, 2),
    "two-copies": ("What the copies share", two_copies, 1),
    "delay-for-budget": ("A delay for a budget", delay_for_budget, 2),
    "hedged-percentile": ("The hedged percentile", hedged_percentile, 3),
    "budget": ("How many copies?", budget, 1),
}
