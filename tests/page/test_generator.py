"""The generator: its author's own check, and numbers without favourites."""

from collections import Counter

from tunables.page.generator import Generator, stream_number


def test_the_first_numbers_are_those_that_the_author_prints():
    """O'Neill's pcg32-demo, seed 42 and stream 54, round 1."""
    demo = Generator(42, 54)
    numbers = [demo.next_32() for _ in range(6)]
    assert numbers == [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]


def test_the_hash_is_fnv_1a():
    """The vectors of Fowler, Noll & Vo's reference implementation."""
    assert stream_number("") == 0xCBF29CE484222325
    assert stream_number("foobar") == 0x85944171F73967E8


def test_the_first_draw_of_neighbouring_seeds_favours_no_number():
    for stream in ("1/two-caps", "6/gather"):
        counts = Counter(Generator(seed, stream_number(stream)).below(10) for seed in range(5000))
        chi_square = sum((counts[k] - 500) ** 2 / 500 for k in range(10))
        assert chi_square < 27.9  # exceeded once in a thousand, nine degrees of freedom


def test_between_reaches_both_ends_and_keeps_its_step():
    draw = Generator(1, 1)
    assert {draw.between(10, 31, 10) for _ in range(200)} == {10, 20, 30}
