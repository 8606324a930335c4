"""A clock that is set while PostgreSQL is measured: a sentence is printed, and no rate."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.lab.interrupted import LIMIT_S, left_behind, public_folder, start_program
from tunables.lab.postgres import missing

pytestmark = [
    pytest.mark.skipif(missing() != "", reason=missing()),
    pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD is Linux's"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]
# In front of the system's clocks: the time of day jumps once the file CLOCK_SET is there.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long step(void) {
    return access(getenv("CLOCK_SET"), F_OK) ? 0 : atol(getenv("CLOCK_STEP"));
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += step();
    return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec fine;
    int failed = clock_gettime(CLOCK_REALTIME, &fine);
    now->tv_sec = fine.tv_sec;
    now->tv_usec = fine.tv_nsec / 1000;
    return failed;
}
"""
# Somebody sets the clock as the first rows arrive.
PROGRAM = """
import os
from tunables.lab import logical_replication as m
look = m._look
def looking(subscriber):
    seen = look(subscriber)
    if seen.rows:
        open(os.environ["CLOCK_SET"], "w").close()
    return seen
m._look = looking
for each in m.sweep([0.025], seconds=3):
    print(each)
"""


@pytest.fixture
def folder(monkeypatch):
    """A temporary folder, and a clock that can be set by a file beside it."""
    with public_folder() as path:
        source, library = path / "shim.c", path / "shim.so"
        source.write_text(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        monkeypatch.setenv("LD_PRELOAD", str(library))
        monkeypatch.setenv("CLOCK_SET", str(path / "set"))
        (path / "tmp").mkdir(mode=0o755)
        yield path / "tmp"


@pytest.mark.long
@pytest.mark.parametrize("step_s", [-3600, -1, 1, 3600, 0])
def test_a_clock_that_is_set_meanwhile_is_reported(folder, monkeypatch, step_s):
    monkeypatch.setenv("CLOCK_STEP", str(step_s))
    with start_program(PROGRAM, folder) as process:
        told, errors = process.communicate(timeout=LIMIT_S)
    assert left_behind(folder, process) == []
    assert os.path.exists(os.environ["CLOCK_SET"])
    if step_s:
        assert "This system's clock was changed while the lab was measuring" in errors, told
    else:
        assert told.startswith("ReplicationRun("), errors
