"""The animations: the events of the chapter's simulations, and what the bookmarks say of them."""

from collections import Counter
from functools import cache
from statistics import mean

import pytest

from tunables.chapters.group_commit.animation import COMMITTERS, animation, committers_animation
from tunables.chapters.group_commit.case import ROWS, rival, row_settings
from tunables.chapters.group_commit.predictor import HYPOTHESES, predict
from tunables.chapters.group_commit.simulation import (
    SECONDS,
    SEED,
    SHOWN_MS,
    TESTS,
    commits,
    events,
    play,
    play_committers,
    run,
    settings_of,
)
from tunables.simulators.batches_kernel import (
    ANSWERED,
    ASKS,
    FLUSHED,
    HELD,
    QUERIES,
    WAITS,
    WORKS,
    BatchEvents,
)
from tunables.simulators.group_commits import Commits, trace_group_commits
from tunables.theory.group_commit import closed_group_commit
from tunables.views.animation import read_stills

FEWER_ATTEMPTS = (("retries", 1), ("timeout_s", 0.5))
STUCK = "adaptive flusher with a stuck transaction"


@cache
def event_trace(hypothesis, row="original", changes=()):
    return BatchEvents(*events(SEED, **rival(hypothesis, row, **dict(changes))))


def clients_at(time_s, trace):
    """Count the clients by the kind of their latest event at a time."""
    count = int(trace.time_s.searchsorted(time_s, side="right"))
    latest = dict(zip(trace.client[:count].tolist(), trace.kind[:count].tolist(), strict=True))
    return Counter(latest.values())


def responses_ms(trace, until_s=float("inf")):
    """Return the response times (ms) of the batches answered by a time, in order."""
    begin_s, found = {}, []
    for time_s, kind, client in zip(trace.time_s, trace.kind, trace.client, strict=True):
        if kind == ASKS:
            begin_s[client] = time_s
        elif kind == ANSWERED and time_s <= until_s:
            found.append(1000 * (time_s - begin_s[client]))
    return found


def mean_ms(values):
    return round(sum(values) / len(values))


@pytest.mark.parametrize(
    ("hypothesis", "row", "changes", "expected_ms"),
    [
        ("two caps", "original", (), 8077),
        ("two caps", "both", (), 1127),
        ("commit stage", "original", (), 8073),
        ("two caps", "original", FEWER_ATTEMPTS, 5077),
        ("commit stage", "original", FEWER_ATTEMPTS, 8023),
        ("two caps", "original", (("clients", 25),), 8077),
        ("commit stage", "original", (("clients", 25),), 6114),
        (STUCK, "original", (), 7976),
        ("ideal adaptive flusher", "original", (), 4440),
    ],
)
def test_mean_response_after_all_batches(hypothesis, row, changes, expected_ms):
    """All events fit into the animation's columns, and give the results of the run bit for bit."""
    trace = event_trace(hypothesis, row, changes)
    assert trace.rows == len(trace.time_s)
    assert sum(column.nbytes for column in trace[1:]) < 2e6
    responses = responses_ms(trace)
    assert (len(responses), mean_ms(responses)) == (3000, expected_ms)
    found = run(SEED, **rival(hypothesis, row, **dict(changes)))
    assert found["throughput_per_s"] == 3000 / trace.time_s[-1]
    assert round(1000 * found["response_s"]) == expected_ms


@pytest.mark.parametrize(
    ("hypothesis", "row", "changes", "time_s", "clients", "answers", "expected_ms"),
    [
        ("two caps", "original", (), 3.9, {QUERIES: 50}, 0, None),
        ("two caps", "original", (), 5.9, {HELD: 50}, 0, None),
        ("two caps", "original", (), 10, {QUERIES: 50}, 50, 8072),
        ("two caps", "flush", (), 8.0, {QUERIES: 50}, 50, 4122),
        ("commit stage", "original", (), 20, {QUERIES: 26, WAITS: 11, HELD: 13}, 91, 8572),
        ("two caps", "original", FEWER_ATTEMPTS, 60, {HELD: 50}, 550, 5075),
        ("commit stage", "original", FEWER_ATTEMPTS, 60,
         {QUERIES: 9, WAITS: 28, HELD: 13}, 361, 7759),
    ],
)  # fmt: skip
def test_clients_and_answers_at_the_bookmarks(
    hypothesis, row, changes, time_s, clients, answers, expected_ms
):
    trace = event_trace(hypothesis, row, changes)
    assert clients_at(time_s, trace) == clients
    responses = responses_ms(trace, time_s)
    assert len(responses) == answers
    assert answers == 0 or mean_ms(responses) == expected_ms


def test_client_1_of_the_commit_stage_has_been_held_for_1100_ms():
    """Client 1 is number 0 in the trace; its latest event is that it is held."""
    trace = event_trace("commit stage")
    times = [
        (time_s, kind)
        for time_s, kind, client in zip(trace.time_s, trace.kind, trace.client, strict=True)
        if client == 0 and time_s <= 20
    ]
    held_s, kind = times[-1]
    assert (kind, round(20 - held_s, 1)) == (HELD, 1.1)


@pytest.mark.parametrize(
    ("changes", "expected_ms"),
    [((), [8935, 8158, 8081, 8089, 8005]), (FEWER_ATTEMPTS, [5995])],
)
def test_rounds_of_the_commit_stage(changes, expected_ms):
    responses = responses_ms(event_trace("commit stage", "original", changes))
    rounds = [mean_ms(responses[first : first + 50]) for first in range(0, 250, 50)]
    assert rounds[: len(expected_ms)] == expected_ms


def flushes(hypothesis):
    """Return (time, number of clients released) of each flush."""
    trace = event_trace(hypothesis)
    rows = trace.kind == FLUSHED
    sizes = Counter(trace.detail[rows].tolist())
    times = dict(zip(trace.detail[rows].tolist(), trace.time_s[rows].tolist(), strict=True))
    return [(round(times[flush], 2), sizes[flush]) for flush in sorted(sizes)]


def test_clients_share_a_flush_only_if_the_flusher_is_adaptive():
    assert {size for _, size in flushes("two caps")} == {1}
    assert flushes(STUCK)[:3] == [(6.0, 50), (8.0, 50), (14.02, 50)]
    assert flushes("ideal adaptive flusher")[0][1] == 50


@pytest.mark.parametrize(
    ("delay_s", "sizes", "expected"),
    [(0.0, [1, 15, 1, 15], 1600), (0.001, [16] * 4, 2667), (0.005, [16] * 4, 1600),
     (0.025, [16] * 4, 533)],
)  # fmt: skip
def test_sixteen_committers(delay_s, sizes, expected):
    settings = {"customers": 16, "flush_time_s": 0.005, "max_delay_s": delay_s}
    trace = Commits(*commits(SEED, **settings, think_time_s=0, spread=0, count=3200))
    assert [trace.flush.tolist().count(flush) for flush in range(4)] == sizes
    assert round(trace.rows / trace.ended_s[-1]) == expected
    public = trace_group_commits(16, 0.005, delay_s, commits=3200, seed=SEED)
    for column, same in zip(trace[1:], public[1:], strict=True):
        assert column.tolist() == same.tolist()


DOES = {QUERIES: 0, WAITS: 1, WORKS: 2, HELD: 3, ANSWERED: 4}
CHANGES = dict.fromkeys(ROWS, ()) | {"fourth": FEWER_ATTEMPTS}


def row_of(test):
    return "original" if test == "fourth" else test


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_the_pages_copied_numbers_give_the_settings_fitted_to_the_data(hypothesis):
    for test in TESTS:
        expected = rival(hypothesis, row_of(test), **dict(CHANGES[test]))
        assert settings_of(hypothesis, test, 50) == pytest.approx(expected, abs=1e-12)
    assert settings_of("two caps", "fourth", 50)["retries"] == row_settings("both")["retries"]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("hypothesis", ["two caps", "commit stage", STUCK])
def test_the_animation_replays_what_happens(hypothesis, test):
    trace = event_trace(hypothesis, row_of(test), CHANGES[test])
    replay = play(hypothesis=hypothesis, test=test, clients=50)
    early = trace.time_s < SECONDS
    lasting = early & [kind in DOES for kind in trace.kind]
    assert replay["begin_us"] == [round(1e6 * time_s) for time_s in trace.time_s[lasting]]
    assert replay["client"] == trace.client[lasting].tolist()
    assert replay["does"] == [DOES[kind] for kind in trace.kind[lasting]]
    ended = sorted(trace.detail[early & (trace.kind == FLUSHED)].tolist())
    assert sorted(flush for flush in replay["flush"] if flush >= 0) == ended
    held = [does for does, flush in zip(replay["does"], replay["flush"], strict=True) if flush >= 0]
    assert set(held) <= {DOES[HELD]}
    settings = settings_of(hypothesis, test, 50)
    assert replay["mean_s"] == run(SEED, **settings)["response_s"]
    assert replay["formula_s"] == predict(**settings)["response_s"]
    assert round(1000 * replay["mean_s"]) == round(mean(responses_ms(trace)))


def test_no_answer_lies_beyond_the_axis_of_the_animation():
    """The axis ends at 13 s and does not change."""
    longest_ms = max(
        max(responses_ms(event_trace(name, row_of(test), CHANGES[test]), SECONDS))
        for name in HYPOTHESES
        for test in TESTS
    )
    assert 12_000 < longest_ms < 13_000


def counts_at(bookmark):
    """Return the number of clients by what they do at a bookmark, and the responses so far."""
    test = bookmark.settings["test"]
    trace = event_trace(bookmark.settings["hypothesis"], row_of(test), CHANGES[test])
    return clients_at(bookmark.at, trace), responses_ms(trace, bookmark.at)


def test_the_titles_of_the_bookmarks_are_true():
    bookmarks = {bookmark.name: bookmark for bookmark in animation().bookmarks}
    assert counts_at(bookmarks["lease"]) == ({QUERIES: 50}, [])
    assert counts_at(bookmarks["held"]) == ({HELD: 50}, [])
    clients, answers = counts_at(bookmarks["short"])
    assert clients == {QUERIES: 50}
    assert mean_ms(answers) == 4122  # the lease query takes 4 s of it
    clients, answers = counts_at(bookmarks["commit-stage"])
    assert clients == {QUERIES: 26, WAITS: 11, HELD: 13}
    means = [play(**bookmarks[name].settings)["mean_s"] for name in ("held", "commit-stage")]
    assert means[0] == pytest.approx(means[1], rel=0.001)
    assert counts_at(bookmarks["decides"])[0] == {QUERIES: 9, WAITS: 28, HELD: 13}
    stage_s = [play(**bookmarks[name].settings)["mean_s"] for name in ("commit-stage", "decides")]
    assert stage_s[0] == pytest.approx(stage_s[1], rel=0.01)
    time_s, released = flushes(STUCK)[1]
    assert released == 50
    assert 0 < bookmarks["stuck"].at - time_s < 0.02


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hypothesis": "magic"}, "hypothesis = 'magic': must be"),
        ({"test": "normal load"}, "test = 'normal load': must be"),
        ({"clients": 51}, "clients = 51: must be"),
        ({"clients": 0}, "clients = 0: must be"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, words):
    settings = {"hypothesis": "two caps", "test": "original", "clients": 50} | wrong
    with pytest.raises(ValueError, match=words):
        play(**settings)


COMMITTERS_BOOKMARKS = {bookmark.name: bookmark for bookmark in committers_animation().bookmarks}
STILLS = dict(zip(COMMITTERS_BOOKMARKS, read_stills("rdu")["rdu-committers"], strict=True))
FLUSH_S = 0.005


def simulated_commits(delay, clients):
    """Return the simulator's commits, and which of them are requested in the time early."""
    trace = trace_group_commits(clients, FLUSH_S, delay / 1000, commits=49 * clients)
    return trace, trace.asked_s < SHOWN_MS / 1000


@pytest.mark.parametrize(("delay", "clients"), [(0, 16), (1, 16), (25, 16), (3, 1), (2, 32)])
def test_the_committers_animation_replays_the_simulators_commits(delay, clients):
    replay, (trace, early) = (
        play_committers(delay=delay, clients=clients),
        simulated_commits(delay, clients),
    )
    for name in ("asked", "begun", "ended"):
        column = getattr(trace, f"{name}_s")
        assert replay[f"{name}_us"] == (1e6 * column[early]).round().astype(int).tolist()
    assert replay["client"] == trace.customer[early].tolist()
    assert replay["flush"] == trace.flush[early].tolist()
    assert trace.begun_s[~early].min(initial=1) >= SHOWN_MS / 1000  # no flush is early in part
    assert replay["formula"] == closed_group_commit(clients, FLUSH_S, delay / 1000)
    assert replay["formula"] == pytest.approx(trace.rows / trace.ended_s[-1], rel=0.02)


def test_the_committers_bookmarks_are_true():
    assert "1 client has a flush to itself, 15 wait for the next" in STILLS["turns"]["sentence"]
    alone = closed_group_commit(COMMITTERS, FLUSH_S, 0)
    for name, bookmark in COMMITTERS_BOOKMARKS.items():
        delay = int(bookmark.settings["delay"])
        rate = closed_group_commit(COMMITTERS, FLUSH_S, delay / 1000)
        rate_words = f"{rate:,.0f} a second (the formula gives {rate:,.0f} a second)."
        assert rate_words in STILLS[name]["sentence"]
        trace, _ = simulated_commits(delay, COMMITTERS)
        shared = trace.flush[trace.ended_s <= bookmark.at / 1000].tolist()
        last = sorted({*shared})[-4:]
        sizes = [str(shared.count(flush)) for flush in last]
        assert STILLS[name]["sentence"].endswith(f"{', '.join(sizes[:-1])} and {sizes[-1]}.") or (
            len(sizes) == 1
            and STILLS[name]["sentence"].endswith(f"Clients in the last flush: {sizes[0]}.")
        )
        if delay:
            assert f"{alone:,.0f} a second" in STILLS[name]["beside"]
            assert set(sizes) == {str(COMMITTERS)}
    assert closed_group_commit(COMMITTERS, FLUSH_S, FLUSH_S) == alone


@pytest.mark.parametrize("wrong", [{"delay": 26}, {"delay": 0.5}, {"clients": 0}, {"clients": 33}])
def test_committers_settings_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} = .*: must be"):
        play_committers(**({"delay": 1, "clients": 16} | wrong))
