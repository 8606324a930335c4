"""The law of lab 1: commits a second of writers that share flushes."""

from tunables.base.arguments import number
from tunables.page.labs import lab_session
from tunables.theory.group_commit import closed_group_commit


def commits_per_s(writers, delay_s, flush_s, hop_s) -> dict:
    """Return commits a second by the law, "with_hop" if a flush takes its message too, and "alone".

    hop_s: the round trip to the process that flushes, without the flush: a difference of two
    clocks that round, so it may come out a little below 0. "alone" is 1/F: each commit waits for a
    flush of its own.
    Raises ValueError as `closed_group_commit` does.

    >>> commits_per_s(16, delay_s=0.001, flush_s=0.003, hop_s=0.004)
    {'law': 4000.0, 'with_hop': 2000.0, 'alone': 333.3333333333333}
    """
    hop_s = number("hop_s", hop_s)
    flush_s = number("flush_time_s", flush_s, above=0)
    return {
        "law": closed_group_commit(writers, flush_s, delay_s),
        "with_hop": closed_group_commit(writers, flush_s + hop_s, delay_s),
        "alone": closed_group_commit(1, flush_s, 0.0),
    }


LabSession = lab_session(commits_per_s=commits_per_s)
