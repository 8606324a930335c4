"""What somebody on call wants, tried as a newcomer would: from the front page, in six actions.

An action is a click, a choice in a menu, or a number typed into a field. Time passes only while the
page works: a person needs about ten seconds for each action, and six of them leave half a minute.
"""

import time

import pytest

from tests.browser.test_cards import settle

MOST_ACTIONS = 6
MOST_WAITING_S = 30  # of the 90 s
SIZES = {"laptop": (1280, 800), "phone": (390, 844)}

pytestmark = pytest.mark.browser


class Newcomer:
    """A reader who does only what can be seen to do, and counts it."""

    def __init__(self, visitor):
        self.visitor = visitor
        self.page = visitor.open("book/index.html")
        self.actions = 0
        self.begun_s = time.monotonic()

    def act(self, control):
        self.actions += 1
        assert self.actions <= MOST_ACTIONS
        control.wait_for()
        return control

    def follow(self, words, place=None):
        link = (place or self.page).get_by_role("link", name=words, exact=True)
        self.act(link.first).click()

    def type(self, label, text):
        """Type over a field's number, as after a click into it, and leave it."""
        card = self.page.locator(".tunables-card")
        field = self.act(card.get_by_role("textbox", name=label))
        field.fill("")
        field.press_sequentially(text)
        field.press("Tab")

    def opens_the_card_for(self, symptom):
        """Follow the door and then the row of the symptom; the card then is on the screen."""
        self.follow("On call? Put in your numbers")
        row = self.page.get_by_role("row").filter(has_text=symptom)
        self.follow("Put in your numbers", row)
        card = self.page.locator(".tunables-card[data-engine=ready]")
        card.wait_for(timeout=1000 * MOST_WAITING_S)
        return card

    def end(self):
        assert time.monotonic() - self.begun_s < MOST_WAITING_S
        assert self.visitor.troubles == []


@pytest.fixture(params=SIZES)
def newcomer(request, reader):
    width, height = SIZES[request.param]
    return Newcomer(reader(viewport={"width": width, "height": height}))


def large(card):
    """Return the three large results as shown, by the names of the outputs."""
    return dict(
        card.locator("dl [data-output]").evaluate_all(
            "all => all.map(each => [each.dataset.output, each.textContent])"
        )
    )


def test_a_retry_storm_with_the_numbers_of_a_pager(newcomer):
    card = newcomer.opens_the_card_for("almost no client gets its answer")
    newcomer.type("Time that a thread spends on one request", "800/s")
    newcomer.type("Timeout of one attempt", "300")
    newcomer.type("Retries after the first attempt", "4")
    newcomer.type("New requests", "300/s")
    settle(card)
    assert large(card) == {"safe_arrivals_per_s": "160", "safe_retries": "1", "queue_limit": "120"}
    read = card.locator(".control-reading:visible").all_inner_texts()
    assert read == ["800/s means 1.25 ms", "300 means 300 ms"]
    assert card.locator(".status-yours").count() == 5  # the row has set that few are answered
    assert card.get_by_text("Turn the retries off now, everywhere").is_visible()
    newcomer.end()


def test_a_commit_delay(newcomer):
    card = newcomer.opens_the_card_for("Every write takes about as long as a configured delay")
    newcomer.type("Maximum delay before a flush", "0")
    newcomer.type("Flush time", "4")
    newcomer.type("Commit rate, measured at this delay", "900")
    newcomer.type("Clients, each with one commit in flight", "64")
    settle(card)
    now, best = (large(card)[name] for name in ("latency_now_ms", "latency_best_ms"))
    assert 5 < float(now) < 9
    assert float(best) > 0
    newcomer.end()


def test_a_cache_trace(newcomer, tmp_path):
    trace = tmp_path / "access.log"
    line = '192.0.2.7 - - [16/Oct/2026:10:00:{:02} +0200] "GET /{} HTTP/1.1" 200 9 "-" "-"\n'
    keys = [n % 300 if n % 2 else f"hot/{n % 14}" for n in range(6000)]
    trace.write_text("".join(line.format(n // 100, key) for n, key in enumerate(keys)))
    newcomer.follow("On call? Put in your numbers")
    newcomer.follow("Your numbers")
    box = newcomer.page.locator("#lab-your_numbers")
    said = box.locator(".lab-said")
    said.get_by_text("makes no more network requests").wait_for(timeout=1000 * MOST_WAITING_S)
    newcomer.act(box.get_by_label("A file")).set_input_files(trace)
    said.get_by_text("6,000 requests").wait_for(timeout=1000 * MOST_WAITING_S)
    assert box.locator("svg").is_visible()
    newcomer.end()


def test_each_chapter_leads_to_its_fit_with_its_kind_of_data_chosen(reader):
    page = reader().open("chapters/01-group-commit.html")
    page.get_by_role("link", name="Fit your own data").click()
    chosen = page.get_by_label("What kind of data do you have?")
    page.locator("#lab-your_numbers .lab-said").get_by_text("no more network").wait_for(
        timeout=1000 * MOST_WAITING_S
    )
    assert chosen.input_value() == "group_commit"
    assert page.get_by_text("pgbench -l").first.is_visible()
