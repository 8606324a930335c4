"""What a test asks of lab 8 in the page: the function, its arguments, the answer."""

ASKED = (
    "slow_requests",
    {"leaves": 2, "stall_probability": 0.5, "shared": 0.5, "asks_again": True},
    1 - (1 - 0.5 * 0.75) ** 2,
)
