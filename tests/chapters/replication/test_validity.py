"""What the map says of its causes, held by other means."""

import pytest

from tunables.chapters.replication.validity_simulation import random_connection
from tunables.parts.registry import find_map
from tunables.simulators.tcp_rounds import simulate_tcp_rounds
from tunables.theory.tcp import cubic_throughput


def test_evenly_spaced_losses_bring_the_law_back():
    settings, _ = find_map("wlcg").split(0.02, 0.01)
    rtt_s, loss, mss = settings["rtt_s"], settings["loss"], settings["mss_bytes"]
    law = cubic_throughput(mss, rtt_s, loss)
    even = simulate_tcp_rounds(rtt_s, loss, 50_000)[10_000:].mean() * mss / rtt_s
    assert law == pytest.approx(even, rel=0.03)
    assert law < 0.92 * random_connection(1, settings, 50_000)
