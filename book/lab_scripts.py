"""The labs that run in the page: each is a folder of book/_static/labs, with two scripts.

lab.js is what the page loads when a reader runs the lab. worker.js, where there is one, becomes
one script with all that it imports and the WebAssembly that it needs: gzipped, as base64, so that
a page opened from disk can start it too.
"""

import base64
import gzip
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LABS = ROOT / "book" / "_static" / "labs"
WASM = {
    "cache_cliff": "node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm",
    "your_numbers": "kernels/built/cache_cliff.wasm",  # chapter 3's
}


def sources(script: str) -> dict[str, Path]:
    """Return {lab: path} of "lab.js" or "worker.js"."""
    return {path.parent.name: path for path in sorted(LABS.glob(f"*/{script}"))}


def _text(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def pack(lab: str, script: Path, target: Path) -> None:
    """Write a lab's bundled worker, and its WebAssembly, as one script."""
    packed = {"script": _text(script.read_bytes())}
    if lab in WASM:
        packed["wasm"] = _text((ROOT / WASM[lab]).read_bytes())
    target.write_text(f"(globalThis.tunablesPacks ??= {{}}).{lab} = {json.dumps(packed)};\n")
