"""Made-up key traces: one that follows the model, one that breaks it, one that is spoiled."""

from tests.core.made import SCRIPT, spoil_end, text

TRUTH = {"n": (120, 0.0), "tau": (300, 0.05)}  # value, relative band


def follows(seed=1, drifts=False):
    """Return a key trace that follows the model."""
    return text("key", SCRIPT.trace(drifts, 20_000, seed))


def breaks(seed):
    """Return a key trace whose popular keys drift."""
    return follows(seed, drifts=True)


def spoil(source):
    """Replace the keys of the second half, which is held out."""
    return spoil_end(source, 1 / 2, lambda row: "other" + row[-1])
