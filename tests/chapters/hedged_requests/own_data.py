"""Made-up user data: copies that share a part of their times, that pause together, and spoiled."""

from tests.core.made import SCRIPT, lines, text

TRUTH = {"c": (0.3, 0.25)}  # value, relative band


def follows(seed=1, paused=False):
    """Return the times of both copies, of which a fixed share is equal."""
    return text("first_ms,second_ms", SCRIPT.copies(paused, 12_000, seed))


def breaks(seed):
    """Return the times of copies that pause together now and then."""
    return follows(seed, paused=True)


def spoil(source):
    """Let the requests of every third row, which is held out, take three times as long."""
    heading, rows = lines(source)
    for place in range(2, len(rows), 3):
        rows[place] = ",".join(str(3 * float(cell)) for cell in rows[place].split(","))
    return text(heading, rows)
