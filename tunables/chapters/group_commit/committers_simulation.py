"""What the second stage of chapter 1 replays: clients who commit, and commit again at once."""

from tunables.chapters.group_commit.stage_simulation import commits
from tunables.plain.arguments import whole
from tunables.theory.group_commit import closed_group_commit

FLUSH_MS = 5
SHOWN_MS = 240
MOST_CLIENTS, MOST_DELAY_MS = 32, 25
SEED = 20  # as of the stage of the batches; without think times nothing is drawn
_TIMES = ("asked_us", "begun_us", "ended_us")


def play(*, delay, clients) -> dict:
    """Return what the stage replays: the commits asked for in the first 240 ms.

    delay: D in whole milliseconds, before each flush of 5 ms; clients: how many commit. A row is
    a commit: when it was asked for, when its flush began and ended, in microseconds, whose it is
    and the number of its flush. "formula" is the closed form's commits a second.
    Raises ValueError for a delay or clients outside their ranges.
    """
    delay = whole("delay", delay, at_least=0, at_most=MOST_DELAY_MS)
    clients = whole("clients", clients, at_least=1, at_most=MOST_CLIENTS)
    settings = {"flush_time_s": FLUSH_MS / 1000, "max_delay_s": delay / 1000}
    _, *times, client, flush = commits(
        SEED,
        customers=clients,
        think_time_s=0,
        spread=0,
        count=clients * (SHOWN_MS // FLUSH_MS + 1),
        **settings,
    )
    shown = [n for n in range(len(client)) if 1000 * times[0][n] < SHOWN_MS]
    told: dict = {"delay": delay, "flush_ms": FLUSH_MS, "clients": clients, "ms": SHOWN_MS}
    told["formula"] = closed_group_commit(clients, **settings)
    for name, column in zip(_TIMES, times):
        told[name] = [round(1e6 * column[n]) for n in shown]
    told["client"] = [int(client[n]) for n in shown]
    told["flush"] = [int(flush[n]) for n in shown]
    return told
