"""A bottleneck in user space: real TCP connections share a port that this process paces.

    user --TCP--> port --TCP--> server          requests, at once
    user <--TCP-- port <--TCP-- server          answers, through the port's queues

Each answer is cut into packets. A connection may have `window_packets` of them in the port;
the rest stays in the server's socket. Everything runs in one event loop on the loopback
interface and ends with the coroutine that started it, also when that is cancelled.
"""

import asyncio
import random
import socket
from collections import deque
from contextlib import AsyncExitStack, suppress

from tunables.measure.port_users import Port, Users

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

    def sent(packet):
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
            queues.put(packet, in_flow, sent)


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


async def _connected(stack: AsyncExitStack, count: int) -> list[tuple[_Streams, ...]]:
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
        # By hand: asyncio's server would try again for ever where no more sockets may be open.
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
        connections = await _to_its_end(_connected(stack, sum(users.count for users in classes)))
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
