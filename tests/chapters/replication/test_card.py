"""The card's knee found again by simulation, and its advice followed over the whole input range."""

import math
import random
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.core.asked import ask_card, operator_words
from tunables.chapters.replication.card import LAG_GROWTH_S
from tunables.chapters.replication.predictor import LIMITS, WORST_PERCENT
from tunables.core.card import PLACEHOLDER, plain_text
from tunables.core.registry import find_card
from tunables.page.formats import shortest
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds

CARD = find_card("replication")
MODEL = CARD.model
BY_METRIC = {watch.metric: watch for watch in CARD.watch}


def metric(beginning):
    (found,) = (watch for name, watch in BY_METRIC.items() if name.startswith(beginning))
    return found


def drawn_states(count):
    """Return states of the card: every corner of five parameters, and points drawn at random."""
    chance = random.Random(20161010)
    corners = ("changes_mb_per_s", "rtt_ms", "window_bytes", "loss", "link_gbps")
    bounds = {p.name: p for p in MODEL.parameters}
    states = [
        dict(zip(corners, values, strict=True))
        for values in product(*((bounds[name].low, bounds[name].high) for name in corners))
    ]
    for _ in range(count):
        state = {}
        for p in MODEL.parameters:
            share = chance.random()
            log = p.scale == "log" and p.low > 0
            value = p.low * (p.high / p.low) ** share if log else p.low + (p.high - p.low) * share
            state[p.name] = round(value) if p.integer else value
        states.append(state)
    return [MODEL.settings(**state) for state in states]


STATES = drawn_states(300)


def follow_advice(settings, outputs):
    """Return the settings after the card's step for the stage that limits."""
    stage = outputs["state"].removesuffix("-behind")
    change = {
        "window": {"window_bytes": max(settings["window_bytes"], outputs["window_needed_bytes"])},
        "loss": {"loss": min(settings["loss"], outputs["loss_allowed"])},
        "link": {"link_gbps": 10 * settings["link_gbps"]},
        "pump": {"pump_mb_per_s": 10 * settings["pump_mb_per_s"]},
        "source": {"source_mb_per_s": 10 * settings["source_mb_per_s"]},
        "apply": {"apply_mb_per_s": 10 * settings["apply_mb_per_s"]},
    }
    return settings | change[stage]


def stage_rates(settings: dict[str, Any]) -> list[float]:
    """Return the MB/s of each stage in order, computed from the settings."""
    ratio = settings["compression_ratio"]
    rtt_s = settings["rtt_ms"] / 1000
    outputs = MODEL.predict(**settings)
    window = settings["streams"] * settings["window_bytes"] / rtt_s / 1e6 * ratio
    link = settings["link_gbps"] * 1e3 / 8 * ratio
    network = min(window, link, outputs["loss_mb_per_s"])
    pump = settings["pump_mb_per_s"] * ratio
    return [settings["source_mb_per_s"], pump, network, settings["apply_mb_per_s"]]


def replicated_mb_per_s(rates):
    """Return the pace of the four stages, simulated block after block of 1 MB."""
    times_s = np.tile([1 / rate for rate in rates], (2000, 1))
    return 2000 / simulate_tandem(times_s, [math.inf] * 3)[-1]


def lag_growth_s(pace, changes):
    """Return the growth of the replica's lag in ten minutes; it is negative if the lag shrinks."""
    return 600 * (1 - pace / changes)


@pytest.mark.parametrize("settings", STATES[::3])
def test_the_simulated_pace_is_the_cards_before_and_after_the_change(settings):
    before = MODEL.predict(**settings)
    assert replicated_mb_per_s(stage_rates(settings)) == pytest.approx(
        before["pace_mb_per_s"], rel=0.01
    )
    after = follow_advice(settings, before)
    pace = replicated_mb_per_s(stage_rates(after))
    assert pace >= before["pace_mb_per_s"] * 0.99
    scarce = ("window", "loss")
    if before["state"].removesuffix("-behind") in scarce:  # the card says how far to change these
        assert pace == pytest.approx(before["next_mb_per_s"], rel=0.02)


@pytest.mark.parametrize("settings", STATES)
def test_each_alert_is_silent_after_the_advice_and_fires_where_the_replica_falls_behind(settings):
    before = MODEL.predict(**settings)
    load, growth = metric("Changes written"), metric("Growth of the replica")
    window, loss = metric("Share of the connection's busy time"), metric("Share of segments")
    changes = settings["changes_mb_per_s"]
    if before["pace_mb_per_s"] < changes:  # bad: the load alert fires before anything changes
        assert load.fires(changes, before)
    if lag_growth_s(before["pace_mb_per_s"], changes) > LAG_GROWTH_S:
        assert growth.fires(lag_growth_s(before["pace_mb_per_s"], changes), before)
    after_settings = follow_advice(settings, before)
    after = MODEL.predict(**after_settings)
    if changes < 0.79 * after["pace_mb_per_s"]:  # the change was enough
        assert not load.fires(changes, after)
        assert not growth.fires(lag_growth_s(after["pace_mb_per_s"], changes), after)
    stage = before["state"].removesuffix("-behind")
    if before["state"] == "loss-behind":
        assert loss.fires(100 * settings["loss"], before)
    if stage == "window":
        # Busy all the time and held by the window; afterwards another stage is slower by a fifth.
        assert window.fires(100.0, before)
        waits = 100.0 * (after["state"].removesuffix("-behind") == "window")
        assert not window.fires(waits, after)
    lossy = 100 * after_settings["loss"] * 0.99
    if lossy < WORST_PERCENT and (
        after["state"].removesuffix("-behind") != "loss" or changes < 0.79 * after["pace_mb_per_s"]
    ):
        assert not loss.fires(lossy, after)


def test_the_load_alert_is_below_what_the_replica_carries_now_and_not_at_what_it_may_carry_later():
    """At 3.3 times the pace, as in a former card, the alert was silent while the lag grew."""
    outputs = ask_card("replication")
    load = metric("Changes written")
    assert not load.fires(0.79 * outputs["pace_mb_per_s"], outputs)
    assert load.fires(0.81 * outputs["pace_mb_per_s"], outputs)
    assert outputs["next_mb_per_s"] > 2 * outputs["pace_mb_per_s"]
    assert "once the present limit is removed: above {next_alert_mb_per_s}" in load.alert


@pytest.mark.parametrize("window_bytes", [10_000.0, 65_536.0])
def test_the_window_advised_carries_what_the_card_expects(window_bytes):
    settings: dict[str, Any] = MODEL.settings(window_bytes=window_bytes, loss=1e-9)
    before = MODEL.predict(**settings)
    assert before["state"] == "window-behind"
    rtt_s, mss = settings["rtt_ms"] / 1000, settings["mss_bytes"]
    for window, pace in (
        (window_bytes, before["pace_mb_per_s"]),
        (before["window_needed_bytes"], 1.25 * before["next_mb_per_s"]),
    ):
        rounds = simulate_tcp_rounds(rtt_s, 1e-15, 4000, largest_window=window / mss)
        assert rounds[1000:].mean() * mss / rtt_s / 1e6 == pytest.approx(pace, rel=0.01)
    assert before["buffer_needed_bytes"] == 2 * before["window_needed_bytes"]


def test_no_step_lowers_a_buffer_of_the_host_and_the_card_forbids_it():
    """A former card said "set tcp_rmem to 197,118 B": 32 times less than the default."""
    default_bytes = 6_291_456
    for settings in STATES:
        outputs = MODEL.predict(**settings)
        for step in CARD.steps_in(outputs["state"]):
            if "tcp_rmem" in step:
                assert "is below {buffer_needed_bytes} B, raise it to that" in step
                assert "never lower it" in step
            assert "set the third number" not in step.lower()
    needed = [MODEL.predict(**settings)["buffer_needed_bytes"] for settings in STATES]
    assert min(needed) < default_bytes  # the case in which "set it to" would lower
    assert any(
        plain_text(text).startswith("Don't set tcp_rmem or tcp_wmem lower") for text in CARD.never
    )


def test_every_state_has_its_own_step_and_one_that_falls_behind_has_a_step_for_tonight():
    for stage in LIMITS:
        calm, behind = CARD.steps_in(stage), CARD.steps_in(f"{stage}-behind")
        assert len(behind) == len(calm) + 1
        assert any("is falling behind" in step for step in behind)
        others = {step for other in LIMITS if other != stage for step in CARD.steps_in(other)}
        assert set(calm) - others
    seen = {MODEL.predict(**settings)["state"] for settings in STATES}
    assert {state.removesuffix("-behind") for state in seen} == set(LIMITS)


def test_the_opening_values_are_those_of_one_run_that_the_report_prints():
    """BNL without COMPRESS: 18 million records in 6,940 s, at 400 B each."""
    outputs = ask_card("replication")
    assert outputs["pace_mb_per_s"] == pytest.approx(18e6 * 400 / 6940 / 1e6, rel=1e-3)
    assert outputs["state"] == "loss"


def test_roll_back_names_what_users_feel():
    (roll_back,) = CARD.roll_backs()
    assert "answers from the source database" in plain_text(roll_back)
    assert "retransmissions" not in plain_text(roll_back)
    assert PLACEHOLDER.findall(plain_text(roll_back)) == []
    assert shortest(LAG_GROWTH_S) in metric("Growth").alert


ask = partial(ask_card, "replication")


def pace_with_room(rates_mb_per_s):
    """Return the throughput of the stages, block after block of 1 MB, with room between them."""
    blocks = 2000
    times_s = np.tile([1 / rate for rate in rates_mb_per_s], (blocks, 1))
    last_s = simulate_tandem(times_s, [64] * (len(rates_mb_per_s) - 1))[-1]
    return blocks / last_s


def test_the_window_limits_below_the_one_needed_and_not_above():
    settings = {"loss": 1e-8, "compression_ratio": 2, "source_mb_per_s": 7}
    needed = ask(**settings)["window_least_bytes"]
    paces = {}
    for share in (0.95, 1.05):
        card = ask(window_bytes=share * needed, **settings)
        window_mb = share * needed / 0.095 / 1e6 * 2
        pump, apply = 2 * 4.285714, 4.736842
        paces[share] = pace_with_room([7, pump, min(window_mb, 2 * 1250), apply])
        assert card["pace_mb_per_s"] == pytest.approx(paces[share], rel=0.01)
        assert ("TCP window" in card["verdict"]) == (share < 1)
    assert paces[0.95] < 0.96 * paces[1.05]


def test_the_loss_limits_above_the_one_allowed_and_not_below():
    settings = {"window_bytes": 1e9, "rtt_ms": 95}
    allowed = ask(**settings)["loss_allowed"]
    next_mb = ask(loss=allowed / 100, **settings)["pace_mb_per_s"]
    for share in (0.8, 1.2):  # the formula of the mean window is good to a few per cent
        card = ask(loss=share * allowed, **settings)
        windows = simulate_tcp_rounds(0.095, share * allowed, 100_000, "cubic")
        carried = windows[1000:].mean() * 1460 / 0.095 / 1e6
        assert (carried > next_mb) == (share < 1)
        assert ("loss" in card["verdict"]) == (share > 1)


def test_parallel_streams_each_have_their_own_loss():
    settings = {"window_bytes": 1e9, "rtt_ms": 95, "loss": 2e-4}
    one, four = (ask(streams=n, **settings)["loss_mb_per_s"] for n in (1, 4))
    carried = [
        simulate_tcp_rounds(0.095, 2e-4, 100_000, "cubic")[1000:].mean() * 1460 / 0.095 / 1e6
        for _ in range(4)
    ]
    assert four == pytest.approx(sum(carried), rel=0.04)
    assert four == pytest.approx(4 * one)
    needed = [ask(streams=n)["window_least_bytes"] for n in (1, 4)]
    assert needed[1] == pytest.approx(min(4.285714, 4 * 1.0374639) / 4 * 95_000, rel=1e-5)


def test_a_replica_keeps_up_below_the_pace_and_falls_behind_above():
    pace = ask()["pace_mb_per_s"]
    below, above = (ask(changes_mb_per_s=share * pace) for share in (0.95, 1.05))
    assert below["verdict"].startswith("Below")
    assert above["verdict"].startswith("Past")
    # An hour of lag, drained at 5% above the rate at which new changes come: 19 hours.
    assert below["catch_up_h"] == pytest.approx(19)
    assert above["catch_up_h"] == float("inf")


def test_an_operator_reads_what_todays_software_offers():
    names = (
        "net.core.rmem_max",
        "TCPBUFSIZE",
        "BBR with pacing",
        "more streams",
        "parallel Replicat",
        "auto-tuning is off",
    )
    assert [name for name in names if name not in operator_words("replication")] == []
