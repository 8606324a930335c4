"""Exam questions of chapter 2: attempts, failures and where a load settles.

The assignment asks for them as functions; no page shows them.
"""

from tunables.chapters.time_outs.homework import QUESTIONS
from tunables.parts.exam import Question

EXAM = {
    "attempts": Question(
        "Each attempt of a request fails with probability {failure_probability}, whatever "
        "happened to the ones before. After the first there are at most {retries} retries. "
        "How many attempts does a request make on average?",
        "attempts",
        QUESTIONS["attempts"],
        0,
    ),
    "latency": Question(
        "Each attempt of a request fails with probability {failure_probability}, which is "
        "noticed after {timeout_s} s. After the first there are at most {retries} retries. "
        "An answer that comes in time takes {mean_reply_s} s on average. How long until a "
        "client has its answer or gives up, on average?",
        "s",
        QUESTIONS["latency"],
    ),
    "one root": Question(
        "Requests come at {arrival_rate} a second, at random, to an M/M/1 server of "
        "{service_rate} a second. An attempt is late with probability exp(-(service rate - "
        "offered rate) x {timeout_s} s); a late one leads to another, up to {retries} "
        "retries, and the server works on late ones too. There is one offered rate at which "
        "the load stays. Which?",
        "1/s",
        QUESTIONS["one root"],
        0,
    ),
    "three roots": Question(
        "Requests come at {arrival_rate} a second, at random, to an M/M/1 server of "
        "{service_rate} a second. An attempt is late with probability exp(-(service rate - "
        "offered rate) x {timeout_s} s), and surely from the service rate on; a late one "
        "leads to another, up to {retries} retries, and the server works on late ones too. "
        "After an outage the load stays at the highest rate that brings about itself. "
        "Which?",
        "1/s",
        QUESTIONS["three roots"],
        2,
    ),
}
