"""Write the sample trace collector.csv: a made-up day of a data collector, always the same.

A hundred files are updated in sequence, cycle after cycle. In between, people look at reports:
three requests in ten go to one of sixty other files, drawn independently, few of them often
(Zipf's law with exponent 0.8). No such log of the real collector was published.
"""

import random
from pathlib import Path

FILES = 100
CYCLES = 20
REPORTS = 60
EXPONENT = 0.8
OTHERS = 0.3  # of all requests
SEED = 3


def requests():
    """Yield the name of the file that each request asks for."""
    draw = random.Random(SEED)
    reports = [f"report{rank:02}.rrd" for rank in range(1, REPORTS + 1)]
    weights = [rank**-EXPONENT for rank in range(1, REPORTS + 1)]
    for _ in range(CYCLES):
        for number in range(1, FILES + 1):
            while draw.random() < OTHERS:
                yield from draw.choices(reports, weights)
            yield f"R{number:03}.rrd"


if __name__ == "__main__":
    lines = ["request,file", *(f"{n},{name}" for n, name in enumerate(requests(), start=1))]
    path = Path(__file__).with_suffix(".csv")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
