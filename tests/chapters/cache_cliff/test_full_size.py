"""Chapter 3's stage at full size: its runs are the simulator's, its pictures say what they show."""

import numpy as np
import pytest

from tunables.chapters.cache_cliff.full_size_simulation import SCANS, play, runs
from tunables.chapters.cache_cliff.full_size_stage import HIGHEST, stage
from tunables.chapters.cache_cliff.stage import SCHEMES
from tunables.reader.stage import kept_stills
from tunables.simulators.caches import cyclic_trace, shuffled_trace, trace_policy, zigzag_trace


def hits(scheme, files, places, scans, seed):
    """Return of each request whether it is a hit, by the public simulator."""
    policy = scheme.split(",")[0]
    if scheme == "lru, shuffled":
        trace = shuffled_trace(files, scans, seed)
    else:
        trace = (zigzag_trace if scheme == "lru, zigzag" else cyclic_trace)(files, scans)
    return trace_policy(trace, places, policy, seed).hit


def expanded(counts):
    return np.repeat(np.arange(len(counts)) % 2, counts)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("files", "places"), [(1, 1), (13, 12), (12, 12), (400, 330)])
def test_its_runs_are_those_of_the_public_simulator(scheme, files, places):
    counts = runs(7, scheme=scheme, files=files, places=places, scans=5)
    assert (expanded(counts) == hits(scheme, files, places, 5, 7)).all()
    assert (counts[1:] > 0).all()


def test_its_slowdown_at_the_size_of_the_report_is_that_of_the_simulator():
    for beat, still in zip(stage().beats, kept_stills("rrd")["rrd-full-size"], strict=True):
        graphs, scheme = int(beat.settings["graphs"]), str(beat.settings["scheme"])
        hit = hits(scheme, graphs, int(stage().given["places"]), SCANS, 1)
        slow = 20 - 19 * hit[graphs:].mean()
        assert f"{graphs:,} of {graphs:,} graphs written" in still["sentence"]
        assert f"{hit[2 * graphs :].sum():,} found in the cache" in still["sentence"]
        assert still["sentence"].endswith(f"Since scan 2: {slow:.2f} times as slow.")


def test_one_graph_more_turns_every_pixel():
    fits = int(stage().given["places"])
    assert play(graphs=fits, scheme="lru", places=fits)["run"] == [fits, 2 * fits]
    assert play(graphs=fits + 1, scheme="lru", places=fits)["run"] == [3 * (fits + 1)]


def test_what_makes_no_sense_is_refused():
    for graphs in (0, 2.5, 10**7, "many"):
        with pytest.raises(ValueError, match=r"files|bytes of the trace"):
            play(graphs=graphs, scheme="lru", places=12)
    with pytest.raises(ValueError, match="scheme = 'lifo'"):
        play(graphs=HIGHEST, scheme="lifo", places=12)
