"""Link an object file with the runtime; clang and lld of the ziglang wheel do it."""

import subprocess
import sys
import tempfile
from pathlib import Path

RUNTIME = Path(__file__).with_name("runtime.c")
RUNTIME_EXPORTS = ("allocate", "mark", "release")
MOST_MEMORY_BYTES = 256 * 2**20  # for one call; the page reports when that is not enough
STACK_BYTES = 2**20
_CLANG = ["cc", "-target", "wasm32-freestanding", "-mcpu=generic+bulk_memory", "-O2", "-g0", "-c"]


def _zig(*arguments):
    subprocess.run([sys.executable, "-m", "ziglang", *map(str, arguments)], check=True)


def link(object_code: bytes, exports) -> bytes:
    """Return a module that exports the entries, `memory`, and the runtime's functions.

    It imports nothing; an undefined name is an error.
    """
    with tempfile.TemporaryDirectory() as folder:
        code, runtime, module = (Path(folder, name) for name in ("kernels.o", "runtime.o", "wasm"))
        code.write_bytes(object_code)
        _zig(*_CLANG, RUNTIME, "-o", runtime)
        _zig(
            "wasm-ld", code, runtime, "-o", module,
            "--no-entry", "--gc-sections", "--strip-all", "-O2", "--stack-first",
            f"-zstack-size={STACK_BYTES}", f"--max-memory={MOST_MEMORY_BYTES}",
            *(f"--export={name}" for name in (*exports, *RUNTIME_EXPORTS)),
        )  # fmt: skip
        return module.read_bytes()
