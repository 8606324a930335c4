"""Whatever file a reader brings: the page fits or refuses it in the package's own words."""

import random

import pytest

from tests.page.test_own_numbers import (
    PRINTED,
    PRINTOUT,
    SAMPLES,
    answered,
    asked,
    assert_fitted,
    in_small,
)
from tunables.parts.registry import fit_source

CELLS = ["0", "-1", "1e308", "5e-324", "nan", "inf", "", "1,5", "1.234.567", "１２", "<script>"]
CELLS += ["x" * 300, '"', "1 000", "=1+1", "\u202e1", "True", "0x1", "1e", "+", ".", "9" * 400]
BYTES = [b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b";", b",", b'"', b"P ", b" "]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a file with a cell, a line or some bytes changed, a few times over."""
    for _ in range(chance.randint(1, 3)):
        lines = data.split(b"\n")
        last = len(lines) - 1
        place = chance.choice([0, min(1, last), chance.randrange(len(lines)), last])
        way = chance.randrange(5)
        if way == 0:
            cells = lines[place].split(b",")
            cells[chance.randrange(len(cells))] = chance.choice(CELLS).encode()
            lines[place] = b",".join(cells)
        elif way == 1:
            del lines[place]
        elif way == 2:
            lines.insert(place, chance.choice(lines))
        elif way == 3:
            line, at = lines[place], chance.randint(0, len(lines[place]))
            lines[place] = line[:at] + chance.choice(BYTES) + line[at + chance.randrange(2) :]
        else:
            lines = lines[: chance.randrange(len(lines) + 1)]
        data = b"\n".join(lines)
    return data


def files(count: int) -> dict[str, tuple[str, bytes]]:
    chance = random.Random("own numbers")
    known = [*SAMPLES.values(), (PRINTED, PRINTOUT)]
    ends = {f"an open quote {end!r}": end for end in (b"", b"\n", b"\r", b"\n\n")}
    return {name: ("time_outs", b'latency_s\n1\n"2\n3' + end) for name, end in ends.items()} | {
        f"{slug} {number}": (slug, mutated(data, chance))
        for number in range(count)
        for slug, data in [chance.choice(known)]
    }


def refusal(slug: str, data: bytes) -> str:
    """Return why the package refuses a file, or ""."""
    try:
        fit_source(slug, data)
    except ValueError as error:
        return str(error)
    return ""


def assert_alike(count: int) -> None:
    odd = files(count)
    answers = answered({name: asked(slug, data) for name, (slug, data) in odd.items()})
    refusals = {name: refusal(slug, data) for name, (slug, data) in odd.items()}
    for name, (slug, data) in odd.items():
        if refusals[name]:
            told = answers[name].get("refused", "")
            if "no UTF-8 text" in refusals[name]:  # a browser does not tell which byte it is
                assert "no UTF-8 text" in told
            else:
                assert in_small(told) == in_small(refusals[name]), (name, data[:300])
        else:
            assert_fitted(answers[name], slug, fit_source(slug, data))
    assert 0 < sum(map(bool, refusals.values())) < count


@pytest.mark.slow
def test_odd_files_are_read_alike():
    assert_alike(25)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_many_odd_files_are_read_alike():
    assert_alike(1500)
