"""What the document's clocks say, and what theft of the processor would explain."""

import pytest

from tests.evidence.quagga_tables import thread_cpu
from tunables.chapters.work_queues import case as quagga
from tunables.chapters.work_queues.clear_queue import calibrated
from tunables.chapters.work_queues.clocks import CONNECT_RETRY_S, IMPORT_PERIOD_S, read_clocks
from tunables.chapters.work_queues.theft import BURST_S, COST_S, steal
from tunables.evidence.published import published

CLOCKS = read_clocks()
QUEUE = calibrated()
THEFT = steal(QUEUE.snapshots, QUEUE.calibration.items)


def test_the_summaries_are_260_s_apart_by_each_session_that_stayed_up():
    rows = published("quagga-bgp-summary")
    for host in (11, 53):
        first, second = (rows[f"summary-{t}-neighbour-{host}-up"].value for t in (1, 2))
        assert second - first == CLOCKS.summaries_s == 260


def test_one_cleared_session_was_up_while_the_queue_drained_and_one_after_a_retry():
    assert CLOCKS.up_again_s == {23: 46, 18: 168}
    assert CLOCKS.up_again_s[23] < QUEUE.snapshots[-1].runs * quagga.QUANTUM_S
    assert CLOCKS.up_again_s[18] - CLOCKS.up_again_s[23] == pytest.approx(CONNECT_RETRY_S, abs=3)
    rows = published("quagga-thread-cpu")
    assert rows["table-2-bgp-connect-timer-calls"].value == 1
    assert "table-1-bgp-connect-timer-calls" not in rows


def test_the_loop_was_busy_for_four_fifths_to_nine_tenths_of_the_time():
    first, second = ({row["thread"]: row for row in table} for table in thread_cpu())
    calls = second["bgp_import"]["invoked"] - first["bgp_import"]["invoked"]
    assert CLOCKS.tables_s == ((calls - 1) * IMPORT_PERIOD_S, (calls + 1) * IMPORT_PERIOD_S)
    assert CLOCKS.tables_s == (270, 300)
    parts = [
        (row["wall_avg_us"] + 0.5) * row["invoked"] * sign / 1e6
        for table, sign in ((first, -1), (second, 1))
        for name, row in table.items()
        if name != "TOTAL"
    ]
    assert sum(parts) == pytest.approx(CLOCKS.loop_wall_s, abs=0.2)
    assert f"{CLOCKS.loop_wall_s:.1f}" == "242.3"
    busy = [CLOCKS.loop_wall_s / each for each in CLOCKS.tables_s]
    assert [f"{each:.0%}" for each in busy] == ["90%", "81%"]


def test_theft_takes_the_items_of_each_interval_and_makes_the_record_less_likely():
    assert THEFT.cpu_s == QUEUE.calibration.items * COST_S
    assert 0.04 < THEFT.probability < 0.05
    assert THEFT.probability < QUEUE.calibration.probability / 4
    assert 0.46 < min(THEFT.shares) < max(THEFT.shares) < 0.65


@pytest.mark.parametrize("cost_s", [172.5e-6, 174e-6, 180e-6])
@pytest.mark.parametrize("burst_s", [0.4e-3, 0.55e-3, 0.7e-3])
def test_no_other_cost_and_burst_makes_the_record_much_likelier(cost_s, burst_s):
    other = steal(QUEUE.snapshots, QUEUE.calibration.items, cost_s, burst_s)
    assert other.probability < 1.1 * THEFT.probability


def test_under_theft_the_main_queue_would_have_had_more_processor_than_time():
    first, second = ({r["thread"]: r for r in t}["work_queue_run"] for t in thread_cpu())
    cpu_s = (second["runtime_ms"] - first["runtime_ms"]) / 1e3
    wall_s = sum(s * r["wall_avg_us"] * r["invoked"] for s, r in ((1, second), (-1, first))) / 1e6
    share = (cpu_s - THEFT.cpu_s) / (wall_s - THEFT.wall_s)
    assert f"{share:.0%}" == "105%"


@pytest.mark.parametrize("name", ["cost_s", "burst_s"])
def test_refuses_what_is_not_above_0(name):
    with pytest.raises(ValueError, match=f"{name} = 0: must be"):
        steal(QUEUE.snapshots, QUEUE.calibration.items, **{name: 0})


def test_the_pair_is_within_what_the_longest_run_allows():
    # 81 = 3 x 27 items: after 54 of them no more than the quantum had passed
    assert 2 * 27 * COST_S <= quagga.QUANTUM_S
    assert BURST_S < quagga.QUANTUM_S
