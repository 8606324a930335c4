"""How wide a text is at most: the widths of DejaVu Sans, wider than other letters of screens."""

THOUSANDTHS = {
    278: "ijlI'",
    318: " ,.",
    337: ":;",
    361: "-",
    390: "()tfJ",
    411: "r",
    525: "sz",
    579: "ckLF",
    615: "vxyλoaePTY",
    636: "EhnubdgpqSμ0123456789",
    698: "KAVΛXZBRC",
    787: "UNHDGOQ",
    838: "w+",
    989: "mMW",
}
OF_LETTER = {letter: width for width, letters in THOUSANDTHS.items() for letter in letters}


def width_px(text: str, size_px: float) -> float:
    """Return the width of a text; raises KeyError for a letter that was not measured."""
    return sum(OF_LETTER[letter] for letter in text) * size_px / 1000
