"""Chapter 5's stages: what they replay, and what they say, held against the public simulators."""

import json
import re

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, prose
from tunables.chapters.replication.paths import ASSUMED_RTT_S
from tunables.chapters.replication.predictor import STAGES, predict
from tunables.chapters.replication.stage_simulation import ROOMS, SEED, STEADY, play
from tunables.chapters.replication.window_simulation import FAR
from tunables.chapters.replication.window_simulation import play as play_windows
from tunables.page.staging import Page
from tunables.parts.registry import find_case, find_stage
from tunables.reader.stage import describe_stage, kept_stills
from tunables.simulators.tandem import trace_tandem
from tunables.simulators.tcp_rounds import simulate_tcp_rounds, trace_tcp_rounds
from tunables.simulators.tcp_rounds_kernel import BETA_CUBIC, LOST

WLCG = find_case("wlcg")
PIPELINE, WINDOWS = find_stage("wlcg"), find_stage("wlcg-windows")
STILLS = {
    f"{name}-{beat.name}": (beat, still["sentence"], still["svg"])
    for name, stills in kept_stills("replication").items()
    for beat, still in zip(find_stage(name).beats, stills, strict=True)
}
LCRS, BATCHES = 18e6, 1000
PILES = re.compile(
    r"(?P<site>\w+)(?P<compress>, COMPRESS)?(?P<room>, [\w ]+)?, "
    r"after (?P<t>[\d,]+) s: (?P<log>\d+) of 100 marks in the log, (?P<way>.+), "
    r"(?P<done>\d+) done\. (?P<rate>[\d,]+) records a second so far; "
    r"slowest: (?P<slowest>[\w ]+), (?P<pace>[\d,]+)( each)?\."
)


def number(text):
    return float(text.replace(",", ""))


def case_settings(site, compress="off", slower="none", **changes):
    given = WLCG.settings(rtt_s=ASSUMED_RTT_S[site], compress=compress, **changes)
    if slower != "none":
        given[f"{slower}_lcr_s"] = 0.95 * float(given[f"{slower}_lcr_s"])
    return given


def departures(site, compress, slower, room=STEADY):
    """Return the stages' rates, and when each batch leaves each stage, by the public simulator."""
    closed = predict(**case_settings(site, compress, slower))
    rates = [closed[f"{stage}_rate_lcr_s"] for stage in STAGES]
    times = np.tile([LCRS / BATCHES / rate for rate in rates], (BATCHES, 1))
    if room == STEADY:
        return rates, trace_tandem(times, [np.inf] * 3).departed_s
    times *= np.random.default_rng(SEED).standard_exponential(times.shape)
    return rates, trace_tandem(times, [np.inf if room == "any" else int(room)] * 3).departed_s


@pytest.mark.parametrize("beat", PIPELINE.beats, ids=lambda beat: beat.name)
def test_the_pipeline_on_the_stage_is_the_simulators(beat):
    told = PIPELINE.run(beat)
    rates, departed_s = departures(**beat.settings)
    assert told["rates"] == rates
    assert np.abs(np.array(told["departed_ms"]).reshape(4, BATCHES).T / 1000 - departed_s).max() < (
        0.000501
    )


@pytest.mark.parametrize("beat", PIPELINE.beats, ids=lambda beat: beat.name)
def test_the_pipelines_sentences_say_what_the_simulator_did(beat):
    _, sentence, svg = STILLS[f"wlcg-{beat.name}"]
    rates, departed_s = departures(**beat.settings)
    said = PILES.fullmatch(sentence)
    assert said, sentence
    assert sentence in svg
    assert said["site"] == beat.settings["site"]
    assert bool(said["compress"]) == (beat.settings["compress"] == "on")
    assert number(said["t"]) == beat.at
    left = (departed_s <= beat.at).sum(axis=0)
    marks = [round(n / 10) for n in (BATCHES - left[0], *(left[:-1] - left[1:]), left[-1])]
    assert [int(said["log"]), int(said["done"])] == [marks[0], marks[-1]]
    waiting = dict(zip(STAGES[1:], marks[1:-1], strict=True))
    found = re.findall(r"(\d+) wait for (?:the )?(\w+)", said["way"])
    assert {stage: int(count) for count, stage in found} == {k: n for k, n in waiting.items() if n}
    assert number(said["rate"]) == round(left[-1] * LCRS / BATCHES / beat.at)
    assert number(said["pace"]) == round(min(rates))
    slowest = re.findall(r"source|pump|network|apply", said["slowest"])
    assert slowest == [s for s, rate in zip(STAGES, rates, strict=True) if rate == min(rates)]


def test_the_titles_of_the_beats_hold():
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


def test_with_no_room_little_more_than_half_of_the_pace_is_left_and_the_stages_are_blocked():
    beat = STILLS["wlcg-no-room"][0]
    rates, departed_s = departures(**beat.settings)
    assert 0.5 < LCRS / departed_s[-1, -1] / min(rates) < 0.6
    told = PIPELINE.run(beat)
    blocked_ms = np.array(told["departed_ms"]) - told["served_ms"]
    assert blocked_ms.reshape(4, BATCHES).sum(axis=1)[-1] == 0  # nobody holds up the last
    assert (blocked_ms.reshape(4, BATCHES).sum(axis=1)[:-1] > 1e5).all()
    ends = [departures(**beat.settings | {"room": room})[1][-1, -1] for room in ROOMS]
    assert ends == sorted(ends)


def rounds(site, law, count):
    given = case_settings(site, law=law)
    if law == "window":
        return simulate_tcp_rounds(
            given["rtt_s"], 1e-15, count, largest_window=given["window_bytes"] / given["mss_bytes"]
        ), np.zeros(count, int)
    return trace_tcp_rounds(given["rtt_s"], given["loss"], count)


@pytest.mark.parametrize("beat", WINDOWS.beats, ids=lambda beat: beat.name)
def test_the_windows_on_the_stage_are_the_simulators_and_so_is_what_is_said(beat):
    told = WINDOWS.run(beat)
    assert [side["site"] for side in told["sides"]] == list(FAR)
    words = STILLS[f"wlcg-windows-{beat.name}"][1]
    assert words.startswith(f"After {beat.at:,.1f} s: ")
    law, first_s = beat.settings["law"], told["first_s"]
    for side in told["sides"]:
        rtt_s, first = ASSUMED_RTT_S[side["site"]], side["first"]
        sizes, events = rounds(side["site"], law, first + len(side["windows"]))
        assert side["windows"] == pytest.approx(sizes[first:], abs=0.000501)
        now = int(beat.at / rtt_s + 1e-9)
        assert f"{side['site']} {sizes[now]:,.1f}".removesuffix(".0") in words
        starts = np.arange(len(sizes)) * rtt_s
        within = np.clip(np.minimum(beat.at, starts + rtt_s) - np.maximum(first_s, starts), 0, None)
        rate = (within / rtt_s * sizes).sum() * 1460 / 400 / (beat.at - first_s)
        closed = predict(**case_settings(side["site"], law=law))["network_rate_lcr_s"]
        said = re.search(rf"([\d,]+) to {side['site']} \(formula ([\d,]+)\)", words)
        assert said
        assert [number(each) for each in said.groups()] == pytest.approx([rate, closed], abs=0.51)
        lost = (np.array(events[first : now + 1]) & LOST).sum()
        if law == "cubic" and lost:
            assert f"{lost} {'loss' if lost == 1 else 'losses'} so far" in words


@pytest.mark.parametrize("stage", [PIPELINE, WINDOWS], ids=lambda stage: stage.name)
def test_the_page_answers_with_the_stages_own_run_and_refuses_in_a_sentence(stage):
    page = Page(json.dumps(describe_stage(stage)))
    settings = stage.beats[-1].settings
    reply = json.loads(page.reply(json.dumps({"play": {"settings": settings}})))
    assert reply["trace"] == stage.run(stage.beats[-1])
    for name in settings:
        wrong = settings | {name: "many"}
        refused = json.loads(page.reply(json.dumps({"play": {"settings": wrong}})))
        assert list(refused) == ["refusal"]
        assert f"{name} = 'many': must be" in refused["refusal"]


def test_what_is_slower_is_that_stage_alone():
    given = PIPELINE.given
    plain = play(site="BNL", compress="off", slower="none", **given)["rates"]
    for n, name in enumerate(STAGES):
        if name == "network":  # has no rate of its own to lose
            continue
        rates = play(site="BNL", compress="off", slower=name, **given)["rates"]
        assert rates[n] == pytest.approx(0.95 * plain[n])
        assert rates[:n] + rates[n + 1 :] == plain[:n] + plain[n + 1 :]


def test_both_connections_are_seen_for_the_same_while():
    for law in ("cubic", "window"):
        for since in ("start", "later"):
            told = play_windows(law=law, since=since, **WINDOWS.given)
            for side in told["sides"]:
                begins_s = side["first"] * side["rtt_s"]
                ends_s = (side["first"] + len(side["windows"])) * side["rtt_s"]
                assert begins_s <= told["first_s"] < begins_s + side["rtt_s"]
                assert ends_s - side["rtt_s"] <= told["first_s"] + told["span_s"] <= ends_s


def settled(site):
    """Return the windows of CUBIC once it has forgotten its start, as on the stage."""
    rtt_s = ASSUMED_RTT_S[site]
    return rounds(site, "cubic", int(5015 / rtt_s))[0][int(5000 / rtt_s) :]


def test_the_text_beside_the_stages_says_what_they_show():
    late = [departures("RAL", "on", name)[1][-1, -1] for name in ("source", "apply")]
    segments = case_settings("BNL")["window_bytes"] / 1460
    by_window = [predict(**case_settings(site, law="window"))["network_rate_lcr_s"] for site in FAR]
    highest = [settled(site).max() for site in FAR]
    doubled = simulate_tcp_rounds(ASSUMED_RTT_S["BNL"], case_settings("BNL")["loss"], 20).max()
    text = prose(ROOT / "chapters" / "05-replication.ipynb")
    for words in (
        *(f"Both take {ends:,.0f} s." for ends in late),
        f"</a>, {segments:.1f} segments, Vancouver's columns",
        f"in a second: {by_window[1]:,.0f} records, against {by_window[0]:,.0f}.",
        f"to {highest[1]:.0f} segments against {highest[0]:.0f}.",
        f"leaves {BETA_CUBIC} of it",
        f"every round trip, up to {doubled:,.0f} segments",
    ):
        assert words in text, words
