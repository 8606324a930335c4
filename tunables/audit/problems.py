"""Problems of the page Audit a table: one number of a consistent table is changed. Which one?

Each table keeps its law to the last printed digit before one number of one column is changed, by
more than all digits of its row allow. The answer is computed from the numbers as printed.
"""

from tunables.page.worksheet import sheet, show

ROWS = 5


def _changed(draw, value):
    """Return a number that is off by a third to three times, with as many digits."""
    factor = draw.between(150, 300) / 100
    return value * factor if draw.below(2) else value / factor / 1.5


def _rows_text(rows):
    return "; ".join([f"({place}) {row}" for place, row in enumerate(rows, 1)])


def _law_steps(formula, lines, row, wrong, right, unit):
    """Return the law, what it says of each row, and what that means for the wrong one."""
    said = [f"row {place}: {line}" for place, line in enumerate(lines, 1)]
    last = f"Row {row + 1} has {show(wrong, unit)}, but should have {show(right, unit)}"
    return [formula] + said + [last]


def _closed(draw):
    """Draw clients, throughput and latency of a closed system: Little's law."""
    demand_ms, servers = draw.between(20, 90) / 10, draw.between(2, 6)
    fewest = draw.between(4, 12)
    clients = [fewest * 2**step for step in range(ROWS)]
    rates, times = [], []
    for n in clients:
        busy_ms = max(demand_ms, demand_ms * n / servers) * draw.between(100, 120) / 100
        rates.append(round(1000 * n / busy_ms))
        times.append(round(1000 * n / rates[-1], 2))
    row = draw.below(ROWS)
    right = 1000 * clients[row] / rates[row]
    times[row] = wrong = round(_changed(draw, right), 2)
    rows = [
        f"{n} clients, {show(rate)} requests per second, {time:.2f} ms"
        for n, rate, time in zip(clients, rates, times)
    ]
    lines = [
        f"{n} / {show(rate, '/s')} = {show(1000 * n / rate, 'ms')}, printed {time:.2f} ms"
        for n, rate, time in zip(clients, rates, times)
    ]
    return sheet(
        "Each client sends its next request as soon as the last one is answered. A report prints "
        f"these rows, with the mean latency last: {_rows_text(rows)}. One of the latencies is "
        "wrong, and everything else is right. What would that latency have to be?",
        {"clients": clients, "rates_per_s": rates, "latencies_ms": times, "row": row + 1},
        "ms",
        right,
        _law_steps("R = N / X (Little's law without think time)", lines, row, wrong, right, "ms"),
        tolerance=0.01,
        remark=f"Row {row + 1}'s numbers put {show(rates[row] * wrong / 1000)} requests in flight, "
        f"but it has {clients[row]} clients.",
    )


def _copied(draw):
    """Draw block size, rate and bandwidth of a disk: size × rate = bandwidth."""
    sizes = [4 * 2**step for step in range(ROWS)]
    top = draw.between(30_000, 90_000)
    rates = [top * draw.between(85, 100) // 100 // 2**step for step in range(ROWS)]
    moved = [round(size * rate / 1024, 1) for size, rate in zip(sizes, rates)]
    row = draw.below(ROWS)
    right = sizes[row] * rates[row] / 1024
    moved[row] = wrong = round(_changed(draw, right), 1)
    rows = [
        f"blocks of {size} KiB, {show(rate)} operations per second, {band:.1f} MiB/s"
        for size, rate, band in zip(sizes, rates, moved)
    ]
    lines = [
        f"{size} KiB × {show(rate, '/s')} = {show(size * rate / 1024, 'MiB/s')}, "
        + f"printed {band:.1f} MiB/s"
        for size, rate, band in zip(sizes, rates, moved)
    ]
    return sheet(
        f"A disk test prints these rows: {_rows_text(rows)}. One of the bandwidths is wrong, and "
        "everything else is right. What would that bandwidth have to be?",
        {"sizes_kib": sizes, "rates_per_s": rates, "moved_mib_per_s": moved, "row": row + 1},
        "MiB/s",
        right,
        _law_steps("bandwidth = size × rate, 1 MiB = 1,024 KiB", lines, row, wrong, right, "MiB/s"),
        tolerance=0.005,
    )


def _compared(draw):
    """Draw times before and after a change, and speedups: a ratio."""
    before = [draw.between(2000, 9000) / 10 for _ in range(ROWS)]
    after = [round(old * draw.between(25, 90) / 100, 1) for old in before]
    ratios = [round(old / new, 2) for old, new in zip(before, after)]
    row = draw.below(ROWS)
    right = before[row] / after[row]
    ratios[row] = wrong = round(_changed(draw, right), 2)
    rows = [
        f"{old:.1f} ms before, {new:.1f} ms after, {ratio:.2f} times as fast"
        for old, new, ratio in zip(before, after, ratios)
    ]
    lines = [
        f"{old:.1f} ms / {new:.1f} ms = {show(old / new)}, printed {ratio:.2f}"
        for old, new, ratio in zip(before, after, ratios)
    ]
    return sheet(
        f"A report on a new version prints these rows: {_rows_text(rows)}. One of the factors is "
        "wrong, and everything else is right. What would that factor have to be?",
        {"before_ms": before, "after_ms": after, "factors": ratios, "row": row + 1},
        "",
        right,
        _law_steps("factor = time before / time after", lines, row, wrong, right, ""),
        tolerance=0.01,
    )


def impossible_row(draw) -> dict:
    """Return a table in which one number breaks the law that the others keep, and the right one."""
    return draw.pick((_closed, _copied, _compared))(draw)


KINDS = {"impossible-row": ("Find the impossible row", impossible_row, 2)}
