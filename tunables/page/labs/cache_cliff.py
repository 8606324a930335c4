"""The law of lab 3: what share of its reads a page cache misses under scans in three orders."""

from tunables.base.arguments import choice, integer, number
from tunables.page.labs import lab_session
from tunables.theory.caching import cyclic_hit_ratio, shuffled_hit_ratio, zigzag_hit_ratio

ORDERS = ("cyclic", "zigzag", "shuffle")


def miss_ratio(order, rows, room) -> float:
    """Return the miss ratio of LRU with room for `room` of the rows of a scan.

    Raises ValueError for an unknown order, rows that are not a whole number at least 1, or a
    room that is outside [0, rows].

    >>> [round(miss_ratio(order, 4000, 3600), 4) for order in ORDERS]
    [1.0, 0.1, 0.3303]
    """
    choice("order", order, ORDERS)
    rows = integer("rows", rows, at_least=1)
    room = number("room", room, at_least=0, at_most=rows)
    if order == "cyclic":
        return 1 - cyclic_hit_ratio(rows, room, "lru")
    law = zigzag_hit_ratio if order == "zigzag" else shuffled_hit_ratio
    return 1 - law(room / rows)


LabSession = lab_session(miss_ratio=miss_ratio)
