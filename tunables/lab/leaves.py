"""A hundred leaves for real: sockets on the loopback interface, of which some stall.

Each leaf has two replicas, sockets of their own. A replica answers a question after a short time,
or, if it stalls, after a long one. Which replicas stall at which request is drawn in advance with a
seed, so it is known which requests must be slow; the sockets, the waits and the second questions
are real.
"""

import heapq
import random
import selectors
import socket
import struct
import threading
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import NamedTuple

from tunables.base.arguments import integer, is_infinite, number
from tunables.lab.cleanup import tidy
from tunables.lab.machine import LONGEST_S, MOST_REPEATS

REPLICAS = 2
MOST_LEAVES = 200
_QUESTION = struct.Struct("!II")  # request, leaf
_PATIENCE_S = 30.0  # for all leaves of one request
_LOOK_S = 0.05  # between two looks whether the leaves shall stop


class LeafSetting(NamedTuple):
    """How leaves answer: the usual time and a stall's, how often one stalls, what both share.

    shared: the share of the stalls in which the other replica stalls too.
    """

    quick_s: float = 0.005
    stall_s: float = 0.2
    stall_probability: float = 0.01
    shared: float = 0.0


class Answer(NamedTuple):
    """One request: the time until all leaves had answered, and the second questions it sent."""

    took_s: float
    copies: int


Stalls = list[list[tuple[bool, bool]]]


def draw_stalls(leaves, requests, setting: LeafSetting, seed=0) -> Stalls:
    """Return which replicas stall, [request][leaf] -> (first, second).

    The first replica stalls with the probability p. If it does, the second one does too in a
    share c of the cases, and else with the probability p, as it does if the first does not.
    Raises ValueError for counts that are not whole and at least 1, or probabilities outside [0, 1].

    >>> stalls = draw_stalls(100, 200, LeafSetting(), seed=1)
    >>> sum(any(first for first, _ in leaves) for leaves in stalls)
    141
    """
    leaves = integer("leaves", leaves, at_least=1, at_most=MOST_LEAVES)
    requests = integer("requests", requests, at_least=1, at_most=MOST_REPEATS)
    p = number("stall_probability", setting.stall_probability, at_least=0, at_most=1)
    c = number("shared", setting.shared, at_least=0, at_most=1)
    rng = random.Random(integer("seed", seed))

    def one() -> tuple[bool, bool]:
        first, other, common = rng.random() < p, rng.random() < p, rng.random() < c
        return first, other or (first and common)

    return [[one() for _ in range(leaves)] for _ in range(requests)]


def _open_socket(stack: ExitStack) -> socket.socket:
    one = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    one.bind(("127.0.0.1", 0))
    one.setblocking(False)
    return one


class _Leaves:
    """The thread that answers for all replicas."""

    def __init__(self, stack: ExitStack, leaves: int, setting: LeafSetting, stalls: Stalls):
        self.setting, self.stalls = setting, stalls
        self.sockets = [[_open_socket(stack) for _ in range(REPLICAS)] for _ in range(leaves)]
        self.addresses = [[each.getsockname() for each in pair] for pair in self.sockets]
        self.selector = stack.enter_context(selectors.DefaultSelector())
        for leaf, pair in enumerate(self.sockets):
            for replica, each in enumerate(pair):
                self.selector.register(each, selectors.EVENT_READ, (leaf, replica))
        self.due: list[tuple[float, int, bytes, tuple, socket.socket]] = []
        self.ended = threading.Event()
        self.count = 0

    def run(self) -> None:
        while not self.ended.is_set():
            wait_s = self.due[0][0] - perf_counter() if self.due else _LOOK_S
            for key, _ in self.selector.select(min(max(wait_s, 0.0), _LOOK_S)):
                self._take(key.fileobj, *key.data)
            while self.due and self.due[0][0] <= perf_counter():
                _, _, question, asker, own = heapq.heappop(self.due)
                own.sendto(question, asker)

    def _take(self, own, leaf: int, replica: int) -> None:
        question, asker = own.recvfrom(_QUESTION.size)
        request, _ = _QUESTION.unpack(question)
        stalls = self.stalls[request][leaf][replica]
        wait_s = self.setting.stall_s if stalls else self.setting.quick_s
        self.count += 1
        heapq.heappush(self.due, (perf_counter() + wait_s, self.count, question, asker, own))


def _ask(request: int, delay_s: float, addresses: Sequence, own: socket.socket) -> Answer:
    """Ask all leaves once, and those that have not answered after the delay again."""
    began, copies = perf_counter(), 0
    left = set(range(len(addresses)))
    for leaf in left:
        own.sendto(_QUESTION.pack(request, leaf), addresses[leaf][0])
    with selectors.DefaultSelector() as selector:
        selector.register(own, selectors.EVENT_READ)
        while left:
            now_s = perf_counter() - began
            if now_s > _PATIENCE_S:
                raise TimeoutError(f"{len(left)} leaves did not answer within {_PATIENCE_S} s")
            if copies == 0 and now_s >= delay_s:
                copies = len(left)
                for leaf in left:
                    own.sendto(_QUESTION.pack(request, leaf), addresses[leaf][1])
            until_s = delay_s if copies == 0 else _PATIENCE_S
            if selector.select(min(max(until_s - now_s, 0.0), _PATIENCE_S)):
                answered, leaf = _QUESTION.unpack(own.recv(_QUESTION.size))
                if answered == request:  # late answers to earlier requests are thrown away
                    left.discard(leaf)
    return Answer(perf_counter() - began, copies)


def run(
    stalls: Stalls, setting: LeafSetting, delay_s=float("inf")
) -> Generator[Answer, None, None]:
    """Send each request to all leaves and yield how long it took, one after another.

    stalls: of `draw_stalls`. delay_s: after it, leaves that have not answered are asked again, at
    their second replica; inf: never.
    Raises ValueError for times that are not from 0 to an hour, TimeoutError if a leaf does not
    answer within half a minute, as where a datagram is lost, and Trouble, with a sentence, for
    what the machine refuses.
    """
    quick_s = number("quick_s", setting.quick_s, at_least=0, at_most=LONGEST_S)
    number("stall_s", setting.stall_s, at_least=quick_s, at_most=LONGEST_S)
    if not is_infinite(delay_s):
        delay_s = number("delay_s", delay_s, at_least=0, at_most=LONGEST_S)
    return _run(stalls, setting, delay_s)


def _run(stalls, setting, delay_s):
    with tidy() as stack:
        leaves = _Leaves(stack, len(stalls[0]), setting, stalls)
        thread = threading.Thread(target=leaves.run, daemon=True)
        thread.start()
        stack.callback(thread.join)
        stack.callback(leaves.ended.set)
        own = _open_socket(stack)
        for request in range(len(stalls)):
            yield _ask(request, delay_s, leaves.addresses, own)
