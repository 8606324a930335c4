"""The closed system M/M/c//N, side by side with SimPy and Ciw.

python -m benchmarks.closed_system    (about half a minute)

Every simulator runs the same model and must give the same answer: throughput and response time
within 3 % of the closed form. Each is given as many completions as it makes in about a second.
"""

import platform
from functools import partial
from importlib.metadata import version

from benchmarks.closed_system_peers import WARM_UP, ciw_closed_system, simpy_closed_system
from benchmarks.side_by_side import medians
from tunables.simulators.closed_system import simulate_closed_system
from tunables.theory.queueing import machine_repair

# Customers, servers, think time and service time (s).
SYSTEMS = {
    "one repairman": (4, 1, 10.0, 2.0),
    "fifty clients": (50, 8, 1.0, 0.2),
}
CONTENDERS = {  # and the completions that they count
    "tunables": (simulate_closed_system, 4_000_000),
    "simpy": (simpy_closed_system, 100_000),
    "ciw": (ciw_closed_system, 40_000),
}
TOLERANCE = 0.03


def _answer(simulate, system, completions):
    """Return the closed form if the simulation is within the tolerance of it."""
    exact = machine_repair(*system)
    result = simulate(*system, completions)
    near = all(abs(r / e - 1) < TOLERANCE for r, e in zip(result, exact, strict=True))
    return tuple(round(value, 4) for value in (exact if near else result))


def main():
    print(f"Python {platform.python_version()}, SimPy {version('simpy')}, Ciw {version('ciw')}")
    for title, system in SYSTEMS.items():
        n, c, think_s, service_s = system
        calls = {
            name: partial(_answer, simulate, system, completions)
            for name, (simulate, completions) in CONTENDERS.items()
        }
        seconds = medians(calls)
        throughput, response_s = machine_repair(*system)
        print(f"\n{title}: N = {n}, c = {c}, Z = {think_s:g} s, S = {service_s:g} s")
        print(f"  all answer X = {throughput:.4f}/s, R = {response_s:.4f} s; median of 5 runs")
        print(f"  {'simulator':<12}{'completions/s':>16}{'tunables over it':>20}")
        rates = {
            name: (1 + WARM_UP) * completions / seconds[name]
            for name, (_, completions) in CONTENDERS.items()
        }
        for name, rate in rates.items():
            print(f"  {name:<12}{rate:>16,.0f}{rates['tunables'] / rate:>20.1f}")


if __name__ == "__main__":
    main()
