"""Flows and packets through one port, side by side with SimPy and ns-3.

python -m benchmarks.flows    (about two minutes)
"""

from functools import partial

import numpy as np

from benchmarks import ns3_peer
from benchmarks.elsewhere import peer
from benchmarks.flows_peer import simpy_shared
from benchmarks.side_by_side import race, show
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

BEYOND = {
    "ns-3": "every packet as an object through TCP, IPv4, routing, a queue and two links: "
    "handshakes, acknowledgements as packets of their own, bytes numbered, losses marked (SACK), "
    "a timeout set by measured round trips. Ours sends equal packets to one port, lets "
    "acknowledgements arrive after a fixed delay, keeps counts in place of sequence numbers and "
    "one fixed timeout",
}


def _flows_against_simpy():
    counts = np.array(DPP.TRANSACTIONS) // 20
    cycles, _ = closed_cycles(np.array(USERS), counts, np.array(DELAYS), 1, 0.5, True)
    service_s = 8 * np.array(DPP.SIZE_BYTES) / CAPACITY_BPS

    def answer(simulate):
        return tuple(round(time, 6) for time in simulate(cycles, service_s))

    contenders = {
        "tunables": partial(answer, partial(serve, discipline="ps")),
        "SimPy": partial(answer, simpy_shared),
    }
    about = "processor sharing, a twentieth of the published experiment"
    work = int(cycles[2].sum())
    return race("Port, flows", "transaction", work, contenders, about=about)


def _whole_experiment(discipline):
    transactions = sum(n * count for n, count in zip(USERS, DPP.TRANSACTIONS, strict=True))
    run = partial(simulate_flows, *PUBLISHED, discipline, priority_bytes=20 * 8948)
    title = f"The whole published experiment, flows, {discipline}"
    return race(title, "transaction", transactions, {"tunables": lambda: tuple(run())}, 3)


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
    title = "The whole published experiment, packets"
    return race(title, "packet", run().packets, contenders, 3)


def _packets_against_ns3(run):
    ours, theirs = _packets(), run()
    ratio = ours.finished_s[0] / theirs["last_s"]
    if abs(ratio - 1) > 0.02:
        raise ValueError(f"the last byte arrives after {ours.finished_s[0]} s, not {theirs}")
    segments = -(-ns3_peer.SIZE_BYTES // ns3_peer.SEGMENT_BYTES)
    contenders = {
        "tunables": lambda: _delivered_bytes(_packets(), ns3_peer.SIZE_BYTES / segments),
        "ns-3": lambda: run()["bytes"],
    }
    about = "four transfers of 8 MB over 100 Mb/s"
    return race("Port, packets", "packet", ns3_peer.FLOWS * segments, contenders, about=about)


def races():
    """Yield the flows against SimPy, and the packets against ns-3 where it is installed."""
    yield _flows_against_simpy()
    with peer("benchmarks.ns3_peer", "ns") as run:
        if run:
            yield _packets_against_ns3(run)


def _alone():
    yield from map(_whole_experiment, DISCIPLINES)
    yield _whole_experiment_in_packets()


if __name__ == "__main__":
    show(_alone())
    show(races())
