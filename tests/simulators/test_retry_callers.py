"""A closed population, and clients who take any answer: the reference, another simulation, laws."""

import heapq
import random
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulators.test_retry_storm import attempts
from tunables.simulators.interval import confidence_interval
from tunables.simulators.retry_callers import scenario, simulate_retry_callers
from tunables.simulators.retry_storm import simulate_retry_storm, trace_retry_storm
from tunables.simulators.retry_storm_reference import retry_storm_reference
from tunables.theory.queueing import machine_repair
from tunables.theory.retries import closed_storm_rate
from tunables.theory.waiting_callers import any_answer_rates

NOTE = {"callers": 50, "think_time_s": 0.0318, "service_rate": 60}


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.integers(1, 60),
    st.sampled_from([0.01, 0.5]),
    st.sampled_from([0.05, 0.5]),
    st.integers(0, 3),
    st.sampled_from([0, 1]),
    st.sampled_from([{}, {"drop": "stale"}, {"drop": "remaining"}, {"queue_limit": 5}]),
    st.booleans(),
    st.integers(0, 99),
)
def test_kernel_equals_reference_bit_for_bit(
    callers, think_s, timeout_s, retries, outage_s, rules, any_answer, seed
):
    arguments = scenario(
        callers, think_s, 60, timeout_s, retries, 2, outage_s, 6, seed, rules, any_answer
    )
    found = attempts(arguments)
    assert found == retry_storm_reference(*arguments)
    assert len(found) < len(arguments[0].service_s)  # there were enough draws


def test_patient_callers_are_machine_repair():
    expected, _ = machine_repair(8, 1, 0.1, 1 / 60)
    rates = [
        simulate_retry_callers(8, 0.1, 60, 50, 0, outage_s=0, horizon_s=400, seed=seed)[1][50:]
        for seed in range(12)
    ]
    mean, half_width = confidence_interval([run.mean() for run in rates], level=0.999)
    assert abs(expected - mean) <= half_width
    assert half_width < 0.02 * mean


def ends(timeout_s, retries, outage_s):
    """Return (attempts/s, answers/s) at the end of each of six runs."""
    runs = [
        simulate_retry_callers(
            **NOTE,
            timeout_s=timeout_s,
            retries=retries,
            outage_s=outage_s,
            horizon_s=300,
            seed=seed,
        )
        for seed in range(6)
    ]
    return np.array([[series[-100:].mean() for series in run] for run in runs])


@pytest.mark.parametrize("outage_s", [0, 2, 10])
@pytest.mark.parametrize(
    ("timeout_s", "retries", "stuck"), [(1.0, 3, False), (1.0, 1, False), (0.5, 1, True)]
)
def test_callers_overload_the_server_under_the_notes_advice_and_not_by_default(
    timeout_s, retries, stuck, outage_s
):
    """Stuck if N (r + 1)/((r + 1) T + Z) is above u = 60: the timeout decides, not the retries."""
    most = closed_storm_rate(50, timeout_s, retries, 0.0318)
    assert (most > 60) == stuck
    attempts, answers = ends(timeout_s, retries, outage_s).T
    if stuck:
        assert answers.max() == 0
        assert attempts.mean() == pytest.approx(most, rel=0.005)
    else:
        assert answers.min() > 50


def test_half_the_advice_each_way():
    """Fewer retries alone change almost nothing; the shorter timeout alone does the harm."""
    assert ends(1.0, 1, 10)[:, 1].min() > 50
    assert ends(0.5, 3, 0)[:, 1].max() == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"callers": 0}, "callers = 0"),
        ({"think_time_s": -1}, "think_time_s = -1"),
        ({"service_rate": 0}, "service_rate = 0"),
        ({"timeout_s": 0}, "timeout_s = 0"),
        ({"retries": 0.5}, "retries = 0.5"),
        ({"horizon_s": 0}, "horizon_s = 0"),
        ({"drop": "late"}, "drop = 'late'"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_retry_callers(**NOTE | arguments)


class Plain:
    """Clients, a queue and a server; a client waits until its last attempt has timed out.

    It shares nothing with the package: it steps through a list of requests by the clock, with
    numbers from Python's own generator, so it agrees only on average.
    """

    def __init__(self, service_rate, timeout_s, retries, seed, arrivals=0.0, callers=0, think_s=0):
        self.draw = random.Random(seed)
        self.service_rate, self.timeout_s, self.retries = service_rate, timeout_s, retries
        self.arrivals, self.think_s = arrivals, think_s
        self.events: list[tuple] = []
        self.line: deque = deque()
        self.waiting: set[int] = set()
        self.clients = 0
        self.answered_s: list[float] = []
        self.sent_s: list[float] = []
        for _ in range(callers):
            self.comes_after(1 / think_s, 0.0)
        if arrivals:
            self.comes_after(arrivals, 0.0)

    def comes_after(self, rate, now):
        heapq.heappush(self.events, (now + self.draw.expovariate(rate), "comes", -1, 0))

    def comes(self, now, client, tried):
        client, self.clients = self.clients, self.clients + 1
        self.waiting.add(client)
        if self.arrivals:
            self.comes_after(self.arrivals, now)
        self.sends(now, client, tried)

    def sends(self, now, client, tried):
        self.sent_s.append(now)
        self.line.append(client)
        if len(self.line) == 1:
            self.begins(now)
        heapq.heappush(self.events, (now + self.timeout_s, "times out", client, tried + 1))

    def begins(self, now):
        end = now + self.draw.expovariate(self.service_rate)
        heapq.heappush(self.events, (end, "served", self.line[0], 0))

    def served(self, now, client):
        self.line.popleft()
        if self.line:
            self.begins(now)
        if client in self.waiting:
            self.answered_s.append(now)
            self.leaves(now, client)

    def leaves(self, now, client):
        self.waiting.remove(client)
        if self.think_s:
            self.comes_after(1 / self.think_s, now)

    def run(self, begin_s, end_s):
        """Return requests answered and attempts sent per second in that time."""
        while self.events[0][0] < end_s:
            now, what, client, tried = heapq.heappop(self.events)
            if what == "comes":
                self.comes(now, client, tried)
            elif what == "served":
                self.served(now, client)
            elif client in self.waiting and tried <= self.retries:
                self.sends(now, client, tried)
            elif client in self.waiting:
                self.leaves(now, client)
        times = (self.answered_s, self.sent_s)
        return [sum(t >= begin_s for t in each) / (end_s - begin_s) for each in times]


def plain(service_rate, timeout_s, retries, seed, end_s, begin_s, **clients):
    return Plain(service_rate, timeout_s, retries, seed, **clients).run(begin_s, end_s)


def agree(first, second):
    """Return whether two samples of runs have the same mean, at 99.9%."""
    means, widths = zip(
        *(confidence_interval(sample, level=0.999) for sample in (first, second)), strict=True
    )
    assert max(widths) < 0.1 * means[0]
    return abs(means[0] - means[1]) <= sum(widths)


@pytest.mark.slow
@pytest.mark.parametrize(("arrivals", "timeout_s"), [(20, 0.01), (30, 0.02), (25, 0.03)])
def test_independent_clients_agree_with_another_simulation(arrivals, timeout_s):
    seeds = range(12)
    ours = [
        [series[20:].mean() for series in simulate_retry_storm(
            arrivals, 100, timeout_s, 2, outage_s=0, horizon_s=300, seed=seed, any_answer=True
        )]
        for seed in seeds
    ]  # fmt: skip
    theirs = [plain(100, timeout_s, 2, seed, 300, 20, arrivals=arrivals) for seed in seeds]
    answered, attempts = zip(*theirs, strict=True)
    assert agree([run[1] for run in ours], answered)
    assert agree([run[0] for run in ours], attempts)


@pytest.mark.slow
@pytest.mark.parametrize(("timeout_s", "retries"), [(1.0, 1), (1.5, 0), (2.0, 3)])
def test_callers_agree_with_another_simulation(timeout_s, retries):
    ours = [
        simulate_retry_callers(
            50,
            0.0318,
            60,
            timeout_s,
            retries,
            outage_s=0,
            horizon_s=300,
            seed=seed,
            any_answer=True,
        )[1][150:].mean()
        for seed in range(10)
    ]
    theirs = [
        plain(60, timeout_s, retries, seed, 300, 150, callers=50, think_s=0.0318)[0]
        for seed in range(10)
    ]
    assert agree(ours, theirs)


def test_callers_stay_at_one_of_the_rates_of_the_law():
    """With one retry a queue of two attempts per request sustains itself: u/2 is answered."""
    assert any_answer_rates(50, 60, 1.0, 1, 0.0318) == [60, 30]
    rates = [
        simulate_retry_callers(
            50, 0.0318, 60, 1.0, 1, outage_s=0, horizon_s=300, seed=seed, any_answer=True
        )[1][100:].mean()
        for seed in range(6)
    ]
    assert rates == pytest.approx([30] * 6, rel=0.05)
    strict = simulate_retry_callers(50, 0.0318, 60, 1.0, 1, outage_s=0, horizon_s=300, seed=1)[1]
    assert strict[100:].mean() > 52


def test_each_request_is_answered_at_most_once_and_by_an_attempt_it_waited_for():
    run = trace_retry_storm(30, 100, seed=3, outage_s=1, any_answer=True)
    answered = run.request[run.fate == 0]
    assert len(set(answered.tolist())) == len(answered) > 500
    first_s = {
        int(k): t for k, t, n in zip(run.request, run.asked_s, run.tried, strict=True) if n == 0
    }
    waited = np.array(
        [run.left_s[i] - first_s[int(run.request[i])] for i in np.flatnonzero(run.fate == 0)]
    )
    assert (waited <= 4 * 0.5).all()
    assert (waited > 0.5).any()  # impossible for clients that take only the latest answer
    strict = trace_retry_storm(30, 100, seed=3, outage_s=1)
    assert (strict.left_s - strict.asked_s)[strict.fate == 0].max() <= 0.5


def test_nothing_changes_where_no_attempt_is_late():
    plain_run, lenient = (
        trace_retry_storm(30, 100, 5.0, seed=2, outage_s=1, any_answer=flag)
        for flag in (False, True)
    )
    assert all((a == b).all() for a, b in zip(plain_run[1:], lenient[1:], strict=True))


def test_any_answer_is_a_truth_value():
    for simulate, arguments in (
        (simulate_retry_storm, (30, 100)),
        (simulate_retry_callers, (50, 0.03, 60)),
    ):
        with pytest.raises(ValueError, match="any_answer = 1: must be True or False"):
            simulate(*arguments, any_answer=1)
