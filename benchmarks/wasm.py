"""The kernels in Chromium, as WebAssembly, beside numba's native code of the same source.

Events a second of each on the same inputs; what copies the arguments is not counted. Each side
takes the mean of the later half of its calls. `python -m benchmarks.wasm [EVENTS]`
"""

import gzip
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

from kernels.entries import entries, entry_name, module_names, sample_call
from kernels.modules import code_path
from tests.kernels.cases import flat_copy, write_all
from tests.kernels.engines import ENGINES

EVENTS = 40_000  # a trace holds no more
LEAST_S, LEAST_CALLS = 0.6, 5
TARGETS = "target: at least half of native, all kernels at most 80 kB compressed"


def native_s(function, arguments) -> float:
    """Return the seconds that numba's code takes."""
    times: list[float] = []
    end = perf_counter() + LEAST_S
    while len(times) <= LEAST_CALLS or perf_counter() < end:  # the first also compiles
        fresh = tuple(map(flat_copy, arguments))
        start = perf_counter()
        function(*fresh)
        times.append(perf_counter() - start)
    return mean(times[len(times) // 2 :])


def in_chromium_s(names, events) -> dict[tuple[str, str], float]:
    """Return the seconds that each module's entry takes in Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        write_all(Path(folder), names, [0], events)
        shutil.copy(Path(__file__).with_name("wasm.js"), Path(folder, "in-page.js"))
        found: Any = ENGINES["chromium"](Path(folder))
        return {(name, entry): ms / 1e3 for name in names for entry, ms in found[name]}


def main(events) -> None:
    names = module_names()
    page_s = in_chromium_s(names, events)
    print(f"{events:,} events an input, M events/s; {TARGETS}")
    print(f"{'kernel':<48}{'native':>9}{'wasm':>9}{'ratio':>8}")
    for name in names:
        for entry in entries(name):
            function, arguments = sample_call(entry, 0, events)
            home, there = native_s(function, arguments), page_s[name, entry_name(function)]
            rates = [events / seconds / 1e6 for seconds in (home, there)]
            called_here = f"{name} {entry_name(function)}"
            print(f"{called_here:<48}{rates[0]:9.2f}{rates[1]:9.2f}{home / there:8.2f}")
    sizes = {name: len(gzip.compress(code_path(name).read_bytes(), 9)) for name in names}
    print(f"compressed bytes: {sizes}, in all {sum(sizes.values()):,}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else EVENTS)
