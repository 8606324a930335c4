"""Made-up sets of numbers for the lab of a reader's own, always the same: one per chapter that the
chapter's model should fit, and one that it should not. Nobody measured them.

`python labs/samples/own_numbers.py` writes them into labs/samples/own/.
"""

import heapq
import random
from pathlib import Path

import numpy as np

from tunables.simulators.flows import serve
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.blob_storage import pages_of

FOLDER = Path(__file__).parent / "own"
SEED = 7


def commit_log(shared, seed=SEED):
    """Yield (time, clients, delay, response) of commits: one flush for a group, or for each.

    Clients commit again after an exponential think time of 1 ms. A leader waits D, then the
    flush takes 4 ms, give or take a tenth; not shared, each commit has a flush of its own.
    """
    draw = random.Random(seed)
    now = 0.0
    for delay_s in (0.0, 0.002, 0.010, 0.025):
        for clients in (2, 8, 16):
            ready = [now + draw.expovariate(1000) for _ in range(clients)]
            heapq.heapify(ready)
            for _ in range(240 // clients if shared else 120):
                now = max(now, ready[0]) + delay_s
                group = [heapq.heappop(ready)]
                while shared and ready and ready[0] <= now:
                    group.append(heapq.heappop(ready))
                now += 0.004 * draw.uniform(0.9, 1.1)
                for asked in group:
                    yield now, clients, delay_s, now - asked
                    heapq.heappush(ready, now + draw.expovariate(1000))
            now += 1


def latencies(outage, requests=6000, seed=SEED):
    """Yield latencies of requests with T = 0.5 s and 3 retries: attempts fail one by one, or
    in an outage that lasts a while."""
    draw = random.Random(seed)
    for request in range(requests):
        down = outage and request % 1000 < 60
        failure = (1.0 if down else 0.02) if outage else 0.2
        latency = 0.0
        for _ in range(4):
            if draw.random() >= failure:
                latency += min(draw.lognormvariate(-3, 0.5), 0.49)
                break
            latency += 0.5
        yield latency


def trace(drifts, requests=8000, seed=SEED):
    """Yield keys: a scan of 120 among Zipf requests for 200, or Zipf requests that move on."""
    draw = random.Random(seed)
    weights = [rank**-0.8 for rank in range(1, 201)]
    scanned = 0
    for request in range(requests):
        if drifts:
            yield f"page{draw.choices(range(200), weights)[0] + request // 40}"
        elif draw.random() < 0.4:
            yield f"scan{scanned}"
            scanned = (scanned + 1) % 120
        else:
            yield f"page{draw.choices(range(200), weights)[0]}"


def flows(discipline, count=4500, seed=SEED):
    """Yield (start, bytes, duration) of flows on a port of 100 Mbit/s, 5 ms besides."""
    rng = np.random.default_rng(seed)
    sizes = np.array([20e3, 40e3, 80e3, 160e3, 320e3, 1e6, 4e6])
    drawn = rng.choice(sizes, count, p=[0.2, 0.2, 0.2, 0.15, 0.12, 0.1, 0.03])
    mean_s = 8 * drawn.mean() / 100e6
    load = np.repeat([0.2, 0.5, 0.7, 0.3, 0.75, 0.4, 0.6, 0.25, 0.55], count // 9)
    starts = np.cumsum(rng.exponential(mean_s / load))
    each = np.arange(count)
    cycles = (starts, each, np.ones(count, np.int64), each)
    ends = serve(cycles, 8 * drawn / 100e6, discipline)
    yield from zip(starts, drawn, ends - starts + 0.005, strict=True)


def transfers(windowed, seed=SEED):
    """Yield (round trip, rate): the lesser of 400 Mbit/s and 4 MB a round trip; or of chance."""
    draw = random.Random(seed)
    for milliseconds in (5, 10, 20, 30, 45, 60, 80, 100, 120, 150, 180, 220, 260, 300):
        rtt_s = milliseconds / 1000
        rate = min(400e6, 8 * 4e6 / rtt_s) if windowed else draw.uniform(20e6, 400e6)
        yield rtt_s, rate * draw.uniform(0.97, 1.03)


def printouts(stolen, seed=SEED):
    """Yield the daemon's two tables at four moments of a drain of 240,000 items.

    stolen: other programs take as much of the processor again, on the wall clock only.
    """
    rng = np.random.default_rng(seed)
    drain = drain_work_queue(rng.exponential(0.0003, 240_000))
    done, walls = np.cumsum(drain.cycles), np.cumsum(drain.slice_s)
    longest = np.maximum.accumulate(drain.slice_s)
    for share in (0.1, 0.4, 0.7, 1.0):
        last = int(share * len(done)) - 1
        runs, items, wall_us = last + 1, int(done[last]), 1e6 * walls[last]
        busy_us = wall_us * (2 if stolen else 1)
        yield "bgpd# show work-queues"
        yield "    List      (ms)      Q. Runs       Cycle Counts"
        yield "   Items  Delay  Hold     Total     Best  Gran.   Avg. Name"
        yield (
            f"{240_000 - items:8} {0:6} {100:5} {runs:9} {drain.best[last]:8} "
            f"{drain.granularity[last]:6} {items // runs:6} clear_route_node"
        )
        yield "bgpd# show thread cpu"
        yield "Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  Type  Thread"
        yield (
            f"{wall_us / 1000:11.3f} {runs:9} {wall_us / runs:8.0f} {1e6 * longest[last]:9.0f} "
            f"{busy_us / runs:8.0f} {2e6 * longest[last]:9.0f}     B  work_queue_run"
        )


def matrix(steady, seed=SEED):
    """Yield (page, BLOB, file, row): bytes, and times by four costs; steady: give or take 3 %."""
    draw = random.Random(seed)
    spread = 0.03 if steady else 0.6
    for page in (1024, 2048, 4096, 8192, 16384):
        for blob in (10_000, 30_000, 100_000, 300_000, 1_000_000):
            pages = pages_of(blob + 5, page)
            file_us = (150 + blob / 1000) * draw.uniform(1 - spread, 1 + spread)
            row_us = (30 + pages * (5 + 1.5 * page / 1000)) * draw.uniform(1 - spread, 1 + spread)
            yield page, blob, file_us, row_us


def copies(paused, requests=6000, seed=SEED):
    """Yield the times of both copies of requests: 3 in 10 take as long anywhere; or both pause.

    paused: none takes as long anywhere, but 6 of 100 requests meet a pause of both servers.
    """
    draw = random.Random(seed)
    for _ in range(requests):
        first, second = (0.005 + draw.expovariate(100) for _ in range(2))
        if not paused and draw.random() < 0.3:
            second = first
        if paused and draw.random() < 0.06:
            pause = draw.uniform(0.2, 0.4)
            first, second = first + pause, second + pause
        yield 1000 * first, 1000 * second


def table(heading, rows, form):
    """Return the lines of a CSV."""
    return [heading, *(form.format(*row) for row in rows)]


def samples():
    """Return name of a file -> its lines."""
    files = {}
    for kind, odd in (("fits", False), ("misfit", True)):
        log = commit_log(shared=not odd)
        files[f"1-{kind}.csv"] = table(
            "time_s,clients,delay_s,response_s", log, "{:.4f},{},{:g},{:.4f}"
        )
        rows = ((latency,) for latency in latencies(outage=odd))
        files[f"2-{kind}.csv"] = table("latency_s,timeout_s,retries", rows, "{:.4f},0.5,3")
        files[f"3-{kind}.csv"] = ["key", *trace(drifts=odd)]
        log = flows("fifo" if odd else "ps")
        files[f"4-{kind}.csv"] = table("start_s,size_bytes,duration_s", log, "{:.3f},{:.0f},{:.4f}")
        runs = ((1000 * rtt, rate / 1e6) for rtt, rate in transfers(windowed=not odd))
        files[f"5-{kind}.csv"] = table("rtt_ms,throughput_mbps", runs, "{:g},{:.1f}")
        times = matrix(steady=not odd)
        files[f"7-{kind}.csv"] = table(
            "page_bytes,blob_bytes,file_us,row_us", times, "{},{},{:.1f},{:.1f}"
        )
        files[f"6-{kind}.txt"] = list(printouts(stolen=odd))
        pairs = copies(paused=odd)
        files[f"8-{kind}.csv"] = table("first_ms,second_ms", pairs, "{:.3f},{:.3f}")
    return files


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, lines in samples().items():
        (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
