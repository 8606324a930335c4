"""Made-up numbers of the reader's: what follows the model, what breaks it, what is spoiled."""

from tests.parts.made import SCRIPT, spoil_end, text

TRUTH = {"n": (120, 0.0), "tau": (300, 0.05)}  # value, relative band


def follows(seed=1, drifts=False):
    """Return a trace of keys."""
    return text("key", SCRIPT.trace(drifts, 20_000, seed))


def breaks(seed):
    """Return a trace whose keys move on."""
    return follows(seed, drifts=True)


def spoil(source):
    """Put other keys into the second half, which is held out."""
    return spoil_end(source, 1 / 2, lambda row: "other" + row[-1])
