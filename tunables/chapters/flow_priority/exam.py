"""Chapter 4's questions of homework and exam: users who share a port, and who goes first."""

from tunables.base.portable import plain_sum
from tunables.core.exam import Homework, Question, factor, uniform
from tunables.theory.closed_queueing import mva
from tunables.theory.mg1 import cobham_waits, mg1_fifo_response, mg1_ps_response
from tunables.theory.shared_port import flowlet_priority_fraction


def _port(users, think_time_s, size_bytes, capacity_bps):
    return mva([8 * size_bytes / capacity_bps], users, think_time_s)[:2]


def _users(chance):
    capacity_bps, size_bytes = factor(chance, 1e8, 4e10), factor(chance, 1e4, 1e7)
    users = chance.randint(2, 40)
    saturating_think_s = (users - 1) * 8 * size_bytes / capacity_bps
    return {
        "users": users,
        "think_time_s": float(f"{saturating_think_s * uniform(chance, 0.3, 3):.3g}"),
        "size_bytes": size_bytes,
        "capacity_bps": capacity_bps,
    }


def _packets(chance):
    """Draw bursts of packets, with no pause near the gap, so that rounding does not matter."""
    gap_s = factor(chance, 0.001, 0.05)
    times, now = [], 0.0
    for _ in range(chance.randint(4, 8)):
        for _ in range(chance.randint(1, 12)):
            times.append(round(now, 6))
            now += gap_s * chance.uniform(0.01, 0.6)
        now += gap_s * chance.uniform(1.5, 4)
    return {"packet_times_s": times, "max_packets": chance.randint(2, 8), "gap_s": gap_s}


def _mixture(chance):
    small_s, share = factor(chance, 1e-6, 1e-3), uniform(chance, 0.5, 0.95)
    sizes_s = [small_s, float(f"{small_s * uniform(chance, 5, 50):.3g}")]
    probabilities = [share, 1 - share]
    mean = plain_sum(p * s for p, s in zip(probabilities, sizes_s, strict=True))
    return {
        "arrival_rate": float(f"{uniform(chance, 0.2, 0.9) / mean:.3g}"),
        "sizes_s": sizes_s,
        "probabilities": probabilities,
    }


def _moments(sizes_s, probabilities):
    pairs = list(zip(probabilities, sizes_s, strict=True))
    return plain_sum(p * s for p, s in pairs), plain_sum(p * s * s for p, s in pairs)


def _fifo(arrival_rate, sizes_s, probabilities):
    return mg1_fifo_response(arrival_rate, *_moments(sizes_s, probabilities))


def _sharing(arrival_rate, sizes_s, probabilities):
    mean = _moments(sizes_s, probabilities)[0]
    return mg1_ps_response(mean, arrival_rate * mean)


def _classes(chance):
    services = [factor(chance, 1e-6, 1e-3) for _ in range(chance.randint(2, 4))]
    weights = [chance.uniform(0.2, 1) for _ in services]
    load = chance.uniform(0.3, 0.9)
    rates = [load * w / plain_sum(weights) / s for w, s in zip(weights, services, strict=True)]
    return {"arrival_rates": [float(f"{rate:.3g}") for rate in rates], "service_s": services}


def _waits(arrival_rates, service_s):
    return cobham_waits(arrival_rates, service_s, [s * s for s in service_s])


def homework() -> Homework:
    """Return the questions of the assignment, which asks for each as a function."""
    return {
        "port": (_port, _users),
        "packets": (flowlet_priority_fraction, _packets),
        "fifo": (_fifo, _mixture),
        "sharing": (_sharing, _mixture),
        "priority": (_waits, _classes),
    }


def exam() -> dict[str, Question]:
    """Return the kinds of exam question, which no page shows."""
    ways = homework()
    return {
        "port": Question(
            "{users} users share a port that carries {capacity_bps:bits}. Each user thinks for "
            "{think_time_s:time}, then sends {size_bytes:bytes}. All transfers that are "
            "under way share the port equally. How long does a transfer take on average?",
            "s",
            ways["port"],
            "mean value analysis with S = 8 B/C: R(k) = S (1 + Q(k - 1)), Q(k) = k R(k)/(R(k) + Z)",
            1,
        ),
        "fifo": Question(
            "Jobs arrive at random (Poisson), {arrival_rate} per second. A job needs the port for "
            "{sizes_s[0]:time} with probability {probabilities[0]}, otherwise for "
            "{sizes_s[1]:time}. "
            "Jobs are served one at a time, in order of arrival. How long does a job take on "
            "average, including its wait?",
            "s",
            ways["fifo"],
            "Pollaczek-Khinchine formula: E[S] + λ E[S²]/(2 (1 - ρ))",
        ),
        "sharing": Question(
            "Jobs arrive at random (Poisson), {arrival_rate} per second. A job needs the port for "
            "{sizes_s[0]:time} with probability {probabilities[0]}, otherwise for "
            "{sizes_s[1]:time}. "
            "All jobs present share the port equally. How long does a job take on average?",
            "s",
            ways["sharing"],
            "E[S]/(1 - ρ): only the mean matters",
        ),
        "priority": Question(
            "Packets of two classes arrive at random (Poisson): {arrival_rates[0]} per second "
            "that take {service_s[0]:time} each, and {arrival_rates[1]} per second that take "
            "{service_s[1]:time} each. The first class goes ahead; a packet that is being sent is "
            "not interrupted. How long does a packet of the second class wait on average?",
            "s",
            ways["priority"],
            "Cobham: W0/((1 - ρ1)(1 - ρ1 - ρ2)) with W0 = (λ1 s1² + λ2 s2²)/2",
            1,
        ),
    }
