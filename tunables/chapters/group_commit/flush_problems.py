"""Problems of chapter 1: delays before a flush."""

import math

from tunables.page.sheet import apart, milliseconds, sheet, show
from tunables.plain.adding import added
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)


def flush_sharing(draw):
    given = {
        "customers": draw.between(4, 64),
        "flush_time_s": draw.between(10, 120, 5) / 10000,
        "max_delay_s": draw.pick((0, draw.between(5, 250, 5))) / 10000,
    }
    n, f, d = given["customers"], given["flush_time_s"], given["max_delay_s"]
    answer = closed_group_commit(n, f, d)
    if d > 0:
        formula = "With a delay all N share each flush: X = N / (D + F)"
        put_in = f"X = {n} / ({milliseconds(d)} + {milliseconds(f)}) = {show(answer)} a second"
    else:
        formula = "Without a delay two cohorts take turns: X = N / (2 F)"
        put_in = f"X = {n} / (2 × {milliseconds(f)}) = {show(answer)} a second"
    waits = f"waits {milliseconds(d)} for company" if d > 0 else "starts it at once"
    return sheet(
        f"A flush takes {milliseconds(f)}. {n} clients commit again and again, without thinking. "
        f"The first of a group {waits}; who comes during a flush joins the next. "
        "How many commits a second?",
        given,
        "1/s",
        answer,
        [formula, put_in],
        remark=f"The break-even is at D = F = {milliseconds(f)}: there a delay gains nothing.",
    )


def waiting_in_vain(draw):
    while True:
        given = {
            "active": draw.between(10, 80),
            "completion_rate": 1000 / draw.between(20, 100, 5),
            "max_delay_s": draw.between(25, 2000, 25) / 1000,
            "abort_probability": draw.between(2, 40) / 1000,
        }
        m, rate = given["active"], given["completion_rate"]
        d, p = given["max_delay_s"], given["abort_probability"]
        answer = 1000 * adaptive_flush_wait(m, rate, d, p)
        if apart(answer, [1000 * d]):
            break  # a maximum so short that nearly every wait is cut leaves nothing to compute
    commit, arrived = (1 - p) ** m, 1 - math.exp(-rate * d)
    total = added(arrived**k / k for k in range(1, m + 1))
    return sheet(
        f"A flusher waits until {m} active transactions have reached it, at most "
        f"{milliseconds(d)}. Each gets there after an exponential time, "
        f"{milliseconds(1 / rate)} on average; {show(100 * p)} % abort and never come. "
        "How long does the flusher wait, on average?",
        given,
        "ms",
        answer,
        [
            "W = q H / μ + (1 - q) D with q = (1 - p)^m,"
            + " H = sum over k = 1..m of (1 - exp(-μ D))^k / k",
            "H / μ is the wait for the last of m, cut at D: the integral of 1 - (1 - exp(-μ t))^m"
            + " from 0 to D",
            f"q = (1 - {show(p)})^{m} = {show(commit)}: the chance that nobody aborts",
            f"1 - exp(-{show(rate, '/s')} × {show(d, 's')}) = {show(arrived)}, H = {show(total)}",
            f"W = {show(commit)} × {milliseconds(total / rate)} + {show(1 - commit)}"
            + f" × {milliseconds(d)} = {show(answer, 'ms')}",
        ],
        remark="One abort is enough to wait for the whole maximum. A short maximum makes the "
        "delay a constant: the flusher no longer adapts to anything.",
    )


def random_commits(draw):
    while True:
        given = {
            "arrival_rate": draw.between(20, 600, 5),
            "flush_time_s": draw.between(1, 10) / 1000,
            "max_delay_s": draw.between(0, 20) / 1000,
        }
        rate, f, d = given["arrival_rate"], given["flush_time_s"], given["max_delay_s"]
        size, _, latency_s = poisson_group_commit(rate, f, d)
        if apart(latency_s, [d + f, d + 1.5 * f]):
            break  # commits of all three sorts count
    alone = math.exp(-rate * f)
    parts = (rate * f * (1.5 * f + d), alone * (d + f), rate * d * (d / 2 + f))
    answer = 1000 * latency_s
    return sheet(
        f"Commits arrive at random, {rate} a second. The first of a group waits "
        f"{milliseconds(d)}, then the group is flushed in {milliseconds(f)}; who comes during the "
        "flush forms the next group, whose delay starts when the flush ends. "
        "What is a commit's mean latency?",
        given,
        "ms",
        answer,
        [
            "a commit that comes during a flush has half of it left, then D and its own flush:"
            + " 3F/2 + D; of these there are λ F a flush",
            "nobody comes during a flush with p0 = exp(-λ F); then the next to come waits D + F",
            "in the delay come λ D, and wait for half of it: D/2 + F",
            "n = λ (D + F) + p0 commits a flush;"
            + " W = [λ F (3F/2 + D) + p0 (D + F) + λ D (D/2 + F)] / n",
            f"p0 = exp(-{rate} × {show(f)}) = {show(alone)}, group size n = {show(size)}",
            f"W = ({' + '.join([milliseconds(part) for part in parts])}) / {show(size)}"
            + f" = {show(answer, 'ms')}",
        ],
        remark="At random arrivals a delay lowers the number of flushes and lengthens every wait.",
    )
