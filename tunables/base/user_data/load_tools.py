"""What load tools print: the numbers of each run, and a table of clients, latency and rate.

pgbench 15, wrk 4.1, redis-benchmark 7.0, fio 3.33, hey 0.1.4 and ab 2.3 were run for the samples in
tests/audit/samples. k6 was not: its form is that of its documentation (versions 0.47 to 1.0).
"""

from tunables.base.numbers_as_text import parse_number, trim
from tunables.base.units import in_unit
from tunables.base.user_data.columns import refuse

LONGEST_TEXT = 2**18  # characters: a longer one is a log
_LOOK_AT = 400  # lines after a run's first line that may belong to it
_MOST_NAMED = 6  # runs in one refusal
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


def _k6_metric(line):
    """Return the name of the metric that a line of k6's summary is about, and the rest of it."""
    name, mark, rest = line.partition(":")
    return (trim(name).strip("✓✗ ."), rest) if name[-2:] == ".." and mark else ("", "")


def _k6_totals(lines):
    """Yield (place, line) of all lines but those about one group or one scenario."""
    part = False
    for place, line in enumerate(lines):
        text = trim(line)
        if text[:1] == "█":
            part = text[2:].startswith(("GROUP:", "SCENARIO:"))
        elif text in _K6_BANNER or text[:9] == "running (":
            part = False
        if not part:
            yield place, text


def _k6_starts(lines):
    """Return the places where k6's printouts begin.

    A printout begins with its banner or, where the banner is left out, with the first metric. No
    printout has two banners, or the same metric twice.
    """
    starts: list = []
    seen: set = set()
    for place, line in _k6_totals(lines):
        banner = line in _K6_BANNER
        name = line if banner else _k6_metric(line)[0]
        if not banner and name[:8] != "http_req" and name not in _K6_METRICS:
            continue
        if not seen or banner or name in seen:
            starts.append(place)
            seen = set()
        seen.add(name)
    return starts


_K6_BANNER = ("execution: local", "execution: cloud")
_K6_METRICS = ("iterations", "iteration_duration", "vus", "vus_max", "data_sent", "data_received")


def _k6(lines):
    """Return the values of a printout of k6."""
    values = []
    for _, line in _k6_totals(lines):
        name, rest = _k6_metric(line)
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
    if all([head != "virtual users" for head, _ in values]):
        values += _k6_looping(lines)
    return values


def _k6_looping(lines):
    """Return the virtual users of k6's banner, if it has one scenario with a constant number.

    The number in the metric vus changes while the last requests of a run end.
    """
    about = [trim(line) for line in lines if "looping VUs for " in line or " scenarios, " in line]
    words = about[0].partition(":")[2].split() if len(about) == 1 else [""]
    return [("virtual users", words[0])] if words[0].isdigit() else []


_K6_LATENCIES: tuple = (("avg", "average"), ("min", "min"), ("med", "p50"), ("max", "max"))
_K6_LATENCIES += tuple([("p(" + p + ")", "p" + p) for p in ("90", "95", "99", "99.9")])


# (tool, words that its run begins with, whether they must be at the line's start, reader)
_TOOLS = (
    ("pgbench", "transaction type: ", True, _pgbench),
    ("wrk", "Running ", True, _wrk),
    ("redis-benchmark", "====== ", False, _redis),
    ("hey", "Summary:", True, _hey),
    ("ab", "Concurrency Level:", True, _ab),
    ("fio", "ioengine=", False, _fio),
)
_CERTAIN = {
    "wrk": " test @ ",
    "redis-benchmark": " ======",
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
                found.append((place, tool, reader))
                break
    found += [(place, "k6", _k6) for place in _k6_starts(lines)]
    return sorted(found, key=lambda start: start[0])


def runs_of(lines) -> list:
    """Return (tool, values, line) of each run that some lines show; values: (name, text) in order.

    A run of wrk or k6 that printed no numbers, because it failed or was cut, has no values.

    >>> lines = ["transaction type: x", "number of clients: 8", "latency average = 18.289 ms"]
    >>> runs_of(lines)
    [('pgbench', [('clients', '8'), ('latency average', '18.289 ms')], 1)]
    """
    runs: list = []
    starts = _starts(lines)
    for index, (place, tool, reader) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        if tool != "k6":  # which prints two lines a second, before its numbers
            end = min(end, place + _LOOK_AT)
        found = reader(lines[place:end])
        for values in found if tool == "fio" else [found]:
            if len(values) > 1:
                runs.append((tool, values, place + 1))
            elif tool in ("wrk", "k6"):
                runs.append((tool, [], place + 1))
    return runs


# Columns of a table of runs: the heading, its unit, and what tools call it.
_COLUMNS = (
    ("clients", "", ("clients", "connections", "virtual users", "concurrency", "queue depth")),
    ("response_s", "s", ("latency average", "request latency average")),
    ("throughput_per_s", "1/s", ("tps", "requests per second", "IOPS")),
)


def _cell(values, unit, names):
    value, word = parse_number(next(text for name, text in values if name in names))
    return f"{in_unit(value, word, unit):.12g}"


def _refuse_lacking(runs):
    """Raise ValueError that names every run that lacks a column, if any does."""
    lacking = []
    for tool, values, line in runs:
        printed = [name for name, _ in values]
        heads = [head for head, _, names in _COLUMNS if not any([n in printed for n in names])]
        if heads:
            lacking.append((line, f"this run of {tool} doesn't print {', '.join(heads)}"))
    if lacking:
        others = [f"line {line}: {what}" for line, what in lacking[1:_MOST_NAMED]]
        if len(lacking) > _MOST_NAMED:
            others.append(f"incomplete runs not listed: {len(lacking) - _MOST_NAMED}")
        refuse(
            lacking[0][0],
            "; ".join([lacking[0][1]] + others)
            + ". Leave these runs out, or write a table with the columns clients, "
            "response_s and throughput_per_s instead",
        )


def table_of_runs(text) -> str:
    """Return a CSV text with a row for each run that the text shows.

    It is "" if there is none, and for a text of more than LONGEST_TEXT characters.

    Raises ValueError that names each run without clients, latency or rate, and its line.

    >>> lines = ["transaction type: x", "number of clients: 8", "latency average = 20 ms"]
    >>> table_of_runs("\\n".join(lines + ["tps = 400 (without initial connection time)"]))
    'clients,response_s,throughput_per_s\\n8,0.02,400\\n'
    """
    runs = runs_of(text.split("\n")) if len(text) <= LONGEST_TEXT else []
    if not runs:
        return ""
    _refuse_lacking(runs)
    rows = [",".join(heading for heading, _, _ in _COLUMNS)]
    rows += [",".join([_cell(values, *column[1:]) for column in _COLUMNS]) for _, values, _ in runs]
    return "\n".join(rows) + "\n"
