"""Chapter 2's stage in the page: the reader stops the server, and brings it back."""

import re

import pytest

from tests.browser.checks import assert_accessible
from tests.browser.stages import WIDTHS, awake, columns, sentence, wait_until_it_stands
from tunables.parts.registry import find_stage

CHAPTER = "chapters/02-time-outs.html"
SAID = re.compile(r"At [\d.]+ s[^:]*: (.*) in line.* (\d+) served, (\d+) in time\.")
OVERLAPS = """
box => {
  const texts = [...box.querySelectorAll('.stage-screen svg text')].filter(t => t.textContent);
  const places = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
  return places.flatMap(([one, a], n) => places.slice(0, n).flatMap(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 0.5 && high > 2 ? [`${one} / ${other}`] : [];
  }));
}
"""

pytestmark = pytest.mark.browser


def opened(visitor, query=""):
    return awake(visitor.open(f"{CHAPTER}{query}"), "storm")


def at(box, time_s):
    """Let the scrubber stand at a time, and return (line, served, in time) as the sentence says."""
    box.get_by_role("slider", name="Time", exact=True).evaluate(
        "(node, t) => { node.value = t; node.dispatchEvent(new Event('input')); }", time_s
    )
    said = SAID.fullmatch(sentence(box))
    assert said
    return said[1], int(said[2]), int(said[3])


def done(box, button, deeds):
    """Press a button, wait for its run, and let it rest."""
    box.get_by_role("button", name=button).click()
    wait_until_it_stands(box, deeds=deeds)
    if box.get_by_role("button", name="Pause").count():
        box.get_by_role("button", name="Pause").click()


def test_two_actions_stop_the_server_for_good_and_bring_it_back(reader):
    visitor = reader()
    box = opened(visitor)
    done(box, "Stop the server", "10_outage_2")
    line, served, in_time = at(box, 60)
    assert int(line.split()[0].replace(",", "")) > 500
    assert served > 400
    assert in_time == 0
    done(box, "Drop the line", "10_outage_2-60_drop")
    line, served, in_time = at(box, 70)
    assert line == "nobody"
    assert served == in_time > 100
    box.page.wait_for_url(lambda url: "10_outage_2-60_drop" in url)
    done(box, "Undo", "10_outage_2")
    assert at(box, 70)[2] == 0
    assert visitor.troubles == []


HAS_DONE = """
(text) => new RegExp(text).test(document.querySelector('#stage-storm').stage.state.deeds)
"""


def test_the_server_is_stopped_as_long_as_the_button_is_held(reader):
    visitor = reader()
    box = opened(visitor, "?stage.storm.second=10")
    page = box.page
    button = box.get_by_role("button", name="Stop the server")
    button.scroll_into_view_if_needed()
    button.hover()
    page.mouse.down()
    page.wait_for_function(HAS_DONE, arg="^10_outage_20$")
    page.wait_for_function("() => document.querySelector('#stage-storm').stage.clock.t > 12")
    page.mouse.move(5, 5)  # it may be let go beside the button
    page.mouse.up()
    page.wait_for_function(HAS_DONE, arg=r"^10_outage_1?\d(\.\d+)?$")
    deeds = box.evaluate("section => section.stage.state.deeds")
    assert 2 <= float(deeds.rpartition("_")[2]) < 20
    here = find_stage("storm").play(**(find_stage("storm").beats[0].settings | {"deeds": deeds}))
    assert columns(box, ["fate", "gap"]) == {name: here[name] for name in ("fate", "gap")}
    box.get_by_role("button", name="Stop the server").press("Enter")  # by keys it is a click
    page.wait_for_function(HAS_DONE, arg=r"^10_outage_[\d.]+-[\d.]+_outage_2$")
    assert visitor.troubles == []


def test_what_the_kernel_does_in_the_page_is_what_it_does_here_and_a_link_keeps_the_deeds(reader):
    deeds = "20_outage_2-60_pause_10-60_watch"
    box = opened(reader(), f"?stage.storm.deeds={deeds}&stage.storm.second=75")
    wait_until_it_stands(box, deeds=deeds)
    assert sentence(box).startswith("At 75 s:")
    stage = find_stage("storm")
    here = stage.play(**(stage.beats[0].settings | {"deeds": deeds}))
    names = [name for name in here if name != "deeds"]
    assert columns(box, names) == {name: here[name] for name in names}


def test_deeds_that_are_none_are_refused_in_words(reader):
    box = opened(reader(), "?stage.storm.deeds=20_dance")
    box.get_by_text("deed = 'dance': must be one of").wait_for()


@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_labels_overlap_at_any_beat_and_all_is_accessible(reader, width):
    box = opened(reader(viewport={"width": width, "height": 844}))
    for beat in find_stage("storm").beats:
        settings = {name: beat.settings[name] for name in ("deeds", "arrival_rate_per_s")}
        box.evaluate("(section, beat) => section.stage.go(beat)", {"settings": beat.settings})
        wait_until_it_stands(box, **settings)
        for time_s in (beat.at, 21, 119):
            box.evaluate("(section, t) => section.stage.clock.seek(t)", time_s)
            assert box.evaluate(OVERLAPS) == []
    assert_accessible(box.page, "#stage-storm")
