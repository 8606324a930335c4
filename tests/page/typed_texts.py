"""What people may type as a number: the page must say the same as CPython."""

import itertools
import random

BY_HAND = [
    *("12,500", "1.2e4", "4 %", "23 ms", "0.5 min", "many", "", " ", "nan", "1e999", "12,5"),
    *("7 µs", "7 μs", "70 000", "1'000", "1’000", "1e", "e4", "½", "5 ½", "0.1234567", "6.02e23"),
    *("1e-7", '<b>&"', "-3", "≥5", "≤ 5", "€12", "12 €", "–5", "−5", "-0", "∞", "-∞", "~5", "≈~ 5"),
    *("ca. 5", "Ca 5", "about 5", "ABOUT", "approximately 5", "<5", ">5", "５", "１２．５％", "٥"),
    *("٥٫٥", "۵", "٣٬٠٠٠", "Ⅷ", "¹", "५", "𝟓", "日本", "é", "5 émissions/s", "5 Kbps", "😀", "5😀"),
    *("\u3000", "\u2003", "\u200b", "\u200b5", "\x85", "\x1c5", "\x00", "5\x00", "5\n"),
    *("5e-324", "1e-400", "1e308", "-1e308", "0", "1e308 d", "1e-320 ns", "9" * 60, "9" * 61),
    *("\t5\u2009", "1.e5", "+5", "+-5", ".", ",", "-", "5e+", "1 × 10^4", "1*10**4", "×10^4"),
    *("12k/s", "3/min", "72000/h", "3 a minute", "9 kreq/s", "1 TB", "3 GB/min", "40x", "40×"),
    *("3:1", "3 : 1", "5 MiB/s", "5 MBps", "1 Mbyte", "5 kbit/s", "5 Ki", "5 mi", "4 ſ", "4 K/s"),
    *("5–6", "12–", "5²", "1/2", "0x10", "1_000", "_", "'", "=", "== 5", "5 5", "5 000", "5 0000"),
]
_SCRAPS = [
    *"0123456789.,-–−+eE %~≈≥<€∞５٥µK½'_×\u00a0\u2009\u3000\u200bé😀",
    "ms",
    "ca.",
    "*10^",
    "/s",
]


def texts(count=400, seed=0) -> list[str]:
    """Return texts chosen by hand, and `count` random ones."""
    draw = random.Random(seed)
    scraps = ("".join(draw.choices(_SCRAPS, k=draw.randint(1, 7))) for _ in itertools.count())
    return BY_HAND + list(itertools.islice(scraps, count))
