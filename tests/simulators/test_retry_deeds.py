"""Deeds of a reader: against the reference, the rules that say the same, and what lay before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulators.test_retry_storm import attempts
from tunables.simulators.relief import relief
from tunables.simulators.retry_deeds import DEEDS, checked_deeds
from tunables.simulators.retry_storm import scenario, simulate_retry_storm, trace_retry_storm
from tunables.simulators.retry_storm_reference import retry_storm_reference

OUTAGE = {"outage_start_s": 2, "outage_s": 2, "horizon_s": 12}
STALE = [(0, "skip", 1)]
VALUES: dict[str, list] = {
    "server": [0, 1], "drop the line": [0], "skip": [0, 1, 2], "retries": [0, 1, 5],
    "queue limit": [1, 6.5, 40], "retry budget": [0, 0.1, 2], "turn away": [0, 0.4, 1],
}  # fmt: skip
a_time = st.one_of(st.sampled_from([0.0, 2.0, 4.0]), st.floats(0, 9))
any_deed = st.sampled_from(DEEDS).flatmap(
    lambda deed: st.tuples(a_time, st.just(deed), st.sampled_from(VALUES[deed]))
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(
    st.lists(any_deed, max_size=6),
    st.sampled_from([5, 40, 120]),
    st.integers(0, 3),
    st.sampled_from([0, 2]),
    st.sampled_from([(0, 0), (0.3, 2.0)]),
    st.sampled_from([{}, {"drop": "stale", "margin_s": 0.03}, {"retry_budget": 0.3}]),
    st.integers(0, 99),
)
def test_fast_is_the_reference_to_the_last_bit(
    deeds, rate, retries, outage_s, backoff, rules, seed
):
    """The server may be stopped while it stands, and never be started again."""
    base_s, cap_s = backoff
    arguments = scenario(
        rate, 100, 0.5, retries, 2, outage_s, 8, base_s, cap_s, seed, relief(**rules), deeds
    )
    assert attempts(arguments) == retry_storm_reference(*arguments)


@pytest.mark.parametrize(
    ("rules", "deeds"),
    [
        ({"drop": "stale"}, STALE),
        ({"drop": "remaining"}, [(0, "skip", 2)]),
        ({"drop": "stale", "purge_s": 6}, [*STALE, (6, "drop the line", 0)]),
        ({"retries_off_s": 5.5}, [(5.5, "retries", 0)]),
        ({"queue_limit": 9}, [(0, "queue limit", 9)]),
        ({"retry_budget": 0.3}, [(0, "retry budget", 0.3)]),
        (
            {"shed_share": 0.6, "shed_from_s": 5, "shed_until_s": 8},
            [(8, "turn away", 0), (5, "turn away", 0.6)],
        ),
        ({"outage_start_s": 3, "outage_s": 1.5}, [(3, "server", 0), (4.5, "server", 1)]),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_deed_and_a_rule_that_say_the_same_give_the_same_bits(rules, deeds, seed):
    usual = dict(OUTAGE, seed=seed)
    if "outage_s" in rules:
        usual["outage_s"] = 0
    budget = {"budget_burst": 10.0} if "retry_budget" in rules else {}
    ruled = trace_retry_storm(40, 100, **usual | rules | budget)
    done = trace_retry_storm(40, 100, **usual, deeds=deeds)
    plain = trace_retry_storm(40, 100, **usual)
    assert [column.tolist() for column in ruled[1:]] == [column.tolist() for column in done[1:]]
    assert ruled.fate.tolist() != plain.fate.tolist()


@settings(deadline=None, derandomize=True, max_examples=60)
@given(any_deed, st.booleans(), st.integers(0, 9))
def test_before_a_deed_nothing_changes(deed, backoff, seed):
    """Rows end as they did unless they had not yet: pauses and further attempts draw anew."""
    usual = OUTAGE | {"backoff_base_s": 0.2 * backoff, "backoff_cap_s": 1, "seed": seed}
    time_s = deed[0]
    plain = trace_retry_storm(40, 100, **usual)
    done = trace_retry_storm(40, 100, **usual, deeds=[deed])
    before = int(np.searchsorted(plain.asked_s, time_s))
    for column, changed in zip(plain[1:], done[1:], strict=True):
        over = plain.left_s[:before] < time_s
        assert column[:before][over].tolist() == changed[:before][over].tolist()
    for column, changed in ((plain.asked_s, done.asked_s), (plain.request, done.request)):
        assert column[:before].tolist() == changed[:before].tolist()


def test_a_list_of_outages():
    """Each stops the server: nothing is served between, and the same at once or one by one."""
    deeds = [(4, "server", 0), (5, "server", 1), (7, "server", 0), (7.25, "server", 1)]
    trace = trace_retry_storm(40, 100, outage_s=0, horizon_s=12, deeds=deeds)
    for down_s, up_s in ((4, 5), (7, 7.25)):
        assert not ((trace.turn_s >= down_s) & (trace.turn_s < up_s)).any()
        assert not ((trace.left_s > down_s) & (trace.left_s < up_s)).any()
    twice = [*deeds, (4.5, "server", 0)]
    assert (
        trace_retry_storm(40, 100, outage_s=0, horizon_s=12, deeds=twice).left_s.tolist()
        == trace.left_s.tolist()
    )


def test_more_retries_are_sent_from_then_on():
    for later, most in ((0, 3), (5, 5)):
        trace = trace_retry_storm(40, 100, **OUTAGE, deeds=[(6, "retries", later)])
        assert int(trace.tried.max()) == most
        allowed = np.where(trace.asked_s < 6, 3, later)
        assert (trace.tried <= allowed).all()


def test_counts_are_those_of_the_trace():
    deeds = [(60, "drop the line", 0)]
    offered, answered = simulate_retry_storm(30, 100, seed=1, deeds=deeds)
    trace = trace_retry_storm(30, 100, seed=1, deeds=deeds)
    assert trace.rows == len(trace.fate)
    for counts, sent in ((offered, trace.asked_s), (answered, trace.asked_s[trace.fate == 0])):
        assert counts.tolist() == np.histogram(sent, np.arange(121))[0].tolist()
    short = trace_retry_storm(30, 100, seed=1, deeds=deeds, rows=7)
    assert (short.rows, len(short.fate)) == (trace.rows, 7)
    assert short.left_s.tolist() == trace.left_s[:7].tolist()


@pytest.mark.parametrize(
    ("deeds", "message"),
    [
        (7, r"deeds = 7: must be a list"),
        ([7], r"deeds\[0\] = 7: must be \(time_s, deed, value\)"),
        ([(1, "server", 1), (1, "server")], r"deeds\[1\] = \(1, 'server'\)"),
        ([(1, "pray", 1)], r"deed of deeds\[0\] = 'pray': must be one of server, drop the line"),
        ([(-1, "server", 1)], r"time_s of deeds\[0\] = -1"),
        ([(1, "server", 2)], r"value of deeds\[0\] = 2: must be a whole number"),
        ([(1, "retries", 0.5)], r"value of deeds\[0\] = 0.5"),
        ([(1, "queue limit", 0)], r"value of deeds\[0\] = 0: must be .* at least 1"),
        ([(1, "turn away", 1.5)], r"value of deeds\[0\] = 1.5: must be .* at most 1"),
    ],
)
def test_bad_deeds_are_refused(deeds, message):
    with pytest.raises(ValueError, match=message):
        checked_deeds(deeds)
