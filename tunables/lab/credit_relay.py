"""A long path in user space: a TCP relay on loopback that carries one window a round trip.

A relay that only holds every byte back for half a round trip is no long path. It ends the
sender's connection itself and reads as fast as the sender writes, so a stream comes late but
at full speed. What makes a long path slow is that a sender may have only one window
unacknowledged. So this relay has credit for window_bytes in each direction, spends it when it
reads, and gets it back a round trip later: half of it for the data, half for the news that
they arrived. Whatever the kernel does with its windows, W bytes pass each RTT.
"""

import asyncio
import selectors
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from tunables.base.arguments import integer, number
from tunables.lab.cleanup import hold_back_signals
from tunables.lab.machine import LONGEST_S, MOST_BYTES

_CHUNK_BYTES = 64 * 1024

Address = tuple[str, int] | str  # host and port, or the path of a Unix socket


class Relay:
    """A running relay: where to connect, and the bytes delivered in each direction so far."""

    def __init__(self) -> None:
        self.address: Any = None  # what a socket connects to
        self.bytes_to_target = 0
        self.bytes_from_target = 0


class _Direction:
    """One direction of one connection: what departs arrives half a round trip later."""

    def __init__(self, reader, writer, rtt_s: float, window_bytes: int | None, count) -> None:
        self._reader = reader
        self._writer = writer
        self._one_way_s = rtt_s / 2
        self._credit = window_bytes  # bytes that may still depart; None for any number
        self._returned = asyncio.Event()
        self._on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        self._count = count

    async def depart(self) -> None:
        loop = asyncio.get_running_loop()
        data = b"not yet the end"
        while data:
            data = await self._reader.read(await self._room())
            if self._credit is not None:
                self._credit -= len(data)
            self._on_the_way.put_nowait((loop.time() + self._one_way_s, data))

    async def _room(self) -> int:
        while self._credit == 0:
            self._returned.clear()
            await self._returned.wait()
        return _CHUNK_BYTES if self._credit is None else min(self._credit, _CHUNK_BYTES)

    async def arrive(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due, data = await self._on_the_way.get()
            await asyncio.sleep(due - loop.time())
            if not data:
                self._writer.write_eof()
                return
            self._writer.write(data)
            await self._writer.drain()
            self._count(len(data))
            if self._credit is not None:
                loop.call_later(self._one_way_s, self._give_back, len(data))

    def _give_back(self, count: int) -> None:
        assert self._credit is not None
        self._credit += count
        self._returned.set()


async def _connect(target: Address):
    if isinstance(target, str):
        return await asyncio.open_unix_connection(target)
    return await asyncio.open_connection(*target)


async def _connection(relay: Relay, target, rtt_s, window_bytes, reader, writer) -> None:
    """Carry both directions of one connection, until both ends are done or one is gone."""

    def to_target(count):
        relay.bytes_to_target += count

    def from_target(count):
        relay.bytes_from_target += count

    try:
        target_reader, target_writer = await _connect(target)
    except BaseException as error:
        writer.transport.abort()
        if isinstance(error, OSError):
            return
        raise
    there = _Direction(reader, target_writer, rtt_s, window_bytes, to_target)
    back = _Direction(target_reader, writer, rtt_s, window_bytes, from_target)
    tasks = [
        asyncio.create_task(part)
        for direction in (there, back)
        for part in (direction.depart(), direction.arrive())
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        done = all(task.done() and not task.cancelled() and not task.exception() for task in tasks)
        for end in (writer, target_writer):
            if done:
                end.close()  # once it has sent what it holds
            else:
                end.transport.abort()
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception) and not isinstance(outcome, OSError):
            raise outcome  # an OSError says that an end is gone, which is no fault


async def _turns(count: int) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


async def _serve(relay: Relay, target, rtt_s, window_bytes, listen, started: Future) -> None:
    """Accept connections until the function that `started` gets is called."""
    connections: set[asyncio.Task] = set()

    def accept(reader, writer):
        task = asyncio.create_task(_connection(relay, target, rtt_s, window_bytes, reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    if listen is None:
        server = await asyncio.start_server(accept, "127.0.0.1", 0)
    else:
        server = await asyncio.start_unix_server(accept, listen)
    relay.address = server.sockets[0].getsockname()
    started.set_result(lambda: loop.call_soon_threadsafe(stop.set))
    await stop.wait()
    loop.remove_reader(server.sockets[0].fileno())
    await _turns(5)  # what was accepted just now gets here: a closed server would lose it
    server.close()
    for task in connections:
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
    await _turns(2)  # aborted transports close


def _loop():
    """Return an event loop whose timers are not rounded up to milliseconds, as epoll's are."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())


@contextmanager
def credit_relay(target: Address, rtt_s, window_bytes=None, listen=None) -> Iterator[Relay]:
    """Yield a Relay to the target, a round trip of rtt_s away.

    target: (host, port), or the path of a Unix socket. window_bytes: credit in each direction;
    None for a plain proxy that delays and nothing else. listen: the path of a Unix socket to
    make and listen on; None for a free port of 127.0.0.1. The relay runs in a thread of its
    own and closes every connection when the block ends.
    Raises ValueError if rtt_s is negative or not finite, or window_bytes is not a whole number
    at least 1.
    """
    rtt_s = number("rtt_s", rtt_s, at_least=0, at_most=LONGEST_S)
    if window_bytes is not None:
        window_bytes = integer("window_bytes", window_bytes, at_least=1, at_most=MOST_BYTES)
    relay = Relay()
    started: Future[Callable[[], object]] = Future()

    def run():
        try:
            with asyncio.Runner(loop_factory=_loop) as runner:
                runner.run(_serve(relay, target, rtt_s, window_bytes, listen, started))
        except Exception as error:  # such as an OSError, with nothing to listen on
            if started.done():
                raise
            started.set_exception(error)

    thread = threading.Thread(target=run, name="credit relay", daemon=True)
    try:
        with hold_back_signals():
            thread.start()
        started.result()
        yield relay
    finally:
        with hold_back_signals():
            if thread.ident is not None:
                if started.exception() is None:
                    started.result()()
                thread.join()
