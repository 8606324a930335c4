"""The stage: its markup asleep, its stills, and what they say, held against the simulator."""

import importlib.util
import json
import re

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, cells, markdown
from tunables.page.chapters import page_name, with_facet
from tunables.page.staging import Page
from tunables.parts.registry import find_stage, stages
from tunables.reader.stage import describe_stage, kept_stills, stage, stills_path
from tunables.simulators.caches import cyclic_trace, trace_policy, zigzag_trace

_spec = importlib.util.spec_from_file_location("stills", ROOT / "book" / "stills.py")
assert _spec is not None
assert _spec.loader is not None
stills = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(stills)

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
    lines = stage("rrd")._repr_mimebundle_()["text/plain"].splitlines()
    for line, still in zip(lines, kept_stills("rrd")["rrd"], strict=True):
        assert line.startswith(still["sentence"])
        assert line.endswith(still.get("beside", still["sentence"]))
