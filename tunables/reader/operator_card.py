"""`operator_card(chapter)`: what to watch and change, filled with the reader's own numbers."""

from html import escape

from tunables.page.chapters import find_chapter
from tunables.parts.card import PLACEHOLDER, Card
from tunables.parts.registry import find_card
from tunables.plain.units import unit_text
from tunables.reader.asleep import asleep
from tunables.reader.charts import script_json
from tunables.reader.description import defaults
from tunables.reader.explorer import Explorer
from tunables.reader.markup import outputs_html

ASLEEP = asleep("The card shows the report's numbers.", "put in yours")
PARTS = (("The tunable", "tunable"), ("Its knee", "knee"), ("How it fails", "failure"))


def _filled(text: str, texts: dict[str, str]) -> str:
    """Return a text with each {output} as a place that the page's script keeps up to date."""
    return PLACEHOLDER.sub(
        lambda match: f'<b data-output="{match[1]}">{escape(texts[match[1]])}</b>', escape(text)
    )


def _watch_html(card: Card, texts: dict[str, str]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(watch.metric)}</th>'
        f'<td class="words">{unit_text(escape(watch.unit), "")}</td>'
        f'<td class="words">{_filled(watch.alert, texts)}</td></tr>'
        for watch in card.watch
    )
    return (
        '<div class="table-scroll" tabindex="0" role="region" aria-label="What to graph">'
        '<table class="explorer-table">'
        "<caption>What to graph, and when to wake somebody</caption>"
        '<thead><tr><th scope="col">Metric</th><th scope="col" class="words">Unit</th>'
        '<th scope="col" class="words">Alert</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _list_html(title: str, items: tuple[str, ...], texts: dict[str, str], tag: str = "ul") -> str:
    """Return a titled list of texts, or nothing for no items."""
    if not items:
        return ""
    lines = "".join(f"<li>{_filled(item, texts)}</li>" for item in items)
    return f'<p><strong class="card-part">{title}.</strong></p><{tag}>{lines}</{tag}>'


def _body_html(card: Card, description: dict, answer: dict) -> str:
    """Return what the numbers fill: verdict, outputs, texts, metrics and steps."""
    texts = answer["output_texts"]
    parts = "".join(
        f'<p><strong class="card-part">{title}.</strong> {_filled(getattr(card, name), texts)}</p>'
        for title, name in PARTS
    )
    numbers = description | {"outputs": description["outputs"][1:]}  # the verdict stands above
    return (
        f'<p class="card-verdict" data-output="verdict">'
        f"{escape(texts['verdict'])}</p>{outputs_html(numbers, answer)}"
        f"{parts}{_watch_html(card, texts)}"
        f"{_list_html('A safe way to change it', card.steps, texts, 'ol')}"
        f'<p><strong class="card-part">Roll back when.</strong> {_filled(card.roll_back, texts)}'
        f"</p>{_list_html('Never in an incident', card.never, texts)}"
        f"{_list_html('Its names today', card.today, texts)}"
    )


def card_html(card: Card, description: dict, answer: dict) -> str:
    """Return the whole card, asleep: the page's script wakes it as it does an explorer."""
    page = description | {"defaults": defaults(description)}
    title, number = escape(description["title"]), find_chapter(card.model.chapter).number
    return (
        f'<section class="tunables-card" id="card-{number}" aria-label="{title}">'
        f'<script type="application/json" class="explorer-description">{script_json(page)}'
        f'</script><p class="card-title">{title}</p>'
        f'<p class="explorer-message" role="status">{ASLEEP}</p>'
        f'<div class="explorer-controls"></div>{_body_html(card, description, answer)}</section>'
    )


class OperatorCard(Explorer):
    """The card of a chapter: an explorer without published rows, whose outputs fill sentences."""

    def __init__(self, card: Card, **state):
        self._card = card
        super().__init__(card.model, **state)

    def _page_html(self, page: dict) -> str:
        return card_html(self._card, self._description, page)


def operator_card(chapter: str | int, **state) -> OperatorCard:
    """Return the operator's card of a chapter, opened at a state.

    Raises ValueError for a chapter that has none, an unknown parameter or a value out of range.
    """
    return OperatorCard(find_card(chapter), **state)
