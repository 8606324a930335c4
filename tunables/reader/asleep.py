"""What a live part says where nothing runs it: on a page without scripts, in a notebook not run."""


def asleep(shown: str, wish: str) -> str:
    """Return what stands there, and how to get what the reader wishes for, wherever that is.

    >>> asleep("One problem of many.", "draw others")
    'One problem of many. To draw others, choose Run → Run All Cells in Jupyter; on a page, turn \
scripts on and read it from a web server (make serve).'
    """
    return (
        f"{shown} To {wish}, choose Run → Run All Cells in Jupyter; on a page, turn scripts on "
        "and read it from a web server (make serve)."
    ).strip()
