"""What the published numbers of chapter 6 say of each other, exactly, from data/ alone."""

from itertools import pairwise

import pytest

from tests.evidence.quagga_tables import thread_cpu, work_queues
from tunables.chapters.work_queues.calibration import item_bounds, read_snapshots
from tunables.evidence.published import published

CPU = [{row["thread"]: row for row in table} for table in thread_cpu()]
QUEUES = [{row["name"]: row for row in table} for table in work_queues()]
CLEAR = read_snapshots(published("quagga-work-queues"), "clear-route-node")
MIB = 2**20


def microseconds(row):
    return round(1000 * row["runtime_ms"])


def prose(row_id):
    return published("quagga-prose")[row_id]


def test_all_37_averages_are_runtime_over_invocations_rounded_down():
    rows = [row for table in CPU for row in table.values()]
    assert len(rows) == 37
    for row in rows:
        assert row["cpu_avg_us"] == microseconds(row) // row["invoked"], row


@pytest.mark.parametrize(
    ("table", "runtime_ms", "invoked"), [(0, 23195.481, 131772), (1, 200344.522, 273674)]
)
def test_total_is_the_sum_of_the_columns_and_the_longest_of_the_longest(table, runtime_ms, invoked):
    total = CPU[table]["TOTAL"]
    rows = [row for name, row in CPU[table].items() if name != "TOTAL"]
    assert total["runtime_ms"] == runtime_ms
    assert microseconds(total) == sum(microseconds(row) for row in rows)
    assert total["invoked"] == invoked == sum(row["invoked"] for row in rows)
    for column in ("cpu_max_us", "wall_max_us"):
        assert total[column] == max(row[column] for row in rows)
    least = sum(row["wall_avg_us"] * row["invoked"] for row in rows)
    assert least // invoked <= total["wall_avg_us"] <= (least + invoked) // invoked


def test_counters_only_rise_between_the_two_tables():
    for name, row in CPU[0].items():
        for column in ("runtime_ms", "invoked", "cpu_max_us", "wall_max_us"):
            assert CPU[1][name][column] >= row[column]


def test_every_run_of_a_queue_is_one_invocation_of_work_queue_run():
    runs = [row["runs"] for row in QUEUES[-1].values()]
    assert runs == [1724, 0, 7632]
    assert sum(runs) == CPU[1]["work_queue_run"]["invoked"] == 9356


def test_the_average_bounds_the_items_of_the_clear_queue():
    assert item_bounds(CLEAR) == (320790, 321159)
    prefixes = [
        published("quagga-bgp-summary")[f"summary-1-neighbour-{host}-prefixes"].value
        for host in (23, 18)
    ]
    assert sum(prefixes) == 320191  # two full feeds; 599 to 968 items are of other sessions


def test_items_a_run_between_the_snapshots():
    rates = [(a.items - b.items) / (b.runs - a.runs) for a, b in pairwise(CLEAR)]
    assert [f"{rate:.3f}" for rate in rates] == ["46.669", "36.842", "33.152", "31.844"]


def test_both_published_memories_follow_from_the_items_of_the_first_snapshot():
    for size, row_id in ((8, "queue-memory-first"), (20, "queue-memory-corrected")):
        record = prose(row_id)
        assert abs(CLEAR[0].items * size / MIB - record.value) <= record.resolution / 2


def test_granularity_above_one_is_always_odd():
    grown = {
        row["granularity"] for table in QUEUES for row in table.values() if row["granularity"] > 1
    }
    assert grown == {23, 29, 569, 771, 845, 883, 995}
    assert all(g % 2 == 1 for g in grown)
    assert (max(grown) - 1) // 2 == 497  # steps of the published rule from 1


def test_best_of_the_clear_queue_is_three_blocks_of_the_granularity_before_the_last_step():
    assert {(s.best, s.granularity) for s in CLEAR} == {(63, 23), (81, 29)}
    assert all(s.best == 3 * (s.granularity - 2) for s in CLEAR)


def test_granularity_and_best_never_fall():
    for before, after in pairwise(QUEUES):
        for name, row in before.items():
            for column in ("runs", "best", "granularity"):
                assert after[name][column] >= row[column]


def test_a_slice_is_longer_than_the_ten_milliseconds_of_the_text():
    before, after = CPU[0]["work_queue_run"], CPU[1]["work_queue_run"]
    slice_us = 1000 * prose("slice").value
    assert slice_us < before["cpu_avg_us"] < before["wall_avg_us"] < after["wall_avg_us"]
    assert (before["cpu_avg_us"], after["wall_avg_us"]) == (11716, 22551)
    assert after["wall_max_us"] == 541611 > 1000 * prose("blocked-now").value


def test_the_blocking_quoted_is_in_both_tables_and_rounded_down():
    assert {table["bgp_event"]["wall_max_us"] for table in CPU} == {411720}
    assert prose("blocked-now").value == 411
    assert prose("longest-thread").value == CPU[1]["bgp_scan_timer"]["wall_max_us"] // 1000


def test_between_the_tables_a_slice_took_16_8_ms_of_cpu_and_23_3_ms_of_wall_time():
    before, after = CPU[0]["work_queue_run"], CPU[1]["work_queue_run"]
    runs = after["invoked"] - before["invoked"]
    cpu_us = microseconds(after) - microseconds(before)
    # an average rounded down leaves up to 1 us an invocation
    wall_us = [
        after["wall_avg_us"] * after["invoked"] - (before["wall_avg_us"] + 1) * before["invoked"],
        (after["wall_avg_us"] + 1) * after["invoked"] - before["wall_avg_us"] * before["invoked"],
    ]
    assert f"{cpu_us / runs / 1000:.1f}" == "16.8"
    assert {f"{wall / runs / 1000:.1f}" for wall in wall_us} == {"23.3"}
    assert {f"{cpu_us / wall:.3f}" for wall in wall_us} == {"0.724"}


def test_the_two_summaries_are_260_seconds_apart():
    summaries = published("quagga-bgp-summary")
    for host in (11, 53):  # the sessions that stayed up
        up = [summaries[f"summary-{n}-neighbour-{host}-up"].value for n in (1, 2)]
        assert up[1] - up[0] == 260


def test_the_clear_queue_alone_needs_76_seconds():
    assert (CLEAR[-1].runs - 1) * prose("slice").value / 1000 == pytest.approx(76.31)


@pytest.mark.parametrize(
    ("table", "rows"),
    [("quagga-thread-cpu", 37), ("quagga-work-queues", 27), ("quagga-bgp-summary", 14)],
)
def test_the_tables_have_all_rows_of_the_document(table, rows):
    records = published(table).values()
    assert len({(r.place, r.row) for r in records if r.row != "router"}) == rows
