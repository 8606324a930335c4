"""Hits identical to libCacheSim's, in the same test run."""

import numpy as np
import pytest

from benchmarks.libcachesim_peer import PEER_POLICIES, PeerTrace
from tunables.simulators.caches import (
    cyclic_trace,
    grown_trace,
    shuffled_trace,
    simulate_policy,
    zigzag_trace,
    zipf_trace,
)

TRACES = {
    "zipf small": zipf_trace(300, 20_000, 0.8, seed=1),
    "zipf flat": zipf_trace(2000, 40_000, 0.4, seed=2),
    "zipf mid": zipf_trace(20_000, 200_000, 0.8, seed=3),
    "cyclic": cyclic_trace(1000, 30),
    "zigzag": zigzag_trace(1000, 30),
    "shuffled": shuffled_trace(1000, 30, seed=4),
    "grown in the middle": grown_trace(900, 1000, 450, 40),
    "grown all over": grown_trace(700, 1000, "spread", 40),
    "scan in zipf": np.concatenate(
        [part for k in range(20) for part in (zipf_trace(500, 1000, 0.9, k), cyclic_trace(700, 1))]
    ),
    "ids of 62 bits": np.random.default_rng(5).integers(0, 2**62, 300)[zipf_trace(300, 9999, 1, 6)],
}
SHARES = (0.01, 0.1, 0.25, 0.5, 0.7, 0.9, 0.999, 1)


@pytest.fixture(scope="module")
def peers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peer")
    return {name: PeerTrace(folder / name, trace) for name, trace in TRACES.items()}


@pytest.mark.parametrize("policy", PEER_POLICIES)
@pytest.mark.parametrize("name", TRACES)
def test_same_hits(peers, name, policy):
    distinct = len(np.unique(TRACES[name]))
    for capacity in sorted({max(4, int(share * distinct)) for share in SHARES}):
        ours = simulate_policy(TRACES[name], capacity, policy)
        assert ours == peers[name].hits(capacity, policy), capacity


@pytest.mark.parametrize("policy", PEER_POLICIES)
def test_same_hits_on_many_small_traces(tmp_path, policy):
    generator = np.random.default_rng(6)
    for _ in range(25):
        requests, objects = generator.integers(1, [300, 40])
        trace = generator.integers(objects, size=requests)
        peer = PeerTrace(tmp_path / "trace", trace)
        for capacity in range(4 if policy == "2q" else 1, 20):
            ours = simulate_policy(trace, capacity, policy)
            assert ours == peer.hits(capacity, policy), (capacity, trace)


def test_below_four_the_peers_2q_admits_nothing(tmp_path):
    """It refuses objects larger than A1in, whose C/4 it rounds down to 0; the paper does not."""
    peer = PeerTrace(tmp_path / "trace", [1, 1, 1])
    for capacity in (1, 2, 3):
        assert peer.hits(capacity, "2q") == 0
        assert simulate_policy([1, 1, 1], capacity, "2q") == 2


def test_of_the_policies_made_for_scans_some_keep_a_loop_and_some_do_not(tmp_path):
    """What card 3 says of LIRS and S3-FIFO: no simulator of this book's, libCacheSim's own."""
    objects, capacity, rounds = 4000, 3656, 54
    peer = PeerTrace(tmp_path / "trace", cyclic_trace(objects, rounds))
    seen = objects * (rounds - 1)
    assert peer.hits(capacity, "lirs") / seen > 0.9
    assert peer.hits(capacity, "s3fifo") / seen > 0.75
    assert peer.hits(capacity, "sieve") == peer.hits(capacity, "arc") == 0
