"""Exam questions of chapter 1: commits, delays and a flusher that waits.

The assignment asks for them as functions; no page shows them.
"""

from tunables.chapters.group_commit.homework import QUESTIONS
from tunables.parts.exam import Question

EXAM = {
    "think time": Question(
        "{customers} clients call a server again and again. Together they get {throughput} "
        "answers a second, and an answer takes {response_time_s} s on average. How long "
        "does a client think between an answer and its next call?",
        "s",
        QUESTIONS["think time"],
    ),
    "group": Question(
        "Commits arrive at random (Poisson), {arrival_rate} a second. The first to come "
        "waits {max_delay_s} s; then a flush of {flush_time_s} s makes it durable, with all "
        "that came while it waited. Who comes during a flush belongs to the next group, "
        "whose delay starts as soon as the flush ends. If nobody did, the device rests "
        "until the next commit, which leads. How many commits does a flush make durable on "
        "average?",
        "commits",
        QUESTIONS["group"],
        0,
    ),
    "closed": Question(
        "{customers} clients commit again as soon as they are answered. A group waits "
        "{max_delay_s} s, by when all are back, and is then flushed in {flush_time_s} s. "
        "How many commits a second are there in all?",
        "1/s",
        QUESTIONS["closed"],
    ),
    "adaptive": Question(
        "A flusher waits until all of {active} other transactions have reached it, but no "
        "longer than {max_delay_s} s. Each comes after an exponentially distributed time, "
        "at a rate of {completion_rate} a second, and none aborts. How long does it wait on "
        "average? (A spreadsheet helps.)",
        "s",
        QUESTIONS["adaptive"],
    ),
}
