import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.tcp import (
    bandwidth_delay_product,
    cubic_throughput,
    mathis_throughput,
    slow_start_rounds,
    window_limited_throughput,
)

few = settings(deadline=None, max_examples=50, derandomize=True)
rates = st.floats(1e3, 1e12)
rtts = st.floats(1e-4, 2)
losses = st.floats(1e-9, 1)


def test_ten_gigabits_over_a_tenth_of_a_second_hold_125_megabytes():
    assert bandwidth_delay_product(10e9, 0.1) == 125e6


def test_a_64_kib_window_over_a_tenth_of_a_second():
    assert window_limited_throughput(64 * 1024, 0.1) * 8 == pytest.approx(5.24288e6, rel=1e-12)


@given(rates, rtts)
@few
def test_a_window_of_one_bandwidth_delay_product_fills_the_path(rate_bps, rtt_s):
    window_bytes = bandwidth_delay_product(rate_bps, rtt_s)
    assert math.isclose(window_limited_throughput(window_bytes, rtt_s) * 8, rate_bps)


def test_mathis_at_one_loss_in_ten_thousand():
    assert mathis_throughput(1460, 0.1, 1e-4) * 8 == pytest.approx(14.305e6, abs=500)


# RFC 8312, tables 1 and 2 (mean window in segments), where the cubic curve leads.
@pytest.mark.parametrize(
    ("rtt_s", "loss", "c", "window"),
    [
        (0.1, 1e-3, 4, 59),
        (0.1, 1e-4, 0.4, 187),
        (0.1, 1e-4, 4, 333),
        (0.1, 1e-5, 0.04, 593),
        (0.1, 1e-5, 0.4, 1054),
        (0.1, 1e-6, 0.04, 3332),
        (0.1, 1e-6, 0.4, 5926),
        (0.1, 1e-8, 0.04, 105_383),
        (0.1, 1e-8, 0.4, 187_400),
        (0.1, 1e-8, 4, 333_250),
        (0.01, 1e-6, 4, 1874),
        (0.01, 1e-7, 0.4, 5926),
        (0.01, 1e-8, 0.04, 18_740),
    ],
)
def test_cubic_against_the_tables_of_the_rfc(rtt_s, loss, c, window):
    assert abs(cubic_throughput(1, rtt_s, loss, c=c) * rtt_s - window) < 1


@given(rtts, losses)
@few
def test_cubic_is_never_slower_than_reno(rtt_s, loss):
    assert cubic_throughput(1460, rtt_s, loss) >= mathis_throughput(1460, rtt_s, loss)


def test_cubic_is_reno_where_loss_is_frequent_or_the_round_trip_short():
    assert cubic_throughput(1460, 0.1, 0.01) == mathis_throughput(1460, 0.1, 0.01)
    assert cubic_throughput(1460, 0.001, 1e-6) == mathis_throughput(1460, 0.001, 1e-6)


@given(st.floats(0.1, 2), st.floats(1e-9, 1e-5))
@few
def test_doubling_the_round_trip_halves_reno_but_costs_cubic_a_sixth(rtt_s, loss):
    reno = mathis_throughput(1460, 2 * rtt_s, loss) / mathis_throughput(1460, rtt_s, loss)
    cubic = cubic_throughput(1460, 2 * rtt_s, loss) / cubic_throughput(1460, rtt_s, loss)
    assert math.isclose(reno, 1 / 2)
    assert math.isclose(cubic, 2**-0.25)


def test_slow_start_needs_14_doublings_to_125_megabytes_and_3_to_64_kib():
    assert slow_start_rounds(125e6 / 1460) == 14
    assert slow_start_rounds(65_536 / 1460) == 3
    assert slow_start_rounds(10) == slow_start_rounds(0.5) == 0
    assert slow_start_rounds(11) == slow_start_rounds(20) == 1
    assert slow_start_rounds(1024, initial_window=1) == 10


@given(st.floats(1e-3, 1e15), st.integers(1, 1000))
@few
def test_slow_start_stops_at_the_first_window_that_suffices(target, initial_window):
    rounds = slow_start_rounds(target, initial_window)
    assert initial_window * 2**rounds >= target
    assert rounds == 0 or initial_window * 2 ** (rounds - 1) < target


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: bandwidth_delay_product(-1, 0.1), "rate_bps"),
        (lambda: bandwidth_delay_product(1, math.nan), "rtt_s"),
        (lambda: window_limited_throughput(-1, 0.1), "window_bytes"),
        (lambda: window_limited_throughput(1, 0), "rtt_s"),
        (lambda: mathis_throughput(0, 0.1, 0.1), "mss_bytes"),
        (lambda: mathis_throughput(1460, -0.1, 0.1), "rtt_s"),
        (lambda: mathis_throughput(1460, 0.1, 0), "loss"),
        (lambda: mathis_throughput(1460, 0.1, 1.01), "loss"),
        (lambda: cubic_throughput(math.inf, 0.1, 0.1), "mss_bytes"),
        (lambda: cubic_throughput(1460, 0, 0.1), "rtt_s"),
        (lambda: cubic_throughput(1460, 0.1, 0), "loss"),
        (lambda: cubic_throughput(1460, 0.1, 0.1, c=0), "c ="),
        (lambda: cubic_throughput(1460, 0.1, 0.1, beta=1), "beta"),
        (lambda: cubic_throughput(1460, 0.1, 0.1, beta=0), "beta"),
        (lambda: slow_start_rounds(0), "target_segments"),
        (lambda: slow_start_rounds(math.inf), "target_segments"),
        (lambda: slow_start_rounds(10, initial_window=0), "initial_window"),
        (lambda: slow_start_rounds(10, initial_window=1.5), "initial_window"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
