"""Problems of chapter 2: what time-outs and retries do to a server."""

import math

from tunables.chapters.time_outs.lease_predictor import predict
from tunables.page.sheet import milliseconds, sheet, show
from tunables.plain.adding import added
from tunables.theory.retries import retry_fixed_points


def safe_load(draw):
    given = {
        "service_rate": draw.between(40, 900, 5),
        "retries": draw.between(1, 6),
        "timeout_s": draw.between(200, 3000, 100) / 1000,
    }
    mu, r = given["service_rate"], given["retries"]
    answer = mu / (r + 1)
    return sheet(
        f"A server answers {mu} requests a second. A client that has no answer after "
        f"{milliseconds(given['timeout_s'])} asks again, {r} times at most; stale work is done all "
        "the same. Up to which load of new requests does the server recover from every overload?",
        given,
        "1/s",
        answer,
        ["λ = μ / (r + 1)", f"λ = {mu} / {r + 1} = {show(answer)} requests a second"],
        remark="The time-out is not in the formula. A shorter one only makes it easier to get "
        "there: an outage must last longer than T to be noticed.",
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
    attempts = added(late**k for k in range(r + 1))
    return sheet(
        f"A server does {mu} requests a second, M/M/1. {rate} new ones come a second; who has no "
        f"answer after {milliseconds(t)} asks again, {r} times at most, and stale work is done all "
        "the same. From an empty queue, attempts above a watershed run up for good, and below it "
        "they run down. "
        "How far below the service rate is the watershed?",
        given,
        "1/s",
        answer,
        [
            "Λ = λ A with A = 1 + q + ... + q^r and q = exp(-(μ - Λ) T): the middle one of three"
            + " roots",
            f"try μ - Λ = {show(answer)}: q = exp(-{show(answer)} × {show(t)}) = {show(late)}",
            f"λ A = {rate} × {show(attempts)} = {show(rate * attempts)} /s, and Λ = {mu}"
            + f" - {show(answer)} = {show(roots[1])} /s: they agree",
        ],
        tolerance=0.02,
        remark="Find it by bisection: a smaller distance gives λ A above Λ, a larger one below.",
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
    answer = predict(failure_probability=1.0, reply_s=0.0, **given)["response_s"]
    attempts, t = given["retries"] + 1, given["timeout_s"]
    latency_s = attempts * t
    n, c = given["clients"], given["threads"]
    return sheet(
        f"{n} callers ask again and again, without a pause. A query takes one of {c} threads for "
        f"{attempts} attempts of {milliseconds(t)} each; none is ever "
        "answered. How long does a caller wait for the end of a query, "
        "the wait for a thread included?",
        given,
        "s",
        answer,
        [
            "L = (r + 1) T; X = min(N / L, c / L); R = N / X",
            f"L = {attempts} × {show(t, 's')} = {show(latency_s, 's')}",
            f"X = min({n}, {c}) / {show(latency_s, 's')} = {show(min(n, c) / latency_s)} a second",
            f"R = {n} / X = {show(answer, 's')}",
        ],
    )
