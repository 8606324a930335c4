"""Chapter 4's predictor: its workload is Table 1, and its limits are those of the theory."""

import pytest

from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    SIZE_BYTES,
    TRANSACTIONS,
    effective_priority,
    latencies,
    predict,
)
from tunables.evidence.published import published

SETTINGS = {
    "structure": "M4",
    "users": 20,
    "max_packets": 20,
    "mtu_bytes": 9000,
    "port_rate_gbps": 9.5,
    "queueing_delay_s": 0.004,
    "extra_small_residual_s": 0.002,
    "small_residual_s": 0.003,
    "medium_residual_s": 0.006,
    "medium_excess_s": 0.003,
    "table_1_users": 20,
    "table_1_port_rate_gbps": 9.5,
}


def answer(**changes):
    return predict(**{**SETTINGS, **changes})


def column(answered, which):
    return [answered[f"{name}_{which}_s"] for name in CLASSES]


def test_the_workload_is_table_1():
    data = published("nexus-dpp")
    unit = {"KB": 1e3, "MB": 1e6}
    for name, size, count, alone in zip(CLASSES, SIZE_BYTES, TRANSACTIONS, ALONE_S, strict=True):
        row = name.replace("_", "-")
        assert size == data[f"{row}-size"].value * unit[data[f"{row}-size"].unit]
        assert count == data[f"{row}-transactions"].value
        assert alone == data[f"{row}-alone"].value


def test_the_outputs_are_ten_times_the_port_and_table_1():
    answered = answer()
    assert len(answered) == 18
    assert 0.99 < answered["port_utilisation"] <= 1
    assert answered["port_traffic_gbps"] == pytest.approx(9.5 * 9038 / 8948, rel=0.01)


def test_alone_each_class_does_table_1s_transactions_and_more_on_a_faster_port():
    def alone(answered):
        return [answered[f"{name}_alone_transactions"] for name in CLASSES]

    assert alone(answer()) == pytest.approx(TRANSACTIONS)
    faster = alone(answer(port_rate_gbps=40))
    assert all(more > less for more, less in zip(faster, TRANSACTIONS, strict=True))


def test_with_no_packet_ahead_the_port_is_one_without_dpp():
    answered = answer(max_packets=0)
    assert column(answered, "with") == column(answered, "without")


def test_without_dpp_neither_packets_nor_their_size_matter():
    assert column(answer(), "without") == column(answer(max_packets=3, mtu_bytes=1500), "without")


def test_a_single_user_takes_table_1s_time():
    times = column(answer(structure="S0", users=1, table_1_users=1), "without")
    assert times == pytest.approx([300] * 5, rel=0.05)


def test_large_transactions_of_few_users_are_faster_than_table_1s():
    # Alone, they spent their time queueing behind each other.
    times = column(answer(structure="S0", users=1), "without")
    assert times[:3] == pytest.approx([300] * 3, rel=0.01)
    assert max(times[3:]) < 270


def test_small_packets_leave_the_last_of_a_medium_transaction_in_the_queue():
    ahead, behind = answer(), answer(mtu_bytes=1500)
    assert behind["extra_small_with_s"] == pytest.approx(ahead["extra_small_with_s"], rel=0.01)
    assert behind["small_with_s"] > 1.2 * ahead["small_with_s"]
    assert behind["medium_with_s"] > 1.2 * ahead["medium_with_s"]


def test_priority_helps_only_a_transaction_all_of_which_goes_ahead():
    assert effective_priority([10, 20, 30], 20) == [10, 20, 0]
    packets = {name: -(-int(size) // 8948) for name, size in zip(CLASSES, SIZE_BYTES, strict=True)}
    for name in ("extra_small", "small", "medium"):
        all_ahead, one_fewer = (answer(max_packets=packets[name] - k) for k in (0, 1))
        without = answer()[f"{name}_without_s"]
        assert one_fewer[f"{name}_with_s"] == pytest.approx(without, rel=2e-3)
        assert all_ahead[f"{name}_with_s"] < 0.85 * without


def test_the_mean_delay_of_the_small_classes():
    assert answer()["small_delay_ms"] == pytest.approx((7.16 + 8.14 + 9.66) / 3, abs=0.01)


def test_latencies_of_the_structures():
    def at(structure):
        return latencies(structure, [10, 20, 30, 40], 20, 1.0, (0.1, 0.2, 0.3), 0.5)

    assert at("S0") == [0, 0, 0, 0]
    assert at("S1") == [0, 0, 1, 1]
    assert at("M4") == pytest.approx([0.1, 0.2, 1.3, 1])
    assert at("M5") == pytest.approx([0.1, 0.1, 1.6, 1])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"structure": "S2"}, "structure = 'S2': must be one of S0, S1, M4, M5"),
        ({"users": 0}, "users = 0"),
        ({"users": 2.5}, "users = 2.5"),
        ({"max_packets": -1}, "max_packets = -1"),
        ({"mtu_bytes": 52}, "mtu_bytes = 52: must be a whole number at least 53"),
        ({"port_rate_gbps": 0}, "port_rate_gbps = 0"),
        ({"queueing_delay_s": -1e-3}, "queueing_delay_s = -0.001"),
        ({"small_residual_s": float("nan")}, "small_residual_s = nan"),
        ({"medium_excess_s": float("inf")}, "medium_excess_s = inf"),
        ({"table_1_users": 0}, "table_1_users = 0"),
        ({"table_1_port_rate_gbps": -1}, "table_1_port_rate_gbps = -1"),
    ],
)
def test_bad_input_is_refused_by_name(changes, message):
    with pytest.raises(ValueError, match=message):
        answer(**changes)
