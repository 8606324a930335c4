"""Random tables that obey every law before rounding, and the same with one wrong number.

The tables are made from the laws' formulas themselves, not from the audit's code. An error is
larger than the digits allow: it exceeds what rounding all cells of its row could add up to.
"""

import random
from dataclasses import dataclass

SAFETY = 4  # an error is so many times what all digits of the row could make
LITTLE_SLACK = 0.6  # share that Little's law must be off by, since clients may need some time


@dataclass
class Made:
    """A table: heads, rows of texts, and the values and places that an error may be put in.

    steps: the last printed digit's size, for each cell; targets: (row, column) of cells that an
    equality binds; slack: the least relative size of an error.
    """

    heads: list
    rows: list
    values: list
    steps: list
    targets: list
    slack: float
    writers: list


def writer(draw, unit="", decimals=None, digits=None):
    """Return a function from a value to (text, step), for one column: the same rounding for all."""
    commas = draw.random() < 0.5

    def write(value):
        places = decimals
        if digits is not None:
            places = digits - len(str(int(abs(value)))) if abs(value) >= 1 else digits
        places = max(places, 0)
        text = f"{value:,.{places}f}" if commas else f"{value:.{places}f}"
        return text + unit, 10.0**-places

    return write


def build(draw, heads, values, writers, targets, slack=0.03):
    """Return the Made table of rows of values (None for a cell that stays empty)."""
    rows, steps = [], []
    for row in values:
        written = [
            ("", 0) if value is None else (value, 0) if isinstance(value, str) else write(value)
            for value, write in zip(row, writers, strict=True)
        ]
        rows.append([text for text, _ in written])
        steps.append([step for _, step in written])
    return Made(heads, rows, values, steps, targets, slack, writers)


def closed(draw):
    """Clients, throughput, latency, duration and requests of a closed system."""
    demand, think = draw.uniform(0.2, 20), 0.0
    clients = sorted(draw.sample([1, 2, 4, 8, 16, 32, 64, 128, 256, 512], draw.randint(5, 8)))
    rows, duration = [], draw.choice([10, 30, 60, 120])
    for count in clients:
        latency = max(demand, demand * count / draw.randint(2, 8)) * draw.uniform(1.0, 1.2)
        rate = 1000 * count / (latency + think)
        rows.append([count, rate, latency, duration, rate * duration])
    heads = ["Clients", "Throughput (req/s)", "Mean latency (ms)", "Duration (s)", "Requests"]
    whole, fine = writer(draw, decimals=0), draw.randint(0, 2)
    writers = [
        whole,
        writer(draw, decimals=fine),
        writer(draw, decimals=draw.randint(2, 4)),
        whole,
        whole,
    ]
    targets = [(row, column) for row in range(len(rows)) for column in (1, 2, 4)]
    return build(draw, heads, rows, writers, targets, LITTLE_SLACK)


def compared(draw):
    """Two systems and how one compares with the other, as a ratio or in percent."""
    rows, form = [], draw.choice(["x", "ratio", "down", "up"])
    for index in range(draw.randint(5, 10)):
        old = draw.uniform(50, 5000)
        new = old * draw.uniform(0.2, 0.95)
        result = {
            "x": old / new,
            "ratio": old / new,
            "down": 100 - 100 * new / old,
            "up": 100 * old / new - 100,
        }[form]
        rows.append([f"case {index + 1}", old, new, result])
    heads = ["Case", "Before (ms)", "After (ms)"]
    heads.append({"x": "Speedup", "ratio": "Ratio", "down": "Reduction", "up": "Change (%)"}[form])
    unit = {"x": "x", "ratio": "", "down": "%", "up": ""}[form]
    fine = draw.randint(0, 2)
    writers = [
        None,
        writer(draw, decimals=fine),
        writer(draw, decimals=fine),
        writer(draw, unit, decimals=draw.randint(1, 3)),
    ]
    targets = [(row, column) for row in range(len(rows)) for column in (1, 2, 3)]
    return build(draw, heads, rows, writers, targets)


def scaled(draw):
    """Throughput by threads, and the speedup over the first row."""
    one = draw.uniform(500, 50_000)
    threads = [1, 2, 4, 8, 16, 32][: draw.randint(4, 6)]
    serial = draw.uniform(0.01, 0.3)
    rows = []
    for count in threads:
        speedup = 1 / (serial + (1 - serial) / count)
        rows.append([count, one * speedup, speedup])
    heads = ["Threads", "Throughput (ops/s)", "Speedup"]
    writers = [
        writer(draw, decimals=0),
        writer(draw, decimals=draw.randint(0, 1)),
        writer(draw, "x", decimals=2),
    ]
    targets = [(row, column) for row in range(1, len(rows)) for column in (1, 2)]
    return build(draw, heads, rows, writers, targets)


def summed(draw):
    """Parts, their sum, and a last row that is the sum of those above."""
    parts = draw.randint(2, 4)
    rows = [[f"service {i + 1}", *[draw.randint(20, 9000) for _ in range(parts)]] for i in range(5)]
    for row in rows:
        row.append(sum(row[1:]))
    rows.append(["Total", *[sum(row[i] for row in rows) for i in range(1, parts + 2)]])
    heads = ["Service", *[f"Errors in week {i + 1}" for i in range(parts)], "Total"]
    writers = [None, *[writer(draw, decimals=0)] * (parts + 1)]
    targets = [(row, column) for row in range(6) for column in range(1, parts + 2)]
    return build(draw, heads, rows, writers, targets)


def cached(draw):
    """Hits and misses by the size of a cache."""
    rows, hit = [], draw.uniform(5, 30)
    for power in range(draw.randint(5, 8)):
        rows.append([2**power, hit, 100 - hit])
        hit += (100 - hit) * draw.uniform(0.1, 0.5)
    heads = ["Cache size (MiB)", "Hit ratio", "Miss ratio"]
    fine = draw.randint(1, 2)
    writers = [writer(draw, decimals=0), *[writer(draw, "%", decimals=fine)] * 2]
    targets = [(row, column) for row in range(len(rows)) for column in (1, 2)]
    return build(draw, heads, rows, writers, targets)


def moved(draw):
    """Block size, rate, bandwidth, operations and bytes of a disk test."""
    rows, duration = [], draw.choice([10, 60])
    for power in range(draw.randint(4, 7)):
        size = 4 * 2**power
        rate = draw.uniform(2000, 90_000) / 2**power
        rows.append([size, rate, rate * size / 1024, rate * duration, duration])
    heads = ["Block size (KiB)", "IOPS", "Bandwidth (MiB/s)", "Operations", "Duration (s)"]
    whole = writer(draw, decimals=0)
    writers = [whole, whole, writer(draw, decimals=draw.randint(1, 2)), whole, whole]
    targets = [(row, column) for row in range(len(rows)) for column in (1, 2, 3)]
    return build(draw, heads, rows, writers, targets, 0.1)


def busy(draw):
    """Throughput, service time, servers and utilisation."""
    rows, service = [], draw.uniform(1, 20)
    for index in range(draw.randint(4, 7)):
        servers = draw.choice([1, 2, 4, 8])
        share = draw.uniform(0.1, 0.95)
        own = service * draw.uniform(0.9, 1.1)
        rows.append([f"run {index + 1}", servers, 1000 * servers * share / own, own, 100 * share])
    heads = ["Run", "Servers", "Throughput (req/s)", "Service time (ms)", "Utilisation (%)"]
    writers = [
        None,
        writer(draw, decimals=0),
        writer(draw, decimals=1),
        writer(draw, decimals=3),
        writer(draw, decimals=1),
    ]
    targets = [(row, column) for row in range(len(rows)) for column in (2, 3, 4)]
    return build(draw, heads, rows, writers, targets)


def tailed(draw):
    """Quantiles of samples, their mean and extremes."""
    rows = []
    for index in range(draw.randint(4, 7)):
        samples = sorted(draw.lognormvariate(1, draw.uniform(0.3, 1.2)) for _ in range(2000))
        at = [samples[int(2000 * p)] for p in (0.5, 0.9, 0.99)]
        rows.append([f"run {index + 1}", samples[0], sum(samples) / 2000, *at, samples[-1]])
    heads = ["Run", "Min (ms)", "Mean (ms)", "p50 (ms)", "p90 (ms)", "p99 (ms)", "Max (ms)"]
    writers = [None, *[writer(draw, decimals=draw.randint(1, 3))] * 6]
    targets = [(row, column) for row in range(len(rows)) for column in (3, 5)]
    return build(draw, heads, rows, writers, targets)


def bucket(draw):
    """Token buckets of one size by the rate at which they fill."""
    tokens, top = draw.choice([5.4e6, 1e6]), draw.choice([3000, 5000])
    rates = sorted(draw.sample(range(100, top - 200, 50), draw.randint(4, 6)))
    rows = [[rate, tokens / (top - rate), tokens / rate] for rate in rates]
    heads = ["Baseline (IOPS)", f"Burst duration at {top:,} IOPS (s)", "Time to refill (s)"]
    writers = [writer(draw, decimals=0)] * 3
    targets = [(row, column) for row in range(len(rows)) for column in (1, 2)]
    return build(draw, heads, rows, writers, targets)


KINDS = (closed, compared, scaled, summed, cached, moved, busy, tailed, bucket)


def make(seed):
    """Return the consistent table of a seed."""
    draw = random.Random(seed)
    return KINDS[seed % len(KINDS)](draw)


def plant(seed):
    """Return the table of a seed with one wrong number, and the (row, column) of it."""
    draw = random.Random(f"error {seed}")
    made = make(seed)
    row, column = draw.choice(made.targets)
    value = made.values[row][column]
    doubt = sum(
        step / abs(other)
        for other, step in zip(made.values[row], made.steps[row], strict=True)
        if step and other
    )
    least = max(made.slack, SAFETY * doubt)
    if KINDS[seed % len(KINDS)] is tailed:
        wrong = value * 200 if column == 3 else value / 200  # a percentile out of order
    else:
        wrong = _slip(draw, made, row, column, value, least)
    text, _ = made.writers[column](wrong)
    made.rows[row][column] = text
    return made, (row, column)


def _slip(draw, made, row, column, value, least):
    """Return a wrong value: a neighbour's, a power of ten, swapped or wrong digits, or a factor."""
    ways = ["copy", "power", "digit", "swap", "factor"]
    for _ in range(50):
        way = draw.choice(ways)
        text = str(int(abs(value))) if abs(value) >= 10 else f"{abs(value):.3f}"
        if way == "copy":
            wrong = made.values[(row + 1) % len(made.values)][column]
        elif way == "power":
            wrong = value * draw.choice([10, 0.1])
        elif way == "digit":
            place = draw.choice([i for i, c in enumerate(text) if c.isdigit()])
            wrong = float(text[:place] + draw.choice("0123456789") + text[place + 1 :])
        elif way == "swap":
            place = draw.randrange(len(text) - 1)
            pair = text[place : place + 2]
            wrong = (
                float(text[:place] + pair[::-1] + text[place + 2 :]) if pair.isdigit() else value
            )
        else:
            wrong = value * draw.choice([draw.uniform(1.2, 3), draw.uniform(0.3, 0.8)])
        if isinstance(wrong, str) or wrong is None or wrong <= 0:
            continue
        if "%" in made.rows[row][column] and not 0 < wrong < 100:
            continue
        change = wrong / value
        if (
            max(change, 1 / change) - 1 > least + 1e-9
            and abs(wrong - value) > 3 * made.steps[row][column]
        ):
            return wrong
    return value * (1 + 3 * least)


def markdown(made):
    """Return a table as Markdown."""
    lines = ["| " + " | ".join(made.heads) + " |", "|" + "---|" * len(made.heads)]
    lines += ["| " + " | ".join(row) + " |" for row in made.rows]
    return "\n".join(lines) + "\n"
