"""Errors that a notebook shows as the user's own line and one sentence.

A refused argument is the user's mistake, so the frames of this package say nothing that helps.
IPython asks an error how it wants to be shown (`_render_traceback_`). Elsewhere, and in IPython
after `%xmode Verbose`, the error is shown with all its frames, and `%debug` always has them.
"""

_PACKAGE = "tunables"


def _render_briefly():
    """Return how IPython shows the error at hand: without the frames from the package's first on.

    A function without the error in it, since a copy of the error that came from another process
    is another error.
    """
    # Not an import, since the page runs this file too.
    shown = __import__("IPython").get_ipython().InteractiveTB
    # IPython sets it before it asks an error how to be shown.
    error = __import__("sys").last_value
    frames = error.__traceback__
    if shown.mode == "Verbose":
        return shown.structured_traceback(type(error), error, frames)
    kept = error.__cause__, error.__context__, error.__suppress_context__
    error.__cause__, error.__context__ = None, _others_reason(error)
    error.__suppress_context__ = False
    try:
        return shown.structured_traceback(type(error), error, _before(frames) or frames)
    finally:
        error.__cause__, error.__context__, error.__suppress_context__ = kept


def _others_reason(error):
    """Return the error that the user's code was handling; None for one of this package alone."""
    reason = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if reason is None or _before(reason.__traceback__) is not None:
        return reason
    return _others_reason(reason)


def _before(frames):
    """Return a traceback up to the package's first frame; None if it begins there."""
    if frames is None or frames.tb_frame.f_globals.get("__name__", "").split(".")[0] == _PACKAGE:
        return None
    return type(frames)(_before(frames.tb_next), frames.tb_frame, frames.tb_lasti, frames.tb_lineno)


def briefly(error):
    """Return an error that IPython shows without the frames of this package.

    >>> str(briefly(ValueError("servers = -1: must be a whole number")))
    'servers = -1: must be a whole number'
    """
    if hasattr(error, "__traceback__"):  # MicroPython's errors have none, and take no attributes
        error._render_traceback_ = _render_briefly
    return error


def refusal(sentence, kind=ValueError):
    """Return an error to raise for what a user gave; the sentence says what is allowed.

    >>> raise refusal("servers = -1: must be a whole number at least 1")
    Traceback (most recent call last):
    ValueError: servers = -1: must be a whole number at least 1
    """
    return briefly(kind(sentence))
