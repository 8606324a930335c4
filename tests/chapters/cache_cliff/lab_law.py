"""A call of the law of lab 3 in the page, its arguments and its answer."""

ASKED = ("miss_ratio", {"order": "zigzag", "rows": 4000, "room": 3600}, 0.1)
