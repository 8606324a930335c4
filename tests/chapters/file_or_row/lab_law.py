"""A call of the law of lab 7 in the page, its arguments and its answer."""

# Two pages of 1,024 bytes cost 2 (4 + 1.28) kB, one of 8,192 bytes 4 + 10.24 kB.
ASKED = (
    "ratios",
    {
        "rows": [[1024, 1000, 1.0, 1.0], [8192, 5000, 2.0, 1.0]],
        "costs": [120.0, 35.0, 4.0, 1.25],
    },
    [121 / (35 + 2 * 5.28), 125 / (35 + 14.24)],
)
