"""Chapter 1's questions of homework and exam: think times, and three laws of group commit."""

from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.closed_queueing import interactive_throughput
from tunables.theory.group_commit import (
    adaptive_flush_wait,
    closed_group_commit,
    poisson_group_commit,
)


def _round_trip(chance):
    """Draw a closed system; its throughput follows from a think time that is not shown."""
    customers, response_time_s = chance.randint(5, 200), factor(chance, 0.02, 20)
    think_time_s = response_time_s * uniform(chance, 0.1, 2)
    return {
        "customers": customers,
        "throughput": interactive_throughput(customers, response_time_s, think_time_s),
        "response_time_s": response_time_s,
    }


def _think_time(customers, throughput, response_time_s):
    return customers / throughput - response_time_s


def _open(chance):
    flush_time_s = factor(chance, 0.001, 0.02)
    return {
        "arrival_rate": float(f"{uniform(chance, 0.2, 1.5) / flush_time_s:.3g}"),
        "flush_time_s": flush_time_s,
        "max_delay_s": float(f"{flush_time_s * uniform(chance, 0.3, 4):.3g}"),
    }


def _group(arrival_rate, flush_time_s, max_delay_s):
    return poisson_group_commit(arrival_rate, flush_time_s, max_delay_s)[:2]


def _latency(arrival_rate, flush_time_s, max_delay_s):
    return poisson_group_commit(arrival_rate, flush_time_s, max_delay_s)[2]


def _closed_clients(chance):
    return {
        "customers": chance.randint(2, 100),
        "flush_time_s": factor(chance, 0.0005, 0.02),
        "max_delay_s": factor(chance, 0.0002, 0.05),
    }


def _closed_at_once(chance):
    return {**_closed_clients(chance), "max_delay_s": 0}


def _adaptive(chance):
    return {
        "active": chance.randint(2, 60),
        "completion_rate": factor(chance, 5, 50),
        "max_delay_s": uniform(chance, 0.1, 1),
        "abort_probability": 0,
    }


def _adaptive_with_aborts(chance):
    return {**_adaptive(chance), "abort_probability": uniform(chance, 0.005, 0.1)}


def _draw_held_back(chance):
    attempts, commits = chance.randint(2, 5), chance.randint(2, 6)
    timeout_s, base_s = uniform(chance, 0.2, 2), uniform(chance, 0.02, 0.3)
    delay_s = uniform(chance, 0.1, 3)
    return {
        "attempts": attempts,
        "timeout_s": timeout_s,
        "base_s": base_s,
        "commits": commits,
        "response_s": attempts * timeout_s + base_s + commits * delay_s,
    }


def _delay(attempts, timeout_s, base_s, commits, response_s):
    """Return the delay for which each commit is held back, in s."""
    return (response_s - attempts * timeout_s - base_s) / commits


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "think time": (_think_time, _round_trip),
        "group": (_group, _open),
        "latency": (_latency, _open),
        "closed": (closed_group_commit, _closed_clients),
        "closed, no delay": (closed_group_commit, _closed_at_once),
        "adaptive": (adaptive_flush_wait, _adaptive),
        "adaptive, aborts": (adaptive_flush_wait, _adaptive_with_aborts),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "held back": Question(
            "A job asks another machine {attempts} times, and waits {timeout_s:time} for each "
            "answer, which never comes. The rest of its work takes {base_s:time}. It commits "
            "{commits} times, and each commit is held back for the flusher's whole maximum "
            "delay. The job takes {response_s:time}. How long is the maximum delay?",
            "s",
            (_delay, _draw_held_back),
            "R = (r + 1) T + b + k D, so D = (R - (r + 1) T - b)/k",
        ),
        "think time": Question(
            "{customers} clients call a server again and again. Together they get {throughput} "
            "answers per second, and an answer takes {response_time_s:time} on average. How long "
            "does a client think on average between an answer and its next call?",
            "s",
            ways["think time"],
            "Z = N/X - R",
        ),
        "group": Question(
            "Commits arrive at random (Poisson), {arrival_rate} per second. The first to arrive "
            "waits {max_delay_s:time}; then a flush of {flush_time_s:time} makes it durable, "
            "together with all commits that arrived while it waited. A commit that arrives during "
            "a flush belongs to the next group, whose delay starts as soon as the flush ends. If "
            "no commit arrives during a flush, the device is then idle until the next commit, "
            "which starts a new group. "
            "How many commits does a flush make durable on average?",
            "commits",
            ways["group"],
            "n = λ (d + f) + exp(-λ f)",
            0,
        ),
        "closed": Question(
            "{customers} clients commit again as soon as they get an answer. A group waits "
            "{max_delay_s:time}, by which time all clients have committed again, and is then "
            "flushed in {flush_time_s:time}. How many commits per second do the clients make in "
            "total?",
            "1/s",
            ways["closed"],
            "X = N/(d + f)",
        ),
        "adaptive": Question(
            "A flusher waits until all {active} other transactions have reached it, but no "
            "longer than {max_delay_s:time}. Each arrives after an exponentially distributed time, "
            "at a rate of {completion_rate} per second, and none aborts. How long does the "
            "flusher wait on average? (A spreadsheet helps.)",
            "s",
            ways["adaptive"],
            "the integral from 0 to D of 1 - (1 - exp(-μt))^n",
        ),
    }
