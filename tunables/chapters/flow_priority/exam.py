"""Exam questions of chapter 4: who waits for whom at a port.

The assignment asks for them as functions; no page shows them.
"""

from tunables.chapters.flow_priority.homework import QUESTIONS
from tunables.parts.exam import Question

EXAM = {
    "port": Question(
        "{users} users go round: each thinks for {think_time_s} s, then sends {size_bytes} "
        "bytes through a port of {capacity_bps} bits a second that all who send share "
        "equally. How long does a transfer take on average?",
        "s",
        QUESTIONS["port"],
        1,
    ),
    "fifo": Question(
        "Jobs come at random (Poisson), {arrival_rate} a second. A job needs the port for "
        "{sizes_s[0]} s with probability {probabilities[0]}, else for {sizes_s[1]} s. They "
        "are sent one after the other, in the order of their coming. How long does a job "
        "stay on average, waiting and being sent?",
        "s",
        QUESTIONS["fifo"],
    ),
    "sharing": Question(
        "Jobs come at random (Poisson), {arrival_rate} a second. A job needs the port for "
        "{sizes_s[0]} s with probability {probabilities[0]}, else for {sizes_s[1]} s. All "
        "that are there share the port equally. How long does a job stay on average?",
        "s",
        QUESTIONS["sharing"],
    ),
    "priority": Question(
        "Packets of two classes come at random: {arrival_rates[0]} a second of "
        "{service_s[0]} s each, and {arrival_rates[1]} a second of {service_s[1]} s each. "
        "The first class goes ahead; a packet that is being sent is not interrupted. How "
        "long does a packet of the second class wait on average?",
        "s",
        QUESTIONS["priority"],
        1,
    ),
}
