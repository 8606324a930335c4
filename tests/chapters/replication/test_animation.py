"""What chapter 5's animations replay and say, against the public simulators."""

import json
import re

import numpy as np
import pytest

from tests.chapters.replication.prose import case_settings, departures, rounds
from tunables.chapters.replication.predictor import ASSUMED_RTT_S, FAR_SITES, STAGES, predict
from tunables.chapters.replication.simulation import (
    ROOMS,
    play_pipeline,
    play_windows,
)
from tunables.core.registry import find_animation
from tunables.page.animation import AnimationSession
from tunables.simulators.tcp_rounds_kernel import LOST
from tunables.views.animation import describe_animation, read_stills

PIPELINE, WINDOWS = find_animation("wlcg"), find_animation("wlcg-windows")
STILLS = {
    f"{name}-{bookmark.name}": (bookmark, still["sentence"], still["svg"])
    for name, stills in read_stills("replication").items()
    for bookmark, still in zip(find_animation(name).bookmarks, stills, strict=True)
}
LCRS, BATCHES = 18e6, 1000
PILES = re.compile(
    r"(?P<site>\w+)(?P<compress>, COMPRESS)?(?P<room>, [\w ]+)?, "
    r"after (?P<t>[\d,]+) s: (?P<log>\d+) of 100 marks in the log, (?P<way>.+), "
    r"(?P<done>\d+) done\. (?P<rate>[\d,]+) records a second so far; "
    r"slowest: (?P<slowest>[\w ]+), at (?P<pace>[\d,]+) records a second( each)?\."
)


def number(text):
    return float(text.replace(",", ""))


@pytest.mark.parametrize("bookmark", PIPELINE.bookmarks, ids=lambda bookmark: bookmark.name)
def test_the_pipeline_in_the_animation_is_the_simulators(bookmark):
    replay = PIPELINE.run(bookmark)
    rates, departed_s = departures(**bookmark.settings)
    assert replay["rates"] == rates
    replayed_s = np.array(replay["departed_ms"]).reshape(4, BATCHES).T / 1000
    assert np.abs(replayed_s - departed_s).max() < 0.000501


@pytest.mark.parametrize("bookmark", PIPELINE.bookmarks, ids=lambda bookmark: bookmark.name)
def test_the_pipelines_sentences_say_what_the_simulator_did(bookmark):
    _, sentence, svg = STILLS[f"wlcg-{bookmark.name}"]
    rates, departed_s = departures(**bookmark.settings)
    match = PILES.fullmatch(sentence)
    assert match, sentence
    assert sentence in svg
    assert match["site"] == bookmark.settings["site"]
    assert bool(match["compress"]) == (bookmark.settings["compress"] == "on")
    assert number(match["t"]) == bookmark.at
    left = (departed_s <= bookmark.at).sum(axis=0)
    marks = [round(n / 10) for n in (BATCHES - left[0], *(left[:-1] - left[1:]), left[-1])]
    assert [int(match["log"]), int(match["done"])] == [marks[0], marks[-1]]
    waiting = dict(zip(STAGES[1:], marks[1:-1], strict=True))
    found = re.findall(r"(\d+) waits? for (?:the )?(\w+)", match["way"])
    assert {stage: int(count) for count, stage in found} == {k: n for k, n in waiting.items() if n}
    assert number(match["rate"]) == round(left[-1] * LCRS / BATCHES / bookmark.at)
    assert number(match["pace"]) == round(min(rates))
    slowest = re.findall(r"source|pump|network|apply", match["slowest"])
    assert slowest == [s for s, rate in zip(STAGES, rates, strict=True) if rate == min(rates)]


def test_the_titles_of_the_bookmarks_hold():
    marks = {
        name: re.findall(r"\d+ (?:of|wait|done)", words) for name, (_, words, _) in STILLS.items()
    }
    for name in ("near", "far", "compress", "far-compress"):
        assert "50 done" in marks[f"wlcg-{name}"]
    assert "90 done" in marks["wlcg-apply"]
    for name in ("source", "apply"):
        ends = departures("RAL", "on", name)[1][-1, -1]
        assert round(ends) == 1602
    for name, pile in {"near": "pump", "far": "network", "far-compress": "network"}.items():
        assert re.findall(r"wait for the (\w+)", STILLS[f"wlcg-{name}"][1]) == [pile]
    assert "none on the way" in STILLS["wlcg-compress"][1]
    assert "5 wait for apply" in STILLS["wlcg-apply"][1]


def test_without_room_the_stages_are_blocked_and_keep_little_more_than_half_of_the_pace():
    bookmark = STILLS["wlcg-no-room"][0]
    rates, departed_s = departures(**bookmark.settings)
    assert 0.5 < LCRS / departed_s[-1, -1] / min(rates) < 0.6
    replay = PIPELINE.run(bookmark)
    blocked_ms = np.array(replay["departed_ms"]) - replay["served_ms"]
    assert blocked_ms.reshape(4, BATCHES).sum(axis=1)[-1] == 0  # nobody holds up the last
    assert (blocked_ms.reshape(4, BATCHES).sum(axis=1)[:-1] > 1e5).all()
    ends = [departures(**bookmark.settings | {"room": room})[1][-1, -1] for room in ROOMS]
    assert ends == sorted(ends)


@pytest.mark.parametrize("bookmark", WINDOWS.bookmarks, ids=lambda bookmark: bookmark.name)
def test_the_windows_in_the_animation_and_its_sentences_are_the_simulators(bookmark):
    replay = WINDOWS.run(bookmark)
    assert [side["site"] for side in replay["sides"]] == list(FAR_SITES)
    words = STILLS[f"wlcg-windows-{bookmark.name}"][1]
    assert words.startswith(f"After {bookmark.at:,.1f} s: ")
    law, first_s = bookmark.settings["law"], replay["first_s"]
    for side in replay["sides"]:
        rtt_s, first = ASSUMED_RTT_S[side["site"]], side["first"]
        sizes, events = rounds(side["site"], law, first + len(side["windows"]))
        assert side["windows"] == pytest.approx(sizes[first:], abs=0.000501)
        now = int(bookmark.at / rtt_s + 1e-9)
        assert f"{side['site']} gets {sizes[now]:,.1f}".removesuffix(".0") in words
        starts = np.arange(len(sizes)) * rtt_s
        within = np.clip(
            np.minimum(bookmark.at, starts + rtt_s) - np.maximum(first_s, starts), 0, None
        )
        rate = (within / rtt_s * sizes).sum() * 1460 / 400 / (bookmark.at - first_s)
        closed = predict(**case_settings(side["site"], law=law))["network_rate_lcr_s"]
        match = re.search(rf"([\d,]+) to {side['site']} \(the formula gives ([\d,]+)\)", words)
        assert match
        assert [number(each) for each in match.groups()] == pytest.approx([rate, closed], abs=0.51)
        lost = (np.array(events[first : now + 1]) & LOST).sum()
        if law == "cubic" and lost:
            assert f"{lost} {'loss' if lost == 1 else 'losses'} so far" in words


@pytest.mark.parametrize("animation", [PIPELINE, WINDOWS], ids=lambda animation: animation.name)
def test_the_page_answers_with_the_animations_own_run_and_refuses_in_a_sentence(animation):
    page = AnimationSession(json.dumps(describe_animation(animation)))
    settings = animation.bookmarks[-1].settings
    reply = json.loads(page.reply(json.dumps({"play": {"settings": settings}})))
    assert reply["trace"] == animation.run(animation.bookmarks[-1])
    for name in settings:
        wrong = settings | {name: "many"}
        refused = json.loads(page.reply(json.dumps({"play": {"settings": wrong}})))
        assert list(refused) == ["refusal"]
        assert f"{name} = 'many': must be" in refused["refusal"]


def test_only_the_chosen_stage_is_slower():
    given = PIPELINE.given
    plain = play_pipeline(site="BNL", compress="off", slower="none", **given)["rates"]
    for n, name in enumerate(STAGES):
        if name == "network":  # has no rate of its own to lose
            continue
        rates = play_pipeline(site="BNL", compress="off", slower=name, **given)["rates"]
        assert rates[n] == pytest.approx(0.95 * plain[n])
        assert rates[:n] + rates[n + 1 :] == plain[:n] + plain[n + 1 :]


def test_both_connections_are_shown_for_the_same_time():
    for law in ("cubic", "window"):
        for since in ("start", "later"):
            replay = play_windows(law=law, since=since, **WINDOWS.given)
            for side in replay["sides"]:
                begins_s = side["first"] * side["rtt_s"]
                ends_s = (side["first"] + len(side["windows"])) * side["rtt_s"]
                assert begins_s <= replay["first_s"] < begins_s + side["rtt_s"]
                assert ends_s - side["rtt_s"] <= replay["first_s"] + replay["span_s"] <= ends_s
