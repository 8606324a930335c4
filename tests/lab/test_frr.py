"""The real daemon, where it may run; its neighbour's messages everywhere."""

import os
import signal
import struct
import sys
import time

import pytest

from tests.lab.interrupted import (
    after_first_line,
    assert_nothing_is_left,
    processes_that_name,
)
from tunables.evidence.quagga import parse_thread_cpu, parse_work_queues
from tunables.lab import frr
from tunables.lab.frr import (
    KEEPALIVE,
    UPDATE,
    Unavailable,
    clear_full_tables,
    configuration,
    message,
    open_message,
    require_frr,
    updates,
)

BGPD = os.environ.get("BGPD", frr.BGPD)


@pytest.fixture
def bgpd():
    try:
        require_frr(BGPD)
    except Unavailable as reason:
        pytest.skip(str(reason))
    return BGPD


def test_a_keepalive_is_nineteen_bytes():
    assert message(KEEPALIVE) == b"\xff" * 16 + b"\x00\x13\x04"


def test_open_says_version_as_hold_time_and_identifier():
    assert open_message(64513, 180, "192.0.2.2")[19:].hex() == "04fc0100b4c000020200"


def prefixes_of(update):
    """Check the frame of an UPDATE and return its prefixes, as a router reads them."""
    marker, length, kind, withdrawn, attributes = struct.unpack("!16sHBHH", update[:23])
    assert (marker, length, kind, withdrawn) == (b"\xff" * 16, len(update), UPDATE, 0)
    assert length <= 4096
    routes = update[23 + attributes :]
    assert set(routes[::4]) == {24}
    return [routes[i + 1 : i + 4] for i in range(0, len(routes), 4)]


def test_updates_announce_every_prefix_once():
    messages = list(updates(64513, "192.0.2.2", 160_000))
    prefixes = [prefix for update in messages for prefix in prefixes_of(update)]
    assert len(prefixes) == len(set(prefixes)) == 160_000
    assert min(prefixes) == bytes([20, 0, 0])
    assert max(prefixes)[0] < 224


def test_updates_carry_origin_path_and_next_hop():
    (update,) = updates(64513, "192.0.2.2", 1)
    assert update[23:-4].hex() == "40010100" + "400204" + "0201fc01" + "400304" + "c0000202"


def test_the_configuration_names_both_neighbours():
    text = configuration()
    assert " neighbor 192.0.2.2 remote-as 64513\n" in text
    assert " neighbor 192.0.2.3 passive\n" in text


def test_without_the_daemon_a_sentence_says_so():
    with pytest.raises(Unavailable, match=r"needs FRRouting's bgpd at /nowhere .*\.$"):
        clear_full_tables(bgpd="/nowhere")


def test_without_namespaces_a_sentence_says_so(monkeypatch):
    monkeypatch.setattr(frr, "_namespaces", lambda: ["false"])
    with pytest.raises(Unavailable, match=r"permission to create a network namespace\.$"):
        require_frr(sys.executable)


def test_without_its_programs_a_sentence_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match=r"needs the program unshare .*\.$"):
        require_frr(BGPD)


@pytest.mark.parametrize(("name", "value"), [("prefixes", 0), ("rounds", 0), ("rounds", 21)])
def test_refuses(name, value):
    with pytest.raises(ValueError, match=f"{name} = {value}: must be"):
        clear_full_tables(**{name: value}, bgpd="/nowhere")


def test_a_daemon_that_ends_at_once_is_reported(bgpd):
    with pytest.raises(RuntimeError, match="the daemon exited immediately with code 1"):
        clear_full_tables(prefixes=1, rounds=1, bgpd="/bin/false")


def test_every_run_is_an_invocation_and_granularity_goes_by_powers_of_four(bgpd):
    rounds = clear_full_tables(prefixes=40_000, rounds=2, bgpd=bgpd)
    for printed in rounds:
        (queues,) = parse_work_queues(printed["show work-queues"])
        rows = [row for table in parse_thread_cpu(printed["show thread cpu"]) for row in table]
        (worker,) = [row for row in rows if row["thread"] == "work_queue_run"]
        assert sum(row["runs"] for row in queues) == worker["invoked"]
        clears = [row for row in queues if row["name"].startswith("clear")]
        assert len(clears) == 2
        for row in queues:
            # 1 grows by times 4 and plus 4: it is 1, odd after a plus, or a multiple of 4
            assert row["granularity"] % 4 in (0, 1)
            assert row["items"] == 0
    assert [row["cycles"] for row in clears] == [80_000, 80_000]


INTERRUPTED = """
from tunables.lab.frr import clear_full_tables
print("begins", flush=True)
clear_full_tables(rounds=20, bgpd=%r)
"""


def until_it_listens(folder, process):
    after_first_line(folder, process)
    while not list(folder.glob("*/bgpd.vty")):
        assert process.poll() is None
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_when_it_is_interrupted(bgpd, number):
    assert_nothing_is_left(INTERRUPTED % bgpd, number, until_it_listens)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_of_a_daemon_that_never_listens(tmp_path, number):
    daemon = tmp_path / "bgpd"
    daemon.write_text("#!/bin/sh\nwhile :; do sleep 1; done\n")
    daemon.chmod(0o755)
    try:
        require_frr(str(daemon))
    except Unavailable as reason:
        pytest.skip(str(reason))

    def until_it_runs(folder, process):
        after_first_line(folder, process)
        while not any(b"--vty_socket" in command for command in processes_that_name(folder)):
            assert process.poll() is None
            time.sleep(0.1)

    assert_nothing_is_left(INTERRUPTED % str(daemon), number, until_it_runs)
