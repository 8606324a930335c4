"""The fit of a user's printouts: what it finds, and what it refuses."""

import pytest

from tests.chapters.work_queues.own_data import follows
from tests.evidence.quagga_tables import (
    print_session,
    print_thread_cpu,
    print_work_queues,
    thread_cpu,
    work_queues,
)
from tunables.core.registry import fit_source

FRR = """
P    Items  Hold    Total    Total    Best   Gran.    Total   Avg. Name
         0    50      132      131    9216   1024   160000   1212 process_queue (null)
         2  1000        5        1     512    256      700    140 clear_route_node
bgpd# show event cpu
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Type Event
    1       1519.222       137    11509     14401    11622     15033         2         3   E   {}
"""


@pytest.mark.parametrize("name", ["work_queue_run", "(work_queue_run)"])
def test_frrouting_counts_the_items_itself(name):
    heading = "           List  (ms)   Q. Runs   Yields      Cycle Counts\n"
    fit = fit_source("work_queues", heading + FRR.format(name).lstrip("\n"))
    (slice_s,) = fit.held_out
    assert slice_s.measured == 0.011622
    assert slice_s.predicted == pytest.approx(160_000 / 132 * fit.value("c"), rel=1e-3)


def test_the_published_session_is_refused_for_what_it_lacks():
    """It has nine printouts of queues and two of threads, and several queues were at work."""
    with pytest.raises(ValueError, match="9 tables of 'show work-queues', and 2 rows"):
        fit_source("work_queues", print_session())
    pair = print_work_queues(work_queues()[-1]) + print_thread_cpu(thread_cpu()[-1])
    with pytest.raises(ValueError, match="'clear_route_node' made only 7632 of the 9356 runs"):
        fit_source("work_queues", pair)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("hello\nworld\n", "must hold a table of 'show work-queues'"),
        (follows().replace("show thread cpu", "x").replace("Runtime(ms)", "y"), "heading"),
        (follows().split("bgpd# show thread cpu")[0], "must hold a table of 'show thread cpu'"),
    ],
)
def test_what_the_fit_refuses_says_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("work_queues", source)
