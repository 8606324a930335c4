"""Chapter 8's homework and exam questions: the slowest of many, the faster of two, copies."""

import math

from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.duplicates import copy_fixed_points, least_delay
from tunables.theory.hedging import any_slow, hedged_quantile, hedged_tail


def _fan_out(chance):
    servers = chance.randint(5, 2000)
    return {"servers": servers, "slow": float(f"{uniform(chance, 0.1, 2) / servers:.3g}")}


def _pair(chance):
    """Draw how often each copy is unanswered at some moment; the second was sent later."""
    first = uniform(chance, 0.01, 0.2)
    return {
        "first": first,
        "second": float(f"{first * uniform(chance, 1.2, 4):.3g}"),
        "shared": uniform(chance, 0.02, 0.6),
    }


def _percentile(chance):
    mean_s = factor(chance, 0.002, 0.5)
    return {
        "mean_s": mean_s,
        "delay_s": float(f"{mean_s * uniform(chance, 0.5, 3):.3g}"),
        "shared": 0,
        "share": chance.choice([0.001, 0.002, 0.005, 0.01]),
    }


def _percentile_shared(chance):
    return {**_percentile(chance), "shared": uniform(chance, 0.05, 0.6)}


def _hedged_percentile(mean_s, delay_s, shared, share):
    """Return the time that a share of the requests exceeds, if one copy is exponential."""
    return hedged_quantile(
        lambda time_s: math.exp(-max(time_s, 0) / mean_s),
        lambda part: -mean_s * math.log(part),
        share,
        delay_s,
        shared,
    )


def _queue(chance):
    """Draw a load, and a delay at which the servers settle with few copies."""
    load = uniform(chance, 0.52, 0.85)
    return {"load": load, "delay": float(f"{least_delay(load) * uniform(chance, 1.1, 2):.4g}")}


def _copies(load, delay):
    return copy_fixed_points(load, delay)[0]


def _load(chance):
    return {"load": uniform(chance, 0.52, 0.92)}


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "fan-out": (any_slow, _fan_out),
        "two copies, one later": (hedged_tail, _pair),
        "percentile": (_hedged_percentile, _percentile),
        "percentile, shared": (_hedged_percentile, _percentile_shared),
        "copies": (_copies, _queue),
        "least delay": (least_delay, _load),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "fan-out": Question(
            "A request asks {servers} servers and waits for all of them. Each is slow with "
            "probability {slow:share}, independently. What is the probability that the request is "
            "slow?",
            "",
            ways["fan-out"],
            "1 - (1 - p)^n",
        ),
        "two copies, one later": Question(
            "A request is sent to a server, and after a delay to a second one. At a certain "
            "moment, the first copy is still unanswered with probability {first}, and the second "
            "copy with probability {second}. For a share {shared} of the requests, the "
            "time is the same at every server; for all others, the two copies are independent. "
            "What is the probability that the request is unanswered at that moment?",
            "",
            ways["two copies, one later"],
            "c p1 + (1 - c) p1 p2",
        ),
        "percentile, shared": Question(
            "The time to an answer is exponentially distributed with a mean of {mean_s:time}. A "
            "request without an answer after {delay_s:time} is also sent to a second server. For "
            "{shared:share} of the requests, the time is the same at every server; for all others, "
            "the two copies are independent. What time is exceeded by {share:share} of the "
            "requests? (A spreadsheet helps.)",
            "s",
            ways["percentile, shared"],
            "solve c F(t) + (1 - c) F(t) F(t - d) = share, with F(t) = exp(-t/m)",
        ),
        "copies": Question(
            "Many M/M/1 servers have a load of {load:share} if every request is sent once. A "
            "request that isn't answered within {delay} mean service times is also sent to a "
            "second server, and no copy is cancelled. The queues are empty at the start. What "
            "share of the requests gets a second copy? (A spreadsheet helps.)",
            "",
            ways["copies"],
            "q = exp(-(1 - ρ (1 + q)) d), iterated from q = 0",
        ),
        "least delay": Question(
            "Many M/M/1 servers have a load of {load:share} if every request is sent once. A "
            "request without an answer after a delay is sent to a second server too, and no copy "
            "is cancelled. Below what delay, in mean service times, is a retry storm certain? (A "
            "spreadsheet helps.)",
            "services",
            ways["least delay"],
            "the larger root of (1 - ρ) d = 1 + ln(ρ d)",
        ),
    }
