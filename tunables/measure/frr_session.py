"""What happens inside the namespace of tunables.measure.frr: one router, two neighbours.

python -m tunables.measure.frr_session BGPD DIRECTORY PREFIXES ROUNDS prints, as JSON, what
`show work-queues` and `show thread cpu` say after each round of announcing and clearing.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tunables.measure.bgp_speaker import Speaker

ROUTER = "192.0.2.1"  # TEST-NET-1; every address is on the namespace's own loopback
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
                raise ConnectionError(f"the daemon ended during {command!r}")
            answer += part
        return answer[:-4].decode()


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Return when condition holds; raises TimeoutError that names what it waited for."""
    end = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {TIMEOUT_S:g} s for {what}")
        time.sleep(0.05)


def _routes(terminal: Terminal) -> int:
    summary = json.loads(terminal.ask("show ip bgp summary json") or "{}")
    peers = summary.get("ipv4Unicast", {}).get("peers", {}).values()
    return sum(peer.get("pfxRcd", 0) for peer in peers)


def _is_idle(terminal: Terminal) -> bool:
    """No queue has an item left: the first number of each row, behind the flag P."""
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
            sys.exit(f"the daemon ended at once with code {daemon.returncode}")
        print(json.dumps(play(Terminal(door), int(prefixes), int(rounds))))
    finally:
        daemon.kill()
        daemon.wait()


if __name__ == "__main__":
    main()
