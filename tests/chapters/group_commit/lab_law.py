"""What a test asks of the law of lab 1 in the page: a call, what is given, the answer."""

ASKED = (
    "commits_per_s",
    {"writers": 16, "delay_s": 0.001, "flush_s": 0.003, "hop_s": 0.004},
    {"law": 4000, "with_hop": 2000, "alone": 1000 / 3},
)
