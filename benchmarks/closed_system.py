"""The closed system M/M/c//N, side by side with SimPy and Ciw, and solved beside LINE.

python -m benchmarks.closed_system    (about half a minute)

Every simulator runs the same model and must give the same answer: throughput and response time
within 3% of the closed form. Each is given as many completions as it makes in about a second.
The exact solutions must agree to four digits.
"""

from functools import partial

from benchmarks.closed_system_peers import WARM_UP, ciw_closed_system, simpy_closed_system
from benchmarks.elsewhere import peer
from benchmarks.side_by_side import race, show
from tunables.simulators.closed_system import simulate_closed_system
from tunables.theory.queueing import machine_repair

# Customers, servers, think time and service time (s).
SYSTEMS = {
    "one repairman": (4, 1, 10.0, 2.0),
    "fifty clients": (50, 8, 1.0, 0.2),
}
CONTENDERS = {  # and the completions that they count
    "tunables": (simulate_closed_system, 4_000_000),
    "SimPy": (simpy_closed_system, 100_000),
    "Ciw": (ciw_closed_system, 40_000),
}
TOLERANCE = 0.03
BEYOND = {
    "SimPy": "any process that can be written in Python, with resources, stores and interrupts",
    "LINE": "whole networks of queues, solved in many ways, by chains, fluids and mean values, "
    "with layers, classes, priorities and caches",
}


def _about(system):
    return "M/M/c//N with N = {}, c = {}, Z = {:g} s, S = {:g} s".format(*system)


def _round(answer):
    return tuple(round(value, 4) for value in answer)


def _answer(simulate, system, completions):
    """Return the closed form if the simulation is within the tolerance of it."""
    exact = machine_repair(*system)
    result = simulate(*system, completions)
    near = all(abs(r / e - 1) < TOLERANCE for r, e in zip(result, exact, strict=True))
    return _round(exact if near else result)


def _simulation_race(title, system):
    contenders = {
        name: partial(_answer, simulate, system, completions)
        for name, (simulate, completions) in CONTENDERS.items()
    }
    work = {name: round((1 + WARM_UP) * counted) for name, (_, counted) in CONTENDERS.items()}
    return race(f"Clients: {title}", "completion", work, contenders, about=_about(system))


def _solution_race(title, system, solve):
    names = ("customers", "servers", "think_time_s", "service_time_s")
    arguments = dict(zip(names, system, strict=True))
    contenders = {
        "tunables": lambda: _round(machine_repair(*system)),
        "LINE": lambda: _round(solve(**arguments)),
    }
    return race(f"Clients, solved: {title}", "solution", 1, contenders, about=_about(system))


def races():
    """Yield each system simulated, and solved where LINE is installed."""
    with peer("benchmarks.line_peer", "line_solver") as solve:
        for title, system in SYSTEMS.items():
            yield _simulation_race(title, system)
            if solve:
                yield _solution_race(title, system, solve)


if __name__ == "__main__":
    show(races())
