"""A call of lab 2's law in the page: the function, its arguments, its answer."""

SETTING = {
    "timeout_s": 0.5,
    "retries": 1,
    "max_delay_s": 2.0,
    "commits": 2,
    "work_s": 0.07,
    "think_s": 0.03,
    "callers": 50,
    "threads": 50,
}
ASKED = (
    "batches",
    SETTING,
    {"response_s": 5.07, "throughput_per_s": 50 / 5.1, "least_s": 1},
)
