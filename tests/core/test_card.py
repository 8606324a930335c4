"""Cards as records, as markup and as widgets."""

import dataclasses
import re
from html import escape

import pytest

from tests.chapters.notebooks import ROOT, cells
from tests.views.asked import ask_view
from tunables.core.card import PLACEHOLDER, Watch, When, borrow_parameter, plain_text
from tunables.core.registry import cards, chapters_with, find_card, find_case
from tunables.page.chapters import page_name
from tunables.views.operator_card import _body_html, operator_card

CARDS = list(cards().values())
WITH_A_CARD = [ROOT / "chapters" / f"{page_name(slug)}.ipynb" for slug in chapters_with("card")]
each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.model.name)


def test_an_unknown_chapter_has_no_card():
    with pytest.raises(ValueError, match="chapter = 99: must be one of 1 "):
        find_card(99)


@each_card
def test_a_card_has_all_its_parts(card):
    assert 5 <= len(card.watch) <= 7
    for state in card.states or ("",):
        assert 2 <= len(card.steps_in(state)) <= 6, state
    assert all(watch.metric and watch.unit and watch.alert for watch in card.watch)
    advice = [plain_text(text) for text in (*card.steps, *card.roll_backs(), *card.never)]
    assert all(text.endswith(".") for text in (*advice, card.knee))
    assert all(plain_text(text).startswith("Don't ") for text in card.never)
    used = {name for text in card.texts() for name in PLACEHOLDER.findall(text)}
    assert len(used) >= 5


@each_card
def test_each_output_is_shown_and_each_shown_output_is_computed(card):
    outputs = card.model.predict(**card.model.settings())
    shown = {output.name for output in card.model.outputs}
    assert shown <= set(outputs)


@each_card
def test_the_verdict_says_on_which_side_of_the_knee(card):
    verdict = card.model.predict(**card.model.settings())["verdict"]
    assert re.match("(Past|Below) the knee", verdict)


def test_a_card_says_what_not_to_do_tonight():
    plain = dataclasses.replace(find_card(3), never=())
    full = dataclasses.replace(plain, never=("<Shear> {spare_graphs} sheep.",))
    texts = {output.name: "7" for output in full.model.outputs}
    for card, shown in ((plain, False), (full, True)):
        answer = {"output_texts": texts}
        html = _body_html(card, {"outputs": [{"name": "verdict"}], "main_outputs": []}, answer)
        for words in (
            ">What not to do.<",
            '<li>&lt;Shear&gt; <b data-output="spare_graphs">7</b> sheep.</li>',
        ):
            assert (words in html) == shown
    with pytest.raises(ValueError, match="must be one of"):
        dataclasses.replace(plain, never=("{sheep}",))


def test_a_card_shows_only_the_advice_for_the_state_that_the_system_is_in():
    above = Watch("Sheep", "1", "above", 3.0, "for a minute", states=("over",))
    conditional = dataclasses.replace(
        find_card(3),
        states=("below", "over"),
        steps=("Always.", When(("over",), "Shear them.")),
        roll_back=(
            When(("below",), "If they freeze."),
            When(("over",), "Once they bleat.", "When to let them out"),
        ),
        never=(When(("over",), "Don't count them."),),
        watch=(above,),
    )
    texts = {output.name: "7" for output in conditional.model.outputs} | {"state": "below"}
    html = _body_html(conditional, {"outputs": [], "main_outputs": []}, {"output_texts": texts})
    for shown in ("<li>Always.</li>", '<p data-states="below"><strong'):
        assert shown in html
    hidden = ('<li data-states="over" hidden>Shear', '<p data-states="over" hidden>')
    for shown in (*hidden, '<tr data-states="over" hidden>', "above 3 for a minute"):
        assert shown in html
    for title in (">When to roll back.</strong> If they", ">When to let them out.</strong> Once"):
        assert title in html
    assert conditional.steps_in("below") == ["Always."]
    assert conditional.steps_in("over") == ["Always.", "Shear them."]
    with pytest.raises(ValueError, match="state in the card of cache_cliff = 'over': must be one"):
        dataclasses.replace(conditional, states=("below",))


def test_an_alert_fires_on_its_side_of_the_threshold_and_in_its_states():
    queue = Watch("Queue", "requests", "above", "limit", states=("over",))
    assert queue.alert == "above {limit} requests"
    assert queue.fires(6, {"limit": 5, "state": "over"})
    assert not queue.fires(5, {"limit": 5, "state": "over"})
    assert not queue.fires(6, {"limit": 5, "state": "below"})
    assert Watch("Hits", "%", "below", 90.0).fires(89, {})
    with pytest.raises(ValueError, match="side of Hits = 'under': must be one of"):
        Watch("Hits", "%", "under", 90.0)


def test_an_alert_for_anything_above_none_says_any():
    assert Watch("Drops", "1/s", "above", 0).alert == "any"
    assert Watch("Drops", "1/h", "above", 0, "while it drains").alert == "any, while it drains"
    assert Watch("Hits", "%", "below", 0).alert == "below 0%"
    assert Watch("Drops", "1/s", "above", 0).fires(1, {})


def test_an_unknown_placeholder_is_refused():
    with pytest.raises(ValueError, match="card of cache_cliff = 'sheep': must be one of"):
        dataclasses.replace(find_card(3), knee="{sheep} sheep")


def test_a_state_of_two_words_is_refused():
    """The page splits the states of a step at spaces."""
    with pytest.raises(ValueError, match="state 'to rows': must not contain a space"):
        dataclasses.replace(find_card(3), states=("to rows",))


def test_a_borrowed_parameter_keeps_its_origin():
    lent = find_case("rrd").parameters[0]
    taken = borrow_parameter(find_case("rrd"), "graphs", 2, high=1e6)
    assert (taken.default, taken.high) == (2 * lent.default, 1e6)
    assert (taken.origin, taken.source) == (lent.origin, lent.source)
    with pytest.raises(ValueError, match="parameter = 'sheep'"):
        borrow_parameter(find_case("rrd"), "sheep")


@each_card
def test_the_static_card_says_how_to_wake_it_and_leaves_no_placeholder(card):
    html = operator_card(card.model.chapter)._repr_mimebundle_()["text/html"]
    text = re.sub("<script.*?</script>", "", html, flags=re.DOTALL)
    assert "make serve" in text
    assert not re.search(r"[{}]", text)
    for watch in card.watch:
        assert f'<th scope="row">{escape(watch.metric)}<' in text


@each_card
def test_a_card_shows_three_results_large_and_all_others_in_a_table(card):
    html = operator_card(card.model.chapter)._repr_mimebundle_()["text/html"]
    large, table = (
        re.findall(r'data-output="(\w+)"', re.findall(pattern, html, re.DOTALL)[0])
        for pattern in ("<dl .*?</dl>", "<details .*?</details>")
    )
    assert len(set(large)) == 3
    names = [output.name for output in card.model.outputs]
    assert sorted(large + table) == sorted({*names} - {"verdict", "state"})


def test_the_kernel_fills_the_cards_sentences_and_refuses_nonsense():
    card = operator_card(3)
    assert "Past the knee" in ask_view(card, {"state": card.state})["output_texts"]["verdict"]
    card.set_state(memory_gib=8)
    texts = ask_view(card, {"state": card.state})["output_texts"]
    assert "Below the knee" in texts["verdict"]
    assert texts["spare_graphs"] == "50,000"
    card.set_state(graphs=0.5)
    assert "graphs = 0.5: must be a whole number" in card.notice
    with pytest.raises(ValueError, match="parameter = 'sheep'"):
        operator_card(3, sheep=1)


def test_a_card_opens_with_the_readers_numbers():
    card = operator_card(6, queues=4, quantum_ms=50)
    assert card.state["queues"] == 4
    card.set_state(dearest_item_us=10)
    assert "dearest_item_us = 10" in card.notice


@pytest.mark.parametrize("path", WITH_A_CARD, ids=lambda path: path.stem)
def test_a_chapter_shows_its_present_card(path):
    html = "".join(
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in cells(path, "code")
        for output in cell["outputs"]
    )
    assert html.count('class="tunables-card"') == 1
    fresh = operator_card(path.stem)._repr_mimebundle_()["text/html"]
    assert fresh in html, "the card is out of date: run `make notebooks`"
