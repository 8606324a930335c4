"""Exam questions of chapter 6: runs, ratchets and sessions.

The assignment asks for them as functions; no page shows them.
"""

from tunables.chapters.work_queues.homework import QUESTIONS
from tunables.parts.exam import Question

EXAM = {
    "run": Question(
        "A queue looks at the clock after every {granularity} items and stops if more than "
        "{quantum_s} s have passed. An item takes {cost_s} s, and there are always items "
        "left. How many items does a run take?",
        "items",
        QUESTIONS["run"],
    ),
    "first rule": Question(
        "A queue looks at the clock after every g items and stops if more than {quantum_s} "
        "s have passed. An item takes {cost_s} s. g starts at 1, and grows by 2 after each "
        "run of more than 2g items. Where does it end?",
        "items",
        QUESTIONS["first rule"],
    ),
    "second rule": Question(
        "A queue looks at the clock after every g items and stops if more than {quantum_s} "
        "s have passed. An item takes {cost_s} s. g starts at 1. After a run of more than "
        "4g items it doubles; otherwise after one of more than 2g it grows by 2. Where does "
        "it end?",
        "items",
        QUESTIONS["second rule"],
    ),
    "hold timer": Question(
        "A router sends each of its {sessions} neighbours a keepalive every {keepalive_s} "
        "s. A neighbour that has heard nothing for {hold_s} s drops the session. The router "
        "does nothing for {block_s} s; the time since the last keepalive is then anything "
        "up to {keepalive_s} s, each as likely, and independent for each. With what "
        "probability does at least one session drop?",
        "",
        QUESTIONS["hold timer"],
    ),
}
