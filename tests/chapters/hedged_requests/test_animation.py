"""What chapter 8's animation replays: the simulator's run, and what its bookmarks say."""

import numpy as np
import pytest

from tunables.chapters.hedged_requests.animation import ALL, SLOW
from tunables.chapters.hedged_requests.simulation import play
from tunables.core.registry import find_animation
from tunables.simulators.hedged_requests import simulate_hedged_requests

USUAL = {"delay": "0.4", "rule": "run", "budget": "none", "load_percent": 50, "deeds": ""}


def late(trace, since_s=20):
    """Return the share of the requests from a time on that took more than a second."""
    asked, took = np.array(trace["asked"]) / 1e6, np.array(trace["took"]) / 1e6
    return float(np.mean(took[asked >= since_s] > trace["late"]))


def test_it_is_the_run_of_the_simulator():
    trace = play(**USUAL | {"deeds": SLOW})
    n = len(trace["asked"])
    run = simulate_hedged_requests(6, 30.0, 0.1, 0.4, spells=[(0, 10.0, 2.0)], requests=n, seed=1)
    assert np.allclose(np.array(trace["took"]) / 1e6, run.latency_s, atol=1e-6)
    sent = np.array(trace["sent"][n:])
    assert ((sent >= 0) == ~np.isnan(run.sent_s[:, 1])).all()


def test_what_the_bookmarks_say():
    def run(**changes):
        return play(**USUAL | changes)

    alone, again = run(deeds=SLOW, delay="never"), run(deeds=SLOW)
    assert late(alone, 8) > 2 * late(again, 8)
    assert late(run(deeds=ALL)) > 0.3
    assert late(run(deeds=ALL, rule="drop")) < 0.01
    assert late(run(delay="0.2", load_percent=60)) > 0.5
    assert late(run(delay="0.2", load_percent=60, budget="10")) < 0.1


def test_stops_that_overlap_are_one():
    trace = play(**USUAL | {"deeds": "5_slow_2-6_slow_3-8_all_2"})
    assert trace["stops"][0] == [[5.0, 10.0]]
    assert trace["stops"][1] == [[8.0, 10.0]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"delay": "1"}, "delay = '1'"),
        ({"rule": "kill"}, "rule = 'kill'"),
        ({"budget": "5"}, "budget = '5'"),
        ({"load_percent": 95}, "load_percent = 95"),
        ({"deeds": "5_slow_99"}, "value of slow = 99"),
        ({"deeds": "50_all_1"}, "time of all = 50"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(ValueError, match=message):
        play(**USUAL | changes)


def test_the_animation_opens_at_its_first_bookmark():
    animation = find_animation("hedge")
    assert animation.bookmarks[0].name == "alone"
    assert animation.overview is not None
