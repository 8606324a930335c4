"""Problems of chapter 1: where the seconds of a job go."""

import math

from tunables.chapters.group_commit.predictor import predict
from tunables.page.sheet import milliseconds, sheet, show
from tunables.theory.queueing import interactive_throughput


def _lease(draw):
    """Draw a lease query that is never answered: its time-out and retries."""
    return {"timeout_s": draw.between(400, 2000, 50) / 1000, "retries": draw.between(1, 4)}


def _lease_words(given):
    attempts = given["retries"] + 1
    return f"asks another machine {attempts} times and waits {show(given['timeout_s'], 's')} each"


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
        tolerance=0.001,  # so that who forgets b is not right
        remark="The number of clients does not matter: nobody waits for anybody.",
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
        f"{show(given['response_s'], 's')}. In it the server {_lease_words(given)}, on a thread "
        "of a pool for lease queries; no answer ever comes. "
        "How many of these threads are busy at once, on average?",
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
        "and a time-out are enough to say so.",
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
            break  # where the two meet, chance makes some wait and the formula is too low
    answer = predict(hypothesis="commit stage", **given)["response_s"]
    bound = "the commit threads set the pace" if queued > alone else "nobody waits for a thread"
    return sheet(
        f"{given['clients']} clients send jobs without a pause. Each job {_lease_words(given)}; no "
        f"answer ever comes. Then it takes one of {given['commit_threads']} commit threads, works "
        f"for {milliseconds(given['base_s'])} and waits {show(given['max_delay_s'], 's')} for the "
        "flush. How long does a job take, its wait for a commit thread included?",
        given,
        "s",
        answer,
        [
            "R = max((r + 1) T + b + D, N (b + D) / c)",
            f"alone: {show(lease_s, 's')} + {show(held_s, 's')} = {show(alone, 's')}",
            f"all threads busy: {given['clients']} × {show(held_s, 's')}"
            + f" / {given['commit_threads']} = {show(queued, 's')}",
            f"R = {show(answer, 's')}: {bound}",
        ],
        tolerance=0.02,
    )
