"""Numbers with the minus that a text has."""


def minus(value: float, digits: int = 0) -> str:
    """Return a number, with a true minus if it is negative.

    >>> minus(-12.5, 1), minus(3)
    ('−12.5', '3')
    """
    return f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, which is a true minus or a plus.

    >>> signed(-0.36), signed(44.06, 0)
    ('−0.4', '+44')
    """
    return f"{value:+.{digits}f}".replace("-", "−")
