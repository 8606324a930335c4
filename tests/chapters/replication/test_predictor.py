"""The closed forms of chapter 5: pace, laws of the network, and apply processes."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.chapters.replication.predictor import (
    LAWS,
    STAGES,
    connection_throughput,
    predict,
    predict_session,
)
from tunables.theory.tcp import cubic_throughput, mathis_throughput

PARAMETERS = {
    "operations": 6e6,
    "lcrs_per_operation": 3,
    "lcr_bytes": 400,
    "law": "cubic",
    "rtt_s": 0.095,
    "window_bytes": 65_536,
    "loss": 1e-4,
    "mss_bytes": 1460,
    "round_trips": 1000,
    "link_gbps": 10,
    "compress": "on",
    "compression_ratio": 1,
    "source_lcr_s": 12_000,
    "pump_lcr_s": 11_000,
    "apply_lcr_s": 13_000,
}
few = settings(deadline=None, max_examples=60, derandomize=True)
rates = st.floats(1, 1e6)


@given(
    st.sampled_from(LAWS), st.floats(0.001, 1), st.floats(1e-8, 0.1), rates, rates, st.floats(1, 20)
)
@few
def test_the_slowest_stage_sets_the_pace(law, rtt_s, loss, pump, apply, ratio):
    outputs = predict(
        **PARAMETERS
        | {
            "law": law,
            "rtt_s": rtt_s,
            "loss": loss,
            "pump_lcr_s": pump,
            "apply_lcr_s": apply,
            "compression_ratio": ratio,
        }
    )
    stages = [outputs[f"{stage}_rate_lcr_s"] for stage in STAGES]
    assert outputs["throughput_lcr_s"] == min(stages)
    assert math.isclose(outputs["seconds"] * min(stages), 18e6)
    assert all(isinstance(number, float) for number in outputs.values())


def network(**changes):
    return predict(**PARAMETERS | changes)["network_rate_lcr_s"]


def test_the_network_follows_its_law_up_to_the_link():
    assert network(law="window") == 65_536 / 0.095 / 400
    assert network(law="reno") == mathis_throughput(1460, 0.095, 1e-4) / 400
    assert network(law="cubic") == cubic_throughput(1460, 0.095, 1e-4) / 400
    for law in LAWS:
        assert network(law=law, link_gbps=0.001) == 1e6 / 8 / 400


def test_compression_multiplies_pump_and_network_alone():
    plain, compressed = (predict(**PARAMETERS | {"compression_ratio": r}) for r in (1, 4))
    factors = [compressed[f"{stage}_rate_lcr_s"] / plain[f"{stage}_rate_lcr_s"] for stage in STAGES]
    assert factors == [1, 4, 4, 1]
    assert predict(**PARAMETERS | {"compress": "off", "compression_ratio": 4}) == plain


def test_waiting_adds_round_trips_to_the_time_of_the_pump():
    rate = network(law="stop-and-wait", round_trips=70_000)
    assert 18e6 / rate == pytest.approx(18e6 / 11_000 + 70_000 * 0.095, rel=1e-12)
    compressed = network(law="stop-and-wait", round_trips=70_000, compression_ratio=4)
    assert compressed == pytest.approx(4 * rate)


@pytest.mark.parametrize("name", sorted(PARAMETERS))
@pytest.mark.parametrize("bad", [-1, math.nan, "many", None])
def test_bad_parameters_are_named_whatever_the_law(name, bad):
    for law in LAWS:
        with pytest.raises(ValueError, match=f"{name} = "):
            predict(**PARAMETERS | {"law": law, name: bad})


def test_an_unknown_law_is_named():
    with pytest.raises(ValueError, match="law = 'stop-and-wait'"):
        connection_throughput("stop-and-wait", 0.1, 1, 0.1, 1)


SESSION = {
    "replicats": 2,
    "lcrs": 1e6,
    "user_io_s": 180.0,
    "cpu_s": 90.0,
    "system_io_s": 10.0,
    "unaccounted_s": 20.0,
}


@given(st.integers(1, 200), st.floats(1, 100), st.floats(1, 100), st.floats(0, 100))
@few
def test_replicats_stay_below_the_bounds(replicats, user_io_s, cpu_s, rest_s):
    outputs = predict_session(
        replicats=replicats,
        lcrs=1e6,
        user_io_s=user_io_s,
        cpu_s=cpu_s,
        system_io_s=0,
        unaccounted_s=rest_s,
    )
    alone = 1e6 / (user_io_s + cpu_s + rest_s)
    bounds = [outputs["user_io_bound_lcr_s"], outputs["cpu_bound_lcr_s"], replicats * alone]
    assert outputs["throughput_lcr_s"] <= min(bounds) * (1 + 1e-12)
    assert max(outputs["user_io_utilisation"], outputs["cpu_utilisation"]) <= 1 + 1e-12
    if replicats == 1:
        assert math.isclose(outputs["throughput_lcr_s"], alone)
        assert math.isclose(outputs["apply_s"], user_io_s + cpu_s + rest_s)


@given(st.integers(1, 50), st.floats(1, 100), st.floats(1, 100), st.floats(0, 100))
@few
def test_waits_without_a_queue_never_slow_the_other_processes_down(n, user_io_s, cpu_s, rest_s):
    times = {"user_io_s": user_io_s, "cpu_s": cpu_s, "system_io_s": rest_s, "unaccounted_s": 0}
    rates = {
        io: predict_session(replicats=n, lcrs=1e6, io=io, **times)["throughput_lcr_s"]
        for io in ("queue", "delay")
    }
    assert rates["delay"] >= rates["queue"] * (1 - 1e-12)
    assert rates["delay"] <= 1e6 / cpu_s * (1 + 1e-12)
    if n == 1:
        assert math.isclose(rates["delay"], rates["queue"])


def test_the_slower_of_receiver_and_reader_bounds_the_session():
    free = predict_session(**SESSION)
    assert free["upstream_bound_lcr_s"] == math.inf
    for name in ("receiver_s", "reader_s"):
        held = predict_session(**SESSION | {"receiver_s": 1.0, "reader_s": 2.0, name: 500.0})
        assert held["throughput_lcr_s"] == held["upstream_bound_lcr_s"] == 2000
        assert held["apply_s"] == 500


@pytest.mark.parametrize("name", sorted([*SESSION, "io", "receiver_s", "reader_s"]))
@pytest.mark.parametrize("bad", [-1, math.nan, "many", None])
def test_bad_parameters_of_the_session_are_named(name, bad):
    with pytest.raises(ValueError, match=name):
        predict_session(**SESSION | {name: bad})
