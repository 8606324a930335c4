"""The page on mean value analysis: its numbers are those of the first problem of its kind."""

from pathlib import Path

from tunables.base.numbers_as_text import significant
from tunables.page.problem import make_problem
from tunables.theory.queueing import mva

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "book" / "mean-value-analysis.md").read_text(encoding="utf-8")
GIVEN = make_problem(4, 1, "shared-port").given
N, Z_S = GIVEN["users"], GIVEN["think_s"]
S_S = 8 * GIVEN["size_bytes"] / (GIVEN["port_rate_gbps"] * 1e9)


def test_the_example():
    assert N == 3
    assert f"thinks for {significant(1000 * Z_S)} ms on average" in PAGE
    assert f"{significant(GIVEN['size_bytes'] / 1e6)} MB through the port at 1 Gb/s" in PAGE
    assert GIVEN["port_rate_gbps"] == 1
    assert f"takes {significant(1000 * S_S)} ms if nobody" in PAGE


def test_the_wrong_answers_and_the_right_one():
    assert f"45.2 ms) = {N / (Z_S + S_S):.1f}" in PAGE
    assert f"3 × 45.2 ms) = {N / (Z_S + N * S_S):.1f}" in PAGE
    assert f"The right answer is {mva([S_S], N, Z_S)[0]:.1f}" in PAGE


def test_the_table():
    for n in range(1, N + 1):
        rate, response_s, queues = mva([S_S], n, Z_S)
        cells = f"{1000 * response_s:.2f} | {significant(rate)} | {queues[0]:.4f}"
        assert f"| {n} | {cells} |" in PAGE


def test_problems_and_glossary_lead_to_it():
    glossary = (ROOT / "book" / "glossary.md").read_text(encoding="utf-8")
    assert "(mean-value-analysis.md)" in glossary
    assert "\n# Mean value analysis\n" in PAGE  # the name that problems give
