"""A sweep undisturbed, and the same with a worker or all of it killed half-way: the same bytes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from tests.chapters.notebooks import ROOT

FILES = 20
# Some 30 ms a point: long enough to be killed half-way.
SWEEP = ["tunables", "sweep", "rdu", "--grid", "clients=10:69", "--seeds", "3", "--chunk", "3"]
# Whoever starts the tests in the background has them, and all that they start, ignore SIGINT.
MODULE = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
print("begun", flush=True)
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@contextmanager
def running(*words):
    """A Python module at work, of which nothing is left afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-c", MODULE, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)


def sweeping(folder, *options):
    return running(*SWEEP, "--out", str(folder), *options)


def run_to_end(folder, *options):
    """Return what a sweep said, once it has ended well."""
    with sweeping(folder, *options) as process:
        return wait_for_end(process)


def interrupt(process, after_s):
    """Press Ctrl-C in a process and all that it started, so long after Python began to run it."""
    assert process.stdout.readline() == "begun\n"
    time.sleep(after_s)
    os.killpg(process.pid, signal.SIGINT)


def wait_for_end(process):
    """Return what a run said, once it has ended well."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


def parts(folder):
    return sorted(Path(folder).glob("part-*.parquet")) if Path(folder).exists() else []


def half_way(process, folder):
    """Wait until some files are written, and others are not."""
    limit_s = time.monotonic() + 90
    while len(parts(folder)) < 3:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit_s
        time.sleep(0.005)
    assert len(parts(folder)) < FILES


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def workers_of(process):
    """Return the processes that compute for a run."""
    children = psutil.Process(process.pid).children(recursive=True)
    return [each for each in children if "spawn_main" in " ".join(each.cmdline())]


@pytest.fixture(scope="module")
def undisturbed_sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep") / "one"
    assert f"60 points, 180 rows in {FILES} files" in run_to_end(folder, "--workers", "1")
    return contents(folder)


def test_two_workers_write_the_same_bytes_as_one(undisturbed_sweep, tmp_path):
    run_to_end(tmp_path / "two", "--workers", "2")
    assert contents(tmp_path / "two") == undisturbed_sweep
    assert len(undisturbed_sweep) == FILES + 1
    again = run_to_end(tmp_path / "two")
    assert f"0 files computed now; {FILES} already existed" in again


@pytest.mark.long
def test_a_worker_that_is_killed_half_way_changes_nothing(undisturbed_sweep, tmp_path):
    with sweeping(tmp_path / "killed", "--workers", "2") as process:
        half_way(process, tmp_path / "killed")
        workers_of(process)[0].kill()
        wait_for_end(process)
    assert contents(tmp_path / "killed") == undisturbed_sweep


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.long)]
)
def test_a_run_that_is_ended_half_way_is_gone_on_with(
    undisturbed_sweep, tmp_path, how, monkeypatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed sweep leaves temporary files here
    folder = tmp_path / "ended"
    with sweeping(folder, "--workers", "2") as process:
        half_way(process, folder)
        workers = workers_of(process)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        resume = "run the same command again to resume the sweep"
        assert (resume in err) == (how == signal.SIGINT)
        assert psutil.wait_procs(workers, timeout=60)[1] == []  # none is left behind
    stood = len(parts(folder))
    assert 3 <= stood < FILES
    said = run_to_end(folder, "--workers", "2")
    assert f"{FILES - stood} files computed now; {stood} already existed" in said
    assert contents(folder) == undisturbed_sweep


@pytest.fixture
def cluster(tmp_path):
    """A scheduler in a separate process, and two workers; its file, and their processes."""
    address_file = tmp_path / "scheduler.json"
    own = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(address_file)]
    alone = [*own, "--no-nanny", "--nthreads", "1", "--local-directory"]
    worker = "distributed.cli.dask_worker"
    with (
        running("distributed.cli.dask_scheduler", "--port", "0", *own),
        running(worker, *alone, str(tmp_path / "a")) as one,
        running(worker, *alone, str(tmp_path / "b")) as other,
    ):
        yield address_file, (one, other)


@pytest.mark.long
def test_a_scheduler_elsewhere_gives_the_same_bytes_though_a_worker_dies(
    undisturbed_sweep, tmp_path, cluster
):
    address_file, workers = cluster
    limit_s = time.monotonic() + 60
    while not address_file.exists() or not address_file.read_text():
        assert time.monotonic() < limit_s
        time.sleep(0.05)
    address = json.loads(address_file.read_text())["address"]
    with sweeping(tmp_path / "far", "--scheduler", address) as process:
        half_way(process, tmp_path / "far")
        workers[0].kill()
        wait_for_end(process)
    assert contents(tmp_path / "far") == undisturbed_sweep


@pytest.mark.long
def test_a_scheduler_that_is_not_there_is_a_sentence(tmp_path):
    with sweeping(tmp_path / "none", "--scheduler", "tcp://127.0.0.1:9") as process:
        _, err = process.communicate(timeout=90)
        assert process.returncode == 2
        assert err.startswith("tunables: scheduler = 'tcp://127.0.0.1:9': ")


@pytest.mark.long
def test_a_sweep_makes_all_its_files_with_standard_error_closed_or_full(tmp_path):
    sweep = [sys.executable, "-m", "tunables", "sweep", "lease", "--grid", "retries=0:2"]
    for how in ("2>&-", "2>/dev/full"):
        folder = tmp_path / str(len(how))
        words = [*sweep, "--chunk", "1", "--workers", "1", "--out", str(folder)]
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {how}', "sh", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
        )
        assert (done.returncode, len(parts(folder))) == (0, 3)
        assert "3 files were computed now" in done.stdout


@pytest.mark.long
def test_a_sweep_leaves_no_folder_for_temporary_files(tmp_path):
    (tmp_path / "tmp").mkdir()
    sweep = [sys.executable, "-m", "tunables", "sweep", "lease", "--grid", "retries=0:1"]
    subprocess.run(
        [*sweep, "--chunk", "1", "--out", str(tmp_path / "swept")],
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.sampled
@pytest.mark.parametrize("after_s", [0.3, 1.0, 1.6, 2.3, 3.2, 4.5])
def test_ctrl_c_for_the_whole_group_ends_a_sweep_with_one_sentence(tmp_path, after_s):
    """A terminal sends it to the workers as well."""
    with sweeping(tmp_path / "ended", "--workers", "2") as process:
        interrupt(process, after_s)
        _, err = process.communicate(timeout=60)
    said = [line for line in err.splitlines() if line and not re.match(r"\d+ of \d+ files", line)]
    if process.returncode:  # it may have been done
        assert process.returncode in (130, -signal.SIGINT)
        assert all(line.startswith("tunables: stopped") for line in said), err


@pytest.mark.sampled
@pytest.mark.parametrize("after_s", [0.2, 0.5, 0.8, 1.3])
@pytest.mark.parametrize(
    "words", [["reproduce"], ["bank"], ["fit", "2", "labs/samples/own/2-fits.csv"]], ids=str
)
def test_ctrl_c_ends_a_command_with_one_sentence_or_finds_it_done(words, after_s):
    with running("tunables", *words) as process:
        interrupt(process, after_s)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) in [(130, "\ntunables: stopped\n"), (0, ""), (-2, "")]
