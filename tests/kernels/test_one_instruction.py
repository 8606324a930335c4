"""The comparison sees it when one instruction of a kernel is another."""

import subprocess

import pytest

from kernels.entries import module_names
from tests.kernels.cases import write_all
from tests.kernels.engines import ENGINES
from tests.node import node_path

GET, ADD, SUBTRACT = 0x20, 0xA0, 0xA1  # a variable, by its number; and two doubles
MUTANTS = 6
VALIDATE = "process.exit(WebAssembly.validate(require('fs').readFileSync(process.argv[1])) ? 0 : 1)"


def number_at(code, place):
    """Return the number that begins there, seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        value |= (code[place] & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if code[place - 1] < 0x80:
            return value, place


def code_section(code):
    """Return where the instructions stand: the section with the id 10."""
    place = 8  # behind magic number and version
    while place < len(code):
        length, start = number_at(code, place + 1)
        if code[place] == 10:
            return range(start, start + length)
        place = start + length
    raise ValueError("the module has no code")


def is_addition(code, place):
    """Return whether the sum of two variables is taken there, which no number looks like."""
    return code[place] == ADD and code[place - 4] == code[place - 2] == GET


def mutants(code: bytes):
    """Yield modules in which one addition of doubles is a subtraction; the same at each run."""
    places = [place for place in code_section(code) if is_addition(code, place)]
    for place in places[:: max(len(places) // MUTANTS, 1)]:
        yield code[:place] + bytes([SUBTRACT]) + code[place + 1 :]


def is_valid(path) -> bool:
    """Return whether the engine takes the module: the byte was no part of a number."""
    return subprocess.run([node_path(), "-e", VALIDATE, path], timeout=20).returncode == 0


def is_seen(folder, name) -> bool:
    """Return whether a kernel differs from numba, or does not come to an end."""
    try:
        return ENGINES["node"](folder)[name]["differ"] != []
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return True


@pytest.mark.long
@pytest.mark.timeout(300)
def test_an_addition_that_subtracts_is_seen(tmp_path):
    name = module_names()[0]
    write_all(tmp_path, [name], range(40), 300)
    path = tmp_path / name / "kernels.wasm"
    code, seen = path.read_bytes(), []
    assert not is_seen(tmp_path, name)
    for mutant in mutants(code):
        path.write_bytes(mutant)
        if is_valid(path):
            seen.append(is_seen(tmp_path, name))
    assert len(seen) >= 4
    assert sum(seen) > len(seen) / 2, seen  # some stand where no input leads
