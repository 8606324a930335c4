"""Small counts as a text spells them."""

ONES = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
STEMS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
WORDS = (*ONES, "eleven", "twelve", *(f"{stem}teen" for stem in STEMS), "twenty")


def words(count) -> str:
    """Return a whole number from 0 to 20 in words.

    >>> words(0), words(15), words(20.0)
    ('no', 'fifteen', 'twenty')
    """
    if count not in range(len(WORDS)):
        raise ValueError(f"count = {count!r}: must be a whole number from 0 to {len(WORDS) - 1}")
    return WORDS[int(count)]
