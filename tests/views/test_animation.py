"""The animation: its static markup, its stills, and what they say, against the simulator."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from book import stills
from tests.chapters.notebooks import ROOT, cells, markdown
from tunables.core.registry import animations, chapters_with, find_animation
from tunables.page.animation import AnimationSession
from tunables.page.chapters import page_name
from tunables.simulators.caches import cyclic_trace, trace_policy, zigzag_trace
from tunables.views.animation import (
    animation,
    describe_animation,
    overview_path,
    read_overview,
    read_stills,
    stills_path,
)

SLUGS = chapters_with("animation")
NAMES = [animation.name for slug in SLUGS for animation in animations(slug)]
SAID = re.compile(
    r"Request (?P<request>\d+), in scan (?P<scan>\d+): file (?P<file>\d+), a (?P<verdict>\w+)"
    r".* From scan 2 on: (?P<counted>\d+) requests?, (?P<misses>\d+) miss(?:es)?; "
    r"(?P<slowdown>[\d.]+) times as slow as with hits alone\."
)


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
def test_the_stills_are_what_the_pages_script_draws_today(slug):
    """If not: `make stills`, then execute the chapter."""
    assert stills_path(slug).read_text(encoding="utf-8") == stills.text(slug)
    assert overview_path(slug).read_text(encoding="utf-8") == stills.overview_text(slug)


def overview_of(name):
    """Return the runs of an animation's overview by their labels, and what it says."""
    shown = find_animation(name)
    assert shown.overview
    runs = {label: shown.replay(settings) for label, settings in shown.overview.runs.items()}
    said = read_overview(name)[name]["sentence"]
    results = {label: said.partition(f"{label}: ")[2] for label in runs}
    assert all(results.values())
    return runs, results


def test_the_pictures_of_whole_runs_say_what_the_runs_did():
    runs, said = overview_of("rrd")
    for label, run in runs.items():
        hit = np.array(run["hit"][: 8 * run["files"]])[run["files"] :]
        assert said[label].startswith(f"{20 - 19 * hit.mean():.2f} times as slow.")
    runs, said = overview_of("wlcg")
    for label, run in runs.items():
        assert said[label].startswith(f"done in {max(run['departed_ms']) / 1000:,.0f} s.")
    runs, said = overview_of("quagga")
    for label, run in runs.items():
        assert said[label].startswith(f"longest {max(run['length']) / 1e6:.1f} ms.")
    runs, said = overview_of("rdu")
    for label, run in runs.items():
        begin_s, does = np.array(run["begin_us"]) / 1e6, np.array(run["does"])
        assert said[label].startswith(f"{(does == 4).sum()} answers, mean ")
        assert begin_s.max() <= run["seconds"]


def test_the_overview_of_the_storms_says_which_clients_are_answered_in_the_end():
    runs, said = overview_of("storm")
    for label, run in runs.items():
        left_us = np.cumsum(run["gap"]) + run["wait"] + run["service"]
        answered = np.array([fate == "0" for fate in run["fate"]])
        late = run["end"] - 10 <= left_us / 1e6
        count = (answered & late & (left_us / 1e6 < run["end"])).sum()
        assert said[label].startswith(f"{count / 10:.1f}/s answered in time")
    dead = [label for label in runs if said[label].startswith("0.0/s")]
    assert dead == ["30 per second, no intervention"]


def test_the_picture_of_the_port_says_how_long_the_last_packet_took():
    runs, said = overview_of("dpp")
    for label, run in runs.items():
        came = np.cumsum(run["offered"])
        left_ms = (came + run["waits"] + run["takes"]) / 1000
        mine = np.flatnonzero(np.array(run["user"]) == run["watched"])
        number = np.array(run["number"])[mine]
        first, last = mine[number == 0], mine[number == run["packets"] - 1]
        took = left_ms[last[:20]] - came[first[:20]] / 1000
        assert said[label].startswith(f"mean {took.mean():.1f} ms.")


@pytest.mark.parametrize("name", NAMES)
def test_the_chapter_shows_its_stills_and_leads_to_some_of_its_bookmarks(name):
    chapter = ROOT / "chapters" / f"{page_name(name.split('-')[0])}.ipynb"
    source = f'animation("{name}")'
    shown = next(cell for cell in cells(chapter, "code") if cell["source"].endswith(source))
    html = "".join(shown["outputs"][0]["data"]["text/html"])
    assert html == animation(name)._repr_mimebundle_()["text/html"]
    led = re.findall(r'href="#stage-([\w-]+)"', markdown(chapter))
    links = set(led)
    bookmarks = {
        f"{each.name}-{b.name}" for each in animations(name.split("-")[0]) for b in each.bookmarks
    }
    own = [f"{name}-{bookmark.name}" for bookmark in find_animation(name).bookmarks]
    assert len(own) in range(4, 7)
    assert len(links & set(own)) >= 2
    # The steps under the animation are those of the text, in its order.
    assert [link for link in led if link in own] == [each for each in own if each in links]
    assert own[0] == next(link for link in led if link in own)
    assert links <= bookmarks


def requests_of(settings):
    """Return the run of a bookmark from the public simulator, not from the animation."""
    orders = {"lru, zigzag": zigzag_trace}
    scheme = settings["scheme"]
    policy = scheme.split(",")[0]
    return trace_policy(orders.get(scheme, cyclic_trace)(settings["files"], 25), 12, policy, 1)


def test_chapter_3s_sentences_say_what_the_simulator_did():
    bookmarks = find_animation("rrd").bookmarks
    for bookmark, still in zip(bookmarks, read_stills("rrd")["rrd"], strict=True):
        files, run = int(bookmark.settings["files"]), requests_of(bookmark.settings)
        said = SAID.match(still["sentence"])
        assert said, still["sentence"]
        k = bookmark.at - 1
        assert int(said["request"]) == bookmark.at
        assert int(said["scan"]) == k // files + 1
        assert int(said["file"]) == run.file[k] + 1
        assert said["verdict"] == ("hit" if run.hit[k] else "miss")
        counted = run.hit[files : k + 1]
        assert int(said["counted"]) == len(counted)
        assert int(said["misses"]) == len(counted) - counted.sum()
        assert float(said["slowdown"]) == pytest.approx(20 - 19 * counted.mean(), abs=0.005)
        assert still["sentence"] in still["svg"]
        if not run.hit[k]:
            later = np.flatnonzero(run.file[k + 1 :] == run.victim[k])[0] + 1
            wanted = "the very next" if later == 1 else f"wanted again {later} requests later"
            assert f"file {run.victim[k] + 1}" in still["sentence"]
            assert wanted in still["sentence"]


def test_the_page_answers_with_the_animations_own_run_and_refuses_in_a_sentence():
    page = AnimationSession(json.dumps(describe_animation(find_animation("rrd"))))
    settings = {"files": 13, "scheme": "2q"}
    reply = json.loads(page.reply(json.dumps({"play": {"settings": settings}})))
    assert reply["trace"] == find_animation("rrd").play(**settings)
    for wrong in ({"files": 0, "scheme": "lru"}, {"files": 13, "scheme": "lifo"}):
        refused = json.loads(page.reply(json.dumps({"play": {"settings": wrong}})))
        assert list(refused) == ["refusal"]
        assert "must be" in refused["refusal"]


def test_an_unknown_stage_is_refused_by_the_names_there_are():
    with pytest.raises(ValueError, match=r"animation = 'rrd-twice': must be .*rrd"):
        animation("rrd-twice")


def test_its_plain_text_is_its_sentences():
    *lines, whole = animation("rrd")._repr_mimebundle_()["text/plain"].splitlines()
    assert whole == read_overview("rrd")["rrd"]["sentence"]
    for line, still in zip(lines, read_stills("rrd")["rrd"], strict=True):
        assert line.startswith(still["sentence"])
        assert line.endswith(still.get("beside", still["sentence"]))


COMPARED = {
    "rdu": "decides",
    "storm": "forever",
    "rrd": "turn",
    "dpp": "twenty",
    "wlcg": "apply",
    "quagga": "bound",
    "quagga-sessions": "slices",
}


def bookmark_and_runs(name):
    """Return the bookmark, its still, and both runs."""
    bookmarks = find_animation(name).bookmarks
    (n,) = (n for n, bookmark in enumerate(bookmarks) if bookmark.name == COMPARED[name])
    return (
        bookmarks[n],
        read_stills(name.split("-")[0])[name][n],
        *find_animation(name).runs(bookmarks[n]),
    )


@pytest.mark.parametrize("name", COMPARED)
def test_one_setting_differs_and_the_still_describes_both(name):
    bookmark, still, _, _ = bookmark_and_runs(name)
    assert bookmark.against is not None
    assert len(bookmark.against) == 1
    ((changed, value),) = bookmark.against.items()
    assert bookmark.settings[changed] != value
    assert bookmark.other == {**bookmark.settings, changed: value}
    assert still["sentence"] in still["svg"]
    assert still["beside"] in still["svg"]
    assert (
        f"{still['sentence']} {still['beside']}"
        in animation(name)._repr_mimebundle_()["text/plain"]
    )


def first_asks(run):
    asked = np.cumsum(run["gap"])
    return asked[[tried == "0" for tried in run["tried"]]]


def test_both_share_what_chance_brings():
    _, _, three, one = bookmark_and_runs("storm")
    assert np.array_equal(first_asks(three), first_asks(one))
    _, _, zigzag, forwards = bookmark_and_runs("rrd")
    assert sorted(zigzag["file"]) == sorted(forwards["file"])
    _, _, bounded, free = bookmark_and_runs("quagga")
    assert bounded["due"] == free["due"]
    assert sum(bounded["items"]) == sum(free["items"])
    _, _, sliced, whole = bookmark_and_runs("quagga-sessions")
    assert sliced["due"][:10] == whole["due"][:10]


def test_what_the_titles_say_of_the_other_run_is_so():
    _, still, queue, caps = bookmark_and_runs("rdu")
    assert queue["mean_s"] > 8
    assert caps["mean_s"] == pytest.approx(8.076 - 3, abs=0.01)  # three seconds less
    assert "two caps: 50 held" in still["beside"]
    assert bookmark_and_runs("storm")[1]["beside"].endswith("155 served, 155 in time.")
    assert "the very next one wanted, is evicted" in bookmark_and_runs("rrd")[1]["beside"]
    assert "13 requests later" in bookmark_and_runs("rrd")[1]["sentence"]
    _, still, _, _ = bookmark_and_runs("dpp")
    same = "User 5, transaction 23: all 15 packets through"
    assert same in still["sentence"]
    assert f"{same} after 5.3 ms. Mean of 23 transactions: 5.3 ms" in still["beside"]
    _, still, apply, source = bookmark_and_runs("wlcg")
    assert apply["departed_ms"][-1] == pytest.approx(source["departed_ms"][-1], rel=1e-3)
    assert "5 wait for apply" in still["sentence"]
    assert "none on the way" in still["beside"]
    _, _, bounded, free = bookmark_and_runs("quagga")
    assert [max(run["length"]) / 1e6 for run in (bounded, free)] == [15, 197]
    bookmark, still, sliced, whole = bookmark_and_runs("quagga-sessions")
    assert set(sliced["dropped"]) == {-1}
    assert 0 < min(whole["dropped"]) / 1e9 - bookmark.at < 0.1
    assert still["beside"].endswith("number 1 has the least hold time left, 0.0 s.")


def test_the_page_answers_with_both_runs_and_refuses_either():
    page = AnimationSession(json.dumps(describe_animation(find_animation("rrd"))))
    settings, against = {"files": 13, "scheme": "lru"}, {"files": 13, "scheme": "mru"}
    asked = {"settings": settings, "against": against}
    play = find_animation("rrd").play
    reply = json.loads(page.reply(json.dumps({"play": asked})))
    assert reply == {"trace": play(**settings), "against": play(**against)}
    alone = json.loads(page.reply(json.dumps({"play": {**asked, "against": None}})))
    assert list(alone) == ["trace"]
    wrong = {**asked, "against": {"files": 13, "scheme": "lifo"}}
    refused = json.loads(page.reply(json.dumps({"play": wrong})))
    assert list(refused) == ["refusal"]


def test_a_animation_opens_with_one_run_and_checks_the_settings_of_the_other():
    found = find_animation("rrd")
    for name, value, words in (
        ("scheme", "mru", "must not be given in the first bookmark"),
        ("scheme", "lifo", "scheme = 'lifo': must be"),
        ("colour", "red", "must be"),
    ):
        first, *others = found.bookmarks
        strange = replace(first, against={name: value})
        bookmarks = (strange, *others) if "first" in words else (first, strange)
        with pytest.raises(ValueError, match=words):
            replace(found, bookmarks=bookmarks)


@pytest.mark.parametrize("since", [-1, 25, 26])
def test_a_link_plays_from_an_earlier_time(since):
    found = find_animation("rrd")
    first, *others = found.bookmarks
    message = f"bookmark fits: since = {since} must be at least 0 and less than at = 25"
    with pytest.raises(ValueError, match=message):
        replace(found, bookmarks=(replace(first, since=since), *others))


def test_a_film_shows_the_bookmarks_named_or_else_the_first_three():
    found = find_animation("rrd")
    assert found.filmed == found.bookmarks[:3]
    last = found.bookmarks[-1]
    assert replace(found, film=(last.name,)).filmed == (last,)
    for film in (("tide",), tuple(each.name for each in found.bookmarks[:4])):
        with pytest.raises(ValueError, match=r"film = .*must name at most 3 of \['fits', "):
            replace(found, film=film)
