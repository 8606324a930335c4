"""Runs what a student wrote, in a process that holds no answer; `sandbox.py` starts it.

    python student_process.py CPU_S

reads a request a line and answers each with a line of JSON:

    {"cell": source}                      runs it, as Jupyter would         {} or
                                                                            {"error": sentence}
    {"name": name}                        what stands under it              {"value": ...} or
                                                                            {"function": true}
    {"call": name, "arguments": [...]}    calls it, in a copy of            {"value": ...} or
                                          this process                      {"error": sentence}

An error that was no exception of the function's own has "stopped" beside it.
CPU_S bounds the CPU time of all cells together, and that of each call. What is printed is dropped.
"""

import json
import os
import re
import resource
import signal
import sys
from contextlib import suppress
from importlib import import_module
from numbers import Integral, Real
from types import ModuleType, SimpleNamespace

MEMORY_BYTES = 2 * 2**30
FILE_BYTES = 50 * 2**20
WAIT_FACTOR = 4  # seconds on the clock to a second of CPU: for who sleeps instead of computing

LONGEST_ANSWER = 2**20

_TIME_UP = {signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM}
_ANSWERED = 77  # a copy's exit status: os._exit(0) in a function is no answer


def _limit(cpu_s):
    """Bound CPU time, address space and the size of a file, of this process and its copies."""
    bounds = {"CPU": (cpu_s, cpu_s + 1), "AS": (MEMORY_BYTES,) * 2, "FSIZE": (FILE_BYTES,) * 2}
    for name, pair in {**bounds, "CORE": (0, 0)}.items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), pair)
        except (OSError, ValueError):  # macOS bounds no address space
            continue


def _streams():
    """Take standard input and output for requests and answers, and leave none to the notebook."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return requests, answers


def _plain(value):
    """Return a value as JSON holds it: whole numbers, floats, texts, lists of these."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return [_plain(item) for item in value]


def _shell():
    """Return IPython, in which nothing is kept and otter's checks do nothing."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    passed_over = SimpleNamespace(check=lambda *_: None, check_all=lambda *_: None)
    otter = ModuleType("otter")
    otter.Notebook = lambda *_, **__: passed_over  # type: ignore[attr-defined]
    sys.modules["otter"] = otter
    return InteractiveShell.instance()


def _import_once(source):
    """Import here what a cell's functions would import again in each copy of this process."""
    for name in re.findall(r"(?:from|import)\s+((?:numpy|scipy)[\w.]*)", source):
        with suppress(Exception):
            import_module(name)


def _answer(names, request) -> str:
    """Return as a line what a name of the notebook holds, or what calling it gives, or why not."""
    try:
        answer = json.dumps(_reply_to(names, request))
    except BaseException as error:
        answer = json.dumps({"error": f"{type(error).__name__}, in an answer"})
    if len(answer) > LONGEST_ANSWER:
        answer = json.dumps({"error": "an answer of more than 1 MiB"})
    return answer + "\n"


def _reply_to(names, request) -> dict:
    try:
        if "call" in request:
            return {"value": _plain(names[request["call"]](*request["arguments"]))}
        found = names[request["name"]]
        return {"function": True} if callable(found) else {"value": _plain(found)}
    except BaseException as error:
        return {"error": _error_sentence(error)}


def _cell_error(result) -> dict:
    """Return why a cell did not run to its end, if it did not."""
    error = result.error_before_exec or result.error_in_exec
    return {} if error is None else {"error": _error_sentence(error)}


def _error_sentence(error) -> str:
    """Return an exception as a sentence; its own words may fail, too."""
    try:
        said = re.sub(r"<ipython-input[^>]*>, ", "", str(error))  # IPython's name for the cell
        return f"{type(error).__name__}: {said}"[:300]
    except BaseException:
        return type(error).__name__[:300]


def _in_a_copy(names, request, answers, wait_s):
    """Answer in a copy of this process, so that no call can harm the next."""
    copy = os.fork()
    if not copy:
        signal.alarm(wait_s)
        answers.write(_answer(names, request))
        answers.flush()
        os._exit(_ANSWERED)
    _, status = os.waitpid(copy, 0)
    if status == _ANSWERED << 8:
        return None
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in _TIME_UP
    why = "not finished in time" if late else "ended the program"
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        why = "not finished in time, or used too much memory"
    return {"error": why, "stopped": True}


def main():
    cpu_s = int(sys.argv[1])
    _limit(cpu_s)
    requests, answers = _streams()
    shell = _shell()
    for line in requests:
        request, said = json.loads(line), {}
        signal.alarm(WAIT_FACTOR * cpu_s)
        if "cell" in request:
            _import_once(request["cell"])
            said = _cell_error(shell.run_cell(request["cell"], store_history=False))
        else:
            signal.alarm(0)
            said = _in_a_copy(shell.user_ns, request, answers, WAIT_FACTOR * cpu_s)
        signal.alarm(0)
        if said is not None:
            answers.write(json.dumps(said) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
