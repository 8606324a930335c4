"""Made-up user data: data that follow the model, data that break it, and spoiled data."""

from tests.core.made import SCRIPT

TRUTH = {"c": (0.0003, 0.06)}  # value, relative band


def follows(seed=1, stolen=False):
    """Return what a daemon printed."""
    return "\n".join(SCRIPT.printouts(stolen, seed)) + "\n"


def breaks(seed):
    """Return what a daemon printed while other programs took its processor."""
    return follows(seed, stolen=True)


def _slow_worker(line):
    """Make the mean wall time of a run 99.999 ms: it is held out in every printout."""
    cells = line.split()
    if "work_queue_run" not in cells:
        return line
    cells[4] = "99999"
    return " ".join(cells)


def spoil(source):
    """Make every run of the worker slow."""
    return "\n".join(map(_slow_worker, source.splitlines()))
