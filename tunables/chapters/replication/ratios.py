"""Chapter 5: ratios of printed times, and what each law would need of the paths to give them."""

from tunables.plain.arguments import choice, number

# The throughput of one connection falls as RTT to the power of minus this.
RTT_EXPONENTS = {"window": 1.0, "reno": 1.0, "cubic": 0.25}


def speed_up_bounds(plain_s, compressed_s, half_width_s) -> tuple[float, float, float]:
    """Return (low, ratio, high) of plain_s/compressed_s when each is known to +- half_width_s.

    Raises ValueError unless both times are longer than half_width_s, and that is not negative.

    >>> [round(bound, 3) for bound in speed_up_bounds(400, 100, 10)]
    [3.545, 4.0, 4.556]
    """
    half_width_s = number("half_width_s", half_width_s, at_least=0)
    plain_s = number("plain_s", plain_s, above=half_width_s)
    compressed_s = number("compressed_s", compressed_s, above=half_width_s)
    return (
        (plain_s - half_width_s) / (compressed_s + half_width_s),
        plain_s / compressed_s,
        (plain_s + half_width_s) / (compressed_s - half_width_s),
    )


def required_rtt_ratio(law, time_ratio) -> float:
    """Return the ratio of round-trip times that makes `law` give this ratio of run times.

    Throughput falls as RTT^(-a), so the ratio is time_ratio^(1/a): a = 1 for "window" and
    "reno", 1/4 for "cubic". Raises ValueError for another law or a ratio not above 0.

    >>> round(required_rtt_ratio("cubic", 1.1), 4)
    1.4641
    """
    exponent = RTT_EXPONENTS[choice("law", law, list(RTT_EXPONENTS))]
    return number("time_ratio", time_ratio, above=0) ** (1 / exponent)
