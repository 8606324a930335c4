"""One parser under atheris: python -m tests.fuzz.one NAME CORPUS [options of libFuzzer]."""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tunables"]):
    from tests.fuzz.harnesses import PARSERS, SEEDS

NAME, FOUND = sys.argv[1], Path(sys.argv[2])


def tried(data: bytes) -> None:
    """Parse some bytes; a ValueError is the refusal that a reader sees."""
    try:
        PARSERS[NAME](data)
    except UnicodeError:
        raise
    except ValueError as error:
        if len(str(error)) < 9:
            raise RuntimeError(f"no sentence: {error}") from error


for number, seed in enumerate(SEEDS[NAME]):
    (FOUND / f"seed-{number}").write_bytes(seed)
atheris.Setup([sys.argv[0], str(FOUND), *sys.argv[3:]], tried)
atheris.Fuzz()
