"""The labs that run in the page: each is a folder of book/_static/labs, with two scripts.

The page loads lab.js when a reader runs the lab. worker.js, where there is one, becomes one script
with everything it imports and the WebAssembly that its second line names: gzipped, as base64, so
that a page opened from disk can start it too. A lab with a folder `chapters` has a module for each
chapter there, and its worker.js exports `start`, which is called with all of them.
"""

import base64
import gzip
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LABS = ROOT / "book" / "_static" / "labs"
WASM = re.compile(r"^// WebAssembly: (\S+)$", re.M)


def sources(script: str) -> dict[str, Path]:
    """Return {lab: path} of "lab.js" or "worker.js"."""
    return {path.parent.name: path for path in sorted(LABS.glob(f"*/{script}"))}


def worker_entry(lab: str, folder: Path) -> Path:
    """Return the script to bundle as a lab's worker: one in the folder if there are chapters."""
    worker = LABS / lab / "worker.js"
    chapters = sorted(worker.parent.glob("chapters/*.js"))
    if not chapters:
        return worker
    lines = [f"import * as {path.stem} from {json.dumps(str(path))};" for path in chapters]
    lines.append(f"import {{ start }} from {json.dumps(str(worker))};")
    lines.append(f"start({{ {', '.join(path.stem for path in chapters)} }});")
    entry = folder / f"{lab}-entry.js"
    entry.write_text("\n".join(lines) + "\n")
    return entry


def _text(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def pack(lab: str, script: Path, target: Path) -> None:
    """Write a lab's bundled worker, and its WebAssembly, as one script."""
    packed = {"script": _text(script.read_bytes())}
    for path in WASM.findall((LABS / lab / "worker.js").read_text()):
        packed["wasm"] = _text((ROOT / path).read_bytes())
    target.write_text(f"(globalThis.tunablesPacks ??= {{}}).{lab} = {json.dumps(packed)};\n")
