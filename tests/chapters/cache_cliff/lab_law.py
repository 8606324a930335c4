"""What a test asks of the law of lab 3 in the page: a call, what is given, the answer."""

ASKED = ("miss_ratio", {"order": "zigzag", "rows": 4000, "room": 3600}, 0.1)
