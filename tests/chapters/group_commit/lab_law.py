"""A call of lab 1's law in the page: the function, its arguments, its answer."""

ASKED = (
    "commits_per_s",
    {"writers": 16, "delay_s": 0.001, "flush_s": 0.003, "hop_s": 0.004},
    {"law": 4000, "with_hop": 2000, "alone": 1000 / 3},
)
