"""Chapter 4: every number of its prose and of its solutions, computed."""

import json

import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.cases.dpp_calibration import (
    calibrate,
    goodput_bps,
    least_squares_fit,
    users_bound,
)
from tunables.cases.dpp_structures import DATA, FITTED_SETTINGS, published_times, times
from tunables.predictors.dpp import ALONE_S, CLASSES, SIZE_BYTES, TRANSACTIONS, predict
from tunables.reader.formats import grouped
from tunables.theory.shared_port import fifo_response

CHAPTER = ROOT / "chapters" / "04-flow-priority.ipynb"
LAB = ROOT / "labs" / "04-flow-priority.ipynb"
TEXT = prose(CHAPTER)
WITHOUT, WITH = published_times("without"), published_times("with")
M4, S1 = FITTED_SETTINGS["M4"], FITTED_SETTINGS["S1"]
USER_BYTES = sum(s * n for s, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True))


def column(settings, which, **changes):
    answered = predict(**(settings | changes))
    return [answered[f"{name}_{which}_s"] for name in CLASSES]


def savings_ms():
    both = zip(WITHOUT[:3], WITH[:3], TRANSACTIONS, strict=False)
    return [1e3 * (without - with_) / n for without, with_, n in both]


def line():
    """Return slope (ns a byte) and intercept (ms) of savings through the first and third."""
    saved = savings_ms()
    slope = (saved[2] - saved[0]) / (SIZE_BYTES[2] - SIZE_BYTES[0])
    return slope * 1e6, saved[0] - slope * SIZE_BYTES[0]


def priority_load():
    sent = zip(SIZE_BYTES[:3], TRANSACTIONS, WITH, strict=False)
    return sum(160 * size * n / time for size, n, time in sent) / M4["port_rate_bps"]


def least_squares_errors():
    best = least_squares_fit(WITHOUT, WITH, FITTED_SETTINGS["M5"])
    modelled = column(best, "without") + column(best, "with")
    return [100 * (m / p - 1) for m, p in zip(modelled, WITHOUT + WITH, strict=True)]


def numbers_in_the_prose():
    residuals = [1e3 * M4[f"{name}_residual_s"] for name in CLASSES[:3]]
    s0, s1 = column(FITTED_SETTINGS["S0"], "without"), column(S1, "without")
    behind = column(M4, "with", mtu_bytes=1500)
    none, fourteen, twenty = (
        column(M4, which, max_packets=k)[2]
        for which, k in (("without", 20), ("with", 14), ("with", 20))
    )
    lost = [a - b for a, b in zip(column(M4, "with"), column(M4, "without"), strict=True)]
    errors = least_squares_errors()
    rms = (sum(error**2 for error in errors) / 10) ** 0.5
    slope, intercept = line()
    slowdowns = [f"{w / a:.2f}" for w, a in zip(WITHOUT, ALONE_S, strict=True)]
    rate = M4["port_rate_bps"] / 1e9
    return {
        "gain left": f"says {100 * (none - fourteen) / (none - twenty):.0f} %",
        "bytes of a user": f"= {USER_BYTES / 1e9:.3f}",
        "rate of a user": f"{8 * USER_BYTES / 300 / 1e9:.2f} Gb/s over 300 s",
        "rate": f"{rate:.2f} Gb/s of payload, is {predict(**M4)['port_traffic_gbps']:.2f} Gb/s",
        "twelve users": (
            f"{calibrate(WITHOUT, WITH, users=12)['S0']['port_rate_bps'] / 1e9:.1f} Gb/s, and"
        ),
        "sharing": f"Sharing gives {s0[0]:.0f}, {s0[1]:.0f} and {s0[2]:.0f} s",
        "delay": f"(572 s): $W$ = {1e3 * S1['queueing_delay_s']:.2f} ms",
        "small by S1": f"comes out as {s1[1]:.0f} s",
        "medium by S1": f"{s1[2]:.0f} against 672",
        "residuals": f"{residuals[0]:.2f}, {residuals[1]:.2f} and {residuals[2]:.2f} ms",
        "priority load": f"loads the port by {100 * priority_load():.0f} %",
        "least squares": f"{rms:.1f} % (root mean square), {max(map(abs, errors)):.1f} % at most",
        "small packets": f"{SIZE_BYTES[1] / 20e3:.1f} to {SIZE_BYTES[2] / 20e3:.1f} KB of payload",
        "MTU 1500": f"gives {behind[1]:.0f} and {behind[2]:.0f} s",
        "large lose": f"lose {lost[3]:.1f} and {lost[4]:.1f} s",
        "large gain": f"*gain* {WITHOUT[3] - WITH[3]:.0f} and {WITHOUT[4] - WITH[4]:.0f} s",
        "transactions": grouped(20 * sum(TRANSACTIONS)),
        "slowdowns": f"{', '.join(slowdowns[:4])} and {slowdowns[4]}, smallest",
        "delay of 8 ms": f"at most {grouped(300 / 0.008)} in 300 s",
        "cycle": f"one every {300e3 / TRANSACTIONS[0]:.2f} ms",
        "savings": "{:.3f}, {:.3f} and {:.3f} ms".format(*savings_ms()),
        "line": f"{intercept:.2f} ms and {slope:.1f} ns a byte",
        "buffer": f"{intercept * 1e-3 * 10e9 / 8 / 1e6:.1f} MB at 10 Gb/s",
        "cited": f"({DATA['medium-acceleration'].value:.0f} %) than small "
        f"({DATA['small-acceleration'].value:.0f} %)",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_the_errors_that_the_prose_quotes():
    every = [t for s in ("M4", "M5") for t in times(s)]
    error = {(t.structure, t.output): t.error for t in every if t.error is not None}
    assert f"{100 * error['M4', 'small_without_s']:+.1f} % and 672" in TEXT
    assert f"with {100 * error['M4', 'medium_without_s']:+.1f} %" in TEXT
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
    mean_s = 8 * sum(SIZE_BYTES[:3]) / 3 / M4["port_rate_bps"]
    assert 1e-5 < mean_s * priority_load() / (1 - priority_load()) < 1e-4


def ranges_of_the_swing():
    for cell in json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]:
        if "swing = tuple" in "".join(cell["source"]):
            text = "".join(cell["outputs"][0]["data"]["text/plain"])
            rows = [row.split("  ") for row in text.splitlines() if "MTU" in row]
            return [next(c for c in row if " / " in c).strip().split(" / ") for row in rows]
    raise AssertionError("no table of the packet level")


def test_the_swing_at_packet_level():
    pairs = [[int(seconds) for seconds in pair] for pair in ranges_of_the_swing()]
    without, with_dpp = zip(*pairs, strict=True)
    assert f"from {min(without)} to {max(without)} s without DPP" in TEXT
    assert f"from {min(with_dpp)} to {max(with_dpp)} s with it" in TEXT


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
