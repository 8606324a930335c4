"""Flows and packets through one port, side by side with SimPy and ns-3.

python -m benchmarks.flows    (about two minutes)

ns-3's Python bindings may live in another environment: NS3_PYTHON names its interpreter.
"""

import json
import os
import platform
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version

import numpy as np

from benchmarks import ns3_peer
from benchmarks.flows_peer import simpy_shared
from benchmarks.side_by_side import compare
from tunables.page.chapters import module
from tunables.simulators.cycles import closed_cycles
from tunables.simulators.flows import DISCIPLINES, serve, simulate_flows
from tunables.simulators.packets import simulate_packets
from tunables.theory.shared_port import calibrate_delay

DPP = module("dpp", "predictor")  # a workload that was measured

CAPACITY_BPS = 9.5e9
USERS = [20] * 5
DELAYS = calibrate_delay(USERS, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DPP.ALONE_S, CAPACITY_BPS)
PUBLISHED = (USERS, DPP.SIZE_BYTES, DPP.TRANSACTIONS, DELAYS, CAPACITY_BPS)
NS3_PYTHON = os.environ.get("NS3_PYTHON", sys.executable)

WHAT_NS3_DOES = """
  ns-3 carries every packet as an object through TCP, IPv4, routing, a queue and two links: it
  shakes hands, sends each acknowledgement as a packet of its own, numbers bytes, marks what
  arrived out of order (SACK), measures round trips and sets its time-out by them. Ours sends
  equal packets to one port, lets acknowledgements arrive after a fixed delay, and keeps counts
  in place of sequence numbers and one fixed time-out."""


def _flows_against_simpy():
    counts = np.array(DPP.TRANSACTIONS) // 20
    cycles, _ = closed_cycles(np.array(USERS), counts, np.array(DELAYS), 1, 0.5, True)
    service_s = 8 * np.array(DPP.SIZE_BYTES) / CAPACITY_BPS

    def answer(simulate):
        return tuple(round(time, 6) for time in simulate(cycles, service_s))

    contenders = {
        "tunables": partial(answer, partial(serve, discipline="ps")),
        "simpy": partial(answer, simpy_shared),
    }
    transactions = int(cycles[2].sum())
    title = "A twentieth of the published experiment, flows"
    compare(title, transactions, "transaction", contenders)


def _whole_experiment():
    transactions = sum(n * count for n, count in zip(USERS, DPP.TRANSACTIONS, strict=True))
    for discipline in DISCIPLINES:
        run = partial(simulate_flows, *PUBLISHED, discipline, priority_bytes=20 * 8948)
        title = f"The whole published experiment, flows, {discipline}"
        compare(title, transactions, "transaction", {"tunables": lambda run=run: tuple(run())}, 3)


def _packets():
    """Our run of the case of `ns3_peer`."""
    return simulate_packets(
        population=[ns3_peer.FLOWS],
        size_bytes=[ns3_peer.SIZE_BYTES],
        transactions=[1],
        delay_s=[0.002],
        capacity_bps=ns3_peer.PORT_BPS * ns3_peer.SEGMENT_BYTES / ns3_peer.WIRE_BYTES,
        segment_bytes=ns3_peer.SEGMENT_BYTES,
        buffer_bytes=ns3_peer.BUFFER_PACKETS * ns3_peer.SEGMENT_BYTES,
        round_trip_s=4 * ns3_peer.HOP_DELAY_S,
        timeout_s=ns3_peer.TIMEOUT_S,
    )


def _delivered_bytes(run, packet_bytes):
    return round((run.packets - run.drops) * packet_bytes)


def _whole_experiment_in_packets():
    run = partial(simulate_packets, *PUBLISHED, max_packets=20)
    contenders = {"tunables": lambda: tuple(run().finished_s)}
    compare("The whole published experiment, packets", run().packets, "packet", contenders, 3)


@contextmanager
def _ns3():
    """Yield a function that runs ns-3 once and returns its counts, or None where it is missing."""
    probe = [NS3_PYTHON, "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec('ns'))"]
    if subprocess.run(probe).returncode:
        yield None
        return
    with subprocess.Popen(
        [NS3_PYTHON, ns3_peer.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        requests, answers = process.stdin, process.stdout
        assert requests is not None
        assert answers is not None

        def run():
            print("run", file=requests, flush=True)
            return json.loads(answers.readline())

        yield run
        requests.close()


def _packets_against_ns3():
    with _ns3() as run:
        if run is None:
            print(
                "\nns-3 is missing: `pip install ns3` (Python 3.11) here, or in an environment "
                "whose interpreter NS3_PYTHON names, to compare packets."
            )
            return
        ours, theirs = _packets(), run()
        ratio = ours.finished_s[0] / theirs["last_s"]
        if abs(ratio - 1) > 0.02:
            raise ValueError(f"the last byte arrives after {ours.finished_s[0]} s, not {theirs}")
        segments = -(-ns3_peer.SIZE_BYTES // ns3_peer.SEGMENT_BYTES)
        contenders = {
            "tunables": lambda: _delivered_bytes(_packets(), ns3_peer.SIZE_BYTES / segments),
            "ns-3, as PyPI builds it": lambda: run()["bytes"],
        }
        packets = ns3_peer.FLOWS * segments
        compare("Four transfers of 8 MB over 100 Mb/s, packets", packets, "packet", contenders)
        print(
            f"  last byte: {ours.finished_s[0]:.3f} s here, {theirs['last_s']:.3f} s there; "
            f"drops: {ours.drops} and {theirs['dropped']}{WHAT_NS3_DOES}"
        )


def main():
    names = "numba", "simpy"
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    print(f"Python {platform.python_version()}, {versions}, {os.cpu_count()} processors")
    _whole_experiment()
    _flows_against_simpy()
    _whole_experiment_in_packets()
    _packets_against_ns3()


if __name__ == "__main__":
    main()
