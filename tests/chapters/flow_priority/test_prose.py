"""Chapter 4: every number of its prose and of its solutions, computed."""

import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.chapters.flow_priority.calibration import (
    calibrate,
    goodput_bps,
    least_squares_fit,
    users_bound,
)
from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    SIZE_BYTES,
    TRANSACTIONS,
    latencies,
    predict,
)
from tunables.chapters.flow_priority.rivals import savings_s
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.chapters.flow_priority.structures import calibrated, data, published_times, times
from tunables.page.formats import grouped
from tunables.simulators.flows import simulate_flows
from tunables.theory.shared_port import completion_times, fifo_response

CHAPTER = ROOT / "chapters" / "04-flow-priority.ipynb"
LAB = ROOT / "labs" / "04-flow-priority.ipynb"
TEXT = prose(CHAPTER)
WITHOUT, WITH = published_times("without"), published_times("with")
M4, S1 = calibrated()["M4"], calibrated()["S1"]
RATE_BPS = 1e9 * M4["port_rate_gbps"]
USER_BYTES = sum(s * n for s, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True))


def column(settings, which, **changes):
    answered = predict(**(settings | changes))
    return [answered[f"{name}_{which}_s"] for name in CLASSES]


def savings_ms():
    return [1e3 * saved_s for saved_s in savings_s()]


def line():
    """Return slope (ns a byte) and intercept (ms) of savings through the first and third."""
    saved = savings_ms()
    slope = (saved[2] - saved[0]) / (SIZE_BYTES[2] - SIZE_BYTES[0])
    return slope * 1e6, saved[0] - slope * SIZE_BYTES[0]


def priority_load():
    sent = zip(SIZE_BYTES[:3], TRANSACTIONS, WITH, strict=False)
    return sum(160 * size * n / time for size, n, time in sent) / RATE_BPS


def least_squares_errors():
    best = least_squares_fit(WITHOUT, WITH, calibrated()["M5"])
    modelled = column(best, "without") + column(best, "with")
    return [100 * (m / p - 1) for m, p in zip(modelled, WITHOUT + WITH, strict=True)]


def slopes_ns():
    """Return what the model charges for a byte without DPP, from class to class."""
    both = zip(column(M4, "without"), column(M4, "with"), TRANSACTIONS, strict=True)
    saved = [(without - with_dpp) / n for without, with_dpp, n in both][:3]
    return [1e9 * (saved[k + 1] - saved[k]) / (SIZE_BYTES[k + 1] - SIZE_BYTES[k]) for k in range(2)]


def equal_shares_left():
    """Return % of medium's gain that 14 packets leave if the slow queue shares the port."""
    ahead, residuals = 14 * 8948, [M4[f"{name}_residual_s"] for name in CLASSES[:3]]
    extra = latencies("M4", SIZE_BYTES, ahead, M4["queueing_delay_s"], residuals, 0)
    delays = delays_of(20, M4["port_rate_gbps"])
    work = ([20] * 5, SIZE_BYTES, TRANSACTIONS, delays, RATE_BPS)
    fourteen = completion_times(*work, extra, ahead)[2]
    none, twenty = column(M4, "without")[2], column(M4, "with")[2]
    return 100 * (none - fourteen) / (none - twenty)


def numbers_in_the_prose():
    residuals = [1e3 * M4[f"{name}_residual_s"] for name in CLASSES[:3]]
    s0, s1 = column(calibrated()["S0"], "without"), column(S1, "without")
    m4 = column(M4, "without")
    behind = column(M4, "with", mtu_bytes=1500)
    lost = [a - b for a, b in zip(column(M4, "with"), column(M4, "without"), strict=True)]
    errors = least_squares_errors()
    rms = (sum(error**2 for error in errors) / 10) ** 0.5
    slope, intercept = line()
    slowdowns = [f"{w / a:.2f}" for w, a in zip(WITHOUT, ALONE_S, strict=True)]
    rate = M4["port_rate_gbps"]
    saved = savings_ms()
    return {
        "equal shares": f"and {equal_shares_left():.0f} % would be left",
        "bytes of a user": f"= {USER_BYTES / 1e9:.3f}",
        "rate of a user": f"{8 * USER_BYTES / 300 / 1e9:.2f} Gb/s over 300 s",
        "rate": f"{rate:.2f} Gb/s of payload, is {predict(**M4)['port_traffic_gbps']:.2f} Gb/s",
        "twelve users": (
            f"{calibrate(WITHOUT, WITH, users=12)['S0']['port_rate_gbps']:.1f} Gb/s, and"
        ),
        "sharing": f"Sharing gives {s0[0]:.0f}, {s0[1]:.0f} and {s0[2]:.0f} s",
        "wait alone": f"(572 s), it must be {1e3 * S1['queueing_delay_s']:.2f} ms",
        "small by one wait": f"comes out as {s1[1]:.0f} s",
        "medium by one wait": f"{s1[2]:.0f} against 672",
        "residuals": f"{residuals[0]:.2f}, {residuals[1]:.2f} and {residuals[2]:.2f} ms",
        "wait": f"$W$ = {1e3 * M4['queueing_delay_s']:.2f} ms. That is the wait",
        "wait beside the line": f"wait is right, {1e3 * M4['queueing_delay_s']:.2f} ms",
        "slopes": "{:.1f} ns each from 18 to 64 KB, {:.1f} from 64 to 128".format(*slopes_ns()),
        "not used": f"makes {m4[1]:.0f} s of 585 (+2.2 %) and {m4[2]:.0f} s of 672 (+2.5 %)",
        "priority load": f"loads the port by {100 * priority_load():.0f} %",
        "least squares": f"{rms:.1f} % (root mean square), {max(map(abs, errors)):.1f} % at most",
        "small packets": f"{SIZE_BYTES[1] / 20e3:.1f} to {SIZE_BYTES[2] / 20e3:.1f} KB of payload",
        "MTU 1500": f"gives {behind[1]:.0f} and {behind[2]:.0f} s",
        "large lose": f"lose {lost[3]:.1f} and {lost[4]:.1f} s",
        "large gain": f"*gain* {WITHOUT[3] - WITH[3]:.0f} and {WITHOUT[4] - WITH[4]:.0f} s",
        "transactions": grouped(20 * sum(TRANSACTIONS)),
        "slowdowns": f"{', '.join(slowdowns[:4])} and {slowdowns[4]}, smallest",
        "cycle": f"one in {300e3 / TRANSACTIONS[0]:.2f} ms",
        "thin margin": f"At {300e3 / TRANSACTIONS[0]:.2f} ms a cycle",
        "first saving": f"the same {saved[0]:.3f} ms",
        "savings": "{:.3f}, {:.3f} and {:.3f} ms".format(*saved),
        "as rounds": f"as 1 to {saved[1] / saved[0]:.2f} to {saved[2] / saved[0]:.2f}",
        "most saved": f"saved it most, {max(saved):.3f} ms",
        "line": f"{intercept:.2f} ms and {slope:.1f} ns a byte",
        "cited": f"({data()['medium-acceleration'].value:.0f} %) than small "
        f"({data()['small-acceleration'].value:.0f} %)",
        "discards": 'discards "were looked for", and that is all',
        "medium slowest": f"in the report by {WITHOUT[2] - WITHOUT[1]:.0f} s",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_the_errors_that_the_prose_quotes():
    every = [t for s in ("M4", "M5") for t in times(s)]
    error = {(t.structure, t.output): t.error for t in every if t.error is not None}
    assert f"585 ({100 * error['M4', 'small_without_s']:+.1f} %) and" in TEXT
    assert f"672 ({100 * error['M4', 'medium_without_s']:+.1f} %)" in TEXT
    assert f"model misses it by {100 * error['M4', 'large_1_with_s']:+.1f} %" in TEXT
    assert f'where "as before" misses by {100 * (WITHOUT[3] / WITH[3] - 1):+.1f} %' in TEXT
    assert round(100 * error["M5", "small_with_s"]) == -4
    assert round(100 * error["M5", "medium_with_s"]) == -4


def test_users_and_rate_enter_as_their_ratio():
    twelve = calibrate(WITHOUT, WITH, users=12)["M4"]
    pairs = zip(column(twelve, "without"), column(M4, "without"), strict=True)
    assert max(abs(a - b) for a, b in pairs) < 4
    assert "within 4 s" in TEXT
    assert users_bound(goodput_bps(10e9, 9000), WITH[4]) == pytest.approx(15 / 0.73, rel=0.01)


def test_the_savings_are_a_line_within_three_microseconds():
    slope, intercept = line()
    assert abs(intercept + slope * 1e-6 * SIZE_BYTES[1] - savings_ms()[1]) <= 0.0035


def test_dpp_priority_costs_hundredths_of_a_millisecond():
    mean_s = 8 * sum(SIZE_BYTES[:3]) / 3 / RATE_BPS
    assert 1e-5 < mean_s * priority_load() / (1 - priority_load()) < 1e-4


def test_ten_users_of_the_explorer():
    settings = calibrated()["S0"] | {"users": 10}
    few = column(settings, "without")
    busy = 100 * predict(**settings)["port_utilisation"]
    assert f"{few[0]:.0f}, {few[1]:.0f} and {few[2]:.0f} s, though the port" in TEXT
    assert f"still {busy:.0f} % busy" in TEXT


def test_what_srpt_does_to_the_large():
    rate = 1e9 * calibrated()["S0"]["port_rate_gbps"]
    delays = delays_of(20, rate / 1e9)
    times = simulate_flows([20] * 5, SIZE_BYTES, TRANSACTIONS, delays, rate, "srpt", seed=1)
    assert f"{times[3]:.0f} s for 32 MB and {times[4]:.0f} s for 64 MB" in TEXT


def test_bound_the_users():
    text = solution(CHAPTER, "dpp-users")
    assert f"= {9.9 * 642 / (8 * 38.596):.2f}$" in text
    slow = goodput_bps(10e9, 1500)
    assert f"{slow / 1e9:.2f} Gb/s and the bound {users_bound(slow, 642):.2f}: 19" in text


def test_one_number_in_one_number_out():
    text, s1 = solution(CHAPTER, "dpp-delay"), column(S1, "without")
    assert f"{1e3 * S1['queueing_delay_s']:.2f} ms" in text
    for time, published in zip(s1[1:3], WITHOUT[1:3], strict=True):
        assert f"{time:.0f} s" in text
        assert f"{100 * abs(time / published - 1):.1f} %" in text


def test_which_row_refutes_it():
    text = solution(CHAPTER, "dpp-mtu")
    counts = [[-(-int(s) // p) for s in SIZE_BYTES[:3]] for p in (8948, 1448)]
    for three in counts:
        assert ", ".join(map(str, three)) in text
    shares = [100 * min(1, 20 / count) for count in counts[1]]
    assert f"{shares[0]:.0f} %, {shares[1]:.0f} % and {shares[2]:.0f} %" in text
    assert f"{column(M4, 'with', mtu_bytes=1500)[1]:.0f} s" in text


def test_the_fixed_point_of_the_lab():
    backlog, work = 4 * 16 * 9000 * 8 / 200e6, 2 * 8 * 210e3 / 200e6
    text = solution(CHAPTER, "dpp-lab")
    assert f"{1e3 * backlog:.2f} ms" in text
    assert f"$w$ = {1e3 * work:.1f} ms" in text
    assert f"$D$ = {1e3 * fifo_response(backlog, work, 0.04):.1f} ms" in text
    twice = f"{2e3 * backlog:.2f} ms, and the fixed point is "
    assert twice + f"{1e3 * fifo_response(2 * backlog, work, 0.04):.1f} ms" in prose(LAB)


def test_the_answers_to_the_guesses():
    small, regained = ALONE_S[1], (WITHOUT[1] - WITH[1]) / (WITHOUT[1] - ALONE_S[1])
    assert f"{WITHOUT[1]:.0f} s, nearly twice as long" in TEXT
    assert WITHOUT[1] / small == pytest.approx(2, abs=0.06)
    assert f"{WITH[1]:.0f} s. Priority gives back two thirds" in TEXT
    assert regained == pytest.approx(2 / 3, abs=0.01)
    assert f"{WITH[3]:.0f} s. They too were faster, by {WITHOUT[3] - WITH[3]:.0f} s" in TEXT
