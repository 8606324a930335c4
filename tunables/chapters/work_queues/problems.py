"""Problems of chapter 6: slices of a work queue, and the timers that wait for them."""

from tunables.chapters.work_queues.slice_problems import limit, runs, slice_length
from tunables.chapters.work_queues.timer_problems import gather, hold_timers, timer_lateness

KINDS = {
    "slice-length": ("How long is a slice?", slice_length, 2),
    "runs": ("How many runs?", runs, 2),
    "limit": ("Where the growth ends", limit, 3),
    "hold-timers": ("Hold timers", hold_timers, 2),
    "gather": ("Gather up", gather, 1),
    "timer-lateness": ("How late is a timer?", timer_lateness, 1),
}
