"""What the lab's port does and who uses it."""

from dataclasses import dataclass

from tunables.measure.limits import LONGEST_S, MOST_BYTES, MOST_COUNTED, MOST_REPEATS
from tunables.plain.arguments import number, whole


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
        whole("max_packets", self.max_packets, at_most=MOST_COUNTED)
        number("gap_s", self.gap_s, above=0, at_most=LONGEST_S)
        whole("packet_bytes", self.packet_bytes, at_least=1, at_most=2**24)
        whole("window_packets", self.window_packets, at_least=1, at_most=MOST_COUNTED)


@dataclass(frozen=True)
class Users:
    """Users who think for think_s, uniformly within +-50 %, and ask for size_bytes."""

    count: int
    size_bytes: int
    think_s: float = 0.0

    def __post_init__(self) -> None:
        whole("count", self.count, at_least=1, at_most=MOST_REPEATS)
        whole("size_bytes", self.size_bytes, at_least=1, at_most=MOST_BYTES)
        number("think_s", self.think_s, at_least=0, at_most=LONGEST_S)
