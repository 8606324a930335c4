"""Wrong ways to solve the problems of chapter 7."""

import math


def no_page_begun(given):
    return (given["blob_bytes"] + 5) // given["page_bytes"]


def one_page_too_many(given):
    """Count a leaf of its own besides the pages that the BLOB fills."""
    return 2 + (given["blob_bytes"] + 5) // given["page_bytes"]


def bytes_per_thousand(given):
    return math.ceil(given["blob_bytes"] / 1000)


def _page(given):
    return given["page_kb"] + given["byte_ratio"] * given["page_bytes"] / 1000


def row_over_file(given):
    row = given["lookup_kb"] + given["pages"] * _page(given)
    return row / (given["open_kb"] + given["blob_kb"])


def no_look_up(given):
    return (given["open_kb"] + given["blob_kb"]) / (given["pages"] * _page(given))


def pages_without_bytes(given):
    row = given["lookup_kb"] + given["pages"] * given["page_kb"]
    return (given["open_kb"] + given["blob_kb"]) / row


def the_file_has_no_bytes(given):
    """Spend all that is saved on whole pages, as if a file were free to read."""
    saved = given["open_kb"] - given["lookup_kb"]
    return saved / _page(given) * given["page_bytes"] / 1000


def the_look_up_forgotten(given):
    per_page = _page(given) - (given["page_bytes"] - 4) / 1000
    return given["open_kb"] / per_page * given["page_bytes"] / 1000


def what_is_saved(given):
    return given["open_kb"] - given["lookup_kb"]


def _bytes_of_a_page(given):
    return given["page_us"] * 1e-6 * 1e3 * given["mb_per_s"]


def a_page_as_large_as_its_cost(given):
    return _bytes_of_a_page(given)


def without_the_two(given):
    return math.sqrt(_bytes_of_a_page(given) * given["blob_kb"])


def the_whole_blob(given):
    return given["blob_kb"]


def all_of_the_small_file(given):
    """Forget to take its bytes off."""
    return given["small_us"] / _slope(given)


def _slope(given):
    return (given["large_us"] - given["small_us"]) / (given["large_kb"] - given["small_kb"])


def by_the_large_files_rate(given):
    """Take the large file for bytes alone."""
    return given["small_us"] * given["large_kb"] / given["large_us"]


def in_microseconds(given):
    return given["open_us"]


WRONG = {
    "pages": (no_page_begun, one_page_too_many, bytes_per_thousand),
    "ratio": (row_over_file, no_look_up, pages_without_bytes),
    "threshold": (the_file_has_no_bytes, the_look_up_forgotten, what_is_saved),
    "best-page": (a_page_as_large_as_its_cost, without_the_two, the_whole_blob),
    "cost-of-opening": (all_of_the_small_file, by_the_large_files_rate, in_microseconds),
}
BLIND: dict = {}
