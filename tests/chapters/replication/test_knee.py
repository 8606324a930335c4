"""The card's knee, found again by a simulation: fine at 0.95 of it, over it at 1.05."""

from functools import partial

import numpy as np
import pytest

from tests.parts.asked import ask_card, card_words
from tunables.simulators.tandem import simulate_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds

ask = partial(ask_card, "replication")


def replicated_mb_per_s(rates_mb_per_s):
    """Return the throughput of the stages, block after block of 1 MB, with room between them."""
    blocks = 2000
    times_s = np.tile([1 / rate for rate in rates_mb_per_s], (blocks, 1))
    last_s = simulate_tandem(times_s, [64] * (len(rates_mb_per_s) - 1))[-1]
    return blocks / last_s


def test_the_window_limits_below_the_one_needed_and_not_above():
    settings = {"loss": 1e-8, "compression_ratio": 2, "source_mb_per_s": 7}
    needed = ask(**settings)["window_needed_bytes"]
    paces = {}
    for share in (0.95, 1.05):
        card = ask(window_bytes=share * needed, **settings)
        window_mb = share * needed / 0.095 / 1e6 * 2
        pump, apply = 2 * 4.285714, 4.736842
        paces[share] = replicated_mb_per_s([7, pump, min(window_mb, 2 * 1250), apply])
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


def test_streams_side_by_side_carry_each_their_own_loss():
    settings = {"window_bytes": 1e9, "rtt_ms": 95, "loss": 2e-4}
    one, four = (ask(streams=n, **settings)["loss_mb_per_s"] for n in (1, 4))
    carried = [
        simulate_tcp_rounds(0.095, 2e-4, 100_000, "cubic")[1000:].mean() * 1460 / 0.095 / 1e6
        for _ in range(4)
    ]
    assert four == pytest.approx(sum(carried), rel=0.04)
    assert four == pytest.approx(4 * one)
    needed = [ask(streams=n)["window_needed_bytes"] for n in (1, 4)]
    assert needed[1] == pytest.approx(min(4.285714, 4 * 1.0374639) / 4 * 95_000, rel=1e-5)


@pytest.mark.parametrize("limit", ["window", "loss"])
def test_what_the_card_advises_gives_what_it_expects_and_its_alert_is_below_that(limit):
    settings = {"window_bytes": 65_536, "loss": 1e-9} if limit == "window" else {}
    before = ask(**settings)
    needed = before["window_needed_bytes"]
    mended = {"window_bytes": needed} if limit == "window" else {"loss": before["loss_allowed"]}
    after = ask(**settings | mended)
    assert before["pace_mb_per_s"] < after["pace_mb_per_s"]
    assert after["pace_mb_per_s"] == pytest.approx(before["next_mb_per_s"])
    assert before["alert_mb_per_s"] == pytest.approx(0.8 * after["pace_mb_per_s"])
    assert before["buffer_needed_bytes"] == 2 * needed


def test_a_replica_keeps_up_below_the_pace_and_falls_behind_above():
    pace = ask()["pace_mb_per_s"]
    below, above = (ask(changes_mb_per_s=share * pace) for share in (0.95, 1.05))
    assert below["verdict"].startswith("Below")
    assert above["verdict"].startswith("Over")
    # An hour of lag, drained at 5 % above the rate at which new changes come: 19 hours.
    assert below["catch_up_h"] == pytest.approx(19)
    assert above["catch_up_h"] == float("inf")


def test_the_card_names_what_todays_software_offers():
    names = (
        "net.core.rmem_max",
        "TCPBUFSIZE",
        "BBR with pacing",
        "more streams",
        "parallel Replicat",
        "auto-tuning is off",
    )
    assert [name for name in names if name not in card_words("replication")] == []
