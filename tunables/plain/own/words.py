"""How a reader is told what is wrong with a text: the line, and what stands there cut short.

MicroPython runs this, too.
"""

from tunables.plain.digits import group_thousands


def refuse(line, reason):
    """Raise ValueError that names the line."""
    raise ValueError(f"line {line}: {reason}")


def quoted(cell) -> str:
    """Return a cell in quotes; Python's repr is another in MicroPython."""
    return f"'{cell}'"


def shown(text, longest=60) -> str:
    """Return a text to be told back to a reader, cut in the middle if it is long.

    >>> shown("abcdefghij", 7)
    'ab...ij'
    """
    text = str(text)
    if len(text) <= longest:
        return text
    half = (longest - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def listed(names, most=12) -> str:
    """Return names in a row, only so many of them, and each of readable length.

    >>> listed(["rtt_s", "loss", "at"], most=2)
    'rtt_s, loss and 1 more'
    """
    words = ", ".join(shown(name, 40) for name in names[:most])
    return (
        words
        if len(names) <= most
        else f"{words} and {group_thousands(str(len(names) - most))} more"
    )
