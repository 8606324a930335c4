"""The port in user space: what passes, how fast, by which rule; and that it leaves nothing."""

import math
import os
import signal
import threading
import time

import pytest

from tests.lab.interrupted import start_program
from tunables.lab.user_port import EVERYONE, LAB, SMALL, Port, Users, measure, sweep
from tunables.theory.shared_port import fifo_response

ATTEMPTS = 3  # a shared machine may stop for longer than the port's queue lasts


def backlog_s(port, large):
    """Time that the standing queue of connections that always have something to send takes."""
    return large.count * port.window_packets * port.packet_bytes * 8 / port.rate_bps


def within(measured, predicted, share):
    return all(abs(m / p - 1) < share for m, p in zip(measured, predicted, strict=True))


def test_fifo_is_as_predicted_within_15_percent():
    port = Port()
    work_s = sum(8 * u.count * u.size_bytes for u in SMALL) / port.rate_bps
    users = sum(u.count for u in SMALL)
    predicted = fifo_response(backlog_s(port, EVERYONE[-1]), work_s, SMALL[0].think_s, users)
    assert predicted == pytest.approx(0.0319, abs=5e-5)
    means = []
    for _ in range(ATTEMPTS):
        means = measure(port, EVERYONE, duration_s=3.0).means_s[:3]
        if within(means, [predicted] * 3, 0.15):
            return
    pytest.fail(f"measured {means} s, predicted {predicted} s")


def test_the_port_keeps_its_rate():
    for _ in range(ATTEMPTS):
        [times] = measure(Port(), [Users(1, 500_000)], 1.5).responses_s
        if 0.98 < (sum(times) / len(times)) / (8 * 500_000 / 200e6) < 1.15:
            return
    pytest.fail(f"{times} s for 20 ms of the port")


def test_first_packets_first_and_the_last_packet_rule():
    for _ in range(ATTEMPTS):
        fifo, twenty, five = (
            measure(Port(max_packets=k), EVERYONE, 2.0).means_s for k in (0, 20, 5)
        )
        all_fit = all(fast < 0.4 * slow for fast, slow in zip(twenty[:3], fifo[:3], strict=True))
        # With five packets the two larger classes wait for their last packet, and longer.
        last_waits = five[0] < 0.3 * fifo[0] and min(five[1:3]) > max(fifo[1:3])
        if all_fit and last_waits and twenty[3] > fifo[3]:
            return
    pytest.fail(f"fifo {fifo}, first 20 {twenty}, first 5 {five}")


def test_a_gap_below_the_queueing_delay_gives_large_transfers_priority_too():
    gap_s = 0.001  # the packets of four large transfers that take turns are 1.4 ms apart
    for _ in range(ATTEMPTS):
        fifo, short = (measure(Port(max_packets=k, gap_s=gap_s), EVERYONE, 2.0) for k in (0, 20))
        if short.means_s[0] > 0.5 * fifo.means_s[0]:
            return
    pytest.fail(f"fifo {fifo.means_s}, gap of {gap_s} s {short.means_s}")


def test_measuring_leaves_no_thread_and_no_socket():
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    measure(Port(), [Users(2, 1000)], 0.1, 0.0)
    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == (threads, files)


def test_an_event_loop_may_run_already():
    import asyncio

    async def notebook():
        return measure(Port(), [Users(1, 1000)], 0.1, 0.0)

    [times] = asyncio.run(notebook()).responses_s
    assert times


def test_nothing_done_in_time_is_no_number():
    measured = measure(Port(rate_bps=1e6), [Users(1, 10_000_000)], 0.05, 0.0)
    assert measured.responses_s == [[]]
    assert math.isnan(measured.means_s[0])


INTERRUPTED = """
import os, threading
from tunables.lab.user_port import EVERYONE, Port, measure, sweep
before = len(os.listdir("/proc/self/fd"))
try:
    for measurement in sweep([(Port(), EVERYONE)] * 99, duration_s=0.4, warmup_s=0.0):
        print("measured", flush=True)
except KeyboardInterrupt:
    print(threading.active_count(), len(os.listdir("/proc/self/fd")) - before)
"""


@pytest.mark.parametrize("wait_s", [0.0, 0.001, 0.02, 0.2])
def test_an_interrupt_ends_all_at_once_and_leaves_nothing(tmp_path, wait_s):
    with start_program(INTERRUPTED, tmp_path, "-W", "error") as process:
        assert process.stdout.readline() == "measured\n"
        time.sleep(wait_s)  # as the next measurement starts, connects, runs
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
    assert output.splitlines()[-1] == "1 0"
    assert errors == ""
    assert process.returncode == 0


def test_the_lab_is_each_class_alone_and_all_through_each_port():
    assert [len(classes) for _, classes in LAB] == [1, 1, 1, 1, 4, 4, 4]
    assert [port.max_packets for port, _ in LAB[4:]] == [0, 20, 5]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Port(rate_bps=0), "rate_bps = 0"),
        (lambda: Port(max_packets=-1), "max_packets = -1"),
        (lambda: Port(gap_s=math.nan), "gap_s = nan"),
        (lambda: Port(packet_bytes=0), "packet_bytes = 0"),
        (lambda: Port(window_packets=0), "window_packets = 0"),
        (lambda: Users(0, 1), "count = 0"),
        (lambda: Users(1, 0), "size_bytes = 0"),
        (lambda: Users(1, 1, -1), "think_s = -1"),
        (lambda: measure(Port(), []), r"classes = \[\]: must contain at least one"),
        (lambda: measure(Port(), SMALL, duration_s=0), "duration_s = 0"),
        (lambda: measure(Port(), SMALL, warmup_s=-1), "warmup_s = -1"),
        (lambda: measure(Port(), SMALL, seed=0.5), "seed = 0.5"),
        (lambda: sweep([(Port(), [])]), r"classes = \[\]"),
    ],
)
def test_bad_input_is_refused_by_name(make, message):
    with pytest.raises(ValueError, match=message):
        make()
