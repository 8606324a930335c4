"""Beats with a second run beside them: what differs, what is shared, what is said of both."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tunables.page.staging import Page
from tunables.parts.registry import find_stage
from tunables.reader.stage import describe_stage, kept_stills, stage

COMPARED = {
    "rdu": "decides",
    "storm": "forever",
    "rrd": "turn",
    "dpp": "twenty",
    "wlcg": "apply",
    "quagga": "bound",
    "quagga-sessions": "slices",
}


def compared(name):
    """Return the beat, its still, and both runs."""
    beats = find_stage(name).beats
    (n,) = (n for n, beat in enumerate(beats) if beat.name == COMPARED[name])
    return beats[n], kept_stills(name.split("-")[0])[name][n], *find_stage(name).runs(beats[n])


@pytest.mark.parametrize("name", COMPARED)
def test_one_setting_differs_and_the_still_tells_of_both(name):
    beat, still, _, _ = compared(name)
    assert beat.against is not None
    assert len(beat.against) == 1
    ((changed, value),) = beat.against.items()
    assert beat.settings[changed] != value
    assert beat.other == {**beat.settings, changed: value}
    assert still["sentence"] in still["svg"]
    assert still["beside"] in still["svg"]
    assert f"{still['sentence']} {still['beside']}" in stage(name)._repr_mimebundle_()["text/plain"]


def first_asks(run):
    asked = np.cumsum(run["gap"])
    return asked[[tried == "0" for tried in run["tried"]]]


def test_both_share_what_chance_brings():
    _, _, three, one = compared("storm")
    assert np.array_equal(first_asks(three), first_asks(one))
    _, _, zigzag, forwards = compared("rrd")
    assert sorted(zigzag["file"]) == sorted(forwards["file"])
    _, _, bounded, free = compared("quagga")
    assert bounded["due"] == free["due"]
    assert sum(bounded["items"]) == sum(free["items"])
    _, _, sliced, whole = compared("quagga-sessions")
    assert sliced["due"][:10] == whole["due"][:10]


def test_what_the_titles_say_of_the_other_run_is_so():
    _, still, queue, caps = compared("rdu")
    assert queue["mean_s"] > 8
    assert caps["mean_s"] == pytest.approx(8.076 - 3, abs=0.01)  # three seconds less
    assert "two caps: 50 held" in still["beside"]
    assert compared("storm")[1]["beside"].endswith("155 served, 155 in time.")
    assert "the very next one wanted, leaves" in compared("rrd")[1]["beside"]
    assert "13 requests later" in compared("rrd")[1]["sentence"]
    _, still, _, _ = compared("dpp")
    same = "User 5, transaction 23: all 15 packets through"
    assert same in still["sentence"]
    assert f"{same} after 5.3 ms. Mean of 23: 5.3 ms" in still["beside"]
    _, still, apply, source = compared("wlcg")
    assert apply["departed_ms"][-1] == pytest.approx(source["departed_ms"][-1], rel=1e-3)
    assert "5 wait for apply" in still["sentence"]
    assert "none on the way" in still["beside"]
    _, _, bounded, free = compared("quagga")
    assert [max(run["length"]) / 1e6 for run in (bounded, free)] == [15, 197]
    beat, still, sliced, whole = compared("quagga-sessions")
    assert set(sliced["dropped"]) == {-1}
    assert 0 < min(whole["dropped"]) / 1e9 - beat.at < 0.1
    assert still["beside"].endswith("number 1, in 0.0 s.")


def test_the_page_answers_with_both_runs_and_refuses_either():
    page = Page(json.dumps(describe_stage(find_stage("rrd"))))
    settings, against = {"files": 13, "scheme": "lru"}, {"files": 13, "scheme": "mru"}
    asked = {"settings": settings, "against": against}
    play = find_stage("rrd").play
    reply = json.loads(page.reply(json.dumps({"play": asked})))
    assert reply == {"trace": play(**settings), "against": play(**against)}
    alone = json.loads(page.reply(json.dumps({"play": {**asked, "against": None}})))
    assert list(alone) == ["trace"]
    wrong = {**asked, "against": {"files": 13, "scheme": "lifo"}}
    refused = json.loads(page.reply(json.dumps({"play": wrong})))
    assert list(refused) == ["refusal"]


def test_a_stage_opens_with_one_run_and_checks_the_settings_of_the_other():
    found = find_stage("rrd")
    for name, value, words in (
        ("scheme", "mru", "must be none in the first beat"),
        ("scheme", "lifo", "scheme = 'lifo': must be"),
        ("colour", "red", "must be"),
    ):
        first, *others = found.beats
        strange = replace(first, against={name: value})
        beats = (strange, *others) if "first" in words else (first, strange)
        with pytest.raises(ValueError, match=words):
            replace(found, beats=beats)
