"""The chapters' animations in the page: links, keys, settings, two runs, labels, stills."""

import json
import re

import pytest

from tests.browser.animations import (
    OVERLAPS,
    WIDTHS,
    assert_labels_inside,
    columns,
    mounted_animation,
    sentence,
    set_setting,
    setting_value,
    step,
    wait_for_rest,
    wait_for_sentence,
    wait_for_settings,
)
from tests.browser.checks import assert_accessible, assert_accessible_in_the_dark
from tunables.core.registry import animations, chapters_with, find_animation
from tunables.page.chapters import page_name
from tunables.views.animation import read_stills

pytestmark = pytest.mark.browser
ANIMATIONS = [each.name for slug in chapters_with("animation") for each in animations(slug)]


def open_animation(visitor, name, query=""):
    return mounted_animation(visitor.open(f"{page_of(name)}{query}"), name)


def page_of(name):
    """Return the page on which an animation is, from its name, "CASE" or "CASE-PART"."""
    return f"chapters/{page_name(name.split('-')[0])}.html"


def text_link(page, bookmark):
    """Return the first link of the text to a bookmark; the steps lead there, too."""
    return page.locator(f".bd-article a[href='#{bookmark}']:not(.step)").first


def bookmark_of(name, bookmark):
    return next(each for each in find_animation(name).bookmarks if each.name == bookmark)


def run_here(name, settings):
    """Return this machine's run, as JSON holds it."""
    return json.loads(json.dumps(find_animation(name).replay(settings)))


# ---- Links in the text, the address, and a reload

LINKS = {  # name: (the first sentence, bookmark, the sentence there, a label, parts of the address)
    "rdu": (
        ["At 3.9 s, two caps: 50 in the lease query."],
        "commit-stage",
        [
            "At 20.0 s, commit stage:",
            "26 in the lease query, 11 waiting for a thread, 13 held.",
            "Client 1 has been held for 1.1 s. Mean of 91 answers: 8,572 ms (the formula gives "
            "≈\u00a08,049 ms).",
        ],
        "11 wait",
        ["stage.rdu.second=20"],
    ),
    "rrd": (
        ["Request 25, in scan 3: file 1, a hit."],
        "hole",
        [
            "Request 27, in scan 3: file 1,",
            "file 2, the very next one wanted, is evicted",
            "14 misses; 20.00 times as slow as with hits alone",
        ],
        "✕ miss",
        ["stage.rrd.files=13", "stage.rrd.request=27"],
    ),
    "rrd-full-size": (
        ["Scan 3 of 3: 36,562", "36,562 found in the cache, 0 not"],
        "one-more",
        [
            "Scan 3 of 3: 36,563",
            "0 found in the cache, 36,563 not",
            "20.00 times as slow as with hits alone",
        ],
        "scan 3",
        ["stage.rrd-full-size.graphs=36563"],
    ),
    "wlcg": (
        ["RAL, after 842 s: 45 of 100 marks in the log, 5 wait for the pump, 50 done."],
        "far",
        [
            "TRIUMF, after 3,924 s:",
            "50 wait for the network",
            "slowest: the network, at 2,295 records a second.",
        ],
        "50waiting",
        ["stage.wlcg.site=TRIUMF", "stage.wlcg.second=3924"],
    ),
    "quagga": (
        ["Run 20: 38 items"],
        "ratchet",
        ["Run 100:", "it took 197.0 ms, 187.0 ms more than the quantum of 10 ms"],
        "197.0 ms",
        ["stage.quagga.run=100.7"],
    ),
    "quagga-sessions": (
        ["At 60.5 s", "No neighbour has dropped its session"],
        "seven",
        ["At 70.0 s", "7 of 10 neighbours have dropped their sessions"],
        "✕ dropped at 61.8 s",
        ["stage.quagga-sessions.block=40", "stage.quagga-sessions.second=70"],
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", LINKS)
def test_a_link_in_the_text_sets_an_animation_and_a_reload_brings_it_back(reader, name):
    before, bookmark, after, label, address = LINKS[name]
    visitor = reader(reduced_motion="reduce")  # so that a link goes there at once
    box = open_animation(visitor, name)
    page = box.page
    first = wait_for_sentence(box, before[0])
    assert all(words in first for words in before)
    text_link(page, f"stage-{name}-{bookmark}").click()
    found = wait_for_sentence(box, after[0])
    assert all(words in sentence(box) for words in after)
    there = bookmark_of(name, bookmark)
    for setting, value in there.settings.items():
        assert setting_value(box, setting) == str(value)
    assert box.locator(".animation-pane").count() == (2 if there.other else 1)
    assert box.locator(".animation-screen svg", has_text=label).first.is_visible()
    page.wait_for_url(lambda url: all(part in url for part in address))
    page.reload()
    assert wait_for_sentence(mounted_animation(page, name), after[0]) == found
    assert visitor.troubles == []


def test_a_shared_link_to_a_moment_opens_with_the_animation_in_view(reader):
    page = reader().open("chapters/03-cache-cliff.html#stage-rrd-full-size-one-more")
    box = mounted_animation(page, "rrd-full-size")
    page.wait_for_function("scrollY > 0")
    top = box.evaluate("(box) => box.getBoundingClientRect().top")
    assert 0 <= top < page.viewport_size["height"] / 2


def test_a_link_runs_an_animation_up_to_a_moment(reader):
    visitor = reader()
    box = open_animation(visitor, "rrd")
    page = box.page
    text_link(page, "stage-rrd-hole").click()
    wait_for_sentence(box, "Request 27,")
    # Two links have these settings: the one that was followed is marked, and it alone is the step.
    marked = "a[href^='#stage-rrd-']:not([href*='full-size'])[aria-current]"
    links = ["#stage-rrd-hole", "#stage-rrd-hole"]
    hrefs = "css => [...document.querySelectorAll(css)].map((link) => link.getAttribute('href'))"
    page.wait_for_function(
        f"([css, links]) => ({hrefs})(css).join() === links", arg=[marked, ",".join(links)]
    )
    box.get_by_role("radio", name="×¼").check()  # slow enough to be seen on a busy machine
    text_link(page, "stage-rrd-one-more").click()
    box.get_by_role("button", name="Pause").wait_for()
    box.get_by_role("radio", name="×4").check()
    wait_for_sentence(box, "Request 26,")  # and there it pauses
    box.get_by_role("button", name="Play").wait_for()
    text_link(page, "stage-rrd-hole").click()  # which goes on from there, and never back
    wait_for_sentence(box, "Request 27,")
    assert visitor.troubles == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", ANIMATIONS)
def test_each_link_rests_at_its_bookmark_and_says_what_the_still_says(reader, name):
    visitor = reader()
    box = open_animation(visitor, name)
    fastest = box.locator(".animation-speed input").last
    stills = read_stills(name.split("-")[0])[name]
    for bookmark, still in zip(find_animation(name).bookmarks, stills, strict=True):
        step(box, bookmark.name).click()
        fastest.check(force=True)
        wait_for_rest(box, bookmark.name)
        wait_for_sentence(box, still["sentence"])
        assert still.get("beside", "") in sentence(box)
        assert box.evaluate("section => section.animation.panes.moment") == {
            "at": pytest.approx(bookmark.at)
        }
    assert visitor.troubles == []


@pytest.mark.long  # a reader goes there in test_tasks.py
def test_a_link_from_the_top_of_the_chapter_shows_what_the_fifteenth_packet_does(reader):
    visitor = reader()
    box = open_animation(visitor, "dpp")
    first = wait_for_sentence(box, "transaction 2")
    assert "0 of 15 packets through, packet 15 is behind 62" in first
    text_link(box.page, "stage-dpp-fifteenth").click()
    wait_for_sentence(box, "14 of 15 packets through")
    box.get_by_role("button", name="Play").click()
    wait_for_sentence(box, "all 15 packets through after 30.2 ms")
    assert visitor.troubles == []


# ---- Keys

KEYS: dict[
    str, tuple[str, str, list]
] = {  # name: (query, the first sentence, keys with the sentences after them)
    "rdu": (
        "",
        "At 3.9 s",
        [
            ("ArrowRight", "At 4.0 s", "Client 1 has been working for 0.0 s."),
            ("ArrowRight", "Client 1 has been held for 0.0 s."),
            ("End", "At 64.0 s"),
            ("Home", "At 0.0 s", "50 in the lease query."),
        ],
    ),
    "rrd": (
        "?stage.rrd.files=13&stage.rrd.scheme=mru&stage.rrd.request=25",
        "Request 25, in scan 2: file 12, a miss; file 11 is evicted",
        [
            ("ArrowRight", "Request 26,"),
            ("ArrowLeft", "Request 25, in scan 2: file 12, a miss; file 11 is evicted"),
            ("End", "Request 325,"),
            ("Home", "Request 1,"),
        ],
    ),
    "rrd-full-size": (
        "?stage.rrd-full-size.graphs=40000&stage.rrd-full-size.row=200",
        "Scan 2 of 3: 1,680 of 40,000",
        [
            ("ArrowRight", "Scan 2 of 3: 1,890 of 40,000"),
            ("Home", "The first scan fills the cache"),
        ],
    ),
    "dpp": (
        "?stage.dpp.ms=186.3",
        "14 of 15 packets through",
        [
            ("ArrowRight", "all 15 packets through after 30.2 ms"),
            ("ArrowLeft", "14 of 15 packets through, packet 15 is behind"),
            ("ArrowLeft", "13 of 15 packets through"),
            ("ArrowDown", "User 6, transaction 2"),
            ("ArrowUp", "User 5, transaction 2"),
            ("End", "transaction 25, 25.5 ms in"),
            ("Home", "has not begun a transaction yet"),
        ],
    ),
    "wlcg": (
        "?stage.wlcg.site=BNL&stage.wlcg.second=3470",
        "BNL, after 3,470 s: 0 of 100 marks in the log, 50 wait for the network",
        [
            ("ArrowRight", "BNL, after 3,475 s:"),  # when the next mark is done
            ("End", "BNL, after 6,945 s", "100 done"),
            ("Home", "BNL, after 0 s: 100 of 100 marks in the log"),
        ],
    ),
    "quagga": (
        "?stage.quagga.work=cheap,+then+dear&stage.quagga.run=100.7",
        "Run 100:",
        [
            ("ArrowRight", "Run 101:"),
            ("ArrowLeft", "Run 100:"),
            ("ArrowLeft", "Run 99:"),
            ("End", "All items are done"),
            ("Home", "Run 1 begins"),
        ],
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", KEYS)
def test_keys_move_an_animation_from_event_to_event_only_when_it_has_the_focus(reader, name):
    query, first, steps = KEYS[name]
    visitor = reader()
    box = open_animation(visitor, name, query)
    page = box.page
    before = wait_for_sentence(box, first)
    page.keyboard.press("ArrowRight")
    assert sentence(box) == before
    time = box.get_by_role("slider", name="Time", exact=True)
    time.focus()
    for key, *words in steps:
        page.keyboard.press(key)
        wait_for_sentence(box, words[0])
        assert all(each in sentence(box) for each in words)
    start = sentence(box)
    page.keyboard.press("Space")
    box.get_by_role("button", name="Pause").wait_for()
    page.wait_for_function(
        "([id, start]) => document.querySelector(`#${id} .animation-sentence`).innerText !== start",
        arg=[box.get_attribute("id"), start],
    )
    page.keyboard.press("Space")
    box.get_by_role("button", name="Play").wait_for()
    assert time.get_attribute("aria-valuetext") == sentence(box)
    assert visitor.troubles == []


@pytest.mark.long
def test_an_address_keeps_the_end_of_a_run(reader):
    box = open_animation(reader(), "quagga")
    box.get_by_role("slider", name="Time", exact=True).focus()
    box.page.keyboard.press("End")
    last = wait_for_sentence(box, "All items are done")
    box.page.wait_for_url(re.compile(r"stage\.quagga\.run=\d+$"))
    box.page.reload()
    assert wait_for_sentence(mounted_animation(box.page, "quagga"), "All items are done") == last


# ---- Runs in the page and on this machine

RUNS: dict[str, list] = {  # name: bookmarks, by name, or settings changed in turn
    "rdu": ["short", "decides", "stuck"],
    "rdu-committers": ["shared", "long"],
    "rrd": [{"scheme": "2q"}, {"scheme": "random"}, {"scheme": "lru, zigzag"}],
    "rrd-full-size": [{"scheme": "random"}, {"scheme": "lru, shuffled"}, {"scheme": "2q"}],
    "dpp": [{"gap": "15 ms"}],
    "wlcg": ["near", "far", "compress", "apply", "far-compress", "no-room"],
    "wlcg-windows": ["same", "cubic", "loss", "start"],
    "quagga": [{"rule": "2010"}, {"most": "15"}],
    "quagga-sessions": [{"block": 33, "work": "slices"}],
}


def in_the_units_of_the_page(name, run):
    """Return a run with the times that the page converts: a port's end, and keepalives."""
    if name == "dpp":
        return run | {"end": run["end"] / 1000}  # the clock counts milliseconds
    if name == "quagga-sessions":
        times = {each: run[each] for each in ("due", "sent", "dropped")}
        return run | {
            each: [float("inf") if time < 0 else time / 1e9 for time in column]
            for each, column in times.items()
        }
    return run


@pytest.mark.sampled
@pytest.mark.parametrize("name", RUNS)
def test_kernels_in_the_page_and_here_return_the_same_run(reader, name):
    visitor = reader(reduced_motion="reduce")  # so that a link starts nothing
    box = open_animation(visitor, name)
    settings = dict(find_animation(name).bookmarks[0].settings)
    for change in RUNS[name]:
        if isinstance(change, str):
            settings = bookmark_of(name, change).settings
            step(box, change).click()
        else:
            settings |= change
            for setting, value in change.items():
                set_setting(box, setting, value)
        wait_for_settings(box, **settings)
        here = in_the_units_of_the_page(name, run_here(name, settings))
        assert columns(box, here) == here
    assert visitor.troubles == []


# ---- The steps and the figures


def captions(box):
    """Return what the open steps of the animation say."""
    steps = box.page.locator(f"#{box.get_attribute('id')}-steps")
    return steps.locator(".step-caption:visible").all_inner_texts()


def test_steps_open_one_at_a_time_with_what_they_show(reader):
    visitor = reader(reduced_motion="reduce")
    box = open_animation(visitor, "rrd")
    steps = box.page.locator("#stage-rrd-steps")
    back, onwards = (
        steps.get_by_role("button", name=name) for name in ("Previous step", "Next step")
    )
    bookmarks = find_animation("rrd").bookmarks
    assert captions(box) == [bookmarks[0].title]
    assert back.is_disabled()
    for there in bookmarks[1:]:
        onwards.click()
        wait_for_settings(box, **there.settings)
        steps.locator(f"[aria-current=step][href$='-{there.name}']").wait_for()
        assert captions(box) == [there.title]
    assert onwards.is_disabled()
    back.click()
    steps.locator(f"[aria-current=step][href$='-{bookmarks[-2].name}']").wait_for()
    set_setting(box, "files", 9)  # no step has nine files
    wait_for_settings(box, files=9)
    steps.locator("[aria-current]").wait_for(state="detached")
    assert captions(box) == []
    assert visitor.troubles == []


def test_on_a_phone_the_steps_show_only_the_one_at_hand(reader):
    visitor = reader(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    box = open_animation(visitor, "rrd")
    steps = box.page.locator("#stage-rrd-steps")
    count = len(find_animation("rrd").bookmarks)
    steps.get_by_role("button", name="Next step").click()
    steps.get_by_text(f"Step 2 of {count}").wait_for()
    assert steps.locator("li:visible").count() == 1
    set_setting(box, "files", 9)  # no step has nine files
    steps.get_by_text("Follow the steps").wait_for()
    assert steps.locator("li:visible").count() == 0


def test_figures_are_those_of_the_sentence_and_each_of_two_runs_has_its_own(reader):
    box = open_animation(reader(reduced_motion="reduce"), "rrd")
    step(box, "hole").click()
    wait_for_sentence(box, "14 misses; 20.00 times as slow as with hits alone")
    figures = box.locator(".animation-figures:visible")
    assert figures.locator("dd").all_inner_texts() == ["20.00", "20.00", "14of 14"]
    assert figures.get_attribute("aria-hidden") == "true"  # the sentence says them
    box.get_by_role("button", name="Save run to compare").click()
    set_setting(box, "scheme", "mru")
    wait_for_settings(box, scheme="mru")
    slow = [figures.nth(run).locator("dd").first.inner_text() for run in (0, 1)]
    assert slow[1] == "20.00" != slow[0]


def test_on_a_phone_words_come_first_and_the_drawing_stays_in_view(reader):
    box = open_animation(reader(viewport={"width": 390, "height": 844}), "rrd")
    page = box.page
    tops = "all => all.map((box) => box.getBoundingClientRect().top)"
    parts = page.locator(".one-screen").first.locator(".foreword, .pane, .beside")
    assert parts.evaluate_all(tops) == sorted(parts.evaluate_all(tops))
    assert_room_for_text(box)
    step(box, "turn").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 200)")
    main = box.locator(".animation-main").bounding_box()
    assert 0 <= main["y"] < 60  # beneath the bar
    assert step(box, "turn").bounding_box()["y"] > main["y"] + main["height"]


# ---- Two runs on one clock


PINNED_PX = 300


def assert_room_for_text(box):
    """Assert that what stays in view on a phone, the drawing and its transport, is low."""
    assert box.locator(".animation-main").bounding_box()["height"] <= PINNED_PX


def test_a_link_shows_two_runs_and_a_reader_keeps_one_beside_the_next(reader):
    visitor = reader(reduced_motion="reduce")
    box = open_animation(visitor, "rdu")
    step(box, "decides").click()
    found = wait_for_sentence(box, "two caps: 50 held.")
    assert "At 60.0 s, commit stage: 9 in the lease query" in found
    titles = box.locator(".animation-title").all_inner_texts()
    assert titles == ["commit stage", "two caps"]
    assert box.locator(".animation-heading").inner_text() == "Explanation"
    here = run_here("rdu", bookmark_of("rdu", "decides").other)
    assert columns(box, here, run=1) == here
    box.page.wait_for_url(lambda url: "stage.rdu.against.hypothesis=two+caps" in url)
    box.page.reload()
    assert wait_for_sentence(box, "two caps: 50 held.") == found

    first, second = (
        box.get_by_role("slider", name=name, exact=True)
        for name in ("Time", "Time in the other run")
    )
    second.focus()
    box.page.keyboard.press("Home")
    assert wait_for_sentence(box, "At 0.0 s, commit stage: 50 in").count("At 0.0 s") == 2
    first.focus()
    box.page.keyboard.press("End")
    assert wait_for_sentence(box, "At 64.0 s, commit stage").count("At 64.0 s") == 2

    box.get_by_role("button", name="Drop the saved run").click()
    second.wait_for(state="detached")
    box.page.wait_for_url(lambda url: "against" not in url)
    box.get_by_role("button", name="Save run to compare").click()
    second.wait_for()
    set_setting(box, "test", "both")
    box.locator(".animation-title", has_text="not in the report").wait_for()
    assert box.locator(".animation-heading").inner_text() == "Test"
    assert box.locator(".animation-title").first.inner_text().startswith("3.")
    box.page.wait_for_url(lambda url: "stage.rdu.against.test=fourth" in url)
    assert visitor.troubles == []


# The first number of each run, without its unit.
MEANS = "all => all.filter((_, n) => n % 3 === 0).map(({ firstChild }) => firstChild.data)"


def test_on_a_phone_a_switch_chooses_the_run_in_view(reader):
    box = open_animation(
        reader(reduced_motion="reduce", viewport={"width": 390, "height": 844}),
        "rdu",
        "?stage.rdu.against.hypothesis=commit+stage&stage.rdu.second=20",
    )
    wait_for_sentence(box, "At 20.0 s, commit stage")
    first, second = box.locator(".animation-screen svg").all()
    assert first.is_visible()
    assert not second.is_visible()
    assert_room_for_text(box)
    leading = box.locator(".animation-tabs .leading-figure")
    assert leading.all_inner_texts() == [
        f"{mean} ms mean" for mean in box.locator(".animation-figures dd").evaluate_all(MEANS)
    ]
    assert all(number.is_visible() for number in leading.all())
    box.get_by_role("button", name="commit stage", exact=True).click()
    assert not first.is_visible()
    assert second.bounding_box()["width"] > 300
    second.get_by_text("11 wait").wait_for()
    assert_room_for_text(box)
    assert_accessible(box.page, "#stage-rdu")


def test_an_address_brings_the_other_run_back_when_the_first_is_over(reader):
    moment = "stage.rrd.request=326&stage.rrd.against.scheme=lru&stage.rrd.against.request=100.5"
    settings = "stage.rrd.files=13&stage.rrd.scheme=lru%2C+zigzag"
    box = open_animation(reader(reduced_motion="reduce"), "rrd", f"?{settings}&{moment}")
    assert "Request 325, in scan 25" in wait_for_sentence(box, "Request 100, in scan 8")
    box.get_by_role("button", name="One request forward").click()
    assert "Request 325, in scan 25" in wait_for_sentence(box, "Request 101, in scan 8")
    box.page.wait_for_url(lambda url: url.endswith("stage.rrd.against.request=101"))


@pytest.mark.long
def test_one_packet_more_shows_the_same_transaction_at_the_same_age(reader):
    box = open_animation(reader(), "dpp", "?stage.dpp.ms=190")
    wait_for_sentence(box, "8.8 ms in: 14 of 15")
    ahead = box.get_by_role("slider", name="Priority packets")
    ahead.focus()
    box.page.keyboard.press("ArrowRight")
    wait_for_settings(box, max_packets=15)
    wait_for_sentence(box, "transaction 2: all 15 packets through after 5.4 ms")
    box.page.keyboard.press("ArrowLeft")
    wait_for_sentence(box, "transaction 2, 8.8 ms in: 14 of 15")
    set_setting(box, "user", "3")
    wait_for_sentence(box, "User 3, transaction 2")
    box.page.wait_for_url(lambda url: "stage.dpp.user=3" in url)
    box.page.reload()
    wait_for_sentence(box, "User 3, transaction 2")


# ---- What all readers get: labels, contrast, stills, rest

LOOKS = {  # name: (bookmark, the sentence there)
    "rdu": ("commit-stage", "At 20.0 s"),
    "rdu-committers": ("turns", "After 52.0 ms"),
    "rrd": ("hole", "Request 27,"),
    "rrd-full-size": ("fits", "Scan 3 of 3"),
    "dpp": ("twenty", "transaction 23: all 15 packets through"),
    "wlcg": ("near", "RAL, after 842 s"),
    "wlcg-windows": ("same", "After"),
    "quagga": ("ratchet", "Run 100:"),
    "quagga-sessions": ("seven", "At 70.0 s"),
}
CLOSE_LINES = {"wlcg", "wlcg-windows"}  # the boxes of two lines overlap there, their letters do not


@pytest.mark.sampled
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LOOKS)
def test_an_animation_is_accessible_and_its_labels_fit_in_every_look(reader, name, width):
    bookmark, words = LOOKS[name]
    visitor = reader(reduced_motion="reduce", viewport={"width": width, "height": 844})
    box = open_animation(visitor, name)
    page = box.page
    step(box, bookmark).click()
    wait_for_sentence(box, words)
    page.mouse.move(0, 0)  # off the links, which change colour under it
    box.evaluate("section => section.scrollIntoView()")  # nothing covers the drawing
    assert_accessible(page, f"#stage-{name}")
    assert_labels_inside(box)
    if width == 390:
        assert_room_for_text(box)
    if name not in CLOSE_LINES:
        assert box.evaluate(OVERLAPS) == []
    least = 40 if width < 600 else 24  # a thumb, or a pointer
    for control in box.locator("button, select, input").all():
        if control.is_visible():
            assert control.bounding_box()["height"] >= least
    assert_accessible_in_the_dark(page, f"#stage-{name}")


def test_an_animation_draws_nothing_while_it_is_paused_or_out_of_view(reader):
    box = open_animation(reader(), "rrd")
    page = box.page
    page.evaluate("""() => {
      globalThis.changes = 0;
      new MutationObserver(() => { changes += 1; })
        .observe(document.querySelector('#stage-rrd'), {subtree: true, attributes: true});
    }""")
    page.wait_for_timeout(400)
    assert page.evaluate("changes") == 0
    box.get_by_role("button", name="Play").click()
    page.wait_for_function("() => changes > 50")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(300)
    seen = page.evaluate("changes")
    page.wait_for_timeout(400)
    assert page.evaluate("changes") == seen


def test_stills_are_shown_without_scripts_and_on_paper(reader):
    still = find_animation("rrd").bookmarks[2].title
    page = reader(java_script_enabled=False).open(page_of("rrd"))
    assert page.get_by_text(still).is_visible()
    assert page.locator("#stage-rrd .animation-stills figure svg").count() == 6
    box = open_animation(reader(), "rrd")
    assert not box.get_by_text(still).is_visible()
    box.page.emulate_media(media="print")
    assert box.get_by_text(still).is_visible()
    caption = box.locator("figcaption").first
    assert caption.evaluate("box => getComputedStyle(box).fontWeight") == "400"  # not the theme's
    assert not box.locator(".animation-live").is_visible()
    box.page.emulate_media(media="screen", reduced_motion="reduce")
    assert box.get_by_text(still).is_visible()
    step(box, "one-more").click()
    wait_for_sentence(box, "Request 26,")
    box.get_by_role("button", name="Play").wait_for()  # a link starts nothing
