"""Lab 4: response times through a port in user space, FIFO against first packets first."""

import asyncio
import math
import random
import socket
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import NamedTuple

from tunables.base.arguments import integer, number
from tunables.lab.child import run_in_thread
from tunables.lab.machine import LONGEST_S, MOST_BYTES, MOST_COUNTED, MOST_REPEATS
from tunables.lab.trouble import explain_trouble


@dataclass(frozen=True)
class Port:
    """A port of rate_bps that sends the first max_packets packets of a flow before all others.

    A flow ends where no packet of its connection comes for gap_s. With max_packets = 0 the
    port is first in, first out.
    """

    rate_bps: float = 200e6
    max_packets: int = 0
    gap_s: float = 0.015
    packet_bytes: int = 9000
    window_packets: int = 16

    def __post_init__(self) -> None:
        number("rate_bps", self.rate_bps, above=0, at_most=8 * MOST_BYTES)
        integer("max_packets", self.max_packets, at_most=MOST_COUNTED)
        number("gap_s", self.gap_s, above=0, at_most=LONGEST_S)
        integer("packet_bytes", self.packet_bytes, at_least=1, at_most=2**24)
        integer("window_packets", self.window_packets, at_least=1, at_most=MOST_COUNTED)


@dataclass(frozen=True)
class Users:
    """Users who think for think_s, uniformly within +-50%, and ask for size_bytes."""

    count: int
    size_bytes: int
    think_s: float = 0.0

    def __post_init__(self) -> None:
        integer("count", self.count, at_least=1, at_most=MOST_REPEATS)
        integer("size_bytes", self.size_bytes, at_least=1, at_most=MOST_BYTES)
        number("think_s", self.think_s, at_least=0, at_most=LONGEST_S)


_HOST = "127.0.0.1"
# The event loop sleeps in whole milliseconds: a packet goes at the nearest one.
_TICK_S = 0.001
_REQUEST_BYTES = 8  # the size of the answer that is asked for, big-endian

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Queues:
    """The port's two queues and the task that empties them at the port's rate."""

    def __init__(self, port: Port):
        self.port = port
        self.ahead, self.behind = deque[tuple](), deque[tuple]()
        self.filled = asyncio.Event()

    def put(self, packet: bytes, in_flow: int, sent) -> None:
        """Queue a packet that is number in_flow of its flow; sent(packet) sends it on."""
        queue = self.ahead if in_flow <= self.port.max_packets else self.behind
        queue.append((packet, sent))
        self.filled.set()

    async def transmit(self) -> None:
        clock = asyncio.get_running_loop().time
        free_s = clock()  # when the wire is free; a late wake-up does not cost capacity
        while True:
            if not (self.ahead or self.behind):
                self.filled.clear()
                await self.filled.wait()
                free_s = clock()
            packet, sent = (self.ahead or self.behind).popleft()
            free_s += 8 * len(packet) / self.port.rate_bps
            early_s = free_s - clock()
            await asyncio.sleep(early_s if early_s > _TICK_S / 2 else 0.0)
            sent(packet)


async def _serve(streams: _Streams) -> None:
    """Answer each request with as many bytes as it asks for."""
    reader, writer = streams
    while True:
        size = int.from_bytes(await reader.readexactly(_REQUEST_BYTES))
        writer.write(bytes(size))
        await writer.drain()


async def _relay(user_side: _Streams, server_side: _Streams, queues: _Queues) -> None:
    """Pass one connection's requests on at once and its answers through the queues."""
    (user_reader, user_writer), (server_reader, server_writer) = user_side, server_side
    port, clock = queues.port, asyncio.get_running_loop().time
    window = asyncio.Semaphore(port.window_packets)
    in_flow, seen_s = 0, clock()

    def send(packet):
        user_writer.write(packet)
        window.release()

    while True:
        request = await user_reader.readexactly(_REQUEST_BYTES)
        server_writer.write(request)
        left = int.from_bytes(request)
        while left:
            await window.acquire()
            packet = await server_reader.readexactly(min(left, port.packet_bytes))
            left -= len(packet)
            now = clock()
            in_flow = 1 if now - seen_s >= port.gap_s else in_flow + 1
            seen_s = now
            queues.put(packet, in_flow, send)


async def _use(streams: _Streams, users: Users, draw: random.Random, note) -> None:
    """Think and ask, over and over; note(started, response_s) each answer."""
    (reader, writer), clock = streams, asyncio.get_running_loop().time
    while True:
        await asyncio.sleep(users.think_s * draw.uniform(0.5, 1.5))
        started = clock()
        writer.write(users.size_bytes.to_bytes(_REQUEST_BYTES))
        left = users.size_bytes
        while left:
            part = await reader.read(min(left, 2**16))
            if not part:
                raise ConnectionError("the port closed the connection")
            left -= len(part)
        note(started, clock() - started)


async def _abort(writer: asyncio.StreamWriter) -> None:
    """Close at once: close() would first wait for a reader that may have stopped to read."""
    writer.transport.abort()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def _connect_users(stack: AsyncExitStack, count: int) -> list[tuple[_Streams, ...]]:
    """Return, count times, both ends of a connection user to port and of one port to server.

    The stack closes all of them.
    """
    loop = asyncio.get_running_loop()
    listener = stack.enter_context(socket.create_server((_HOST, 0)))
    listener.setblocking(False)
    ends = []
    for _ in range(2 * count):
        near = await asyncio.open_connection(*listener.getsockname())
        stack.push_async_callback(_abort, near[1])
        # By hand: asyncio's server would retry without end where no more sockets may be open.
        accepted, _address = await loop.sock_accept(listener)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as asyncio's would
        far = await asyncio.open_connection(sock=accepted)
        stack.push_async_callback(_abort, far[1])
        ends += [near, far]
    return list(zip(*[iter(ends)] * 4, strict=True))


async def _to_its_end(coroutine):
    """Await a short coroutine, and be cancelled only then: half a connection would leak."""
    task = asyncio.ensure_future(coroutine)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def run_users(port: Port, classes, duration_s, warmup_s, seed) -> list[list[float]]:
    """Let all users use the port; return the response times in seconds of each class.

    Transactions that begin in the first warmup_s or do not end in the duration_s after it are
    left out.
    """
    responses: list[list[float]] = [[] for _ in classes]
    begin = asyncio.get_running_loop().time() + warmup_s

    def note_in(times):
        return lambda started, response_s: times.append(response_s) if started >= begin else None

    async with AsyncExitStack() as stack:
        connections = await _to_its_end(
            _connect_users(stack, sum(users.count for users in classes))
        )
        tasks = await stack.enter_async_context(asyncio.TaskGroup())
        queues = _Queues(port)
        work = [queues.transmit()]
        for index, (users, times) in enumerate(zip(classes, responses, strict=True)):
            for member in range(users.count):
                user, port_to_user, port_to_server, server = connections.pop()
                draw = random.Random(f"{seed} {index} {member}")
                work += [
                    _serve(server),
                    _relay(port_to_user, port_to_server, queues),
                    _use(user, users, draw, note_in(times)),
                ]
        running = [tasks.create_task(coroutine) for coroutine in work]
        await asyncio.sleep(warmup_s + duration_s)
        for task in running:
            task.cancel()
    return responses


SMALL = (Users(2, 18_000, 0.040), Users(2, 64_000, 0.040), Users(2, 128_000, 0.040))
EVERYONE = (*SMALL, Users(4, 4_000_000))
PORTS = (Port(), Port(max_packets=20), Port(max_packets=5))
# The lab's cases: each class alone, then all of them through each port.
LAB = (*((Port(), (users,)) for users in EVERYONE), *((port, EVERYONE) for port in PORTS))


class PortMeasurement(NamedTuple):
    """What each class of users saw through one port: response times in seconds."""

    port: Port
    classes: tuple[Users, ...]
    responses_s: list[list[float]]

    @property
    def means_s(self) -> list[float]:
        """The mean response time of each class; nan where nothing was done in time."""
        return [sum(times) / len(times) if times else math.nan for times in self.responses_s]


def _check_arguments(classes, duration_s, warmup_s, seed):
    if not classes:
        raise ValueError(f"classes = {classes!r}: must contain at least one group of users")
    return (
        tuple(classes),
        number("duration_s", duration_s, above=0, at_most=LONGEST_S),
        number("warmup_s", warmup_s, at_least=0, at_most=LONGEST_S),
        integer("seed", seed),
    )


def measure(
    port: Port, classes: Sequence[Users], duration_s=4.0, warmup_s=0.5, seed=1
) -> PortMeasurement:
    """Let all users use the port for warmup_s + duration_s, and time their transactions.

    Transactions that begin in the warm-up or do not end in time are left out. seed: of the
    think times. An interrupt closes all connections before it is passed on.
    Raises ValueError for an empty list of classes, a duration not above 0, a warm-up below 0
    or a seed that is not a whole number.
    """
    arguments = _check_arguments(classes, duration_s, warmup_s, seed)
    with explain_trouble():
        return PortMeasurement(port, arguments[0], run_in_thread(run_users, port, *arguments))


def sweep(
    cases: Iterable[tuple[Port, Sequence[Users]]] = LAB, duration_s=4.0, warmup_s=0.5, seed=1
) -> Generator[PortMeasurement, None, None]:
    """Measure one case after the other; arguments and errors as in `measure`."""
    cases = list(cases)
    for _, classes in cases:
        _check_arguments(classes, duration_s, warmup_s, seed)
    return (measure(port, classes, duration_s, warmup_s, seed) for port, classes in cases)
