"""Wrong ways through the problems of chapter 5."""

import math

MSS_BYTES = 1460


def _window_s(given, window_bytes, trips=1.0):
    total = given["records"] * given["record_bytes"]
    return total * trips * given["rtt_s"] / window_bytes


def kib_of_a_thousand(given):
    return _window_s(given, given["window_bytes"] / 1.024)


def half_a_round_trip(given):
    return _window_s(given, given["window_bytes"], 0.5)


def bits_in_a_byte(given):
    return _window_s(given, given["window_bytes"] / 8)


def _cubic(given, window):
    return 8 * MSS_BYTES * window / given["rtt_s"] / 1e6


def renos_law(given):
    return _cubic(given, math.sqrt(1.5 / given["loss"]))


def factor_of_cubic_forgotten(given):
    return _cubic(given, (given["rtt_s"] / given["loss"]) ** 0.75)


def window_without_round_trip(given):
    return _cubic(given, 1.054 * (1 / given["loss"]) ** 0.75)


def distance_for_nothing(given):
    return given["seconds"]


def nearer_is_slower(given):
    power = 1 if given["law"] == "window" else 0.25
    return given["seconds"] * (given["near_rtt_s"] / given["far_rtt_s"]) ** power


def square_root_of_the_distance(given):
    return given["seconds"] * math.sqrt(given["far_rtt_s"] / given["near_rtt_s"])


def _stages(given, ratio):
    wire_bps = min(given["link_gbps"] * 1e9, 8 * given["window_bytes"] / given["rtt_s"])
    network = wire_bps / 8 / given["lcr_bytes"]
    return [
        given["source_lcr_s"],
        given["pump_lcr_s"] * ratio,
        network * ratio,
        given["apply_lcr_s"],
    ]


def _records(given):
    return given["operations"] * given["lcrs_per_operation"]


def _ratio(given):
    return given["compression_ratio"] if given["compress"] == "on" else 1.0


def one_stage_after_the_other(given):
    return sum(_records(given) / rate for rate in _stages(given, _ratio(given)))


def mean_of_the_stages(given):
    return 4 * _records(given) / sum(_stages(given, _ratio(given)))


def lag_over_speed(given):
    return given["lag_s"] / 86_400 * given["capture_rate"] / given["apply_rate"]


def lag_over_what_apply_gains(given):
    """Count the records that wait, and forget that lag is time at the rate of capture."""
    gained = given["apply_rate"] - given["capture_rate"]
    return given["lag_s"] / 86_400 * given["apply_rate"] / gained


def as_long_as_the_lag(given):
    return given["lag_s"] / 86_400


def _demands(given):
    return [given[name] / given["lcrs"] for name in ("user_io_s", "cpu_s", "system_io_s")]


def _alone(given):
    return 1 / (sum(_demands(given)) + given["unaccounted_s"] / given["lcrs"])


def each_as_fast_as_alone(given):
    return given["replicats"] * _alone(given)


def up_to_the_bound(given):
    return min(each_as_fast_as_alone(given), 1 / max(_demands(given)))


def the_bound(given):
    return 1 / max(_demands(given))


def all_replicats_in_turn(given):
    rest = given["unaccounted_s"] / given["lcrs"]
    n = given["replicats"]
    return n / (rest + n * sum(_demands(given)))


def _near(given, window):
    return 1000 * MSS_BYTES * window / (given["pump_rate"] * given["record_bytes"])


def factor_of_reno_forgotten(given):
    return _near(given, math.sqrt(1 / given["loss"]))


def rate_in_proportion_to_losses(given):
    return _near(given, 1.5 / given["loss"])


def peak_for_the_mean_window(given):
    return _near(given, math.sqrt(8 / 3 / given["loss"]))


WRONG = {
    "window-law": (kib_of_a_thousand, half_a_round_trip, bits_in_a_byte),
    "cubic-rate": (renos_law, factor_of_cubic_forgotten, window_without_round_trip),
    "one-ping": (distance_for_nothing, nearer_is_slower, square_root_of_the_distance),
    "bottleneck": (one_stage_after_the_other, mean_of_the_stages),
    "lag": (lag_over_speed, lag_over_what_apply_gains, as_long_as_the_lag),
    "replicats": (each_as_fast_as_alone, up_to_the_bound, the_bound, all_replicats_in_turn),
    "near-enough": (
        factor_of_reno_forgotten,
        rate_in_proportion_to_losses,
        peak_for_the_mean_window,
    ),
}


def time_in_proportion(given):
    return given["seconds"] * given["far_rtt_s"] / given["near_rtt_s"]


def time_by_the_fourth_root(given):
    return given["seconds"] * (given["far_rtt_s"] / given["near_rtt_s"]) ** 0.25


def the_network_sets_the_pace(given):
    return _records(given) / _stages(given, _ratio(given))[2]


def apply_sets_the_pace(given):
    return _records(given) / given["apply_lcr_s"]


BLIND = {
    "one-ping": (time_in_proportion, time_by_the_fourth_root),
    "bottleneck": (the_network_sets_the_pace, apply_sets_the_pace),
}
