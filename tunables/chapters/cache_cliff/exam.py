"""Exam questions of chapter 3: scans, rounds and a cache that has company.

The assignment asks for them as functions; no page shows them.
"""

from typing import Any

from tunables.chapters.cache_cliff.homework import QUESTIONS
from tunables.parts.exam import Question
from tunables.parts.homework import uniform


def _draw_company(chance):
    return {
        "objects": chance.randint(20, 400),
        "independent_fraction": uniform(chance, 0.1, 0.5),
        "others": chance.randint(10, 200),
    }


def _company(objects, independent_fraction, others):
    """Return the room for a scan and for the others that one of its rounds asks for."""
    room: Any = QUESTIONS["cliff"][0]
    return room(objects, [1] * others, independent_fraction)


EXAM = {
    "scan, opt": Question(
        "A scan goes over {objects} objects in the same order for ever. The cache holds "
        "{capacity} of them, takes in every object that is asked for, and evicts the one "
        "that will be asked for last. What share of the requests are hits, after many "
        "rounds?",
        "",
        QUESTIONS["scan, opt"],
    ),
    "cycle time": Question(
        "A round goes over {objects} objects. A share of {hit_ratio} of them are hits of "
        "{hit_s} s; a miss takes {miss_s} s. How long does a round take?",
        "s",
        QUESTIONS["cycle time"],
    ),
    "company": Question(
        "A scan goes over {objects} objects for ever. A share of {independent_fraction} of "
        "all requests goes to {others} other objects instead, each as likely. The cache is "
        "LRU. From how many objects of room on does the scan hit?",
        "objects",
        (_company, _draw_company),
    ),
}
