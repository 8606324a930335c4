"""What a test asks of lab 6 in the page: the function, its arguments, the answer."""

ASKED = ("mean_timer_lateness", {"cycles_s": [0.01, 0.03]}, 0.0125)
