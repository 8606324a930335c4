"""The real daemon: FRRouting's bgpd clears two full tables in namespaces of its own.

Nothing of it outlives the call: the namespaces vanish with their last process, all processes
with the first, and the files with their directory. Inside the namespace, `python -m
tunables.lab.frr BGPD DIRECTORY PREFIXES ROUNDS` runs one router and two neighbours, BGP speakers
just large enough to feed it a table of made-up routes; it prints, as JSON, what `show work-queues`
and `show thread cpu` say after each round of announcing and clearing.
"""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE

from tunables.base.arguments import integer
from tunables.lab.child import child
from tunables.lab.cleanup import guarded_folder

OPEN, UPDATE, _NOTIFICATION, KEEPALIVE = 1, 2, 3, 4
_HEADER = struct.Struct("!16sHB")
_MARKER = b"\xff" * 16
_PREFIXES_IN_UPDATE = 800  # 4 bytes each; a message holds at most 4096


def message(kind: int, body: bytes = b"") -> bytes:
    """Return a BGP message. Source: RFC 4271, section 4.1."""
    return _HEADER.pack(_MARKER, _HEADER.size + len(body), kind) + body


def open_message(local_as: int, hold_s: int, identifier: str) -> bytes:
    """Return OPEN without options. Source: RFC 4271, section 4.2."""
    fields = struct.pack("!BHH4sB", 4, local_as, hold_s, socket.inet_aton(identifier), 0)
    return message(OPEN, fields)


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("!BBB", 0x40, kind, len(value)) + value  # 0x40: well-known, transitive


def updates(local_as: int, next_hop: str, prefixes: int) -> Iterator[bytes]:
    """Yield UPDATE messages that announce `prefixes` /24 prefixes, from 20.0.0.0 up.

    Source: RFC 4271, section 4.3. Raises ValueError for more prefixes than fit below 224/8.
    """
    count = integer("prefixes", prefixes, at_most=(224 - 20) << 16)
    attributes = (
        _attribute(1, b"\0")  # ORIGIN: IGP
        + _attribute(2, struct.pack("!BBH", 2, 1, local_as))  # AS_PATH: a sequence of one
        + _attribute(3, socket.inet_aton(next_hop))
    )
    head = struct.pack("!HH", 0, len(attributes)) + attributes
    for first in range(0, count, _PREFIXES_IN_UPDATE):
        last = min(first + _PREFIXES_IN_UPDATE, count)
        routes = b"".join(
            b"\x18" + ((20 << 24) + (n << 8)).to_bytes(4, "big")[:3] for n in range(first, last)
        )
        yield message(UPDATE, head + routes)


class Speaker:
    """One established session that reads and forgets what the router sends.

    `close` ends it; the speaker does not come back, as a neighbour would.
    """

    def __init__(self, router: str, address: str, local_as: int, timeout_s: float = 10.0) -> None:
        self.address, self.local_as = address, local_as
        self.socket = socket.create_connection((router, 179), timeout_s, (address, 0))
        self.socket.sendall(open_message(local_as, 180, address) + message(KEEPALIVE))
        self._reader = threading.Thread(target=self._discard, daemon=True)
        self._reader.start()

    def _discard(self) -> None:
        try:
            while self.socket.recv(1 << 16):
                pass
        except OSError:  # closed, by either side
            pass

    def announce(self, prefixes: int) -> None:
        """Send the routes; returns when the router's socket has taken them."""
        self.socket.settimeout(60)
        for update in updates(self.local_as, self.address, prefixes):
            self.socket.sendall(update)

    def close(self) -> None:
        """End the session."""
        self.socket.close()
        self._reader.join(1)


ROUTER = "192.0.2.1"  # TEST-NET-1; every address is on the namespace's loopback
NEIGHBOURS = {"192.0.2.2": 64513, "192.0.2.3": 64514}
TIMEOUT_S = 60.0


def configuration() -> str:
    """Return the router's configuration: its own AS and two neighbours that call it."""
    lines = ["router bgp 64512", f" bgp router-id {ROUTER}", " no bgp ebgp-requires-policy"]
    for address, number in NEIGHBOURS.items():
        lines += [f" neighbor {address} remote-as {number}", f" neighbor {address} passive"]
    return "\n".join(lines) + "\n"


class Terminal:
    """The daemon's local terminal: commands end with a zero byte, answers with three and a code."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT_S)
        self.socket.connect(str(path))
        self.ask("enable")

    def ask(self, command: str) -> str:
        """Return what the daemon prints. Raises ConnectionError if it ends."""
        self.socket.sendall(command.encode() + b"\0")
        answer = b""
        while answer[-4:-1] != b"\0\0\0":
            part = self.socket.recv(1 << 16)
            if not part:
                raise ConnectionError(f"the daemon exited during {command!r}")
            answer += part
        return answer[:-4].decode()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Return when condition holds; raises TimeoutError that names what it waited for."""
    end = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"gave up after waiting {TIMEOUT_S:g} s for {what}")
        time.sleep(0.05)


def _routes(terminal: Terminal) -> int:
    summary = json.loads(terminal.ask("show ip bgp summary json") or "{}")
    peers = summary.get("ipv4Unicast", {}).get("peers", {}).values()
    return sum(peer.get("pfxRcd", 0) for peer in peers)


def _is_idle(terminal: Terminal) -> bool:
    """Say whether no queue has an item left: the first number of each row, behind the flag P."""
    rows = [
        line.removeprefix("P").split() for line in terminal.ask("show work-queues").splitlines()
    ]
    return all(row[0] == "0" for row in rows if row and row[0].isdigit())


def play(terminal: Terminal, prefixes: int, rounds: int) -> list[dict[str, str]]:
    """Announce a full table from both neighbours and clear both sessions, again and again."""
    seen = []
    for _ in range(rounds):
        speakers = [Speaker(ROUTER, address, number) for address, number in NEIGHBOURS.items()]
        for speaker in speakers:
            speaker.announce(prefixes)
        wait_until(lambda: _routes(terminal) == len(NEIGHBOURS) * prefixes, "all routes")
        wait_until(lambda: _is_idle(terminal), "the queues to empty")
        terminal.ask("clear ip bgp *")
        wait_until(lambda: _routes(terminal) == 0 and _is_idle(terminal), "the queues to empty")
        for speaker in speakers:
            speaker.close()
        commands = ("show work-queues", "show thread cpu")
        seen.append({command: terminal.ask(command) for command in commands})
    return seen


def main() -> None:
    bgpd, directory, prefixes, rounds = sys.argv[1:]
    for address in (ROUTER, *NEIGHBOURS):
        subprocess.run(["ip", "address", "add", f"{address}/24", "dev", "lo"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    home = Path(directory)
    (home / "bgpd.conf").write_text(configuration())
    options = ["--no_zebra", "--skip_runas", "--vty_port", "0", "--listenon", ROUTER]
    files = ["--config_file", str(home / "bgpd.conf"), "--vty_socket", directory]
    files += ["--pid_file", str(home / "pid"), "--log", f"file:{home / 'log'}"]
    daemon = subprocess.Popen([bgpd, *options, *files], stdout=subprocess.DEVNULL)
    door = home / "bgpd.vty"
    try:
        wait_until(lambda: door.exists() or daemon.poll() is not None, f"{door.name} to appear")
        if daemon.poll() is not None:
            sys.exit(f"the daemon exited immediately with code {daemon.returncode}")
        print(json.dumps(play(Terminal(door), int(prefixes), int(rounds))))
    finally:
        daemon.kill()
        daemon.wait()


BGPD = "/usr/lib/frr/bgpd"  # where Debian's package frr puts it


class Unavailable(RuntimeError):
    """The daemon cannot run here; the message is a sentence that says why."""


def _namespaces() -> list[str]:
    """Return the command that gives a process its own network and processes, killed with it."""
    command = ["unshare", "--net", "--pid", "--fork", "--kill-child"]
    return command if os.geteuid() == 0 else [*command, "--user", "--map-root-user"]


def require_frr(bgpd: str = BGPD) -> None:
    """Return if the daemon can run here; raises Unavailable with a sentence if not."""
    if sys.platform != "linux":
        raise Unavailable("This part needs Linux, because it creates its own network namespace.")
    for program, package in (("unshare", "util-linux"), ("ip", "iproute2")):
        if shutil.which(program) is None:
            raise Unavailable(f"This part needs the program {program} (Debian package: {package}).")
    if not os.access(bgpd, os.X_OK):
        raise Unavailable(f"This part needs FRRouting's bgpd at {bgpd} (Debian package: frr).")
    trial = [*_namespaces(), "ip", "link", "set", "lo", "up"]
    if subprocess.run(trial, stdout=DEVNULL, stderr=DEVNULL).returncode:
        raise Unavailable("This part needs permission to create a network namespace.")


def clear_full_tables(
    prefixes: int = 160_000, rounds: int = 4, bgpd: str = BGPD
) -> list[dict[str, str]]:
    """Let bgpd learn `prefixes` prefixes from each of two neighbours, and clear both sessions.

    Returns one dict a round: what `show work-queues` and `show thread cpu` then printed, by
    the name of the command. About two seconds a round.
    Raises Unavailable where it may not run, ValueError for numbers out of range, RuntimeError
    with the session's last words if it fails.
    """
    prefixes = integer("prefixes", prefixes, at_least=1, at_most=2_000_000)
    rounds = integer("rounds", rounds, at_least=1, at_most=20)
    require_frr(bgpd)
    package_is_in = str(Path(__file__).resolve().parents[2])
    with guarded_folder("tunables-frr-") as folder:
        session = ["-m", "tunables.lab.frr", bgpd, folder.path, prefixes, rounds]
        command = [*_namespaces(), sys.executable, *session]
        with child(command, folder, cwd=package_is_in, stdout=PIPE, stderr=PIPE) as process:
            output, errors = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the session with {bgpd} failed: {errors.strip()[-2000:]}")
    return json.loads(output)


if __name__ == "__main__":
    main()
