"""What load tools print: the numbers of each run, and a table of clients, latency and rate.

pgbench 15, wrk 4.1, redis-benchmark 7.0, fio 3.33, hey 0.1.4 and ab 2.3 were run for the samples in
tests/audit/samples. k6 was not: its form is that of its documentation (versions 0.47 to 1.0).
"""

from tunables.base.numbers_as_text import parse_number, trim
from tunables.base.units import in_unit
from tunables.base.user_data.columns import refuse

LONGEST_TEXT = 2**18  # characters: a longer one is a log
_LOOK_AT = 400  # lines after a run's first line that may belong to it
_K6_LINES = 40  # of one summary
_DIGITS = "0123456789"


def _after(line, words):
    """Return what follows some words in a line, or ""."""
    place = line.find(words)
    return trim(line[place + len(words) :]) if place >= 0 else ""


def _word(text, index=0):
    words = text.split()
    return words[index] if len(words) > index else ""


def _attach(text):
    """Return the first two words of a text, if the second is a unit."""
    words = text.split()
    return " ".join(words[:2]) if len(words) > 1 and words[1][:1].isalpha() else _word(text)


def _named(text):
    """Return {name: value} of "min=33, max=24891, avg=141.12": blanks and commas end a value."""
    found = {}
    text = text.replace("= ", "=").replace(",", " ")
    for part in text.split():
        name, mark, value = part.partition("=")
        if mark and value:
            found[name] = value
    return found


def _pgbench(lines):
    """Return the values of a run of pgbench."""
    values = []
    for line in lines:
        for start, head in (
            ("number of clients: ", "clients"),
            ("duration: ", "duration"),
            ("number of transactions actually processed: ", "transactions"),
            ("latency average = ", "latency average"),
            ("latency stddev = ", "latency stddev"),
        ):
            if line[: len(start)] == start:
                value = line[len(start) :].split("/")[0] if head == "transactions" else line
                text = value if head == "transactions" else _attach(_after(line, start))
                values.append((head, trim(text)))
        if line[:6] == "tps = ":
            if "including" in line and any([head == "tps" for head, _ in values]):
                continue
            values = [pair for pair in values if pair[0] != "tps"]
            values.append(("tps", _word(line[6:]) + " /s"))
    return values


def _wrk(lines):
    values = []
    for line in lines:
        text = trim(line)
        words = text.split()
        if "threads and" in text and "connections" in text and len(words) > 3:
            values.append(("connections", words[3]))
        elif text[:8] == "Latency " and len(words) > 3 and words[1][:1] in _DIGITS:
            values += [
                ("latency average", words[1]),
                ("latency stddev", words[2]),
                ("latency max", words[3]),
            ]
        elif len(words) == 2 and words[0][-1:] == "%" and words[1][:1] in _DIGITS:
            values.append(("latency p" + words[0][:-1], words[1]))
        elif " requests in " in text:
            count, _, rest = text.partition(" requests in ")
            values += [("requests", count), ("duration", rest.partition(",")[0])]
            values.append(("bytes read", _word(_after(rest, ","))))
        elif text[:13] == "Requests/sec:":
            values.append(("requests per second", words[1] + " /s"))
        elif text[:13] == "Transfer/sec:":
            values.append(("transfer per second", words[1] + "/s"))
    return values


def _hey(lines):
    values, any_rate = [], False
    heads = {
        "Total:": "duration",
        "Slowest:": "latency max",
        "Fastest:": "latency min",
        "Average:": "latency average",
        "Requests/sec:": "requests per second",
        "Total data:": "bytes",
        "Size/request:": "bytes per request",
    }
    counts = 0
    for line in lines:
        text = trim(line)
        for start, head in heads.items():
            if text[: len(start)] == start:
                value = trim(text[len(start) :])
                any_rate = any_rate or head == "requests per second"
                values.append((head, value + " /s" if head == "requests per second" else value))
        words = text.split()
        if len(words) == 4 and words[0][-1:] == "%" and words[1] == "in" and words[3] == "secs":
            values.append(("latency p" + words[0].rstrip("%"), words[2] + " secs"))
        if text[:1] == "[" and text[-9:] == "responses" and len(words) == 3:
            counts += int(words[1]) if words[1].isdigit() else 0
    return values + ([("responses", str(counts))] if counts else []) if any_rate else []


def _ab(lines):
    values = []
    heads = {
        "Concurrency Level:": "concurrency",
        "Time taken for tests:": "duration",
        "Complete requests:": "requests",
        "Requests per second:": "requests per second",
        "Transfer rate:": "transfer per second",
    }
    for line in lines:
        text = trim(line)
        for start, head in heads.items():
            if text[: len(start)] == start:
                value = _word(text[len(start) :])
                unit = {"duration": " s", "requests per second": " /s"}.get(head, "")
                unit = " KiB/s" if head == "transfer per second" else unit
                values.append((head, value + unit))
        if text[:17] == "Time per request:" and text[-6:] == "(mean)":
            values.append(("latency average", _word(text[17:]) + " ms"))
        words = text.split()
        if len(words) > 1 and words[0][-1:] == "%" and words[0][:-1].isdigit() and "." not in text:
            head = "latency max" if words[0] == "100%" else "latency p" + words[0][:-1]
            values.append((head, words[1] + " ms"))
    return values


def _redis(lines):
    """Return the values of one test of redis-benchmark."""
    values = []
    for place, line in enumerate(lines):
        text = trim(line)
        words = text.split()
        if place == 0:
            values.append(("test", text[text.rfind("====== ") - 40 :].strip("= ").split("=")[-1]))
        elif "requests completed in" in text:
            values += [("requests", words[0]), ("duration", words[4] + " s")]
        elif text[-16:] == "parallel clients":
            values.append(("clients", words[0]))
        elif text[:19] == "throughput summary:":
            values.append(("requests per second", words[2] + " /s"))
        elif words[:6] == ["avg", "min", "p50", "p95", "p99", "max"] and place + 1 < len(lines):
            row = lines[place + 1].split()
            for head, value in zip(("average", "min", "p50", "p95", "p99", "max"), row):
                values.append(("latency " + head, value + " ms"))
    return values


_FIO_UNITS = {"nsec": "ns", "usec": "us", "msec": "ms", "sec": "s"}


def _fio(lines):
    """Return one list of values for each direction (read, write) of a job of fio."""
    runs: list = []
    depth, jobs, unit = "", 1, "us"
    for line in lines:
        text = trim(line)
        if "iodepth=" in text and not depth:
            depth = _word(_after(text, "iodepth=")).split("-")[0]
        if ": (groupid=" in text and "jobs=" in text:
            digits = _after(text, "jobs=").split(")")[0]
            jobs = int(digits) if digits.isdigit() else 1
        if text.partition(":")[0] in ("read", "write", "trim") and "IOPS=" in text:
            runs.append(_fio_rates(text))
        elif "clat percentiles (" in text:
            unit = _fio_unit(text)
        elif runs and text[:5] in ("lat (", "clat ") and "avg=" in text:
            runs[-1] += _fio_latencies(text)
        elif runs and text[:1] == "|" and "th=[" in text:
            runs[-1] += _fio_percentiles(text, unit)
    if len(runs) == 1 and depth.isdigit() and int(depth) * jobs:
        runs[0].append(("queue depth", str(int(depth) * jobs)))
    return runs


def _fio_unit(text):
    return _FIO_UNITS.get(text[text.find("(") + 1 : text.find(")")], "us")


def _fio_rates(text):
    done, _, duration = _after(text, ")(").partition("/")
    return [
        ("direction", text.partition(":")[0]),
        ("IOPS", _named(text).get("IOPS", "") + " /s"),
        ("bandwidth", _after(text, "BW=").split(" ")[0].split("(")[0]),
        ("bytes", done),
        ("duration", duration.split(")")[0]),
    ]


def _fio_latencies(text):
    unit, found = " " + _fio_unit(text), _named(text)
    if text[:3] == "lat":
        return [("latency average", found["avg"] + unit)]
    words = (("avg", "average"), ("min", "min"), ("max", "max"))
    return [
        ("completion latency " + word, found[key] + unit) for key, word in words if key in found
    ]


def _fio_percentiles(text, unit):
    values = []
    for part in text.strip("| ").replace("[ ", "[").split("],"):
        name, _, value = part.partition("th=[")
        value = trim(value.strip("] "))
        if value:
            values.append(("completion latency p" + trim(name), value + " " + unit))
    return values


def _k6(lines):
    """Return the values of a summary of k6."""
    values = []
    for line in lines:
        name, _, rest = line.partition(":")
        name = name.strip(" ✓✗.")
        words, found = rest.split(), _named(rest)
        if name == "http_req_duration":
            for key, head in _K6_LATENCIES:
                if key in found:
                    values.append(("request latency " + head, found[key]))
        elif name in ("http_reqs", "iterations") and len(words) > 1:
            what = "requests" if name == "http_reqs" else "iterations"
            values += [(what, words[0]), (what + " per second", words[1])]
        elif name == "iteration_duration" and "avg" in found:
            values.append(("iteration latency average", found["avg"]))
        elif name == "vus" and words and found.get("min") == words[0] == found.get("max"):
            values.append(("virtual users", words[0]))
    return values


_K6_LATENCIES: tuple = (("avg", "average"), ("min", "min"), ("med", "p50"), ("max", "max"))
_K6_LATENCIES += tuple([("p(" + p + ")", "p" + p) for p in ("90", "95", "99", "99.9")])


# (tool, words that its run begins with, whether they must be at the line's start, reader)
_TOOLS = (
    ("pgbench", "transaction type: ", True, _pgbench),
    ("wrk", "Running ", True, _wrk),
    ("redis-benchmark", "====== ", False, _redis),
    ("hey", "Summary:", True, _hey),
    ("ab", "Concurrency Level:", True, _ab),
    ("k6", "http_req_", False, _k6),
    ("fio", "ioengine=", False, _fio),
)
_CERTAIN = {
    "wrk": " test @ ",
    "redis-benchmark": " ======",
    "k6": "..:",
    "fio": ": (g=",
}


def _starts(lines):
    """Return [(place, tool, reader)] of the lines that a run begins with."""
    found: list = []
    for place, line in enumerate(lines):
        if len(line) > 20_000:
            continue
        for tool, words, at_start, reader in _TOOLS:
            here = trim(line)[: len(words)] == words if at_start else words in line
            if tool == "hey" and here:  # redis-benchmark has a summary too
                here = any(["Total:" in below for below in lines[place + 1 : place + 3]])
            if here and _CERTAIN.get(tool, "") in line:
                same = tool == "k6" and found and found[-1][1] == "k6"
                if not same or place - found[-1][0] >= _K6_LINES:
                    found.append((place, tool, reader))
                break
    return found


def runs_of(lines) -> list:
    """Return (tool, values, line) of each run that some lines show; values: (name, text) in order.

    >>> lines = ["transaction type: x", "number of clients: 8", "latency average = 18.289 ms"]
    >>> runs_of(lines)
    [('pgbench', [('clients', '8'), ('latency average', '18.289 ms')], 1)]
    """
    runs: list = []
    starts = _starts(lines)
    for index, (place, tool, reader) in enumerate(starts):
        begin = max(place - 8, 0) if tool == "k6" else place
        end = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        found = reader(lines[begin : min(end, place + _LOOK_AT)])
        for values in found if tool == "fio" else [found]:
            if len(values) > 1:
                runs.append((tool, values, place + 1))
    return runs


# Columns of a table of runs: the heading, its unit, and what tools call it.
_COLUMNS = (
    ("clients", "", ("clients", "connections", "virtual users", "concurrency", "queue depth")),
    ("response_s", "s", ("latency average", "request latency average")),
    ("throughput_per_s", "1/s", ("tps", "requests per second", "IOPS")),
)


def _cell(run, heading, unit, names):
    tool, values, line = run
    found = [text for name, text in values if name in names]
    if not found:
        refuse(
            line,
            f"this run of {tool} doesn't print {heading}; write a table with the columns clients, "
            "response_s and throughput_per_s instead",
        )
    value, word = parse_number(found[0])
    return f"{in_unit(value, word, unit):.12g}"


def table_of_runs(text) -> str:
    """Return a CSV text with a row for each run that the text shows.

    It is "" if there is none, and for a text of more than LONGEST_TEXT characters.

    Raises ValueError that names the line of a run without clients, latency or rate.

    >>> lines = ["transaction type: x", "number of clients: 8", "latency average = 20 ms"]
    >>> table_of_runs("\\n".join(lines + ["tps = 400 (without initial connection time)"]))
    'clients,response_s,throughput_per_s\\n8,0.02,400\\n'
    """
    runs = runs_of(text.split("\n")) if len(text) <= LONGEST_TEXT else []
    if not runs:
        return ""
    rows = [",".join(heading for heading, _, _ in _COLUMNS)]
    rows += [",".join([_cell(run, *column) for column in _COLUMNS]) for run in runs]
    return "\n".join(rows) + "\n"
