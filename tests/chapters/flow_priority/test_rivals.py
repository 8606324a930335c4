"""Chapter 4: what stands beside its model: counts, rivals, and packets simulated one by one."""

import json

import pytest

from tests.chapters.flow_priority.test_prose import (
    CHAPTER,
    M4,
    RATE_BPS,
    TEXT,
    WITH,
    WITHOUT,
    column,
)
from tunables.chapters.flow_priority.calibration import calibrate, goodput_bps, users_bound
from tunables.chapters.flow_priority.case import case
from tunables.chapters.flow_priority.predictor import SIZE_BYTES, TRANSACTIONS, predict
from tunables.chapters.flow_priority.rivals import constant_ratio, rivals, waits_in_line, windows
from tunables.chapters.flow_priority.simulation import delays_of
from tunables.chapters.flow_priority.structures import calibrated, data, inferred_users
from tunables.parts.freedom import freedom
from tunables.simulators.packets import simulate_packets
from tunables.theory.closed_queueing import mva


@pytest.mark.parametrize("port_gbps", [5, 10, 12, 20, 40])
def test_the_traffic_would_be_nearly_whatever_the_report_had_said(port_gbps):
    users = int(users_bound(goodput_bps(port_gbps * 1e9, 9000), WITH[4]))
    told = predict(**calibrate(WITHOUT, WITH, users=users)["M4"])["port_traffic_gbps"]
    assert told == pytest.approx(port_gbps, rel=0.045)
    assert inferred_users() == 20
    assert "It was told." in TEXT


def test_the_prose_counts_as_the_ledger_does():
    found = freedom(case())
    assert (found.numbers, len(found.fitted), found.left) == (16, 11, 5)
    assert "Sixteen numbers could have refuted it, and eleven values were fitted" in TEXT
    in_table_2 = [label for label in found.fitted if not label.startswith("delay of")]
    assert len(in_table_2) == 6
    assert "Ten times, and six fitted numbers: users, rate, wait and three residuals" in TEXT


def rms_percent(times):
    errors = [100 * (t / w - 1) for t, w in zip(times[1:], WITHOUT[1:3], strict=True)]
    return (sum(error**2 for error in errors) / 2) ** 0.5


def test_what_the_model_earns_over_a_ratio():
    ratio = [time * WITHOUT[0] / WITH[0] for time in WITH[:3]]
    assert constant_ratio() == pytest.approx(ratio)
    ours = rms_percent(column(M4, "without")[:3])
    assert f"{rms_percent(ratio):.1f} % against {ours:.1f} %" in TEXT
    named = rivals()
    assert len(named) == 4
    assert min(rms_percent(times) for times in named.values()) == pytest.approx(ours)


def test_waits_in_a_line():
    assert windows() == [1, 1, 2]
    alike = waits_in_line((1, 1, 1))
    saved = {(a - b) / n for a, b, n in zip(alike, WITH, TRANSACTIONS, strict=False)}
    assert max(saved) == pytest.approx(min(saved))
    assert waits_in_line((3, 3, 3)) == pytest.approx(alike)  # rounds alike are one longer wait
    twice = waits_in_line((1, 1, 2))
    assert twice[2] - WITH[2] == pytest.approx(2 * (alike[2] - WITH[2]))


def test_sharing_leaves_the_small_ones_open():
    s0 = column(calibrated()["S0"], "without")
    left = min(w - m for w, m in zip(WITHOUT[:3], s0, strict=False))
    assert 200 < left < 210
    assert "leaves more than 200 s open" in TEXT


def test_the_delay_of_a_class_found_backwards():
    delays = [1e3 * z for z in delays_of(20, M4["port_rate_gbps"])[:3]]
    assert f"$Z$ = {delays[0]:.2f} ms. For small it is {delays[1]:.2f}" in TEXT
    assert f"for medium {delays[2]:.2f}: {sum(delays) / 3:.1f} ms on average" in TEXT
    demand_s = 8 * SIZE_BYTES[0] / RATE_BPS
    response_s = mva([demand_s], 20, think_time_s=delays[0] / 1e3)[1]
    assert delays[0] + 1e3 * response_s == pytest.approx(300e3 / TRANSACTIONS[0])


def test_packets_of_4096_bytes_would_bear_the_report_out():
    small, medium = (-(-int(size) // 4096) for size in SIZE_BYTES[1:3])
    assert f"small had {small} and medium {medium}" in TEXT
    assert small <= data()["max-num-pkts"].value < medium


def table_of(mark, first):
    """Return the cells, behind the first, of the printed rows that name `first`."""
    for cell in json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]:
        if mark in "".join(cell["source"]) and cell["cell_type"] == "code":
            text = "".join(cell["outputs"][0]["data"]["text/plain"])
            rows = [line for line in text.splitlines()[2:] if first in line]
            return [[c.strip() for c in line.split("  ") if c.strip()][1:] for line in rows]
    raise AssertionError(f"no table with {mark}")


def test_the_swing_at_packet_level():
    rows = [
        [tuple(map(int, c.split(" / "))) for c in row] for row in table_of("swing = tuple", "MTU")
    ]
    assert len(rows) == 6
    without, with_dpp = zip(*(row[0] for row in rows), strict=True)
    assert f"from {min(without)} to {max(without)} s without DPP" in TEXT
    assert f"from {min(with_dpp)} to {max(with_dpp)} s with it" in TEXT
    assert all(row[2][0] < max(row[0][0], row[1][0]) for row in rows)  # medium is never slowest


def test_what_fourteen_of_fifteen_leave_packet_by_packet():
    left = [int(cell) for row in table_of("def left_of_fifteen", " MB") for cell in row]
    assert len(left) == 9
    assert f"leaves between −{-min(left)} and {max(left)} %" in TEXT
    assert f"leaves {max(left)} % at most, and with a deep buffer less than none" in TEXT
    assert max(left[6:]) < 0 < min(left[:6])


@pytest.mark.parametrize(("buffer_bytes", "drops"), [(1e6, True), (20e6, True), (1e12, False)])
def test_fourteen_save_packets_from_a_small_buffer_and_time_from_nobody(buffer_bytes, drops):
    counts = [round(0.02 * count) for count in TRANSACTIONS]
    delays = delays_of(20, M4["port_rate_gbps"])
    work = ([20] * 5, SIZE_BYTES, counts, delays, RATE_BPS)
    options = {"buffer_bytes": buffer_bytes, "seed": 1}
    if not drops:  # a window for all, so that the buffer need not drop
        options["window_bytes"] = 200e3
    none, fourteen, twenty = (
        simulate_packets(*work, max_packets=allowed, **options) for allowed in (0, 14, 20)
    )
    times = [run.finished_s[2] for run in (none, fourteen, twenty)]
    left = (times[0] - times[1]) / (times[0] - times[2])
    assert left < 0.2
    assert (none.drops > 0) == drops
    if not drops:
        assert left < 0  # the last packet waits longer: others pass
