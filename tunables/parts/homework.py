"""Draws that read well: three significant digits."""


def uniform(chance, low, high) -> float:
    """Return a number from low to high, each as likely, to three digits."""
    return float(f"{chance.uniform(low, high):.3g}")


def factor(chance, low, high) -> float:
    """Return a number from low to high, each factor as likely, to three digits."""
    return float(f"{low * (high / low) ** chance.random():.3g}")
