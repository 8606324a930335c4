"""What a test asks of the law of lab 6 in the page: a call, what is given, the answer."""

ASKED = ("mean_timer_lateness", {"cycles_s": [0.01, 0.03]}, 0.0125)
