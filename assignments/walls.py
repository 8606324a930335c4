"""Starts a student's process apart from the rest of the machine, watches it, and ends with it.

    python walls.py LEVEL LEASH PLACE MEMORY PROGRAM ARGUMENT...

runs Python's PROGRAM. It imports nothing of this project, for it runs by itself (`sandbox.py`).
LEVEL says what is kept apart:

    2   Namespaces of Linux for everything: files (of the machine only its programs and this Python,
        to be read; a folder in memory to write into), network, processes, users.
    1   The network.
    0   Nothing.

LEASH is a file descriptor that the grader holds the other end of: when that closes, because the
grader ended in whatever way, all that was started here ends, and its folder goes. At levels 1 and
0 the folder is made in PLACE. All processes together may have MEMORY bytes: what shares a page
has a part of it, and every tenth of a second somebody looks.

Level 2 has four processes: the grader's child, which only waits; process 1 of the namespace, which
watches; the student's process, in a further user namespace, so that it cannot undo what is
mounted; its copies. At the others the grader's child watches.
"""

import ctypes
import itertools
import os
import re
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress

FOLDER_BYTES = 200 * 2**20  # of all files together; the files are in memory
FOLDER_FILES = 20_000
PROCESSES = 64  # at a time
ENDED = 1000  # processes that nobody waited for, which the kernel keeps in mind
TASKS = 256  # processes and threads; held by the kernel unless the grader is root
TOO_MUCH, TOO_MANY, NOT_APART = 90, 91, 92  # exit statuses
_LOOK_S, _SELDOM_S = 0.1, 0.5  # at level 2; at the others, which look at all processes
# Until what was killed has gone: a busy machine takes a while to free much memory.
_ENDED_S = {TOO_MUCH: 2.0, TOO_MANY: 0.0}
_PAUSE_S = 0.02
_STRIKES = 3
_PATIENCE = 5  # so that who watches comes first
_HOME = "/home/student"
_PROGRAM = "/student_process.py"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
_SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_COVERED = ("/mnt", "/media", "/srv", "/opt", "/var/tmp", "/tmp")  # one of them, while mounting
_PASSWD = f"student:x:1000:1000::{_HOME}:/bin/sh\n"

_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_ALL = _NEWNS | _NEWCGROUP | _NEWUTS | _NEWIPC | _NEWUSER | _NEWPID | _NEWNET
_NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_DETACH, _AT_RECURSIVE, _AT_FDCWD = 2, 0x8000, -100
_MOUNT_SETATTR = 442  # the same number on every machine that Python runs on
_READ_ONLY = 1 | 2  # and no set-user-id
_DEATH_SIGNAL, _SUBREAPER, _NO_NEW_PRIVILEGES = 1, 36, 38


def _call(name, *given):
    """Call a function of the C library. Raises OSError if it fails, or is not there."""
    found = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if found is None:
        raise OSError(f"no {name} here")
    made = [ctypes.c_char_p(os.fsencode(one)) if isinstance(one, str) else one for one in given]
    if found(*[ctypes.c_long(one) if isinstance(one, int) else one for one in made]) < 0:
        raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")


def _end_with_parent():
    with suppress(OSError):
        _call("prctl", _DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _become(user, group, inside):
    """In a user namespace just made: be the user called inside."""
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{inside} {user} 1")
    _write("/proc/self/gid_map", f"{inside} {group} 1")


# What a student's process sees of the machine's files.


def _within(path, folders):
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _sources():
    """Return the folders and files to show, none within another."""
    pythons = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
    pythons |= {os.path.realpath(path) for path in pythons}
    pythons.add(os.path.dirname(os.path.realpath(sys.executable)))
    if "/" in pythons:
        raise OSError("this Python has the whole machine as its folder")
    shown = [path for path in _SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    for path in [*sorted(pythons, key=len), *filter(os.path.exists, _SETTINGS)]:
        if not _within(path, shown):
            shown.append(path)
    return shown


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user")]


def _show(path, root):
    """Let a folder or a file be read, and not written, at the same place below root."""
    place = root + path
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        _write(place, "")
    _call("mount", path, place, None, _BIND | _REC, None)
    if not path.startswith("/dev/"):
        wanted = _Attributes(_READ_ONLY, 0, 0, 0)
        given = (ctypes.c_char_p(os.fsencode(place)), ctypes.c_uint(_AT_RECURSIVE))
        _call(
            "syscall",
            *(_MOUNT_SETATTR, _AT_FDCWD, *given, ctypes.byref(wanted), ctypes.sizeof(wanted)),
        )


def _build_root(program):
    """Make a root folder in memory that shows what the student's process needs, and enter it."""
    sources = _sources()
    needed = [*sources, program]
    there = filter(os.path.isdir, _COVERED)
    root = next(path for path in there if not any(_within(source, [path]) for source in needed))
    _call("mount", "none", "/", None, _REC | _PRIVATE, None)
    size = f"size={FOLDER_BYTES},nr_inodes={FOLDER_FILES},mode=755"
    _call("mount", "tmpfs", root, "tmpfs", _NOSUID | _NODEV, size)
    for path in sources:
        _show(path, root)
    for path in filter(os.path.islink, _SYSTEM):
        os.symlink(os.readlink(path), root + path)
    for path in [f"/dev/{name}" for name in _DEVICES]:
        _show(path, root)
    for folder in ("/proc", "/tmp", "/dev/shm", _HOME):
        os.makedirs(root + folder)
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    _write(f"{root}/etc/passwd", _PASSWD)
    shutil.copyfile(program, root + _PROGRAM)
    # Of /proc the processes alone: nothing of the machine, and no setting of the kernel.
    _call("mount", "proc", f"{root}/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "subset=pid")
    os.chdir(root)
    _call("pivot_root", ".", ".")
    _call("umount2", ".", _DETACH)
    os.chdir(_HOME)


# What runs, and how much of the machine it has.


def _status(process):
    """Return (state, parent) of a process, or None for one that is gone."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def _others():
    """Return the processes of the namespace but for this one; above level 1."""
    return [int(name) for name in os.listdir("/proc") if name.isdecimal() and name != "1"]


def _descendants():
    """Return the processes that came from this one; none where there is no /proc."""
    with suppress(OSError):
        found = {int(name): _status(name) for name in os.listdir("/proc") if name.isdecimal()}
        parents = {process: status[1] for process, status in found.items() if status}
        family = {os.getpid()}
        while more := {one for one, parent in parents.items() if parent in family} - family:
            family |= more
        return list(family - {os.getpid()})
    return []


def _resident(process):
    """Return how much memory a process alone takes, as far as a glance tells: its own pages."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{process}/statm", "rb") as file:
        fields = file.read().split()
        return (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _share(process):
    """Return how much memory a process takes, with its share of what several have."""
    with suppress(OSError, ValueError), open(f"/proc/{process}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _excess(processes, memory):
    """Return the exit status that says what is too much of them; 0 for nothing."""
    if len(processes) > ENDED:
        return TOO_MANY
    alive = (one for one in processes if (_status(one) or (b"Z",))[0] != b"Z")
    if sum(1 for _ in itertools.islice(alive, PROCESSES + 1)) > PROCESSES:
        return TOO_MANY
    if sum(map(_resident, processes)) <= memory:
        return 0
    return TOO_MUCH if sum(map(_share, processes)) > memory else 0


def _kill(processes, how=signal.SIGKILL):
    for process in processes:
        with suppress(OSError):
            os.kill(process, how)


def _reap(student):
    """Take note of who ended; return the student's process's status, None while it runs."""
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return None
            if process == student:
                return status
    return 0


def _exit_code(status):
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def _silent():
    """Leave requests and answers to the student's process, and be woken when a child ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return woken


def _end_copies(student, memory, family, found):
    """End all but the student's process; return what is still too much of what is left."""
    end = time.monotonic() + _ENDED_S[found]
    while True:
        _kill([process for process in family() if process != student])
        time.sleep(_PAUSE_S)
        left = _excess(family(), memory)
        if not left or time.monotonic() > end:
            return left


def _watch(student, leash, memory, family, look_s):
    """Wait until the student's process or the grader ends; return the exit status to tell.

    Of what takes too much the copies of the student's process are ended; if that does not help, or
    not for long, all of it is, by returning.
    """
    woken, strikes, looked = _silent(), 0, time.monotonic()
    while (status := _reap(student)) is None:
        ready = select.select([leash, woken], [], [], look_s)[0]
        if leash in ready:
            return 0
        if woken in ready:
            os.read(woken, 4096)
        if time.monotonic() < looked + look_s:
            continue
        if found := _excess(family(), memory):
            strikes += 1
            if strikes > _STRIKES or _end_copies(student, memory, family, found):
                return found
        looked = time.monotonic()
    return _exit_code(status)


def _start(program, arguments, home, apart):
    """Start the student's process; apart() is what keeps it so. Return its number."""
    student = os.fork()
    if student:
        return student
    try:
        apart()
        os.nice(_PATIENCE)
        os.chdir(home)
        places = {"HOME": home, "TMPDIR": home, "PWD": home}
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        command = [sys.executable, "-I", program, *arguments]
        os.execve(sys.executable, command, {**os.environ, **places})
    finally:
        os._exit(NOT_APART)


def _hold_fast(user, group):
    """Go into a user namespace of its own, with no rights over what was mounted before."""
    _call("unshare", _NEWUSER | _NEWNS)
    _become(user, group, 1000)
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    major, minor = map(int, re.findall(r"\d+", os.uname().release)[:2])
    if (major, minor) >= (5, 14):  # before, the count was over all that the user runs
        resource.setrlimit(resource.RLIMIT_NPROC, (TASKS, TASKS))


def _all_apart(leash, memory, program, arguments):
    """Run the program at level 2; return its exit status."""
    user, group = os.getuid(), os.getgid()
    _call("unshare", _ALL)
    _become(user, group, 0)
    first = os.fork()
    if not first:
        try:
            _end_with_parent()
            # _hold_fast makes one; a student's process that asks for another is refused.
            _write("/proc/sys/user/max_user_namespaces", "1")
            _build_root(program)
            os._exit(_first(leash, memory, arguments))
        finally:
            os._exit(NOT_APART)
    woken = _silent()
    while (status := _reap(first)) is None:
        ready = select.select([leash, woken], [], [])[0]
        if leash in ready:
            _kill([first])
        if woken in ready:
            os.read(woken, 4096)
    return _exit_code(status)


def _first(leash, memory, arguments):
    """Be process 1 of the namespace: start the student's process, watch it."""
    student = _start(_PROGRAM, arguments, _HOME, lambda: _hold_fast(0, 0))
    return _watch(student, leash, memory, _others, _LOOK_S)


def _little_apart(level, leash, place, memory, program, arguments):
    """Run the program at level 1 or 0, in a folder of its own; return its exit status."""
    with suppress(OSError):
        _call("prctl", _SUBREAPER, 1, 0, 0, 0)
    folder = tempfile.mkdtemp(prefix="tunables-grade-", dir=place)
    user, group = os.getuid(), os.getgid()

    def apart():
        os.setpgid(0, 0)
        if level:
            _call("unshare", _NEWUSER | _NEWNET)
            _become(user, group, 0)

    student = _start(program, arguments, folder, apart)
    try:
        return _watch(student, leash, memory, _descendants, _SELDOM_S)
    finally:
        with suppress(OSError):
            os.killpg(student, signal.SIGKILL)
        for _ in range(1000):
            if not (left := _descendants()):
                break
            _kill(left, signal.SIGSTOP)  # so that none starts another while the others end
            _kill(left)
            _reap(0)
        _remove(folder)


def _remove(folder):
    """Remove a folder, also one whose owner closed it to himself."""
    for path, folders, _ in os.walk(folder):
        for name in folders:
            inner = os.path.join(path, name)
            if not os.path.islink(inner):
                with suppress(OSError):
                    os.chmod(inner, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def main():
    level, leash, place, memory, program, *arguments = sys.argv[1:]
    os.set_inheritable(int(leash), False)
    if int(level) == 2:
        return _all_apart(int(leash), int(memory), program, arguments)
    return _little_apart(int(level), int(leash), place, int(memory), program, arguments)


if __name__ == "__main__":
    os._exit(main())
