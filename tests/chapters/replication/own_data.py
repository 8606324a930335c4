"""Made-up user data: data that follow the model, data that break it, and spoiled data."""

from tests.core.made import SCRIPT, lines, text

TRUTH = {"S": (400e6, 0.03), "W": (4e6, 0.03)}  # value, relative band


def follows(seed=1, windowed=True):
    """Return a table of transfers."""
    return text("rtt_s,throughput_bps", SCRIPT.transfers(windowed, seed))


def breaks(seed):
    """Return random rates."""
    return follows(seed, windowed=False)


def spoil(source):
    """Halve every third rate from the second on; the rows are sorted by round trip."""
    heading, rows = lines(source)
    cells = [[float(cell) for cell in row.split(",")] for row in rows]
    for row in cells[1::3]:
        row[1] /= 2
    return text(heading, cells)
