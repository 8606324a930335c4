"""Cards as records, as markup and as widgets."""

import dataclasses
import re
from html import escape

import pytest

from tests.chapters.notebooks import ROOT, cells
from tests.reader.asked import answered
from tunables.parts.card import PLACEHOLDER, borrowed
from tunables.parts.registry import cards, find_card, find_case
from tunables.reader.operator_card import _body_html, operator_card

CARDS = list(cards().values())
NOTEBOOKS = sorted(ROOT.glob("chapters/*.ipynb"))
each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.model.name)


def test_an_unknown_chapter_has_no_card():
    with pytest.raises(ValueError, match="chapter = 99: must be one of 1 "):
        find_card(99)


@each_card
def test_a_card_has_all_its_parts(card):
    assert 5 <= len(card.watch) <= 7
    assert 4 <= len(card.steps) <= 6
    assert all(watch.metric and watch.unit and watch.alert for watch in card.watch)
    assert all(text.endswith(".") for text in (*card.steps, card.roll_back, card.knee))
    assert all(text.endswith(".") for text in (*card.today, *card.never))
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
    assert re.match("(Over|Below) the knee", verdict)


def test_a_card_names_todays_software_and_what_not_to_do_tonight():
    plain = dataclasses.replace(find_card(3), today=(), never=())
    full = dataclasses.replace(plain, today=("Sheep {spare_graphs}.",), never=("<Shear> it.",))
    texts = {output.name: "7" for output in full.model.outputs}
    for card, shown in ((plain, False), (full, True)):
        answer = {"output_texts": texts}
        html = _body_html(card, {"outputs": [{"name": "verdict"}]}, answer)
        for words in (
            "Its names today",
            'Sheep <b data-output="spare_graphs">7</b>.',
            "Never in an incident",
            "<li>&lt;Shear&gt; it.</li>",
        ):
            assert (words in html) == shown
    with pytest.raises(ValueError, match="must be one of"):
        dataclasses.replace(plain, never=("{sheep}",))


def test_an_unknown_placeholder_is_refused():
    with pytest.raises(ValueError, match="card of cache_cliff = 'sheep': must be one of"):
        dataclasses.replace(find_card(3), knee="{sheep} sheep")


def test_a_borrowed_parameter_keeps_its_origin():
    lent = find_case("rrd").parameters[0]
    taken = borrowed(find_case("rrd"), "graphs", 2, high=1e6)
    assert (taken.default, taken.high) == (2 * lent.default, 1e6)
    assert (taken.origin, taken.source) == (lent.origin, lent.source)
    with pytest.raises(ValueError, match="parameter = 'sheep'"):
        borrowed(find_case("rrd"), "sheep")


@each_card
def test_the_static_card_says_how_to_wake_it_and_leaves_no_placeholder(card):
    html = operator_card(card.model.chapter)._repr_mimebundle_()["text/html"]
    text = re.sub("<script.*?</script>", "", html, flags=re.DOTALL)
    assert "make serve" in text
    assert not re.search(r"[{}]", text)
    for watch in card.watch:
        assert f'<th scope="row">{escape(watch.metric)}<' in text


def test_the_kernel_fills_the_cards_sentences_and_refuses_nonsense():
    card = operator_card(3)
    assert "Over the knee" in answered(card, {"state": card.state})["output_texts"]["verdict"]
    card.set_state(memory_gib=8)
    texts = answered(card, {"state": card.state})["output_texts"]
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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_shows_its_present_card(path):
    html = "".join(
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in cells(path, "code")
        for output in cell["outputs"]
    )
    assert html.count('class="tunables-card"') == 1
    fresh = operator_card(path.stem)._repr_mimebundle_()["text/html"]
    assert fresh in html, "the card is out of date: run `make notebooks`"
