"""Made-up user data: logs that follow the model, that break it, and that are spoiled."""

from tests.core.made import SCRIPT, lines, text

TRUTH = {"F": (0.004, 0.15), "k": (1.0, 0.03), "Z": (0.001, 0.15)}  # value, relative band


def follows(seed=1, shared=True):
    """Return a log of commits that share their flushes."""
    return text("time_s,clients,delay_s,response_s", SCRIPT.commit_log(shared, seed))


def breaks(seed):
    """Return a log of commits that each have a flush of their own."""
    return follows(seed, shared=False)


def spoil(source):
    """Make the runs with 16 clients, which are held out, ten times slower."""
    heading, rows = lines(source)
    cells = [row.split(",") for row in rows]
    return text(heading, ((t, n, d, float(r) * (10 if n == "16" else 1)) for t, n, d, r in cells))
