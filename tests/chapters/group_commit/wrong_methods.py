"""Wrong ways through the problems of chapter 1."""

import math


def _lease_s(given, attempts):
    return attempts * given["timeout_s"]


def _all_attempts_s(given):
    return _lease_s(given, given["retries"] + 1)


def one_cap(given):
    return 1000 * (_all_attempts_s(given) + given["base_s"] + given["max_delay_s"])


def caps_without_first_attempt(given):
    rest_s = given["base_s"] + 2 * given["max_delay_s"]
    return 1000 * (_lease_s(given, given["retries"]) + rest_s)


def caps_without_base(given):
    return 1000 * (_all_attempts_s(given) + 2 * given["max_delay_s"])


def threads_without_first_attempt(given):
    return given["clients"] / given["response_s"] * _lease_s(given, given["retries"])


def threads_of_one_attempt(given):
    return given["clients"] / given["response_s"] * given["timeout_s"]


def a_thread_for_each_client(given):
    return given["clients"]


def _held_s(given, share=1.0):
    return given["base_s"] + share * given["max_delay_s"]


def both_times_added(given):
    queued_s = given["clients"] * _held_s(given) / given["commit_threads"]
    return _all_attempts_s(given) + _held_s(given) + queued_s


def one_commit_thread(given):
    alone_s = _all_attempts_s(given) + _held_s(given)
    return max(alone_s, given["clients"] * _held_s(given))


def threads_held_for_the_whole_job(given):
    alone_s = _all_attempts_s(given) + _held_s(given)
    return max(1, given["clients"] / given["commit_threads"]) * alone_s


def half_the_delay_in_the_animation(given):
    held_s = _held_s(given, 0.5)
    queued_s = given["clients"] * held_s / given["commit_threads"]
    return max(_all_attempts_s(given) + held_s, queued_s)


def half_the_delay(given):
    return given["customers"] / (given["max_delay_s"] / 2 + given["flush_time_s"])


def one_commit_a_flush(given):
    return 1 / (given["max_delay_s"] + given["flush_time_s"])


def half_of_the_clients_in_each(given):
    """Let half of the clients share each flush, delayed or not, and forget the other half."""
    return given["customers"] / 2 / (2 * given["flush_time_s"] + given["max_delay_s"])


def the_whole_maximum(given):
    return 1000 * given["max_delay_s"]


def nobody_aborts(given):
    rate, m, d = given["completion_rate"], given["active"], given["max_delay_s"]
    arrived = 1 - math.exp(-rate * d)
    return 1000 * sum(arrived**k / k for k in range(1, m + 1)) / rate


def one_transactions_mean(given):
    rate = given["completion_rate"]
    p = given["abort_probability"]
    return 1000 * ((1 - p) / rate + p * given["max_delay_s"])


def one_abort_in_all(given):
    """Take p for the probability that any transaction aborts."""
    p = given["abort_probability"]
    return (1 - p) * nobody_aborts(given) + p * the_whole_maximum(given)


def everybody_leads(given):
    return 1000 * (given["max_delay_s"] + given["flush_time_s"])


def everybody_comes_in_the_delay(given):
    return 1000 * (given["max_delay_s"] / 2 + given["flush_time_s"])


def everybody_comes_during_a_flush(given):
    return 1000 * (given["max_delay_s"] + 1.5 * given["flush_time_s"])


WRONG = {
    "two-caps": (one_cap, caps_without_first_attempt, caps_without_base),
    "busy-threads": (
        threads_without_first_attempt,
        threads_of_one_attempt,
        a_thread_for_each_client,
    ),
    "commit-stage": (
        both_times_added,
        one_commit_thread,
        threads_held_for_the_whole_job,
        half_the_delay_in_the_animation,
    ),
    "flush-sharing": (half_the_delay, one_commit_a_flush, half_of_the_clients_in_each),
    "waiting-in-vain": (
        the_whole_maximum,
        nobody_aborts,
        one_transactions_mean,
        one_abort_in_all,
    ),
    "random-commits": (
        everybody_leads,
        everybody_comes_in_the_delay,
        everybody_comes_during_a_flush,
    ),
}


def nobody_waits_for_a_thread(given):
    return _all_attempts_s(given) + _held_s(given)


def the_threads_set_the_pace(given):
    return given["clients"] * _held_s(given) / given["commit_threads"]


def all_share_a_flush(given):
    return given["customers"] / (given["max_delay_s"] + given["flush_time_s"])


def two_groups_take_turns(given):
    return given["customers"] / (given["max_delay_s"] + 2 * given["flush_time_s"])


BLIND = {
    "commit-stage": (nobody_waits_for_a_thread, the_threads_set_the_pace),
    "flush-sharing": (all_share_a_flush, two_groups_take_turns),
}
