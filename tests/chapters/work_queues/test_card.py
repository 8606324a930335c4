"""The card's knee found again by simulation, and its advice followed over the whole input range."""

import itertools
import math
import random
from functools import partial

import numpy as np
import pytest

from tests.core.asked import ask_card, operator_words
from tunables.chapters.work_queues.calibration import clear_queue
from tunables.chapters.work_queues.predictor import BATCH, LOOK_S, LOOKS, STATES
from tunables.core.card import PLACEHOLDER, is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.simulators.event_loop import Queue, simulate_event_loop
from tunables.simulators.work_queue import drain_work_queue

ask = partial(ask_card, "work_queues")
CARD = find_card("work_queues")
WATCHES = {watch.metric: watch for watch in CARD.watch}
ADVISED = {"rule": "fixed"}  # and the granularity at the card's bound


def dropped_share(block_s, keepalive_s, hold_s):
    """Return the share of 10,000 sessions that a block drops, with uniform phases of keepalives."""
    since_s = np.random.default_rng(1).uniform(0, keepalive_s, 10_000)
    return float(np.mean(since_s + block_s > hold_s))


def draw_settings(chance):
    """Return settings of the card, some at the ends of their ranges."""
    settings = {}
    for p in CARD.model.parameters:
        share = chance.choice([0, 1, *[chance.random()] * 6])
        if p.choices:
            settings[p.name] = chance.choice(p.choices)
        else:
            log = p.scale == "log"
            value = p.low * (p.high / p.low) ** share if log else p.low + (p.high - p.low) * share
            settings[p.name] = min(max(round(value) if p.integer else value, p.low), p.high)
    for lower, upper in (("usual_item_us", "dearest_item_us"), ("keepalive_s", "hold_s")):
        settings[lower], settings[upper] = sorted((settings[lower], settings[upper]))
    return settings


def corners():
    """Return every combination of the range ends of the parameters that a turn depends on."""
    moved = ("usual_item_us", "dearest_item_us", "quantum_ms", "granularity_now", "queues")
    ends = [(p.low, p.high) for p in CARD.model.parameters if p.name in moved]
    for values in itertools.product(*ends):
        for rule in ("2005-05-06", "2010", "fixed"):
            yield CARD.model.settings(**dict(zip(moved, values, strict=True)), rule=rule)


def answered_points():
    """Return (settings, the card's outputs) for corners and random points that it answers."""
    chance, found = random.Random(20050523), []
    for settings in (*corners(), *(draw_settings(chance) for _ in range(1500))):
        try:
            found.append((settings, CARD.model.predict(**settings)))
        except ValueError:
            continue
    return found


POINTS = answered_points()


def in_states(*states):
    return [(settings, card) for settings, card in POINTS if card["state"] in states]


def follow_advice(settings, card):
    """Return the settings and the card after the granularity was bounded as advised."""
    after = settings | ADVISED | {"granularity_now": min(card["bound"], card["granularity"])}
    return after, CARD.model.predict(**after)


def can_be_played(settings, granularity):
    """Say whether `longest_turn_s` is right: a queue ends in its first block, or is long enough
    to use up the quantum and then fill a block.
    """
    items = settings["items"]
    spare_us = (items - 2 * granularity) * settings["dearest_item_us"]
    return items <= granularity or spare_us >= 1000 * settings["quantum_ms"]


def longest_turn_s(settings, granularity):
    """Return the longest turn, simulated: cheap items up to just before the quantum is over, and
    then dear ones, in each queue. A queue that ends in its first block has dear ones alone.

    A slice depends on the length of a block over the quantum alone. So a block of many items is
    played by one of 20 that lasts as long, many queues by three, and 1 s is as long as the two.
    """
    alone = settings["items"] <= granularity
    granularity = min(granularity, settings["items"])
    g, queues = int(min(granularity, 20)), int(min(settings["queues"], 3))
    block_s = granularity * settings["dearest_item_us"] / 1e6
    unit_s = block_s if alone else settings["quantum_ms"] / 1000 + block_s
    quantum = min(settings["quantum_ms"] / 1000 / unit_s, 10)
    cheap = [] if alone else [0.99 * quantum / (2 * g)] * (2 * g)
    costs = cheap + [block_s / unit_s / g] * (g if alone else 2 * g)
    loop = [Queue(costs, granularity=g) for _ in range(queues)]
    trace = simulate_event_loop(loop, quantum_s=quantum, rule="fixed")
    return trace.turn_s.max() * unit_s * settings["queues"] / queues


def test_the_points_meet_all_states():
    seen = {card["state"] for _, card in POINTS}
    assert seen == set(STATES) == set(CARD.states)
    assert all(len(in_states(state)) >= 20 for state in STATES)


def test_the_longest_turn_is_reached_and_never_exceeded():
    # k g dear items, which a run of dear items alone takes, would be too short
    played = [each for each in POINTS if can_be_played(each[0], each[1]["granularity"])]
    assert len(played) > 0.8 * len(POINTS)
    for settings, card in played[::3]:
        turn_s = longest_turn_s(settings, card["granularity"])
        assert turn_s <= card["worst_turn_ms"] / 1000 * (1 + 1e-6)
        assert turn_s >= 0.985 * card["worst_turn_ms"] / 1000
        slice_s = card["dearest_slice_ms"] / 1000
        assert slice_s * settings["queues"] == pytest.approx(card["worst_turn_ms"] / 1000)


@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_cheap_and_expensive_items_exceeds_it(seed):
    rng = np.random.default_rng(seed)
    for g in (1, 7, 29, 200):
        shares = rng.choice([0.001, 0.02, 0.3, 1.0], 20_000, p=rng.dirichlet(np.ones(4)))
        card = ask(granularity_now=g, rule="fixed")
        longest_s = drain_work_queue(1e-3 * shares, rule="fixed", granularity=g).slice_s.max()
        assert longest_s <= card["dearest_slice_ms"] / 1000 + 1e-9


def test_a_bound_as_advised_never_makes_the_longest_turn_longer():
    """It did once, because one row counted expensive items alone and the other did not."""
    for settings, card in POINTS:
        assert card["bounded_turn_ms"] <= card["worst_turn_ms"] * (1 + 1e-12)
        after = follow_advice(settings, card)[1]
        assert after["worst_turn_ms"] == pytest.approx(card["bounded_turn_ms"])


def test_with_the_bound_no_session_drops():
    changed = in_states("over", "unbounded", "small")
    for settings, card in changed:
        after_settings, after = follow_advice(settings, card)
        assert after["state"] == "bounded", settings
        turn_s = after["worst_turn_ms"] / 1000
        if can_be_played(after_settings, after["granularity"]):
            turn_s = longest_turn_s(after_settings, after["granularity"])
        assert turn_s <= card["bounded_turn_ms"] / 1000 * (1 + 1e-6)
        assert turn_s < card["silence_s"]
        assert dropped_share(turn_s, settings["keepalive_s"], settings["hold_s"]) == 0
        assert after["sliced_drop_percent"] == 0
    assert len(changed) > 100


def test_over_the_knee_a_turn_can_drop_sessions_and_elsewhere_none_can():
    for settings, card in POINTS:
        turn_s = card["worst_turn_ms"] / 1000
        over = card["state"] in ("over", "over-item")
        assert card["verdict"].startswith("Past") == over
        lost = dropped_share(1.05 * turn_s, settings["keepalive_s"], settings["hold_s"])
        if 1.05 * turn_s > card["silence_s"] + 0.001 * settings["keepalive_s"] and over:
            assert lost > 0
        if 1.05 * turn_s < card["silence_s"]:
            assert not over
            assert lost == 0


def test_a_smaller_item_does_what_the_card_says_where_a_bound_does_not():
    for settings, card in in_states("item"):
        quantum_us = 1000 * settings["quantum_ms"]
        assert settings["dearest_item_us"] > quantum_us  # one item outlasts the quantum
        assert longest_turn_s(settings, 1) > 1.9 * settings["queues"] * quantum_us / 1e6
        smaller_us = settings["dearest_item_us"] * card["batch"] / BATCH
        if card["batch"] > 1:
            usual_us = min(settings["usual_item_us"], smaller_us)
            after = ask(**settings | {"dearest_item_us": smaller_us, "usual_item_us": usual_us})
            assert smaller_us <= quantum_us * (1 + 1e-6)
            assert after["state"] in ("unbounded", "small", "bounded", "over")
    for settings, card in in_states("over-item"):
        short = settings["dearest_item_us"] <= 1000 * settings["quantum_ms"]
        assert not short or card["bounded_turn_ms"] >= 1000 * card["silence_s"]


def test_no_advised_bound_spends_more_than_a_twentieth_on_looks():
    for settings, card in POINTS:
        few = LOOK_S / card["bound"] <= LOOKS * settings["usual_item_us"] / 1e6 * (1 + 1e-6)
        if few:
            continue
        # then the knee comes first: with few looks, a turn could outlast the silence
        assert card["bound"] == max(1, card["most_granularity"])
        looks = math.ceil(LOOK_S / (LOOKS * settings["usual_item_us"] / 1e6) - 1e-9)
        turn_us = 1000 * settings["quantum_ms"] + looks * settings["dearest_item_us"]
        assert settings["queues"] * turn_us >= 1e6 * card["silence_s"] * (1 - 1e-9)
    # in the simulated queue, whose looks cost as much, a drain is no tenth longer
    costs_s, bound = np.full(20_000, 5e-6), int(ask(usual_item_us=5)["bound"])
    drain = drain_work_queue(costs_s, rule="fixed", granularity=bound, check_cost_s=LOOK_S)
    assert drain.slice_s.sum() < 1.1 * costs_s.sum()
    every = drain_work_queue(costs_s, rule="fixed", granularity=1, check_cost_s=LOOK_S)
    assert every.slice_s.sum() > 1.1 * costs_s.sum()


def test_a_bound_below_the_knee_is_named_before_it_is_said_that_no_bound_is_enough():
    """A bound of 200, one above the knee, was once tried alone."""
    quarter = {"keepalive_s": 1, "hold_s": 3, "usual_item_us": 0.1, "dearest_item_us": 10_000}
    card = ask(**quarter)
    assert card["state"] == "over"
    settings, after = follow_advice(CARD.model.settings(**quarter), card)
    assert longest_turn_s(settings, after["granularity"]) < card["silence_s"]
    for settings, card in in_states("over-item"):
        if settings["dearest_item_us"] > 1000 * settings["quantum_ms"]:
            continue
        least = CARD.model.predict(**settings | ADVISED | {"granularity_now": 1})
        assert least["worst_turn_ms"] >= 1000 * card["silence_s"]
    for settings, card in in_states("item", "over-item"):
        bounded = CARD.model.predict(**follow_advice(settings, card)[0])
        assert bounded["worst_turn_ms"] == pytest.approx(card["bounded_turn_ms"])
    assert "even with the granularity bounded at {bound}" in steps_in("item")


def test_with_no_new_work_the_queues_are_empty_when_the_card_says():
    for state in ("over", "over-item"):
        assert "about {blocked_s} s" in " ".join(CARD.steps_in(state))
    card = ask(items=2_000, queues=3, usual_item_us=358)
    loop = [Queue([358e-6] * 2_000) for _ in range(3)]
    trace = simulate_event_loop(loop)
    assert trace.turn_s.sum() == pytest.approx(card["blocked_s"], rel=0.001)


def metrics(settings, card):
    """Return the worst values of the metrics under the advice, and values that are too late."""
    slice_ms = card["worst_turn_ms"] / settings["queues"]
    silence_ms = 1000 * card["silence_s"] / settings["queues"]
    usual_us, dearest_us = settings["usual_item_us"], settings["dearest_item_us"]
    return {
        "Longest slice since the last reading": (slice_ms, silence_ms),
        "Granularity of each queue, once it is bounded": (
            card["granularity"],
            max(card["bound"], card["most_granularity"]) + 1,
        ),
        "Mean cost of an item in each minute": (usual_us, 1.01 * dearest_us),
        "Time since the queues were last empty": (
            (1 + LOOKS) * card["blocked_s"],
            3 * card["blocked_s"],
        ),
        "Sessions dropped when a hold timer ran out, at either end": (0, 1),
    }


def test_alerts_are_silent_after_the_advice_and_fire_when_everything_goes_wrong():
    for before, first in in_states("over", "unbounded", "small", "bounded"):
        settings, card = follow_advice(before, first)
        for metric, (fine, bad) in metrics(settings, card).items():
            watch = WATCHES[metric]
            assert not watch.fires(fine, card), (metric, settings)
            if not watch.states or card["state"] in watch.states:
                assert watch.fires(bad, card), (metric, settings)
    assert set(metrics(*POINTS[0])) == set(WATCHES)


def test_the_alert_of_slices_fires_before_a_session_can_drop_and_does_not_move_with_the_bound():
    watch = WATCHES["Longest slice since the last reading"]
    for settings, card in POINTS:
        assert card["alert_slice_ms"] * settings["queues"] <= 1000 * card["silence_s"] * 1.0000001
    for _, card in in_states("over"):
        assert watch.fires(card["dearest_slice_ms"], card)
    for settings, card in in_states("over", "unbounded"):
        after = follow_advice(settings, card)[1]
        assert after["alert_slice_ms"] == pytest.approx(card["alert_slice_ms"])


def test_an_alert_on_the_granularity_fires_at_the_bound_before_a_turn_outlasts_the_silence():
    """It was once set at the knee, at 119,989 items where a bound of 10 was advised."""
    watch = WATCHES["Granularity of each queue, once it is bounded"]
    assert watch.threshold == "bound"
    assert ask()["bound"] == 10
    assert set(STATES) - set(watch.states) == {"over-item"}  # no bound is advised, it is too late
    for settings, card in in_states(*watch.states):
        assert not watch.fires(card["bound"], card)
        assert watch.fires(card["bound"] + 1, card)
        block_s = card["bound"] * settings["dearest_item_us"] / 1e6
        work_s = settings["items"] * settings["dearest_item_us"] / 1e6
        turn_s = settings["queues"] * min(settings["quantum_ms"] / 1000 + block_s, work_s)
        assert turn_s <= card["silence_s"] * (1 + 1e-9)
    for settings, card in in_states("over", "unbounded", "small"):
        after = follow_advice(settings, card)[1]
        assert after["state"] in watch.states
        assert not watch.fires(after["granularity"], after)


def test_only_a_build_that_bounds_the_granularity_is_called_bounded():
    """A growth rule once was, because its granularity was small by chance."""
    for settings, card in POINTS:
        kept = settings["rule"] == "fixed"
        within = card["granularity"] <= card["bound"]
        assert card["state"] != "bounded" or (kept and within)
        assert card["state"] != "small" or not (kept and within)
        if card["state"] == "small" and not within:  # then a bound would change next to nothing
            assert card["bounded_turn_ms"] >= 0.9 * card["worst_turn_ms"]
            if card["worst_turn_ms"] == pytest.approx(card["bounded_turn_ms"]):  # too little work
                assert settings["items"] * settings["dearest_item_us"] <= (
                    1000 * settings["quantum_ms"] + card["bound"] * settings["dearest_item_us"]
                )
    lucky = {"rule": "2005-05-06", "granularity_now": 1, "usual_item_us": 1000}
    assert ask(**lucky)["state"] == "small"
    cheaper = ask(**lucky | {"usual_item_us": 1})
    assert (cheaper["state"], cheaper["granularity"]) == ("unbounded", 5001)
    assert ask(**lucky | {"rule": "fixed"})["state"] == "bounded"
    assert "plan a patch" in steps_in("small")
    assert "without the patch" not in steps_in("small")


def test_no_step_read_alone_clears_a_session_or_installs_a_build_unchecked():
    """ "No patch? Clear one session at a time" did, and a check came after its action."""
    for state in STATES:
        for step in CARD.steps_in(state):
            assert not step.startswith(("No patch", "Clear"))
            if "clear one session" in step:
                assert step.startswith("In the same quiet hour")
            for action, check in (
                ("put in a build", "first check graceful restart"),
                ("install the build", "graceful restart was negotiated in advance. Check this"),
            ):
                assert action not in step or step.index(check) < step.index(action)
    assert "avoid clearing sessions" in steps_in("unbounded")


def test_each_roll_back_names_its_own_check_and_a_bounded_build_goes_back_only_if_new():
    for state in STATES:
        (text,) = [plain_text(each) for each in CARD.roll_backs() if is_shown_in(each, state)]
        assert text.index("check graceful restart") < text.index("go back to the old build")
        assert ("this build is new" in text) == (state == "bounded")


def test_no_text_of_the_card_says_dear():
    words = [text for p in CARD.model.parameters for text in (p.label, p.source)]
    words += [output.label for output in CARD.model.outputs]
    words += [PLACEHOLDER.sub("", text) for text in CARD.texts()]
    assert [text for text in words if "dear" in text.lower()] == []


def test_the_card_opens_with_the_reports_own_queue():
    card, queue = ask(), clear_queue()
    settings = CARD.model.settings()
    assert settings["items"] == queue.fit.items
    assert settings["usual_item_us"] == pytest.approx(1e6 * queue.mean_cost_s)
    assert settings["granularity_now"] == queue.snapshots[-1].granularity
    # 114.9 s in 7,632 runs: 15 ms. One cost for all items would stop at 15, and say 10.7 ms.
    mean_ms = 1000 * queue.clearing_s / queue.snapshots[-1].runs
    assert card["usual_slice_ms"] == pytest.approx(mean_ms, rel=0.01)
    assert card["granularity"] == 29
    assert (card["worst_turn_ms"], card["bounded_turn_ms"]) == (39, 20)
    assert card["blocked_s"] == pytest.approx(queue.clearing_s)


def test_a_mean_slice_is_that_of_a_simulated_queue_whose_costs_are_drawn():
    for usual_us, g in ((358, 29), (50, 101), (1000, 7), (1000, 100)):
        card = ask(usual_item_us=usual_us, dearest_item_us=1000, granularity_now=g, rule="fixed")
        costs_s = np.random.default_rng(g).exponential(usual_us / 1e6, 1_000_000)
        slices_s = drain_work_queue(costs_s, rule="fixed", granularity=g).slice_s
        assert card["usual_slice_ms"] == pytest.approx(1000 * slices_s.mean(), rel=0.01)
        late_s = (slices_s**2).sum() / slices_s.sum() / 2
        assert card["lateness_ms"] == pytest.approx(1000 * late_s, rel=0.01)


def steps_in(*states):
    return " ".join(" ".join(CARD.steps_in(state)) for state in states)


def test_a_command_has_the_name_that_older_versions_know_too():
    """Before FRRouting 10.0 there is no show event cpu."""
    steps = [step for state in STATES for step in CARD.steps_in(state) if "event cpu" in step]
    assert steps
    assert all("(before FRRouting 10.0: show thread cpu)" in step for step in steps)


def test_the_card_says_what_a_batch_does_and_when_a_bound_does_nothing():
    words = steps_in("item")
    for name in ("4.0 to 10.2", "process_queue", "10,000 prefixes", "ARBITRARY_PROCESS_QLEN"):
        assert name in words
    assert "never rises above" not in steps_in("item", "over-item")
    assert "a batch of up to 10,000 prefixes" in operator_words("work_queues")


def test_longer_timers_are_no_first_aid_and_need_both_ends_and_a_reset():
    assert "hold time" not in steps_in("over", "over-item")
    assert "set at both ends" in steps_in("unbounded")
    assert "next reset" in steps_in("unbounded")
    assert "let the timers bear more" not in steps_in(*STATES).lower()
    assert any("both ends" in plain_text(text) for text in CARD.never)


def test_the_card_says_what_clear_event_cpu_does_not_clear():
    for state in ("item", "unbounded", "small"):
        assert "no command resets those of show work-queues" in steps_in(state)


def test_roll_back_is_for_dropped_sessions_and_late_routes_not_for_the_restart_itself():
    for text in map(plain_text, CARD.roll_backs()):
        assert "hold time" in text
        assert "delay route changes" in text
        assert "through the restart" not in text


def test_slices_and_lateness_are_those_of_the_daemon():
    card = ask(usual_item_us=5, dearest_item_us=1000, queues=2)
    costs_s = np.repeat([5e-6, 1e-3], [1_500_000, 20_000])
    drain = drain_work_queue(costs_s, rule="2005-05-06")
    assert drain.granularity[-1] == card["granularity"]
    # the run that begins with cheap items and ends in a block of dear ones is the longest
    assert drain.slice_s[-2] * 1000 < card["dearest_slice_ms"]
    assert drain.slice_s.max() * 1000 <= card["dearest_slice_ms"]
    grown = int(card["granularity"])
    rng = np.random.default_rng(1)
    timers_s = np.sort(rng.uniform(0, 4, 20_000))
    queues = [Queue(rng.exponential(5e-6, 500_000), granularity=grown) for _ in range(2)]
    late_s = simulate_event_loop(queues, timers_s=timers_s, rule="fixed").timer_lateness_s
    assert late_s.mean() == pytest.approx(card["lateness_ms"] / 1000, rel=0.03)


def test_a_bound_on_the_granularity_keeps_the_alert_silent():
    card = ask(usual_item_us=5, dearest_item_us=1000)
    costs_s = np.repeat([5e-6, 1e-3], [1_500_000, 20_000])
    bound = int(card["bound"])

    def longest_ms(most):
        grown = drain_work_queue(costs_s, rule=lambda n, g: min(g + 2 * (n > 2 * g), most))
        return 1000 * grown.slice_s.max()

    assert longest_ms(bound) <= card["bounded_turn_ms"] < card["alert_slice_ms"]
    assert longest_ms(10**9) > 50 * card["bounded_turn_ms"]


def test_one_piece_drops_no_session_below_the_silence_and_some_above():
    timers = {"keepalive_s": 15.0, "hold_s": 45.0, "sessions": 1}
    most = ask(**timers)["blocked_items"]
    for share, drops in ((0.95, False), (1.05, True)):
        card = ask(items=round(share * most), **timers)
        lost = dropped_share(card["blocked_s"], 15, 45)
        assert (lost > 0) == drops
        assert card["blocked_drop_percent"] / 100 == pytest.approx(lost, abs=0.01)
        assert ("thanks to slicing" in card["verdict"]) == drops


def test_a_granularity_within_the_knee_keeps_the_turn_within_the_silence():
    timers = {"keepalive_s": 0.1, "hold_s": 0.3, "sessions": 5}
    card = ask(queues=2, **timers)
    knee = int(card["most_granularity"])
    for share, fits in ((0.95, True), (1.05, False)):
        g = round(share * knee)
        worst = drain_work_queue([1e-3] * (40 * g), rule="fixed", granularity=g).slice_s.max()
        bound = 2 * (0.010 + g * 1e-3)
        assert worst <= bound / 2
        assert (bound <= card["silence_s"]) == fits
    # Where the rule's own granularity is over it, the card says so.
    over = ask(usual_item_us=5, dearest_item_us=1000, queues=2, **timers)
    assert over["granularity"] > knee
    assert over["verdict"].startswith("Past")
    assert over["sliced_drop_percent"] > 0


def test_an_operator_reads_what_todays_software_offers():
    names = (
        "compiled in",
        "50 ms for BGP",
        "graceful restart",
        "BFD",
        "a thread of their own",
        "Your own hold timers",
        "unread messages",
    )
    assert [name for name in names if name not in operator_words("work_queues")] == []
