"""Chapter 1's simulations: the published experiment, its map, and what its animations replay.

Runs in the page too.
"""

from tunables.base.arguments import choice, integer, number, run_seed
from tunables.chapters.group_commit.experiment import experiment, trace_batches, trace_commits
from tunables.chapters.group_commit.predictor import calibrated_base, predict
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.group_commit import closed_group_commit
from tunables.theory.retries import MOST_RETRIES

RUNS = 20
BATCHES = 3000  # the document's number
MOST_BATCHES = 1_000_000

# Commits per batch, whether the flusher is adaptive, and how many transactions never reach it.
_EXPLANATIONS = {
    "one cap": (1, False, 0),
    "two caps": (2, False, 0),
    "thread pool": (0, False, 0),
    "commit stage": (1, False, 0),
    "ideal adaptive flusher": (2, True, 0),
    "adaptive flusher with a stuck transaction": (2, True, 1),
}


def _kernel_settings(
    hypothesis, max_delay_s, timeout_s, retries, clients, base_s, think_s, pool_threads,
    commit_threads,
):  # fmt: skip
    """Return the settings as the experiment takes them; refuse what `predict` refuses."""
    n = integer("clients", clients, at_least=1, at_most=MOST_CUSTOMERS)
    pool = integer("pool_threads", pool_threads, at_least=1)
    stage = integer("commit_threads", commit_threads, at_least=1)
    return _EXPLANATIONS[choice("hypothesis", hypothesis, list(_EXPLANATIONS))] + (
        n,
        number("max_delay_s", max_delay_s, at_least=0),
        number("timeout_s", timeout_s, at_least=0),
        integer("retries", retries, at_most=MOST_RETRIES),
        number("base_s", base_s, at_least=0),
        number("think_s", think_s, at_least=0),
        min(pool, n) if hypothesis == "thread pool" else n,
        min(stage, n) if hypothesis == "commit stage" else n,
    )


def run(seed, *, batches=BATCHES, **settings) -> dict:
    """Return each output of `predict` from one run of the experiment.

    The run is the document's: 3000 batches, all clients start at once, and the throughput is
    counted over the whole run, to the last answer.
    Raises ValueError for settings that `predict` refuses, and if all times are 0.
    """
    batches = integer("batches", batches, at_least=1, at_most=MOST_BATCHES)
    makespan_s, response_s = experiment(run_seed(seed), batches, *_kernel_settings(**settings))
    makespan_s = number("time of all batches", makespan_s, above=0)
    return {"throughput_per_s": batches / makespan_s, "response_s": response_s}


RUNS_OF_MAP = 4
_BATCHES_OF_MAP = 800


def run_of_map(seed, **settings) -> dict:
    """Return the mean response time (s) of a shorter run of the experiment, for the map."""
    return {"response_s": run(seed, batches=_BATCHES_OF_MAP, **settings)["response_s"]}


# The settings of the animation: the report's tests, and each explanation's own base b.
TESTS = ("original", "flush", "both", "fourth")
CLIENTS = 50
# The page has no data, so the report's numbers are copied here.
_TUNABLES = {  # D (s), T (s) and r; the fourth test is not published
    "original": (2.0, 1.0, 3),
    "flush": (0.025, 1.0, 3),
    "both": (0.025, 0.5, 1),
    "fourth": (2.0, 0.5, 1),
}
_RESPONSE_S = {"original": 8.072, "flush": 4.126, "both": 1.131}
_THROUGHPUT_PER_S = 43  # of the test "both", the only one that shows a think time
_THREADS = {"pool_threads": 25, "commit_threads": 13}


def _tunables(test) -> dict:
    max_delay_s, timeout_s, retries = _TUNABLES[choice("test", test, TESTS)]
    return {"max_delay_s": max_delay_s, "timeout_s": timeout_s, "retries": retries}


def _base_s(hypothesis, think_s) -> float:
    fitted_to = "original" if hypothesis == "thread pool" else "flush"
    settings = _tunables(fitted_to)
    settings.update(_THREADS)
    return calibrated_base(
        _RESPONSE_S[fitted_to],
        hypothesis=hypothesis,
        clients=CLIENTS,
        think_s=think_s,
        **settings,
    )


def settings_of(hypothesis, test, clients) -> dict:
    """Return all settings of a run: those of `case.rival`, with any number of clients.

    Raises ValueError for an unknown explanation or test, or clients that are not 1 to 50.

    >>> round(settings_of("two caps", "fourth", 50)["base_s"], 3)
    0.076
    """
    settings = _tunables(test)
    settings.update(_THREADS)
    settings["hypothesis"] = hypothesis
    settings["clients"] = integer("clients", clients, at_least=1, at_most=CLIENTS)
    settings["think_s"] = CLIENTS / _THROUGHPUT_PER_S - _RESPONSE_S["both"]
    settings["base_s"] = _base_s(hypothesis, settings["think_s"])
    return settings


MOST_ROWS = 50_000  # of an animation's columns: 2 MB
SEED = 20  # the seed of the ledger's first run
SECONDS = 64  # the part of a run that the animation shows
# What a client does after an event of a kind, as a number for the page. The other kinds begin
# nothing that lasts; a flush ends the wait for it.
_QUERIES, _WAITS, _WORKS, _HELD, _ANSWERED = range(5)
_DOES = {1: _WAITS, 2: _QUERIES, 3: _WORKS, 4: _HELD, 6: _ANSWERED}
_FLUSHED = 5
_EXACT = ("one cap", "two caps")


def events(seed, *, batches=BATCHES, **settings) -> tuple:
    """Return the number of events of a run, and the columns of the first of them.

    The columns are those of `tunables.simulators.batches.BatchEvents`.
    Raises ValueError as `run` does.

    >>> from tunables.core.registry import find_case
    >>> found, *columns = events(1, batches=50, **find_case("rdu").settings())
    >>> int(found), [len(column) for column in columns[:4]]
    (450, [450, 450, 450, 450])
    """
    batches = integer("batches", batches, at_least=1, at_most=MOST_BATCHES)
    return trace_batches(run_seed(seed), batches, *_kernel_settings(**settings), MOST_ROWS)


def commits(seed, *, customers, flush_time_s, max_delay_s, think_time_s, spread, count) -> tuple:
    """Return the number of commits of a run, and the columns of the first of them.

    The columns are those of `tunables.simulators.group_commits.Commits`.
    Raises ValueError for counts that are not integers above 0, negative times, a flush time that
    is not above 0, or a spread outside [0, 1].

    >>> log = {"flush_time_s": 0.005, "max_delay_s": 0.001, "think_time_s": 0.01, "spread": 0.5}
    >>> found, *columns = commits(1, customers=4, count=20, **log)
    >>> int(found), [len(column) for column in columns]
    (21, [21, 21, 21, 21, 21])
    """
    return trace_commits(
        run_seed(seed),
        integer("customers", customers, at_least=1, at_most=MOST_CUSTOMERS),
        integer("count", count, at_least=1, at_most=MOST_ROWS),
        number("flush_time_s", flush_time_s, above=0),
        number("max_delay_s", max_delay_s, at_least=0),
        number("think_time_s", think_time_s, at_least=0),
        number("spread", spread, at_least=0, at_most=1),
        MOST_ROWS,
    )


def _spans(time_s, kind, client, detail):
    """Return the columns of `play`: what each client does, from the columns of `events`."""
    begin_us: list = []
    clients: list = []
    does: list = []
    flush: list = []
    latest: dict = {}
    for n, now_s in enumerate(time_s):
        if now_s >= SECONDS:
            break
        one = int(client[n])
        if kind[n] == _FLUSHED:
            flush[latest[one]] = int(detail[n])
        elif kind[n] in _DOES:
            latest[one] = len(clients)
            begin_us.append(round(1e6 * now_s))
            clients.append(one)
            does.append(_DOES[kind[n]])
            flush.append(-1)
    return {"begin_us": begin_us, "client": clients, "does": does, "flush": flush}


def play(*, hypothesis, test, clients) -> dict:
    """Return what the animation replays: what each client does in the first 64 s of a test.

    In each row a client begins something at "begin_us": 0 a lease query, 1 a wait for a thread,
    2 work, 3 a wait for a flush, 4 a pause after its answer. "flush" is the number of the flush
    that ends a wait within the time shown, else -1. "formula_s" is the closed form, "exact"
    whether it is more than an approximation, "mean_s" the mean response of all 3000 batches.
    Raises ValueError for an unknown explanation or test, or clients that are not 1 to 50.
    """
    settings = settings_of(hypothesis, test, clients)
    _, time_s, kind, client, _, detail = events(SEED, **settings)
    trace = _spans(time_s, kind, client, detail)
    trace.update(settings)
    trace["seconds"] = SECONDS
    trace["formula_s"] = predict(**settings)["response_s"]
    trace["exact"] = hypothesis in _EXACT
    trace["mean_s"] = run(SEED, **settings)["response_s"]
    return trace


# The animation of the committers.
FLUSH_MS = 5
SHOWN_MS = 240
MOST_CLIENTS, MOST_DELAY_MS = 32, 25
_TIMES = ("asked_us", "begun_us", "ended_us")


def play_committers(*, delay, clients) -> dict:
    """Return what the animation replays: the commits requested in the first 240 ms.

    delay: D in whole milliseconds before each flush of 5 ms; clients: the number that commit.
    Each row is a commit: when it was requested, when its flush began and ended (microseconds), its
    client and the number of its flush. "formula" is the closed form's commits per second.
    Without think times nothing is drawn at random.
    Raises ValueError for a delay or clients outside their ranges.
    """
    delay = integer("delay", delay, at_least=0, at_most=MOST_DELAY_MS)
    clients = integer("clients", clients, at_least=1, at_most=MOST_CLIENTS)
    settings = {"flush_time_s": FLUSH_MS / 1000, "max_delay_s": delay / 1000}
    _, *times, client, flush = commits(
        SEED,
        customers=clients,
        think_time_s=0,
        spread=0,
        count=clients * (SHOWN_MS // FLUSH_MS + 1),
        **settings,
    )
    first = [n for n in range(len(client)) if 1000 * times[0][n] < SHOWN_MS]
    trace: dict = {"delay": delay, "flush_ms": FLUSH_MS, "clients": clients, "ms": SHOWN_MS}
    trace["formula"] = closed_group_commit(clients, **settings)
    for name, column in zip(_TIMES, times):
        trace[name] = [round(1e6 * column[n]) for n in first]
    trace["client"] = [int(client[n]) for n in first]
    trace["flush"] = [int(flush[n]) for n in first]
    return trace
