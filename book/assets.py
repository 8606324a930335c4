"""Puts what the pages load into book/_static: npm packages, fonts, the live models' Python."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import lab_scripts
import vl_convert
from licences import bundled_packages, licences, npm_package
from page_python import write_parts

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "book" / "_static"
VENDOR = STATIC / "vendor"
MODULES = ROOT / "node_modules"
RECORDS = ROOT / "_build" / "bundles"  # what esbuild put into each
ENGINE = "@micropython/micropython-webassembly-pyscript"
COPIED = {
    f"{ENGINE}/micropython.wasm": "micropython.wasm",
    "katex/dist/katex.min.css": "katex/katex.min.css",
}
# book/fonts.js cuts the page's fonts from theirs.
FONTS = ("@fontsource-variable/source-sans-3", "@fontsource-variable/source-serif-4")
# What a page's scripts load, and those scripts.
VERSIONED = (
    "page.js",
    "lab.js",
    "audit.js",
    "engine-worker.js",
    "engine-from-disk.js",
    "micropython.wasm",
    "vega.js",
    "python",
    "simulations",
    "laws",
    "labs",
)
VERSION_LENGTH = 12
PREVIEW_FONTS = ("KaTeX_SansSerif-Regular.ttf", "KaTeX_SansSerif-Bold.ttf")
WHERE_A_WORKER_IS = "--define:import.meta.url=self.location.href"
# Source: (target, name). Classic scripts, since a page opened from disk may load no module.
BUNDLED = {
    "book/_static/page/page.js": ("vendor/page.js", "tunables"),
    "book/_static/engine/begin.js": ("vendor/begin.js", "begin"),
    "book/_static/engine/worker.js": ("vendor/engine-worker.js", "worker"),
    "book/_bundle/vega.js": ("vendor/vega.js", "vega"),
    "book/_static/page/lab.js": ("vendor/lab.js", "lab"),
    "book/styles/lab.css": ("vendor/lab.css", "lab_styles"),
    "book/_static/audit/page.js": ("vendor/audit.js", "tunablesAudit"),
    "book/styles/audit.css": ("vendor/audit.css", "audit_styles"),
    "book/_bundle/page.css": ("vendor/page.css", "styles"),
    "book/_bundle/embed.css": ("vendor/embed.css", "embed_styles"),
}


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


def run_npm(script: str, *arguments: object) -> None:
    """Run a script of package.json, with the environment's npm where the machine has none."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    npm = shutil.which("npm", path=path)
    if not npm:
        sys.exit("npm is missing: run `make node_modules/.ready` first")
    command = [npm, "run", "--silent", script, "--", *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": path}, check=True)


def bundle(source: Path, target: Path, name: str, *options: str) -> None:
    out = [f"--outfile={target}", f"--metafile={RECORDS / name}.json", *options]
    run_npm("bundle", source, f"--global-name={name}", *out)


def bundle_scripts() -> None:
    shutil.rmtree(RECORDS, ignore_errors=True)
    for source, (target, name) in BUNDLED.items():
        bundle(ROOT / source, STATIC / target, name)
    for lab, script in lab_scripts.sources("lab.js").items():
        bundle(script, VENDOR / "labs" / f"{lab}.js", f"tunablesLabs.{lab}")
    for lab in lab_scripts.sources("worker.js"):
        bundled_worker = RECORDS / f"{lab}-worker.js"
        script = lab_scripts.worker_entry(lab, RECORDS)
        bundle(script, bundled_worker, f"worker.{lab}", WHERE_A_WORKER_IS)
        lab_scripts.pack(lab, bundled_worker, VENDOR / "labs" / f"{lab}-worker.js")


def bundle_engine_for_disk() -> None:
    """Write the engine as one script, for pages opened from disk, which can fetch nothing."""
    wasm = base64.b64encode((VENDOR / "micropython.wasm").read_bytes()).decode()
    parts = {
        "script": (VENDOR / "engine-worker.js").read_text(),
        "wasm": f"data:application/wasm;base64,{wasm}",
    }
    script = f"globalThis.tunablesEngine = {json.dumps(parts)};\n"
    (VENDOR / "engine-from-disk.js").write_text(script)


def give_version() -> None:
    """Move what a page's scripts load into a folder whose name is computed from all of it.

    A browser that kept files of the book from before an update asks for none of them again, and
    an address of the old version leads nowhere: no page runs files of two versions.
    """
    files = [path for name in VERSIONED for path in sorted(_files(VENDOR / name))]
    digest = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(VENDOR).as_posix()} {len(content)}\n".encode() + content)
    folder = VENDOR / digest.hexdigest()[:VERSION_LENGTH]
    folder.mkdir()
    for name in VERSIONED:
        shutil.move(VENDOR / name, folder / name)


def _files(path: Path) -> list[Path]:
    return [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]


def write_licences() -> None:
    """Write the licences of all that is copied, bundled_packages or brought along by the theme."""
    copied = {npm_package(f"node_modules/{source}") for source in COPIED}
    text = licences(copied | {*FONTS} | bundled_packages(RECORDS.glob("*.json")))
    # The mark at the start tells browsers the encoding, which a server of files does not.
    (VENDOR / "licences.txt").write_text(text, encoding="utf-8-sig")


def draw_preview() -> None:
    """Draw the picture that is shown where the book's address is shared.

    Its font comes with KaTeX, since machines differ in their fonts.
    """
    svg = (ROOT / "book" / "preview.svg").read_text()
    with TemporaryDirectory() as folder:  # holds these alone: other fonts also claim to match
        for font in PREVIEW_FONTS:
            shutil.copy(MODULES / "katex" / "dist" / "fonts" / font, folder)
        vl_convert.register_font_directory(folder)
        (VENDOR / "preview.png").write_bytes(vl_convert.svg_to_png(svg))


if __name__ == "__main__":
    copy_vendor()
    run_npm("fonts", VENDOR / "fonts")
    draw_preview()
    write_parts(VENDOR)
    bundle_scripts()
    bundle_engine_for_disk()
    give_version()
    write_licences()
