import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.simulators.tcp_rounds import loss_gaps, simulate_tcp_rounds, trace_tcp_rounds
from tunables.simulators.tcp_rounds_kernel import ALPHA_CUBIC, LOST, SLOW_START, windows
from tunables.theory.tcp import cubic_throughput, mathis_throughput, slow_start_rounds

few = settings(deadline=None, max_examples=40, derandomize=True)
ROUNDS = 400_000
WARM_UP = 100_000


def mean_window(*arguments, **keywords):
    return simulate_tcp_rounds(*arguments, **keywords)[WARM_UP:].mean()


@given(
    st.floats(1e-3, 1),
    st.floats(1e-5, 1),
    st.integers(1, 300),
    st.booleans(),
    st.one_of(st.none(), st.integers(0, 99)),
    st.sampled_from([8.0, 100.0, math.inf]),
    st.sampled_from(["rfc9438", "rfc8312"]),
    st.booleans(),
)
@few
def test_kernel_equals_reference_exactly(
    rtt_s, loss, rounds, cubic, seed, largest_window, version, fast
):
    congestion_control = "cubic" if cubic else "reno"
    arguments = (rtt_s, loss, rounds, congestion_control, 10, largest_window, seed, version, fast)
    growth = {"rfc9438": 1.0, "rfc8312": ALPHA_CUBIC}[version]
    trace = trace_tcp_rounds(*arguments)
    gaps, events = loss_gaps(loss, rounds + 1, seed), np.empty(rounds, np.int64)
    plain = windows.py_func(gaps, rtt_s, cubic, 10.0, largest_window, growth, fast, events)
    assert (trace.windows == plain).all()
    assert (trace.events == events).all()
    assert (simulate_tcp_rounds(*arguments) == plain).all()


def test_the_trace_explains_each_window():
    trace = trace_tcp_rounds(0.1, 1 / 310, 60)
    lost, slow_start = (trace.events & LOST) > 0, (trace.events & SLOW_START) > 0
    assert np.flatnonzero(lost)[0] == 4
    assert np.flatnonzero(slow_start).tolist() == [0, 1, 2, 3, 4]
    after = trace.windows[1:] / trace.windows[:-1]
    assert after[lost[:-1]] == pytest.approx(0.7)
    assert (after[~lost[:-1]] > 0.7).all()
    assert (after[:4] == 2).all()


def test_events_that_find_no_room_are_not_recorded():
    gaps = loss_gaps(1 / 60, 11)
    few_events, all_events = np.empty(3, np.int64), np.empty(10, np.int64)
    sizes = windows(gaps, 0.1, True, 10.0, math.inf, 1.0, False, few_events)
    assert (sizes == windows(gaps, 0.1, True, 10.0, math.inf, 1.0, False, all_events)).all()
    assert (few_events == all_events[:3]).all()


@pytest.mark.parametrize("loss", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
def test_reno_is_within_3_percent_of_mathis(loss):
    window = mean_window(0.1, loss, ROUNDS, "reno")
    assert window == pytest.approx(mathis_throughput(1, 1, loss), rel=0.03)


@pytest.mark.parametrize("rtt_s", [0.01, 0.095, 0.155])
@pytest.mark.parametrize("loss", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
def test_cubic_is_within_4_percent_of_the_rfc(rtt_s, loss):
    window = mean_window(rtt_s, loss, ROUNDS, "cubic")
    assert window == pytest.approx(cubic_throughput(1, rtt_s, loss) * rtt_s, rel=0.04)


def test_random_loss_lets_reno_run_7_percent_above_mathis():
    # Ott, Kemperman & Mathis (1996): 1.3098/sqrt(p) when every segment is lost independently.
    windows = [mean_window(0.1, 1e-4, ROUNDS, "reno", seed=seed) for seed in range(8)]
    assert np.mean(windows) == pytest.approx(1.3098 / math.sqrt(1e-4), rel=0.015)


def test_the_round_trip_slows_cubic_by_its_fourth_root():
    near, far = (mean_window(rtt_s, 1e-5, ROUNDS, "cubic") / rtt_s for rtt_s in (0.095, 0.155))
    assert near / far == pytest.approx((0.155 / 0.095) ** 0.25, rel=0.03)
    near, far = (mean_window(rtt_s, 1e-5, ROUNDS, "reno") / rtt_s for rtt_s in (0.095, 0.155))
    assert near / far == pytest.approx(0.155 / 0.095, rel=1e-12)


def test_slow_start_doubles_as_the_closed_form_counts():
    target = 125e6 / 1460
    windows = simulate_tcp_rounds(0.1, 1e-9, 40)
    assert int(np.argmax(windows >= target)) == slow_start_rounds(target)
    assert windows[:5].tolist() == [10, 20, 40, 80, 160]


def test_the_receivers_window_caps_a_loss_free_connection():
    windows = simulate_tcp_rounds(0.1, 1e-12, 1000, largest_window=45.0)
    assert (windows[:3] == [10, 20, 40]).all()
    assert (windows[3:] == 45).all()


def test_a_cubic_epoch_by_hand():
    # One loss at a window of 160: 112 is left, and after K the curve is back at 160.
    windows = simulate_tcp_rounds(0.1, 1 / 310, 60, "cubic")[:60]
    assert windows[4:6].tolist() == [160, 0.7 * 160]
    inflection_s = (0.3 * 160 / 0.4) ** (1 / 3)
    assert windows[6] == pytest.approx(0.4 * (0.1 - inflection_s) ** 3 + 160, rel=1e-12)


def test_the_seed_decides_everything():
    first, again, other = (
        simulate_tcp_rounds(0.1, 1e-3, 500, seed=seed).tobytes() for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    ("keywords", "name"),
    [
        ({"rtt_s": 0}, "rtt_s"),
        ({"rtt_s": math.nan}, "rtt_s"),
        ({"loss": 0}, "loss"),
        ({"loss": 1.5}, "loss"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 2.5}, "rounds"),
        ({"congestion_control": "vegas"}, "congestion_control"),
        ({"initial_window": 0}, "initial_window"),
        ({"initial_window": math.inf}, "initial_window"),
        ({"largest_window": 0.5}, "largest_window"),
        ({"largest_window": math.nan}, "largest_window"),
    ],
)
def test_bad_input_is_named(keywords, name):
    arguments = {"rtt_s": 0.1, "loss": 1e-3, "rounds": 10} | keywords
    with pytest.raises(ValueError, match=name):
        simulate_tcp_rounds(**arguments)


@pytest.mark.parametrize(("loss", "losses"), [(0, 1), (2, 1), (0.1, 0), (0.1, 1.5)])
def test_bad_gaps_are_named(loss, losses):
    with pytest.raises(ValueError, match="loss"):
        loss_gaps(loss, losses)


def rounds_by_the_rfc(gaps, rtt_s, growth, fast):
    """Return CUBIC's windows as RFC 9438 describes them, step by step, in plain Python."""
    sizes, cwnd, slow_start, left, losses = [], 10.0, True, gaps[0], 0
    w_max = cwnd_prior = w_est = epoch_s = k_s = 0.0
    for _ in range(len(gaps) - 1):
        sizes.append(cwnd)
        left -= cwnd
        if left <= 0:
            losses, slow_start = losses + 1, False
            left = gaps[losses]
            w_max = 0.85 * cwnd if fast and cwnd < w_max else cwnd
            cwnd_prior, cwnd = cwnd, max(1.0, 0.7 * cwnd)
            w_est, epoch_s = cwnd, 0.0
            k_s = (max(w_max - cwnd, 0) / 0.4) ** (1 / 3)
        elif slow_start:
            cwnd *= 2
        else:
            epoch_s += rtt_s
            w_est += 3 * 0.3 / 1.7 if w_est < cwnd_prior else growth
            cwnd = max(0.4 * (epoch_s - k_s) ** 3 + w_max, w_est)
    return np.array(sizes)


@pytest.mark.parametrize(("version", "growth"), [("rfc9438", 1.0), ("rfc8312", 9 / 17)])
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("seed", [None, 3])
def test_each_version_of_cubic_is_what_its_rfc_describes(version, growth, fast, seed):
    for rtt_s, loss in ((0.02, 1e-3), (0.1, 5e-4), (0.155, 2e-4)):
        gaps = loss_gaps(loss, 2001, seed)
        found = simulate_tcp_rounds(
            rtt_s, loss, 2000, seed=seed, version=version, fast_convergence=fast
        )
        assert found == pytest.approx(rounds_by_the_rfc(gaps, rtt_s, growth, fast), rel=1e-9)


def test_versions_differ_only_where_losses_leave_time_for_it_and_reno_has_none():
    random = {"rtt_s": 0.095, "loss": 5.5e-4, "rounds": 50_000, "seed": 1}
    means = {
        (version, fast): simulate_tcp_rounds(
            **random, version=version, fast_convergence=fast
        ).mean()
        for version in ("rfc9438", "rfc8312")
        for fast in (False, True)
    }
    assert means["rfc8312", False] < means["rfc9438", False]
    assert means["rfc9438", True] < means["rfc9438", False]
    reno = [
        simulate_tcp_rounds(**random, congestion_control="reno", version=v, fast_convergence=f)
        for v, f in means
    ]
    assert all((each == reno[0]).all() for each in reno)
