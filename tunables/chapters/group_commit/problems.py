"""Problems of chapter 1: response times taken apart, and delays before a flush."""

import math

from tunables.base.portable import plain_sum
from tunables.chapters.group_commit.predictor import predict
from tunables.page.worksheet import apart, milliseconds, sheet, show
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)
from tunables.theory.queueing import interactive_throughput


def _lease(draw):
    """Draw the timeout and the retries of a lease query that is never answered."""
    return {"timeout_s": draw.between(400, 2000, 50) / 1000, "retries": draw.between(1, 4)}


def _lease_words(given):
    attempts = given["retries"] + 1
    return (
        f"asks another machine {attempts} times and waits {show(given['timeout_s'], 's')} each time"
    )


def two_caps(draw):
    given = _lease(draw)
    given["max_delay_s"] = draw.between(100, 3000, 50) / 1000
    given["base_s"] = draw.between(20, 200, 2) / 1000
    given["clients"] = draw.between(10, 80, 5)
    answer = 1000 * predict(hypothesis="two caps", **given)["response_s"]
    lease_s = (given["retries"] + 1) * given["timeout_s"]
    return sheet(
        f"{given['clients']} clients send a server the same job again and again, without a pause. "
        f"Each job {_lease_words(given)}; no answer ever comes. The rest of its work takes "
        f"{milliseconds(given['base_s'])}. It commits twice, and each commit is held back for the "
        f"flusher's whole maximum delay of {show(given['max_delay_s'], 's')}. "
        "How long does a job take?",
        given,
        "ms",
        answer,
        [
            "R = (r + 1) T + b + 2 D",
            f"R = {given['retries'] + 1} × {milliseconds(given['timeout_s'])}"
            + f" + {milliseconds(given['base_s'])} + 2 × {milliseconds(given['max_delay_s'])}",
            f"R = {milliseconds(lease_s)} + {milliseconds(given['base_s'])}"
            + f" + {milliseconds(2 * given['max_delay_s'])} = {show(answer, 'ms')}",
        ],
        tolerance=0.001,  # so that an answer without b is wrong
        remark="The number of clients does not matter, because no client waits for another.",
    )


def busy_threads(draw):
    given = _lease(draw)
    given["clients"] = draw.between(20, 120)
    lease_s = (given["retries"] + 1) * given["timeout_s"]
    given["response_s"] = (round(1000 * lease_s) + draw.between(50, 4000)) / 1000
    rate = interactive_throughput(given["clients"], given["response_s"])
    answer = rate * lease_s
    return sheet(
        f"{given['clients']} clients send jobs without a pause, and each job takes "
        f"{show(given['response_s'], 's')}. During a job the server {_lease_words(given)}; "
        "no answer ever comes. Throughout these attempts the job holds one thread of a pool. "
        "How many threads of the pool are busy at the same time, on average?",
        given,
        "threads",
        answer,
        [
            "Little's law twice: X = N / R for the jobs, and X (r + 1) T for the threads",
            f"X = {given['clients']} / {show(given['response_s'], 's')} = {show(rate)} jobs/s",
            f"{show(rate)} jobs/s × {given['retries'] + 1} × {show(given['timeout_s'], 's')}"
            + f" = {show(answer)} threads",
        ],
        remark=f"So the pool has at least {math.ceil(answer)} threads. A published response time "
        "and the settings of the query are enough to show that.",
    )


def commit_stage(draw):
    while True:
        given = _lease(draw)
        given["max_delay_s"] = draw.between(200, 2500, 100) / 1000
        given["base_s"] = draw.between(20, 200, 10) / 1000
        given["commit_threads"] = draw.between(4, 16)
        given["clients"] = draw.between(10, 80, 5)
        lease_s = (given["retries"] + 1) * given["timeout_s"]
        held_s = given["max_delay_s"] + given["base_s"]
        alone, queued = lease_s + held_s, given["clients"] * held_s / given["commit_threads"]
        if not 0.85 < queued / alone < 1.18:
            break  # where the two are close, some jobs wait by chance and the formula is too low
    answer = predict(hypothesis="commit stage", **given)["response_s"]
    bound = "the commit threads set the pace" if queued > alone else "no job waits for a thread"
    return sheet(
        f"{given['clients']} clients send jobs without a pause. Each job {_lease_words(given)}; no "
        f"answer ever comes. Then it takes one of {given['commit_threads']} commit threads, works "
        f"for {milliseconds(given['base_s'])} and waits {show(given['max_delay_s'], 's')} for the "
        "flush. How long does a job take, including its wait for a commit thread?",
        given,
        "s",
        answer,
        [
            "R = max((r + 1) T + b + D, N (b + D) / c)",
            f"alone: {show(lease_s, 's')} + {show(held_s, 's')} = {show(alone, 's')}",
            f"all threads busy: {given['clients']} × {show(held_s, 's')}"
            + f" / {given['commit_threads']} = {show(queued, 's')}",
            f"R = {show(answer, 's')}, because {bound}",
        ],
        tolerance=0.02,
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
        formula = "With a delay, all N share each flush: X = N / (D + F)"
        put_in = f"X = {n} / ({milliseconds(d)} + {milliseconds(f)}) = {show(answer)} per second"
    else:
        formula = "Without a delay, two groups take turns: X = N / (2 F)"
        put_in = f"X = {n} / (2 × {milliseconds(f)}) = {show(answer)} per second"
    waits = f"waits {milliseconds(d)} for others" if d > 0 else "starts a flush immediately"
    return sheet(
        f"A flush takes {milliseconds(f)}. {n} clients commit again and again, without a pause. "
        f"The first commit of a group {waits}. A commit that arrives during a flush joins the "
        "next one. "
        "How many commits do the clients make per second?",
        given,
        "1/s",
        answer,
        [formula, put_in],
        remark=f"The break-even point is D = F = {milliseconds(f)}: such a delay gains nothing.",
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
            break  # if nearly every wait is cut at the maximum, there is nothing to compute
    commit, arrived = (1 - p) ** m, 1 - math.exp(-rate * d)
    total = plain_sum(arrived**k / k for k in range(1, m + 1))
    return sheet(
        f"A flusher waits until {m} active transactions have reached it, but for at most "
        f"{milliseconds(d)}. Each arrives after an exponentially distributed time, "
        f"{milliseconds(1 / rate)} on average, unless it aborts and never arrives, which happens "
        f"with a probability of {show(100 * p)}%. "
        "How long does the flusher wait, on average?",
        given,
        "ms",
        answer,
        [
            "W = q H / μ + (1 - q) D with q = (1 - p)^m,"
            + " H = sum over k = 1..m of (1 - exp(-μ D))^k / k",
            "H / μ is the mean wait for the last of m transactions, cut off at D: the integral of"
            + " 1 - (1 - exp(-μ t))^m from 0 to D",
            f"q = (1 - {show(p)})^{m} = {show(commit)}: the chance that no transaction aborts",
            f"1 - exp(-{show(rate, '/s')} × {show(d, 's')}) = {show(arrived)}, H = {show(total)}",
            f"W = {show(commit)} × {milliseconds(total / rate)} + {show(1 - commit)}"
            + f" × {milliseconds(d)} = {show(answer, 'ms')}",
        ],
        remark="One abort is enough to make the flusher wait for its whole maximum delay. With a "
        "short maximum, nearly every wait lasts that long, so the flusher no longer adapts.",
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
            break  # commits of all three kinds matter
    alone = math.exp(-rate * f)
    parts = (rate * f * (1.5 * f + d), alone * (d + f), rate * d * (d / 2 + f))
    answer = 1000 * latency_s
    return sheet(
        f"Commits arrive at random, {rate} per second. The first commit of a group waits "
        f"{milliseconds(d)}, then the group is flushed in {milliseconds(f)}; commits that arrive "
        "during the flush form the next group, whose delay starts when the flush ends. What is a "
        "commit's mean latency?",
        given,
        "ms",
        answer,
        [
            "a commit that arrives during a flush waits, on average, for half of that flush, then"
            + " for D, and then for its own flush: 3F/2 + D; there are λ F of these per flush",
            "with probability p0 = exp(-λ F) no commit arrives during a flush; the next commit then"
            + " waits D + F",
            "λ D commits arrive during the delay; on average they wait for half of the delay, then"
            + " for the flush: D/2 + F",
            "n = λ (D + F) + p0 commits per flush;"
            + " W = [λ F (3F/2 + D) + p0 (D + F) + λ D (D/2 + F)] / n",
            f"p0 = exp(-{rate} × {show(f)}) = {show(alone)}, group size n = {show(size)}",
            f"W = ({' + '.join([milliseconds(part) for part in parts])}) / {show(size)}"
            + f" = {show(answer, 'ms')}",
        ],
        remark="When commits arrive at random, a delay saves flushes but lengthens every wait.",
    )


KINDS = {
    "two-caps": ("Where did the seconds go?", two_caps, 1),
    "busy-threads": ("How many threads were busy?", busy_threads, 2),
    "commit-stage": ("A stage of commit threads", commit_stage, 2),
    "flush-sharing": ("When does a delay pay?", flush_sharing, 1),
    "waiting-in-vain": ("Waiting in vain", waiting_in_vain, 3),
    "random-commits": ("Commits at random", random_commits, 3),
}
