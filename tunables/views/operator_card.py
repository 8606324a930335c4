"""`operator_card(chapter)`: what to watch and change, filled with the reader's own numbers."""

from html import escape

from tunables.base.units import unit_text
from tunables.core.card import PLACEHOLDER, ROLL_BACK, Card, Watch, When, is_shown_in, plain_text
from tunables.core.registry import find_card
from tunables.page.chapters import find_chapter
from tunables.views.charts import script_json
from tunables.views.explorer import Explorer, defaults, outputs_html
from tunables.views.live import static_text

STATIC_TEXT = static_text("The card shows the report's numbers.", "enter yours")
WORDS = ("verdict", "state")  # the outputs that are no numbers
PARTS = (
    ("The tunable", "tunable"),
    ("Its knee, the turning point", "knee"),
    ("How it fails", "failure"),
)


def _fill(text: str, texts: dict[str, str]) -> str:
    """Return a text with each {output} as an element that the page's script updates."""
    return PLACEHOLDER.sub(
        lambda match: f'<b data-output="{match[1]}">{escape(texts[match[1]])}</b>', escape(text)
    )


def _condition(text: str | When | Watch, texts: dict[str, str]) -> str:
    """Return the attributes of what is shown in some states only; the page's script reads them."""
    if isinstance(text, str) or not text.states:
        return ""
    hidden = "" if is_shown_in(text, texts["state"]) else " hidden"
    return f' data-states="{escape(" ".join(text.states))}"{hidden}'


def _watch_html(card: Card, texts: dict[str, str]) -> str:
    rows = "".join(
        f'<tr{_condition(watch, texts)}><th scope="row">{escape(watch.metric)}</th>'
        f'<td class="words">{unit_text(escape(watch.unit), "")}</td>'
        f'<td class="words">{_fill(watch.alert, texts)}</td></tr>'
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


def _list_html(
    title: str, items: tuple[str | When, ...], texts: dict[str, str], tag: str = "ul"
) -> str:
    """Return a titled list of texts, or nothing for no items."""
    if not items:
        return ""
    lines = "".join(
        f"<li{_condition(item, texts)}>{_fill(plain_text(item), texts)}</li>" for item in items
    )
    return f'<p><strong class="card-part">{title}.</strong></p><{tag}>{lines}</{tag}>'


def _numbers_html(outputs: list[dict], texts: dict[str, str]) -> str:
    """Return a fold with a table of outputs."""
    rows = "".join(
        f'<tr><th scope="row">{escape(output["label"])}</th>'
        f'<td><span data-output="{output["name"]}">{escape(texts[output["name"]])}</span></td>'
        f'<td class="words">{escape(output["unit_text"]).strip()}</td></tr>'
        for output in outputs
    )
    return (
        '<details class="explorer-numbers"><summary>All other numbers</summary>'
        '<div class="table-scroll" tabindex="0" role="region" aria-label="All other numbers">'
        '<table class="explorer-table"><thead class="visually-hidden"><tr><th scope="col">Number'
        '</th><th scope="col">Value</th><th scope="col" class="words">Unit</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _roll_back_title(text: str | When) -> str:
    return ROLL_BACK if isinstance(text, str) else escape(text.title)


def _body_html(card: Card, description: dict, answer: dict) -> str:
    """Return what the numbers fill: verdict, outputs, texts, metrics and steps."""
    texts = answer["output_texts"]
    parts = "".join(
        f'<p><strong class="card-part">{title}.</strong> {_fill(getattr(card, name), texts)}</p>'
        for title, name in PARTS
    )
    by_name = {output["name"]: output for output in description["outputs"]}
    main = [by_name[name] for name in description["main_outputs"]]
    others = [o for o in by_name.values() if o not in main and o["name"] not in WORDS]
    roll_backs = "".join(
        f"<p{_condition(text, texts)}>"
        f'<strong class="card-part">{_roll_back_title(text)}.</strong> '
        f"{_fill(plain_text(text), texts)}</p>"
        for text in card.roll_backs()
    )
    return (
        f'<p class="card-verdict" data-output="verdict">'
        f"{escape(texts['verdict'])}</p>"
        f"{outputs_html(description | {'outputs': main}, answer)}{_numbers_html(others, texts)}"
        f"{parts}{_watch_html(card, texts)}"
        f"{_list_html('What to do', card.steps, texts, 'ol')}"
        f"{roll_backs}{_list_html('What not to do', card.never, texts)}"
    )


def card_html(card: Card, description: dict, answer: dict) -> str:
    """Return the whole card, static until the page's script mounts it as it does an explorer."""
    page = description | {"defaults": defaults(description)}
    title, number = escape(description["title"]), find_chapter(card.model.chapter).number
    return (
        f'<section class="tunables-card" id="card-{number}" aria-label="{title}">'
        f'<script type="application/json" class="explorer-description">{script_json(page)}'
        f'</script><p class="card-title">{title}</p>'
        f'<p class="explorer-message" role="status">{STATIC_TEXT}</p>'
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
