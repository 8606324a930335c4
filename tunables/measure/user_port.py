"""Lab 4: response times through a port in user space, FIFO against first packets first."""

import math
from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple

from tunables.measure.limits import LONGEST_S
from tunables.measure.own_loop import in_own_loop
from tunables.measure.port_users import Port, Users
from tunables.measure.shared_bottleneck import run_users
from tunables.measure.trouble import told
from tunables.plain.arguments import number, whole

SMALL = (Users(2, 18_000, 0.040), Users(2, 64_000, 0.040), Users(2, 128_000, 0.040))
EVERYONE = (*SMALL, Users(4, 4_000_000))
PORTS = (Port(), Port(max_packets=20), Port(max_packets=5))
# The lab's cases: each class alone, then all of them through each port.
LAB = (*((Port(), (users,)) for users in EVERYONE), *((port, EVERYONE) for port in PORTS))


class Measurement(NamedTuple):
    """What each class of users saw through one port: response times in seconds."""

    port: Port
    classes: tuple[Users, ...]
    responses_s: list[list[float]]

    @property
    def means_s(self) -> list[float]:
        """The mean response time of each class; nan where nothing was done in time."""
        return [sum(times) / len(times) if times else math.nan for times in self.responses_s]


def _checked(classes, duration_s, warmup_s, seed):
    if not classes:
        raise ValueError(f"classes = {classes!r}: must be at least one group of users")
    return (
        tuple(classes),
        number("duration_s", duration_s, above=0, at_most=LONGEST_S),
        number("warmup_s", warmup_s, at_least=0, at_most=LONGEST_S),
        whole("seed", seed),
    )


def measure(
    port: Port, classes: Sequence[Users], duration_s=4.0, warmup_s=0.5, seed=1
) -> Measurement:
    """Let all users use the port for warmup_s + duration_s, and time their transactions.

    Transactions that begin in the warm-up or do not end in time are left out. seed: of the
    think times. An interrupt closes all connections before it is passed on.
    Raises ValueError for an empty list of classes, a duration not above 0, a warm-up below 0
    or a seed that is not a whole number.
    """
    arguments = _checked(classes, duration_s, warmup_s, seed)
    with told():
        return Measurement(port, arguments[0], in_own_loop(run_users, port, *arguments))


def sweep(
    cases: Iterable[tuple[Port, Sequence[Users]]] = LAB, duration_s=4.0, warmup_s=0.5, seed=1
) -> Generator[Measurement, None, None]:
    """Yield the Measurement of one case after the other; arguments and errors as in `measure`."""
    cases = list(cases)
    for _, classes in cases:
        _checked(classes, duration_s, warmup_s, seed)
    return (measure(port, classes, duration_s, warmup_s, seed) for port, classes in cases)
