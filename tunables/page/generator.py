"""Random numbers that are the same in CPython and in the page, where `random` differs.

PCG32 (XSH RR 64/32): O'Neill (2014), PCG: A Family of Simple Fast Space-Efficient Statistically
Good Algorithms for Random Number Generation, HMC-CS-2014-0905. Whole numbers only.
"""

_MASK_64 = 2**64 - 1
_MASK_32 = 2**32 - 1
_MULTIPLIER = 6364136223846793005


def stream_number(text) -> int:
    """Return the 64-bit FNV-1a hash of a text, to pick a stream by name.

    Source: Fowler, Noll & Vo; offset 14695981039346656037, prime 1099511628211.

    >>> hex(stream_number("a"))
    '0xaf63dc4c8601ec8c'
    """
    result = 14695981039346656037
    for byte in text.encode():
        result = ((result ^ byte) * 1099511628211) & _MASK_64
    return result


class Generator:
    """PCG32 with the given seed and stream, both whole numbers from 0 to 2^64 - 1.

    >>> demo = Generator(42, 54)
    >>> [hex(demo.next_32()) for _ in range(2)]  # the author's own check
    ['0xa15c02b7', '0x7b47f409']
    """

    def __init__(self, seed, stream):
        self.increment = (stream << 1 | 1) & _MASK_64
        self.state = 0
        self.next_32()
        self.state = (self.state + seed) & _MASK_64
        self.next_32()

    def next_32(self) -> int:
        """Return the next whole number from 0 to 2^32 - 1."""
        old = self.state
        self.state = (old * _MULTIPLIER + self.increment) & _MASK_64
        shifted = ((old >> 18 ^ old) >> 27) & _MASK_32
        turn = old >> 59
        return (shifted >> turn | shifted << (-turn & 31)) & _MASK_32

    def below(self, bound) -> int:
        """Return a whole number from 0 to bound - 1, each as likely (bound at most 2^32).

        Draws that would favour some of them are drawn again.
        """
        rest = 2**32 % bound
        while True:
            drawn = self.next_32()
            if drawn >= rest:
                return drawn % bound

    def between(self, low, high, step=1) -> int:
        """Return one of the whole numbers low, low + step, ..., at most high."""
        return low + step * self.below((high - low) // step + 1)

    def pick(self, items):
        """Return one of a sequence."""
        return items[self.below(len(items))]
