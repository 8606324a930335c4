"""The real daemon: FRRouting's bgpd clears two full tables in namespaces of its own.

Nothing of it outlives the call: the namespaces vanish with their last process, all processes
with the first, and the files with their directory.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import DEVNULL, PIPE

from tunables.measure.child import child
from tunables.measure.cleanup import guarded_folder
from tunables.plain.arguments import whole

BGPD = "/usr/lib/frr/bgpd"  # where Debian's package frr puts it


class Unavailable(RuntimeError):
    """The daemon cannot run here; the message is a sentence that says why."""


def _namespaces() -> list[str]:
    """The command that gives a process its own network and processes, killed with it."""
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child"]
    return command if os.geteuid() == 0 else [*command, "--user", "--map-root-user"]


def require_frr(bgpd: str = BGPD) -> None:
    """Return if the daemon can run here; raises Unavailable with a sentence if not."""
    if sys.platform != "linux":
        raise Unavailable("This part needs Linux: it makes a network namespace of its own.")
    for program, package in (("unshare", "util-linux"), ("ip", "iproute2")):
        if shutil.which(program) is None:
            raise Unavailable(f"This part needs the program {program} (Debian: {package}).")
    if not os.access(bgpd, os.X_OK):
        raise Unavailable(f"This part needs FRRouting's bgpd at {bgpd} (Debian: frr).")
    trial = [*_namespaces(), "ip", "link", "set", "lo", "up"]
    if subprocess.run(trial, stdout=DEVNULL, stderr=DEVNULL).returncode:
        raise Unavailable("This part needs the right to make a network namespace.")


def clear_full_tables(
    prefixes: int = 160_000, rounds: int = 4, bgpd: str = BGPD
) -> list[dict[str, str]]:
    """Let bgpd learn so many prefixes from each of two neighbours, and clear both sessions.

    Returns one dict a round: what `show work-queues` and `show thread cpu` then printed, by
    the name of the command. About two seconds a round.
    Raises Unavailable where it may not run, ValueError for numbers out of range, RuntimeError
    with the session's last words if it fails.
    """
    prefixes = whole("prefixes", prefixes, at_least=1, at_most=2_000_000)
    rounds = whole("rounds", rounds, at_least=1, at_most=20)
    require_frr(bgpd)
    package_is_in = str(Path(__file__).resolve().parents[2])
    with guarded_folder("tunables-frr-") as folder:
        session = ["-m", "tunables.measure.frr_session", bgpd, folder.path, prefixes, rounds]
        command = [*_namespaces(), sys.executable, *session]
        with child(command, folder, cwd=package_is_in, stdout=PIPE, stderr=PIPE) as process:
            output, errors = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the session with {bgpd} failed: {errors.strip()[-2000:]}")
    return json.loads(output)
