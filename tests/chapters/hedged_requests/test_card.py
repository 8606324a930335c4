"""The card's advice followed in the simulator, over its range."""

import random
from functools import partial

import numpy as np
import pytest

from tests.core.asked import ask_card
from tunables.chapters.hedged_requests.predictor import (
    ALARM,
    BUSY_PERCENT,
    FULL_PERCENT,
    HOPELESS_PERCENT,
    STATES,
)
from tunables.core.registry import find_card
from tunables.simulators.hedged_requests import simulate_hedged_requests

ask = partial(ask_card, "hedged_requests")
CARD = find_card("hedged_requests")


def points():
    chance, found = random.Random(2013), []
    for _ in range(1500):
        p50 = 10 ** chance.uniform(-1, 3)
        p95 = p50 * chance.uniform(1.2, 10)
        settings = {
            "load_percent": chance.uniform(1, 98),
            "p50_ms": p50,
            "p95_ms": p95,
            "p99_ms": p95 * chance.uniform(1.1, 10),
            "delay_ms": chance.choice([0, p50, p95, 3 * p95]),
            "copies_percent": chance.choice([0, 1, 10, 60, 100]),
            "both_slow_percent": chance.choice([0, 10, 40, 70, 100]),
        }
        found.append((settings, CARD.model.predict(**settings)))
    return found


POINTS = points()


def test_the_points_meet_all_states():
    seen = [card["state"] for _, card in POINTS]
    assert all(seen.count(state) >= 20 for state in STATES)
    assert set(seen) == set(STATES) == set(CARD.states)


def test_the_verdict_and_the_state_go_together():
    for settings, card in POINTS:
        over = card["state"] in ("storm", "full")
        assert card["verdict"].startswith("Past the knee" if over else "Below the knee")
        if card["state"] == "storm":
            assert card["busy_percent"] > BUSY_PERCENT
        if card["state"] in ("calm", "hasty", "shared"):
            assert settings["load_percent"] <= FULL_PERCENT
            assert card["budget_percent"] <= card["safe_budget_percent"] / 2 + 1e-9
        if card["state"] == "calm":
            assert settings["both_slow_percent"] < HOPELESS_PERCENT
            assert settings["copies_percent"] <= ALARM * card["budget_percent"] + 1e-9


def test_the_budget_leaves_room_for_every_load():
    for settings, card in POINTS:
        busy = settings["load_percent"] * (1 + card["budget_percent"] / 100)
        assert busy < 100


@pytest.mark.parametrize("load_percent", [40, 60, 79])
def test_with_the_budget_servers_recover_from_a_stop_and_without_it_a_busy_one_does_not(
    load_percent,
):
    """Exponential latencies of the load, the advised delay, and a stop of all servers."""
    mean_ms = 10 / (1 - load_percent / 100)
    p50, p95, p99 = (mean_ms * -np.log(share) for share in (0.5, 0.05, 0.01))
    card = ask(load_percent=load_percent, p50_ms=p50, p95_ms=p95, p99_ms=p99)
    assert card["advised_delay_ms"] >= p95 * (1 - 1e-9)

    def late(budget):
        run = simulate_hedged_requests(
            20, 20 * load_percent, 0.01, card["advised_delay_ms"] / 1000, budget=budget,
            spells=[(None, 0.0, 0.3)], requests=40_000, seed=1,
        )  # fmt: skip
        return np.mean(run.latency_s[20_000:] > 1.5 * p99 / 1000)

    assert late(card["budget_percent"] / 100) < 0.05
    assert (late(1.0) > 0.9) == (load_percent > 50)


def test_hedging_never_makes_the_promised_percentile_longer():
    for _, card in POINTS:
        assert card["hedged_p99_ms"] <= card["p99_once_ms"] * (1 + 1e-9)
        assert card["saved_percent"] >= -1e-9


def test_what_is_shared_is_not_saved():
    saved = [ask(both_slow_percent=share)["saved_percent"] for share in (0, 20, 60, 100)]
    assert saved == sorted(saved, reverse=True)
    assert saved[-1] == pytest.approx(0, abs=1e-6)
