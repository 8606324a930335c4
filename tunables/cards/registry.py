"""The cards by chapter: every module of this package that defines CARD."""

from functools import cache

import tunables.cards
from tunables.cards.card import Card
from tunables.discovery import defined


@cache
def cards() -> dict[int, Card]:
    """Return all cards by chapter, in order.

    >>> list(cards())
    [1, 2, 3, 4, 5, 6]
    """
    found: list[Card] = defined(tunables.cards, "CARD")
    return {card.model.chapter: card for card in sorted(found, key=lambda c: c.model.chapter)}


def find_card(chapter: int) -> Card:
    """Return the card of a chapter; raises ValueError for a chapter that has none."""
    if chapter not in cards():
        allowed = ", ".join(map(str, cards()))
        raise ValueError(f"chapter = {chapter!r}: must be one of {allowed}")
    return cards()[chapter]
