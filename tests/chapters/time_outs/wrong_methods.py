"""Wrong ways through the problems of chapter 2."""

import math

DAY_S = 86_400


def first_attempt_only(given):
    p = given["failure_probability"]
    return 1000 * (p * given["timeout_s"] + (1 - p) * given["mean_reply_s"])


def every_attempt_is_made(given):
    return (given["retries"] + 1) * first_attempt_only(given)


def replies_for_nothing(given):
    p, r = given["failure_probability"], given["retries"]
    return 1000 * given["timeout_s"] * sum(p ** (k + 1) for k in range(r + 1))


def a_failure_costs_a_reply_too(given):
    p, r = given["failure_probability"], given["retries"]
    attempts = sum(p**k for k in range(r + 1))
    return 1000 * (p * attempts * given["timeout_s"] + attempts * given["mean_reply_s"])


def _lost(given, exponent):
    return given["rate"] * DAY_S * given["failure_probability"] ** exponent


def lost_after_r_attempts(given):
    return _lost(given, given["retries"])


def lost_at_the_first(given):
    return _lost(given, 1)


def lost_shared_out(given):
    """Divide the failure probability by the attempts, instead of multiplying probabilities."""
    return _lost(given, 1) / (given["retries"] + 1)


def _failures(given):
    p, r = given["failure_probability"], given["retries"]
    return next((k for k in range(r + 1) if p ** (k + 1) <= 1 - given["q"] + 1e-12), r + 1)


def percentile_without_the_reply(given):
    return _failures(given) * given["timeout_s"]


def percentile_one_failure_more(given):
    return (_failures(given) + 1) * given["timeout_s"] + given["reply_s"]


def percentile_one_failure_less(given):
    return (_failures(given) - 1) * given["timeout_s"] + given["reply_s"]


def percentile_of_the_mean(given):
    """Take the mean number of failures for the percentile's."""
    p, r = given["failure_probability"], given["retries"]
    return sum(p ** (k + 1) for k in range(r + 1)) * given["timeout_s"] + given["reply_s"]


def safe_by_retries(given):
    return given["service_rate"] / given["retries"]


def safe_up_to_capacity(given):
    return given["service_rate"]


def safe_by_the_time_out(given):
    return given["service_rate"] / (1 + given["retries"] * given["timeout_s"])


def spare_capacity(given):
    return given["service_rate"] - given["arrival_rate"]


def distance_of_the_safe_load(given):
    return given["service_rate"] * given["retries"] / (given["retries"] + 1)


def late_as_often_as_not(given):
    """Put the watershed where half of the attempts are late."""
    return math.log(2) / given["timeout_s"]


def one_time_out(given):
    return 1 / given["timeout_s"]


def pool_without_first_attempt(given):
    share = max(1, given["clients"] / given["threads"])
    return share * given["retries"] * given["timeout_s"]


def pool_and_the_query_again(given):
    query_s = (given["retries"] + 1) * given["timeout_s"]
    return query_s + query_s * given["clients"] / given["threads"]


def half_of_the_queue(given):
    query_s = (given["retries"] + 1) * given["timeout_s"]
    return query_s * (1 + given["clients"] / given["threads"]) / 2


def pauses_in_full(given):
    return _gives_up(given, 1, given["retries"] + 1)


def pauses_without_first_attempt(given):
    return _gives_up(given, 0.5, given["retries"])


def no_pauses(given):
    return _gives_up(given, 0, given["retries"] + 1)


def _gives_up(given, share, attempts):
    bounds = [min(given["cap_s"], given["base_s"] * 2**k) for k in range(given["retries"])]
    return attempts * given["timeout_s"] + share * sum(bounds)


WRONG = {
    "mean-latency": (
        first_attempt_only,
        every_attempt_is_made,
        replies_for_nothing,
        a_failure_costs_a_reply_too,
    ),
    "lost-queries": (lost_after_r_attempts, lost_at_the_first, lost_shared_out),
    "percentile": (
        percentile_one_failure_more,
        percentile_one_failure_less,
        percentile_of_the_mean,
    ),
    "safe-load": (safe_by_retries, safe_up_to_capacity, safe_by_the_time_out),
    "watershed": (spare_capacity, distance_of_the_safe_load, late_as_often_as_not, one_time_out),
    "thread-pool": (pool_without_first_attempt, pool_and_the_query_again, half_of_the_queue),
    "backoff": (pauses_in_full, pauses_without_first_attempt, no_pauses),
}


def threads_for_all(given):
    return (given["retries"] + 1) * given["timeout_s"]


def threads_for_nobody_else(given):
    return threads_for_all(given) * given["clients"] / given["threads"]


BLIND = {
    "percentile": (percentile_without_the_reply,),
    "thread-pool": (threads_for_all, threads_for_nobody_else),
}
