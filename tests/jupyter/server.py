"""A JupyterLab of its own, in an empty home, which ends with the test that asked for it."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Where binder/try.sh has made what Binder would; without it this environment's own JupyterLab.
BINDER = os.environ.get("TUNABLES_BINDER")
PROJECT = Path(BINDER, "project") if BINDER else ROOT
PYTHON = str(Path(BINDER, "environment/bin/python")) if BINDER else sys.executable
# The notebook in view, once its kernel answers.
PANEL = """
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
"""
RUN = f"async () => {{{PANEL} await jupyterapp.commands.execute('notebook:run-all-cells'); }}"
# All cells stand in the page at once, not those in view alone.
ALL_CELLS = {"windowingMode": "none"}
SETTINGS = ".jupyter/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
START_S = 120
END_S = 20


def _free_port() -> int:
    """A port that no connection takes by itself before the server binds it, as those above may."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as listening, suppress(OSError):
            listening.bind(("127.0.0.1", port))
            return port


def environment(home: Path) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("JUPYTER")}
    places = {"HOME": str(home), "IPYTHONDIR": str(home), "PYTHONPATH": str(PROJECT)}
    return kept | places | {"JUPYTER_PREFER_ENV_PATH": "1", "TMPDIR": str(home / "tmp")}


def show_all_cells(home: Path) -> None:
    """Set JupyterLab to draw what is out of view, too."""
    settings = home / SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(ALL_CELLS))


def _wait_until_up(process: subprocess.Popen, address: str) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab was not up within {START_S} s")


def _end(process: subprocess.Popen) -> None:
    """End the server with its kernels; kill what does not end in time."""
    process.send_signal(signal.SIGTERM)
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def jupyter_lab(home: Path):
    """Start JupyterLab over home/notebooks; yield its address. Temporary files go to home/tmp."""
    for name in ("notebooks", "tmp"):
        (home / name).mkdir()
    port = _free_port()
    command = [PYTHON, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--KernelManager.transport=ipc"]  # kernels.py says why
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ip=127.0.0.1"]
    command += [f"--ServerApp.root_dir={home / 'notebooks'}", "--LabApp.expose_app_in_browser=True"]
    with tempfile.TemporaryDirectory() as sockets, (home / "log").open("w") as log:
        places = environment(home) | {"JUPYTER_RUNTIME_DIR": sockets}
        process = subprocess.Popen(
            command, env=places, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_until_up(process, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            _end(process)


def write_notebook(path: Path, sources: list[str]) -> None:
    """Write a notebook of code cells that were not run."""
    empty: dict = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [empty | {"id": f"cell-{k}", "source": source} for k, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    path.write_text(json.dumps(notebook | {"nbformat_minor": 5}))
