"""What chapter 1's stage draws: the events of the experiment; runs in the page too."""

from tunables.chapters.group_commit.committers_experiment import trace as committers_trace
from tunables.chapters.group_commit.experiment import trace
from tunables.chapters.group_commit.predictor import predict
from tunables.chapters.group_commit.simulation import BATCHES, MOST_BATCHES, checked, run
from tunables.chapters.group_commit.stage_rows import settings_of
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.closed_network import MOST_CUSTOMERS

MOST_ROWS = 50_000  # 2 MB
SEED = 20  # of the ledger's first run
SECONDS = 64  # of a run, that the stage shows
# What a client does from a row of `events` on: the row's kind, and a number for the page. The
# other kinds are over at once; a flush ends a wait for it.
_QUERIES, _WAITS, _WORKS, _HELD, _ANSWERED = range(5)
_DOES = {1: _WAITS, 2: _QUERIES, 3: _WORKS, 4: _HELD, 6: _ANSWERED}
_FLUSHED = 5
_EXACT = ("one cap", "two caps")


def events(seed, *, batches=BATCHES, **settings) -> tuple:
    """Return how many events a run has, and of the first the columns of `BatchEvents`.

    They are those of `tunables.simulators.batches`. Raises ValueError as `run` does.
    """
    batches = whole("batches", batches, at_least=1, at_most=MOST_BATCHES)
    return trace(run_seed(seed), batches, *checked(**settings), MOST_ROWS)


def commits(seed, *, customers, flush_time_s, max_delay_s, think_time_s, spread, count) -> tuple:
    """Return how many commits a run has, and of the first the columns of `Commits`.

    They are those of `tunables.simulators.group_commits`.
    Raises ValueError for counts that are not whole and above 0, negative times, a flush time that
    is not above 0, or a spread outside [0, 1].
    """
    return committers_trace(
        run_seed(seed),
        whole("customers", customers, at_least=1, at_most=MOST_CUSTOMERS),
        whole("count", count, at_least=1, at_most=MOST_ROWS),
        number("flush_time_s", flush_time_s, above=0),
        number("max_delay_s", max_delay_s, at_least=0),
        number("think_time_s", think_time_s, at_least=0),
        number("spread", spread, at_least=0, at_most=1),
        MOST_ROWS,
    )


def _spans(time_s, kind, client, detail):
    """Return what each client does, from the columns of `events`: the columns of `play`."""
    begin_us: list = []
    who: list = []
    does: list = []
    flush: list = []
    latest: dict = {}
    for n, now_s in enumerate(time_s):
        if now_s >= SECONDS:
            break
        mine = int(client[n])
        if kind[n] == _FLUSHED:
            flush[latest[mine]] = int(detail[n])
        elif kind[n] in _DOES:
            latest[mine] = len(who)
            begin_us.append(round(1e6 * now_s))
            who.append(mine)
            does.append(_DOES[kind[n]])
            flush.append(-1)
    return {"begin_us": begin_us, "client": who, "does": does, "flush": flush}


def play(*, hypothesis, test, clients) -> dict:
    """Return what the stage replays: what each client does in the first 64 s of a test.

    A row is something that a client begins at "begin_us": 0 a lease query, 1 a wait for a thread,
    2 work, 3 a wait for a flush, whose number is "flush" if it comes in time, else -1; with 4 it
    is answered, and away for a moment. "formula_s" is the closed form, "exact" whether it is more
    than an approximation, "mean_s" the mean response of all 3000 batches.
    Raises ValueError for an unknown explanation or test, or clients that are not 1 to 50.
    """
    settings = settings_of(hypothesis, test, clients)
    _, time_s, kind, client, _, detail = events(SEED, **settings)
    told = _spans(time_s, kind, client, detail)
    told.update(settings)
    told["seconds"] = SECONDS
    told["formula_s"] = predict(**settings)["response_s"]
    told["exact"] = hypothesis in _EXACT
    told["mean_s"] = run(SEED, **settings)["response_s"]
    return told
