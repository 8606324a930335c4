"""Problems of chapter 2: what a timeout with retries costs, and when it keeps a server down."""

import math

from tunables.base.portable import plain_sum
from tunables.chapters.time_outs.predictor import predict_lease
from tunables.page.worksheet import milliseconds, sheet, show
from tunables.theory.retries import (
    backoff_total,
    retry_fixed_points,
    retry_quantile,
    retry_statistics,
)

DAY_S = 86_400


def _query(draw):
    return {
        "failure_probability": draw.between(2, 40) / 100,
        "timeout_s": draw.between(200, 3000, 100) / 1000,
        "retries": draw.between(1, 4),
    }


def _query_words(given):
    return (
        f"An attempt fails with a probability of {show(100 * given['failure_probability'])}%, "
        f"independently of the others, and then takes the whole timeout of "
        f"{milliseconds(given['timeout_s'])}. The first attempt is followed by at most "
        f"{given['retries']} more. "
    )


def _powers(p, retries):
    return " + ".join(["1", show(p)] + [f"{show(p)}^{k}" for k in range(2, retries + 1)])


def mean_latency(draw):
    given = _query(draw)
    given["mean_reply_s"] = draw.between(10, 150, 5) / 1000
    p, r, y = given["failure_probability"], given["retries"], given["mean_reply_s"]
    attempts, all_fail, latency_s = retry_statistics(**given)
    answer = 1000 * latency_s
    return sheet(
        _query_words(given) + f"A successful attempt takes {milliseconds(y)}. "
        "How long does a query take on average, including queries without an answer?",
        given,
        "ms",
        answer,
        [
            "E[L] = T p A + (1 - p^(r+1)) y with A = 1 + p + ... + p^r attempts per query",
            f"A = {_powers(p, r)} = {show(attempts)}, p^(r+1) = {show(all_fail)}",
            f"E[L] = {milliseconds(given['timeout_s'])} × {show(p)} × {show(attempts)}"
            + f" + {show(1 - all_fail)} × {milliseconds(y)} = {show(answer, 'ms')}",
        ],
        tolerance=0.005,
    )


def lost_queries(draw):
    while True:
        given = _query(draw)
        given["rate"] = draw.between(5, 200, 5)
        p, r = given["failure_probability"], given["retries"]
        timing = (given["timeout_s"], r)
        attempts, all_fail, _ = retry_statistics(p, *timing)
        answer = given["rate"] * DAY_S * all_fail
        if answer >= 10:
            break  # nobody counts a quarter of a query per day
    return sheet(
        _query_words(given) + f"There are {given['rate']} queries per second. "
        "How many queries per day get no answer at all?",
        given,
        "queries",
        answer,
        [
            "lost per day = X × 86,400 s × p^(r+1)",
            f"p^(r+1) = {show(p)}^{r + 1} = {show(all_fail)}",
            f"{given['rate']} /s × 86,400 s × {show(all_fail)} = {show(answer)} queries",
        ],
        remark=f"A query takes {show(attempts)} attempts on average. With one retry fewer, "
        f"{show(1 / p)} times as many queries would be lost; the timeout does not matter here.",
    )


def percentile(draw):
    while True:
        given = _query(draw)
        given["reply_s"] = draw.between(10, 150, 5) / 1000
        given["q"] = draw.pick((0.9, 0.95, 0.99, 0.999))
        p, r, t = given["failure_probability"], given["retries"], given["timeout_s"]
        slower = 1 - given["q"]
        on_a_step = any(abs(p**k / slower - 1) < 0.02 for k in range(1, r + 2))
        if p > slower and not on_a_step:
            break  # at least one failure, and not at a step, where rounding would decide
    answer = retry_quantile(given["q"], p, t, r, given["reply_s"])
    failures = 0
    while failures <= r and p ** (failures + 1) > slower:
        failures += 1
    tails = [f"{show(p)}^{k} = {show(p**k)}" for k in range(1, min(failures + 1, r + 1) + 1)]
    if failures > r:
        result = f"all {r + 1} attempts fail: {r + 1} × {show(t, 's')} = {show(answer, 's')}"
    else:
        result = (
            f"{failures} × {show(t, 's')} + {show(given['reply_s'], 's')} = {show(answer, 's')}"
        )
    return sheet(
        _query_words(given) + f"A successful attempt takes {milliseconds(given['reply_s'])}. "
        f"What is the latency that {show(100 * given['q'])}% of the queries don't exceed, "
        "including those without an answer?",
        given,
        "s",
        answer,
        [
            "take the smallest k from 0 to r for which p^(k+1) is at most 1 - q: after k failures a"
            + " reply arrives at k T + y; if there is no such k, the latency is (r + 1) T",
            f"1 - q = {show(slower)}; " + ", ".join(tails),
            result,
        ],
        tolerance=0.001,  # so that an answer without the reply is wrong
        remark="A percentile of retried queries moves in steps of whole timeouts.",
    )


def backoff(draw):
    given = {
        "timeout_s": draw.between(200, 2000, 100) / 1000,
        "retries": draw.between(2, 6),
        "base_s": draw.between(50, 500, 50) / 1000,
        "cap_s": draw.between(500, 4000, 500) / 1000,
    }
    r = given["retries"]
    answer = backoff_total(**given)
    pauses = [min(given["cap_s"], given["base_s"] * 2**k) for k in range(r)]
    return sheet(
        f"Every attempt of a query fails after {milliseconds(given['timeout_s'])}. Before retry "
        f"k = 0, 1, ..., the client pauses for a random time, uniform from 0 to "
        f"{milliseconds(given['base_s'])} × 2^k or {show(given['cap_s'], 's')}, whichever is "
        f"smaller. There are {r} retries. After how long does the client give up, on average?",
        given,
        "s",
        answer,
        [
            "(r + 1) T + half of the sum over k = 0..r-1 of min(cap, base 2^k)",
            f"the longest pauses: {', '.join([show(pause, 's') for pause in pauses])}",
            f"{r + 1} × {show(given['timeout_s'], 's')} + {show(plain_sum(pauses), 's')} / 2"
            + f" = {show(answer, 's')}",
        ],
    )


def safe_load(draw):
    given = {
        "service_rate": draw.between(40, 900, 5),
        "retries": draw.between(1, 6),
        "timeout_s": draw.between(200, 3000, 100) / 1000,
    }
    mu, r = given["service_rate"], given["retries"]
    answer = mu / (r + 1)
    return sheet(
        f"A server can answer {mu} requests per second. A client that has no answer after "
        f"{milliseconds(given['timeout_s'])} asks again, up to {r} times. The server also serves "
        "attempts whose client has given up. Up to what load of new requests does the server "
        "recover from every overload?",
        given,
        "1/s",
        answer,
        ["λ = μ / (r + 1)", f"λ = {mu} / {r + 1} = {show(answer)} requests per second"],
        remark="The timeout is not in the formula. A shorter one only makes a storm easier to "
        "start, because an outage must last longer than T before anyone retries.",
    )


def watershed(draw):
    while True:
        given = {
            "service_rate": draw.between(60, 200, 10),
            "timeout_s": draw.between(200, 1000, 50) / 1000,
            "retries": draw.between(2, 4),
        }
        mu, t, r = given["service_rate"], given["timeout_s"], given["retries"]
        given["arrival_rate"] = draw.between(mu * 5 // (4 * (r + 1)), mu * 3 // 5)
        roots = retry_fixed_points(given["arrival_rate"], mu, t, r)
        if len(roots) == 3 and roots[1] - roots[0] > 0.1 * mu:
            break
    rate = given["arrival_rate"]
    answer = mu - roots[1]
    late = math.exp(-answer * t)
    attempts = plain_sum(late**k for k in range(r + 1))
    return sheet(
        f"An M/M/1 server handles {mu} requests per second, and {rate} new ones arrive per second. "
        f"A client without an answer after {milliseconds(t)} asks again, up to {r} times, and the "
        "server also serves attempts whose client has given up. Suppose that the queue is empty at "
        "first. If the rate of attempts is then above a certain value, the watershed, the rate "
        "keeps growing; below that value, it falls back. "
        "How far below the service rate is the watershed?",
        given,
        "1/s",
        answer,
        [
            "solve Λ = λ A with A = 1 + q + ... + q^r and q = exp(-(μ - Λ) T): the watershed is the"
            + " middle one of the three solutions",
            f"try μ - Λ = {show(answer)}: q = exp(-{show(answer)} × {show(t)}) = {show(late)}",
            f"λ A = {rate} × {show(attempts)} = {show(rate * attempts)} /s, and Λ = {mu}"
            + f" - {show(answer)} = {show(roots[1])} /s: they agree",
        ],
        tolerance=0.02,
        remark="Find the distance by bisection: at a smaller distance, λ A is above Λ; at a larger "
        "one, it is below.",
    )


def thread_pool(draw):
    threads_for_all = draw.pick((False, False, True))
    while True:
        given = {
            "timeout_s": draw.between(200, 3000, 100) / 1000,
            "retries": draw.between(1, 4),
            "threads": draw.between(5, 60),
            "clients": draw.between(20, 150, 5),
        }
        if (given["clients"] <= given["threads"]) == threads_for_all:
            break
    answer = predict_lease(failure_probability=1.0, reply_s=0.0, **given)["response_s"]
    attempts, t = given["retries"] + 1, given["timeout_s"]
    latency_s = attempts * t
    n, c = given["clients"], given["threads"]
    return sheet(
        f"{n} callers ask again and again, without a pause. A query holds one of {c} threads for "
        f"{attempts} attempts of {milliseconds(t)} each, none of which is ever "
        "answered. How long does a caller wait for the end of a query, including the wait for a "
        "thread?",
        given,
        "s",
        answer,
        [
            "L = (r + 1) T; X = min(N / L, c / L); R = N / X",
            f"L = {attempts} × {show(t, 's')} = {show(latency_s, 's')}",
            f"X = min({n}, {c}) / {show(latency_s, 's')}"
            + f" = {show(min(n, c) / latency_s)} per second",
            f"R = {n} / X = {show(answer, 's')}",
        ],
    )


KINDS = {
    "mean-latency": ("The mean time of a retried query", mean_latency, 2),
    "lost-queries": ("The price of one retry", lost_queries, 1),
    "percentile": ("A percentile that jumps", percentile, 2),
    "safe-load": ("Safe loads", safe_load, 1),
    "watershed": ("The watershed", watershed, 3),
    "thread-pool": ("A pool of threads", thread_pool, 2),
    "backoff": ("Pauses between attempts", backoff, 2),
}
