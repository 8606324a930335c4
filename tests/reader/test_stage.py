"""The stage: its markup asleep, its stills, and what they say, held against the simulator."""

import json
import re

import numpy as np
import pytest

from book import stills
from tests.chapters.notebooks import ROOT, cells, markdown
from tunables.page.chapters import page_name, with_facet
from tunables.page.staging import Page
from tunables.parts.registry import find_stage, stages
from tunables.reader.stage import (
    describe_stage,
    kept_stills,
    kept_whole,
    stage,
    stills_path,
    whole_path,
)
from tunables.simulators.caches import cyclic_trace, trace_policy, zigzag_trace

SLUGS = with_facet("stage")
NAMES = [stage.name for slug in SLUGS for stage in stages(slug)]
SAID = re.compile(
    r"Request (?P<request>\d+), in scan (?P<scan>\d+): file (?P<file>\d+), a (?P<verdict>\w+)"
    r".* Since scan 2: (?P<counted>\d+) requests?, (?P<misses>\d+) miss(?:es)?; "
    r"(?P<slowdown>[\d.]+) times as slow\."
)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_stills_are_what_the_pages_script_draws_today(slug):
    """If not: `make stills`, then execute the chapter."""
    assert stills_path(slug).read_text(encoding="utf-8") == stills.text(slug)
    assert whole_path(slug).read_text(encoding="utf-8") == stills.whole_text(slug)


def whole_of(name):
    """Return the runs of a stage's picture of whole runs, by their labels, and what it says."""
    shown = find_stage(name)
    assert shown.whole
    runs = {label: shown.replay(settings) for label, settings in shown.whole.runs.items()}
    said = kept_whole(name)[name]["sentence"]
    results = {label: said.partition(f"{label}: ")[2] for label in runs}
    assert all(results.values())
    return runs, results


def test_the_pictures_of_whole_runs_say_what_the_runs_did():
    runs, said = whole_of("rrd")
    for label, run in runs.items():
        hit = np.array(run["hit"][: 8 * run["files"]])[run["files"] :]
        assert said[label].startswith(f"{20 - 19 * hit.mean():.2f} times as slow.")
    runs, said = whole_of("wlcg")
    for label, run in runs.items():
        assert said[label].startswith(f"done in {max(run['departed_ms']) / 1000:,.0f} s.")
    runs, said = whole_of("quagga")
    for label, run in runs.items():
        assert said[label].startswith(f"longest {max(run['length']) / 1e6:.1f} ms.")
    runs, said = whole_of("rdu")
    for label, run in runs.items():
        begin_s, does = np.array(run["begin_us"]) / 1e6, np.array(run["does"])
        assert said[label].startswith(f"{(does == 4).sum()} answers, mean ")
        assert begin_s.max() <= run["seconds"]


def test_the_picture_of_the_storms_says_who_is_answered_in_the_end():
    runs, said = whole_of("storm")
    for label, run in runs.items():
        left_us = np.cumsum(run["gap"]) + run["wait"] + run["service"]
        answered = np.array([fate == "0" for fate in run["fate"]])
        late = run["end"] - 10 <= left_us / 1e6
        count = (answered & late & (left_us / 1e6 < run["end"])).sum()
        assert said[label].startswith(f"{count / 10:.1f}/s answered in time")
    dead = [label for label in runs if said[label].startswith("0.0/s")]
    assert dead == ["30 a second, nothing is done"]


def test_the_picture_of_the_port_says_how_long_the_last_packet_took():
    runs, said = whole_of("dpp")
    for label, run in runs.items():
        came = np.cumsum(run["offered"])
        left_ms = (came + run["waits"] + run["takes"]) / 1000
        mine = np.flatnonzero(np.array(run["user"]) == run["watched"])
        number = np.array(run["number"])[mine]
        first, last = mine[number == 0], mine[number == run["packets"] - 1]
        took = left_ms[last[:20]] - came[first[:20]] / 1000
        assert said[label].startswith(f"mean {took.mean():.1f} ms.")


@pytest.mark.parametrize("name", NAMES)
def test_the_chapter_shows_its_stills_and_leads_to_some_of_its_beats(name):
    chapter = ROOT / "chapters" / f"{page_name(name.split('-')[0])}.ipynb"
    source = f'stage("{name}")'
    shown = next(cell for cell in cells(chapter, "code") if cell["source"].endswith(source))
    html = "".join(shown["outputs"][0]["data"]["text/html"])
    assert html == stage(name)._repr_mimebundle_()["text/html"]
    links = set(re.findall(r'href="#stage-([\w-]+)"', markdown(chapter)))
    beats = {f"{each.name}-{b.name}" for each in stages(name.split("-")[0]) for b in each.beats}
    own = {f"{name}-{beat.name}" for beat in find_stage(name).beats}
    assert len(own) in range(4, 7)
    assert len(links & own) >= 2
    assert links <= beats


def requests_of(settings):
    """Return the run of a beat from the public simulator, not from the stage's own."""
    orders = {"lru, zigzag": zigzag_trace}
    scheme = settings["scheme"]
    policy = scheme.split(",")[0]
    return trace_policy(orders.get(scheme, cyclic_trace)(settings["files"], 25), 12, policy, 1)


def test_chapter_3s_sentences_say_what_the_simulator_did():
    beats = find_stage("rrd").beats
    for beat, still in zip(beats, kept_stills("rrd")["rrd"], strict=True):
        files, run = int(beat.settings["files"]), requests_of(beat.settings)
        said = SAID.match(still["sentence"])
        assert said, still["sentence"]
        k = beat.at - 1
        assert int(said["request"]) == beat.at
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


def test_the_page_answers_with_the_stages_own_run_and_refuses_in_a_sentence():
    page = Page(json.dumps(describe_stage(find_stage("rrd"))))
    settings = {"files": 13, "scheme": "2q"}
    reply = json.loads(page.reply(json.dumps({"play": {"settings": settings}})))
    assert reply["trace"] == find_stage("rrd").play(**settings)
    for wrong in ({"files": 0, "scheme": "lru"}, {"files": 13, "scheme": "lifo"}):
        refused = json.loads(page.reply(json.dumps({"play": {"settings": wrong}})))
        assert list(refused) == ["refusal"]
        assert "must be" in refused["refusal"]


def test_an_unknown_stage_is_refused_by_the_names_there_are():
    with pytest.raises(ValueError, match=r"stage = 'rrd-twice': must be .*rrd"):
        stage("rrd-twice")


def test_in_plain_text_it_is_its_sentences():
    *lines, whole = stage("rrd")._repr_mimebundle_()["text/plain"].splitlines()
    assert whole == kept_whole("rrd")["rrd"]["sentence"]
    for line, still in zip(lines, kept_stills("rrd")["rrd"], strict=True):
        assert line.startswith(still["sentence"])
        assert line.endswith(still.get("beside", still["sentence"]))
