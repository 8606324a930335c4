"""A reader's matrix of times: by four costs, by chance, and spoiled."""

from tests.core.made import SCRIPT, lines, text

TRUTH = {"o": (150, 0.3), "q": (5, 0.3), "s": (1.5, 0.15)}  # value, relative band
HEADING = "page_bytes,blob_bytes,file_us,row_us"


def follows(seed=1, steady=True):
    """Return a matrix that follows the model, give or take three per cent."""
    return text(HEADING, SCRIPT.matrix(steady, seed))


def breaks(seed):
    """Return a matrix whose times vary by chance."""
    return follows(seed, steady=False)


def spoil(source):
    """Make the rows of the largest page, which is held out, four times slower."""
    heading, rows = lines(source)
    cells = [row.split(",") for row in rows]
    return text(heading, ((u, b, f, float(r) * (4 if u == "16384" else 1)) for u, b, f, r in cells))
