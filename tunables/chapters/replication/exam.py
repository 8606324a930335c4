"""Exam questions of chapter 5: windows, losses and queues of replicats.

The assignment asks for them as functions; no page shows them.
"""

from tunables.chapters.replication.homework import QUESTIONS
from tunables.parts.exam import Question

EXAM = {
    "bandwidth-delay product": Question(
        "A path carries {rate_bps} bits a second and has a round trip of {rtt_s} s. How "
        "many bytes must a window hold to fill it?",
        "B",
        QUESTIONS["bandwidth-delay product"],
    ),
    "reno": Question(
        "A path has a round trip of {rtt_s} s and loses a share of {loss} of its segments, "
        "each of {mss_bytes} bytes. How many bytes a second does Reno get through?",
        "B/s",
        QUESTIONS["reno"],
    ),
    "cubic, reno-friendly": Question(
        "A short path has a round trip of {rtt_s} s and loses a share of {loss} of its "
        "segments, each of {mss_bytes} bytes. How many bytes a second does CUBIC get "
        "through, which is never slower than Reno?",
        "B/s",
        QUESTIONS["cubic, reno-friendly"],
    ),
}
