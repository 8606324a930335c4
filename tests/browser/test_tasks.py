"""What a reader wants of a chapter, done as a stranger would: in three actions from its top."""

import re

import pytest

from tunables.page.chapters import page_name

MOST_ACTIONS = 3
SLOWDOWN, FITS = (f"[data-output={name}]" for name in ("slowdown", "capacity_graphs"))

pytestmark = pytest.mark.browser


class Stranger:
    """A reader who does what can be seen to do in a live box, and counts it."""

    def __init__(self, visitor, case, box):
        self.visitor = visitor
        self.page = visitor.open(f"chapters/{page_name(case)}.html")
        self.box = self.page.locator(f"#{box}")
        self.actions = 0

    def acts(self):
        self.actions += 1
        assert self.actions <= MOST_ACTIONS
        return self.box

    def press(self, button):
        self.acts().get_by_role("button", name=button).click()

    def follow(self, words):
        self.acts()
        self.page.get_by_role("link", name=words, exact=True).first.click()

    def choose(self, label, option):
        self.acts().get_by_label(label).select_option(option)

    def type(self, label, text):
        field = self.acts().get_by_role("textbox", name=label)
        field.fill(text)
        field.press("Enter")

    def point_in_time(self, share):
        """Click on the tape, so far along the run."""
        tape = self.acts().get_by_role("slider", name="Time", exact=True)
        size = tape.bounding_box()
        tape.click(position={"x": share * size["width"], "y": size["height"] / 2})

    def reads(self, words, place=".animation-sentence"):
        """Return what is there once it holds these words."""
        self.box.locator(place, has_text=words).wait_for()
        return self.box.locator(place).inner_text()


@pytest.fixture
def stranger(reader):
    made = []

    def arrive(case, box=None):
        made.append(Stranger(reader(), case, box or f"stage-{case}"))
        return made[-1]

    yield arrive
    assert [each.visitor.troubles for each in made] == [[]]


@pytest.mark.long
def test_the_largest_number_of_graphs_that_keeps_the_scan_fast(stranger):
    someone = stranger("rrd", "explore-rrd")
    fits = int(re.sub(r"\D", "", someone.reads("36,562", FITS)))
    graphs = "Graphs updated in each scan"
    someone.type(graphs, f"{fits}")
    assert someone.reads("1.00", SLOWDOWN) == "1.00"
    someone.type(graphs, f"{fits + 1}")
    assert someone.reads("20.00", SLOWDOWN) == "20.00"


def test_the_server_collapses_and_comes_back(stranger):
    someone = stranger("storm")
    someone.press("Stop the server")
    someone.reads(re.compile("the server is down|attempts? in the queue"))
    someone.point_in_time(0.5)
    assert "0 in time" in someone.reads(re.compile(r"At (59|6\d)"))
    someone.press("Empty the queue")
    someone.reads(re.compile(r"the queue is empty.* [1-9]\d+ in time"))


def test_what_the_fifteenth_packet_does(stranger):
    someone = stranger("dpp")
    someone.follow("Give fourteen packets priority.")
    someone.reads("packet 15 is behind 62")
    someone.follow("Go forward five milliseconds.")
    someone.reads("14 of 15 packets through")
    someone.press("Play")
    someone.reads("all 15 packets through after 30.2 ms")


@pytest.mark.long
def test_which_animation_limits_triumf(stranger):
    someone = stranger("wlcg")
    someone.choose("Site (assumed round trip)", "TRIUMF")
    assert "slowest: the network" in someone.reads("TRIUMF, after")


@pytest.mark.long
def test_a_sessions_hold_timer_expires(stranger):
    someone = stranger("quagga", "stage-quagga-sessions")
    someone.follow("three seconds")
    someone.reads("1 of 10 neighbours has dropped its session: number 1, at 61.8 s")
    assert someone.box.locator(".animation-screen svg").is_visible()
