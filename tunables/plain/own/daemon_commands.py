"""What `show thread cpu` and `show work-queues` print: their headings and rows, word by word.

Without regular expressions, of which MicroPython has too few: it runs this, too.
"""

from collections import namedtuple

# Heading word, a blank in it underlined -> keys of the records, for its first, second and third
# place in the heading.
_THREAD_KEYS = {
    "Active": ["active"],
    "Runtime(ms)": ["runtime_ms"],
    "Invoked": ["invoked"],
    "Avg_uSec": ["cpu_avg_us", "wall_avg_us"],
    "Max_uSecs": ["cpu_max_us", "wall_max_us"],
    "CPU_Warn": ["cpu_warnings"],
    "Wall_Warn": ["wall_warnings"],
    "Starv_Warn": ["starvation_warnings"],
}
_QUEUE_KEYS = {
    "Items": ["items"],
    "Delay": ["delay_ms"],
    "Hold": ["hold_ms"],
    "Total": ["runs", "yields", "cycles"],
    "Best": ["best"],
    "Gran.": ["granularity"],
    "Avg.": ["cycles_per_run"],
}
_DIGITS = "0123456789"
_MOST_DIGITS = 20  # of 64 bits
_TYPES = "RWTEXB"
_NAMES_BEGIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_("

# How one command's output reads. heading(line): its words of the numbers, or None; row(line):
# (numbers, texts), or None; texts: what a row holds after its numbers, for the reader of an error.
Command = namedtuple("Command", ["name", "heading", "keys", "row", "texts"])


def _is_whole(word):
    return len(word) <= _MOST_DIGITS and all([c in _DIGITS for c in word])


def _is_runtime(word):
    whole, _, decimals = word.partition(".")
    return bool(whole) and len(decimals) == 3 and _is_whole(whole + decimals)


def _divided(line):
    """Return the numbers that a line begins with, and what follows them."""
    words = line.split()
    count = 0
    while count < len(words) and (_is_whole(words[count]) or _is_runtime(words[count])):
        count += 1
    rest = line.split(None, count)
    return words[:count], rest[count] if len(rest) > count else ""


def _thread_heading(line):
    words = line.replace("Avg uSec", "Avg_uSec").replace("Max uSecs", "Max_uSecs").split()
    first = words[1:] if words[:1] == ["Active"] else words
    if first[:1] != ["Runtime(ms)"] or line.count("Avg uSec") < 2:
        return None
    return words[:-2] if words[-2:] in (["Type", "Thread"], ["Type", "Event"]) else None


def _thread_row(line):
    numbers, rest = _divided(line)
    runtimes = [place for place, word in enumerate(numbers) if _is_runtime(word)]
    if runtimes not in ([0], [1]) or len(numbers) < runtimes[0] + 2:
        return None
    types = ""
    while rest and all([c in _TYPES for c in rest.split()[0]]) and len(rest.split()) > 1:
        word, rest = rest.split(None, 1)
        types += word
    if not types or rest[0] not in _NAMES_BEGIN:
        return None
    return numbers, {"types": types, "thread": rest}


def _queue_heading(line):
    words = line.split()
    first = words[1:] if words[:1] == ["P"] else words
    return first[:-1] if first[:1] == ["Items"] and first[-1:] == ["Name"] else None


def _queue_row(line):
    plugged = line.split(None, 1)[:1] == ["P"]
    numbers, rest = _divided(line[1:] if plugged else line)
    if len(numbers) < 6 or not rest or rest[0] not in _NAMES_BEGIN:
        return None
    if not all([_is_whole(word) for word in numbers]):
        return None
    return numbers, {"plugged": plugged, "name": rest}


THREAD_CPU = Command(
    "show thread cpu",
    _thread_heading,
    _THREAD_KEYS,
    _thread_row,
    "a type (letters of RWTEXB) and a name",
)
WORK_QUEUES = Command("show work-queues", _queue_heading, _QUEUE_KEYS, _queue_row, "a name")
