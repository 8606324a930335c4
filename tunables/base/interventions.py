"""Interventions: what a user does to a simulated system while it runs, as text for a link.

"20_outage_2-60_drop" says: at 20 s an outage of 2, and at 60 s a drop, which takes no value.
"""

from tunables.base.arguments import choice, integer, number, text

_MOST = 50
_FORM = "TIME_NAME or TIME_NAME_VALUE; join several with -"


def _number(word, part):
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"intervention = {part!r}: must be {_FORM}") from None


def _parse_one(part, kinds, end_s):
    """Return (time, name, value) of one intervention."""
    words = part.split("_")
    name = choice("intervention", words[1] if len(words) > 1 else part, list(kinds))
    allowed = kinds[name]
    if len(words) != (2 if allowed is None else 3):
        raise ValueError(f"intervention = {part!r}: must be {_FORM}")
    time_s = number(f"time of {name}", _number(words[0], part), at_least=0, at_most=end_s)
    if allowed is None:
        return time_s, name, None
    least, most = allowed
    value = number(f"value of {name}", _number(words[2], part), at_least=least, at_most=most)
    return time_s, name, value


def parse_interventions(words, kinds, end_s) -> list:
    """Return the interventions that a text lists, (time, name, value), in their order.

    kinds: {name: (least, most) of its value, or None if it takes none}. A time is at most end_s.
    Raises ValueError for any other text.

    >>> parse_interventions("20_outage_2-60_drop", {"outage": (0.1, 20), "drop": None}, 120)
    [(20.0, 'outage', 2.0), (60.0, 'drop', None)]
    """
    end_s = number("end_s", end_s, above=0)
    parts = text("deeds", words).split("-") if words else []
    integer("number of interventions", len(parts), at_most=_MOST)
    return [_parse_one(part, kinds, end_s) for part in parts]
