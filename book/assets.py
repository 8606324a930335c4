"""Puts what the pages load into book/_static: npm packages, and the Python of the live models."""

import base64
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import vl_convert

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "book" / "_static"
VENDOR = STATIC / "vendor"
MODULES = ROOT / "node_modules"
ENGINE = "@micropython/micropython-webassembly-pyscript"
COPIED = {
    f"{ENGINE}/micropython.wasm": "micropython.wasm",
    "katex/dist/katex.min.css": "katex/katex.min.css",
}
# Source: (target, name). Classic scripts, since a page opened from disk may load no module.
BUNDLED = {
    "book/_static/tunables.js": ("vendor/page.js", "tunables"),
    "book/_static/engine-worker.js": ("vendor/engine-worker.js", "worker"),
    "book/_bundle/vega.js": ("vendor/vega.js", "vega"),
    "book/_bundle/page.css": ("vendor/page.css", "styles"),
}
PYTHON = [
    "tunables/__init__.py",
    "tunables/arguments.py",
    "tunables/digits.py",
    "tunables/typed.py",
    "tunables/units.py",
    "tunables/agreement.py",
    "tunables/theory/*.py",
    "tunables/predictors/*.py",
    "tunables/problems/*.py",
    "tunables/reader/__init__.py",
    "tunables/reader/formats.py",
    "tunables/reader/answer.py",
    "tunables/reader/guessing.py",
    "tunables/reader/page.py",
    "tunables/reader/verdict.py",
]


def page_sources() -> list[str]:
    """Return the paths of the Python files that the page runs, from the root."""
    found = (path for pattern in PYTHON for path in ROOT.glob(pattern))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def copy_vendor() -> None:
    shutil.rmtree(VENDOR, ignore_errors=True)
    for source, target in COPIED.items():
        origin, goal = MODULES / source, VENDOR / target
        if not origin.exists():
            sys.exit(f"{origin} is missing: run `make node_modules/.ready` first")
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(origin, goal)
    # Every browser that runs the page reads woff2; the style sheet names it first.
    (VENDOR / "katex" / "fonts").mkdir()
    for font in (MODULES / "katex" / "dist" / "fonts").glob("*.woff2"):
        shutil.copy2(font, VENDOR / "katex" / "fonts")


def bundle_python() -> None:
    sources = {source: (ROOT / source).read_text() for source in page_sources()}
    (STATIC / "python.json").write_text(json.dumps(sources, indent=1) + "\n")


def bundle_scripts() -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    node = shutil.which("node", path=path)
    if not node:
        sys.exit("node is missing: run `make node_modules/.ready` first")
    for source, (target, name) in BUNDLED.items():
        command = [node, "node_modules/esbuild/bin/esbuild", source, "--bundle", "--minify"]
        # The engine's file also runs in node, by parts that the page leaves out.
        options = ["--define:process=undefined", "--define:import.meta.url=undefined"]
        options += [f"--external:{name}" for name in ("module", "path", "url", "fs")]
        style = ["--format=iife", f"--global-name={name}", "--target=es2021", "--charset=utf8"]
        out = [f"--outfile=book/_static/{target}", "--log-level=error", "--legal-comments=eof"]
        subprocess.run(command + options + style + out, cwd=ROOT, check=True)


def bundle_engine_for_disk() -> None:
    """Write the engine as one script, for pages opened from disk, which can fetch nothing."""
    wasm = base64.b64encode((VENDOR / "micropython.wasm").read_bytes()).decode()
    parts = {
        "script": (VENDOR / "engine-worker.js").read_text(),
        "wasm": f"data:application/wasm;base64,{wasm}",
        "python": json.loads((STATIC / "python.json").read_text()),
    }
    script = f"globalThis.tunablesEngine = {json.dumps(parts)};\n"
    (VENDOR / "engine-from-disk.js").write_text(script)


def draw_preview() -> None:
    """Draw the picture that stands for the book where its address is shared."""
    svg = (ROOT / "book" / "preview.svg").read_text()
    (VENDOR / "preview.png").write_bytes(vl_convert.svg_to_png(svg))


if __name__ == "__main__":
    copy_vendor()
    draw_preview()
    bundle_python()
    bundle_scripts()
    bundle_engine_for_disk()
