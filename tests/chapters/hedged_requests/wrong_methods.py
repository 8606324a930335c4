"""Wrong ways to solve the problems of chapter 8."""

import math


def slow_times_servers(given):
    return given["leaves"] * given["slow_percent"]


def as_slow_as_one(given):
    return given["slow_percent"]


def none_is_slow(given):
    return 100 * (1 - given["slow_percent"] / 100) ** given["leaves"]


def leaf_as_slow_as_the_request(given):
    return 1e4 * given["slow_percent"]


def leaf_by_the_root_of_the_slow_share(given):
    return 1e6 * (given["slow_percent"] / 100) ** (1 / given["leaves"])


def leaf_of_one_percent(given):
    return 1e6 * given["slow_percent"] / 100 / given["leaves"] ** 2


def both_independent(given):
    return given["slow_percent"] ** 2 / 100


def only_the_shared(given):
    return given["slow_percent"] * given["shared_percent"] / 100


def shared_ones_are_all_slow(given):
    s, c = given["slow_percent"] / 100, given["shared_percent"] / 100
    return 100 * (c + (1 - c) * s * s)


def delay_in_proportion(given):
    return given["mean_ms"] * (1 - given["budget_percent"] / 100)


def delay_of_the_rest(given):
    return -given["mean_ms"] * math.log(1 - given["budget_percent"] / 100)


def delay_by_common_logarithm(given):
    return -given["mean_ms"] * math.log10(given["budget_percent"] / 100)


def _delay(given):
    return -given["mean_ms"] * math.log(1 - given["delay_percent"] / 100)


def asked_once(given):
    return given["mean_ms"] * math.log(100)


def both_at_once(given):
    return given["mean_ms"] * math.log(100) / 2


def delay_and_then_the_faster(given):
    return _delay(given) + given["mean_ms"] * math.log(100) / 2


def spare_load(given):
    return 100 - given["load_percent"]


def one_over_the_load(given):
    return 1e4 / given["load_percent"]


def half_of_it(given):
    return 50 * (100 / given["load_percent"] - 1)


WRONG = {
    "any-of-many": (slow_times_servers, as_slow_as_one, none_is_slow),
    "leaf-percentile": (
        leaf_as_slow_as_the_request,
        leaf_by_the_root_of_the_slow_share,
        leaf_of_one_percent,
    ),
    "two-copies": (both_independent, only_the_shared, shared_ones_are_all_slow),
    "delay-for-budget": (delay_in_proportion, delay_of_the_rest, delay_by_common_logarithm),
    "hedged-percentile": (asked_once, both_at_once, delay_and_then_the_faster),
    "budget": (spare_load, one_over_the_load, half_of_it),
}
BLIND: dict = {}
