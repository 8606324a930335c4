import contextlib
import math
import socket
import threading
from time import perf_counter

import pytest

from tunables.lab.credit_relay import credit_relay

PATIENCE_S = 10


@contextlib.contextmanager
def server(answer):
    """Yield the address of a server that answers its one client: answer(client)."""

    def serve():
        with contextlib.suppress(OSError), listener.accept()[0] as client:
            answer(client)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(PATIENCE_S)
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def echo():
    """Return a server that sends back what its client sends."""

    def answer(client):
        while data := client.recv(65_536):
            client.sendall(data)

    return server(answer)


def exchange(address, data):
    """Send the data, close that half, and return what comes back and the seconds it took."""
    received = bytearray()
    with socket.create_connection(address, timeout=PATIENCE_S) as connection:
        start = perf_counter()
        sender = threading.Thread(target=lambda: connection.sendall(data), daemon=True)
        sender.start()
        while len(received) < len(data):
            received += connection.recv(65_536)
        elapsed = perf_counter() - start
        sender.join(PATIENCE_S)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1) == b""  # the end comes through too
    return bytes(received), elapsed


PATTERN = bytes(range(251)) * 2000


@pytest.mark.parametrize("window_bytes", [None, 1, 7, 1000, 65_536])
def test_every_byte_comes_back_in_order(window_bytes):
    data = PATTERN if window_bytes is None or window_bytes > 999 else PATTERN[:300]
    with echo() as target, credit_relay(target, 0.0, window_bytes) as relay:
        received, _ = exchange(relay.address, data)
    assert received == data
    assert relay.bytes_to_target == relay.bytes_from_target == len(data)


def test_a_question_takes_a_round_trip_by_either_relay():
    for window_bytes in (None, 65_536):
        with echo() as target, credit_relay(target, 0.1, window_bytes) as relay:
            _, elapsed = exchange(relay.address, b"?")
        assert 0.1 <= elapsed < 0.2


def source(data):
    """Return a server that sends the data to its client."""
    return server(lambda client: client.sendall(data))


def download_s(rtt_s, window_bytes, data):
    with (
        source(data) as target,
        credit_relay(target, rtt_s, window_bytes) as relay,
        socket.create_connection(relay.address, timeout=PATIENCE_S) as connection,
    ):
        start = perf_counter()
        received = bytearray()
        while block := connection.recv(65_536):
            received += block
        assert received == data
        return perf_counter() - start


def test_a_stream_pays_a_round_trip_a_window_but_half_of_one_in_all_by_a_plain_proxy():
    data = bytes(200_000)
    proxied_s = download_s(0.05, None, data)
    # 20 windows of 10 kB: 19 round trips from the first to the last, and half of one to arrive
    windowed_s = download_s(0.05, 10_000, data)
    assert 0.05 / 2 <= proxied_s < windowed_s / 3
    assert 19.5 * 0.05 <= windowed_s < 1.3 * 19.5 * 0.05


def test_an_absent_target_closes_the_connection():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        nobody = listener.getsockname()
    with (
        credit_relay(nobody, 0.0) as relay,
        socket.create_connection(relay.address, timeout=PATIENCE_S) as connection,
        contextlib.suppress(ConnectionResetError),
    ):
        assert connection.recv(1) == b""


def test_unix_sockets_at_both_ends(tmp_path):
    near, far = (str(tmp_path / name) for name in ("near", "far"))
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as connection:
        listener.bind(far)
        listener.listen()
        with credit_relay(far, 0.0, listen=near) as relay:
            assert relay.address == near
            connection.settimeout(PATIENCE_S)
            connection.connect(near)
            connection.sendall(b"hello")
            client, _ = listener.accept()
            with client:
                assert client.recv(5, socket.MSG_WAITALL) == b"hello"


def test_a_socket_that_cannot_be_made_is_an_error(tmp_path):
    threads = threading.active_count()
    nowhere = str(tmp_path / "no such folder" / "socket")
    with pytest.raises(FileNotFoundError), credit_relay(("127.0.0.1", 1), 0, listen=nowhere):
        pass
    assert threading.active_count() == threads


def test_leaving_the_block_closes_what_is_open_and_leaves_no_thread():
    threads = threading.active_count()
    with echo() as target:
        with credit_relay(target, 0.2, 1000) as relay:
            connection = socket.create_connection(relay.address, timeout=PATIENCE_S)
            connection.sendall(bytes(100_000))
        with connection, contextlib.suppress(ConnectionResetError):
            while connection.recv(65_536):
                pass
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(relay.address, timeout=PATIENCE_S)
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((-0.1,), "rtt_s"),
        ((math.nan,), "rtt_s"),
        ((0.1, 0), "window_bytes"),
        ((0.1, 1.5), "window_bytes"),
        ((0.1, math.inf), "window_bytes"),
    ],
)
def test_bad_input_is_named(arguments, name):
    with pytest.raises(ValueError, match=name), credit_relay(("127.0.0.1", 1), *arguments):
        pass
