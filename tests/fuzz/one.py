"""One parser under atheris: python -m tests.fuzz.one NAME CORPUS [options of libFuzzer]."""

import sys
from collections.abc import Callable
from pathlib import Path


def try_parse(parse: Callable[[bytes], object], data: bytes) -> None:
    """Parse some bytes; a ValueError is the refusal that a reader sees."""
    try:
        parse(data)
    except UnicodeError:
        raise
    except ValueError as error:
        if len(str(error)) < 9:
            raise RuntimeError(f"no sentence: {error}") from error


def main(name: str, corpus: Path, *options: str) -> None:
    """Fuzz until the options end it; what is found is kept in the corpus."""
    import atheris  # of an environment of its own

    with atheris.instrument_imports(include=["tunables"]):
        from tests.fuzz.harnesses import PARSERS, SEEDS

    for number, seed in enumerate(SEEDS[name]):
        (corpus / f"seed-{number}").write_bytes(seed)
    atheris.Setup([sys.argv[0], str(corpus), *options], lambda data: try_parse(PARSERS[name], data))
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
