"""Operator's card of chapter 1: what a delay before a flush costs, and the least that is needed."""

from tunables.plain.arguments import number
from tunables.theory.group_commit import (
    closed_group_commit,
    delay_for_flush_share,
    poisson_group_commit,
)


def _verdict(delay, flush, best):
    if delay > max(flush, best):
        return "Over the knee: the delay is longer than a flush, and longer than you need."
    if delay > best:
        return "Below the knee, but the delay is longer than you need."
    if delay < best:
        return "Below the knee, but too short to leave the device as free as you ask."
    return "Below the knee: the shortest delay that leaves the device as free as you ask."


def predict(*, commits_per_s, clients, flush_ms, delay_ms, delays_paid, busy_limit_percent) -> dict:
    """Return latency, share of the device and throughput, now and at the delays 0 and best.

    - "best_delay_ms": shortest at which flushes keep the device busy for at most
      busy_limit_percent, commits_per_s arriving at random
    - "latency_..._ms", "busy_..._percent", "group_now": `poisson_group_commit` at delay_ms
      ("now"), at 0 ("zero") and at the best
    - "cost_ms": delays_paid maximum delays, what a request pays where the flusher waits in vain
    - "closed_now_per_s", "closed_zero_per_s": so many clients who commit again at once; "knee_ms"
      is the delay at which the two are equal, the flush time
    - "latency_alarm_ms": twice the latency at the best delay; "busy_alarm_percent": half-way from
      busy_limit_percent to a device that does nothing else. Both hang on the target, not on what
      is measured now
    - "verdict": which side of the knee

    Raises ValueError as the closed forms do, or for a share outside (0, 100].

    >>> card = {"clients": 16, "flush_ms": 5, "delays_paid": 2, "busy_limit_percent": 50}
    >>> late = predict(commits_per_s=100, delay_ms=25, **card)
    >>> late["cost_ms"], round(late["closed_now_per_s"]), round(late["closed_zero_per_s"])
    (50.0, 533, 1600)
    """
    flush_s = number("flush_ms", flush_ms, above=0) / 1000
    delay_s = number("delay_ms", delay_ms, at_least=0) / 1000
    paid = number("delays_paid", delays_paid, at_least=0)
    limit = number("busy_limit_percent", busy_limit_percent, above=0, at_most=100) / 100
    best_s = delay_for_flush_share(commits_per_s, flush_s, limit)
    outputs = {
        "verdict": _verdict(delay_s, flush_s, best_s),
        "best_delay_ms": 1000 * best_s,
        "knee_ms": 1000 * flush_s,
        "cost_ms": 1000 * paid * delay_s,
        "closed_now_per_s": closed_group_commit(clients, flush_s, delay_s),
        "closed_zero_per_s": closed_group_commit(clients, flush_s, 0.0),
    }
    for name, delay in (("now", delay_s), ("zero", 0.0), ("best", best_s)):
        size, flushes_per_s, latency_s = poisson_group_commit(commits_per_s, flush_s, delay)
        outputs[f"latency_{name}_ms"] = 1000 * latency_s
        outputs[f"busy_{name}_percent"] = 100 * flushes_per_s * flush_s
        outputs[f"group_{name}"] = size
    outputs["latency_alarm_ms"] = 2 * outputs["latency_best_ms"]
    outputs["busy_alarm_percent"] = 50 + 50 * limit
    return outputs
