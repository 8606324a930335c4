"""A private PostgreSQL: in a temporary directory, on a unix socket, removed afterwards."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path

from tunables.lab.child import ProgramKilled, child, reason, run
from tunables.lab.cleanup import GuardedFolder, guarded_folder, tidy

PROGRAMS = ("initdb", "postgres", "pgbench", "psql", "pg_test_fsync")
# Where distributions put the programs that they keep off the path.
_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
_SUPERUSER = "tunables"
_SOCKET_PATH_BYTES = 103  # the shortest limit on a unix socket's path, macOS's, less one
_READY_S = 30
_DYING_S = 0.5  # its processes notice that it was killed a little before this one does
_FAILED = re.compile("PANIC:|FATAL:|terminated by signal")  # in the log


class NotInstalled(RuntimeError):
    """PostgreSQL, or a part of it, is not on this machine."""


def _version(folder):
    digits = "".join(c if c.isdigit() else " " for c in str(folder)).split()
    return [int(part) for part in digits]


def find_programs() -> Path:
    """Return the folder of PostgreSQL's programs, the newest if there are several.

    Raises NotInstalled, with the package to install, where one of them is missing.
    """
    if os.name == "nt":
        raise NotInstalled(
            "This lab drives PostgreSQL over a unix socket, which Python on Windows does not "
            "support. Run the lab in WSL, the Linux that comes with Windows."
        )
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(map(Path, (f for place in _PLACES for f in glob(place))), key=_version)[::-1]
    for folder in folders:
        if all((folder / program).exists() for program in PROGRAMS):
            return folder
    raise NotInstalled(
        f"PostgreSQL is not installed here (needed: {', '.join(PROGRAMS)}). Install the package "
        "postgresql (on Debian and Ubuntu: sudo apt install postgresql; with conda: conda install "
        "-c conda-forge postgresql)."
    )


def _privileges():
    """Return how to start a process that may run PostgreSQL, which refuses to run as root."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError(
        "PostgreSQL refuses to run as root, and this system has neither a user named postgres nor "
        "one named nobody. Start Jupyter as a user other than root, then run the cell again."
    )


class Server:
    """A running server: its folder, the programs, and how to start them."""

    def __init__(self, guarded: GuardedFolder, programs: Path, privileges: dict):
        self.guarded = guarded
        self.folder = guarded.path
        self.programs = programs
        self.privileges = privileges
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PG")
        } | {"LC_ALL": "C"}
        self.ready_at = 0  # in the log
        self.where = ["-h", str(self.folder), "-U", _SUPERUSER]

    def run(self, program, *arguments, options="") -> str:
        """Return what one of PostgreSQL's programs prints; options are the server's (-c a=b)."""
        environment = self.environment | {"PGOPTIONS": options}
        command = [self.programs / program, *arguments]
        options = {"env": environment, "cwd": self.folder} | self.privileges
        return run(command, within=self.guarded, **options).output

    def log(self) -> str:
        """Return what the server noted since it was ready."""
        with (self.folder / "log").open(errors="replace") as file:
            file.seek(self.ready_at)
            return file.read()

    def query(self, sql) -> list[str]:
        """Return the columns of the one row that a query gives."""
        output = self.run("psql", *self.where, "-XAtq", "-c", sql, "postgres")
        return output.strip().split("|")


def _make(guarded, programs, privileges):
    if privileges:
        os.chown(guarded.path, privileges["user"], privileges["group"])
    server = Server(guarded, programs, privileges)
    server.run(
        "initdb", "-D", server.folder / "data", "-U", _SUPERUSER, "-A", "trust", "-E", "UTF8",
        "--locale=C", "--no-sync",
    )  # fmt: skip
    return server


def _wait_until_ready(server, process):
    give_up = time.monotonic() + _READY_S
    while process.poll() is None and time.monotonic() < give_up:
        try:
            server.query("SELECT 1")
            server.ready_at = (server.folder / "log").stat().st_size
            return
        except RuntimeError:
            time.sleep(0.05)
    raise RuntimeError(f"PostgreSQL did not start: {reason(server.log())}")


@contextmanager
def _explain_failures(server, process):
    """Let an error within the block say what became of the server, if that is the reason."""
    try:
        yield
    except RuntimeError as error:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_DYING_S)
        noted = _FAILED.search(server.log()) and not isinstance(error, ProgramKilled)
        if not noted and process.returncode is None:
            raise  # the server is not the reason
        if (process.returncode or 0) < 0:
            raise ProgramKilled("PostgreSQL", process) from error
        said = reason(server.log())
        raise RuntimeError(f"PostgreSQL failed while it was being measured: {said}") from error


@contextmanager
def running_server(**settings) -> Generator[Server, None, None]:
    """Yield a Server with these settings; however the block is left, nothing of it remains.

    Settings are PostgreSQL's (fsync="on"). As root it runs as the user postgres or nobody.
    Raises NotInstalled where PostgreSQL is missing, RuntimeError where it does not start.
    """
    programs, privileges = find_programs(), _privileges()
    with tidy() as stack:
        guarded = stack.enter_context(guarded_folder("tunables-pg-"))
        folder = guarded.path
        if len(os.fsencode(folder / ".s.PGSQL.5432")) > _SOCKET_PATH_BYTES:
            raise RuntimeError(
                f"{folder}: this path is too long for a unix socket: set TMPDIR to a shorter path"
            )
        server = _make(guarded, programs, privileges)
        command = [programs / "postgres", "-D", folder / "data", "-k", folder, "-h", ""]
        # A server that loses a process is useless, and slow to end while it recovers.
        for name, value in ({"restart_after_crash": "off"} | settings).items():
            command += ["-c", f"{name}={value}"]
        log = stack.enter_context((folder / "log").open("w"))
        process = stack.enter_context(
            child(
                command,
                guarded,
                stdout=log,
                stderr=log,
                env=server.environment,
                cwd=folder,
                **privileges,
            )
        )
        _wait_until_ready(server, process)
        with _explain_failures(server, process):
            yield server
