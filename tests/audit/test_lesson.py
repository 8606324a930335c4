"""The lesson's table and key are those of the document and of the audit."""

import csv
import re
from pathlib import Path

from tests.audit.reading import audit_text
from tunables.audit.report import finding_text
from tunables.evidence.errata import errata, table_path

ROOT = Path(__file__).parents[2]
LESSON = (ROOT / "book" / "teaching" / "audit.md").read_text(encoding="utf-8")
TEXT = table_path("etcd-reads").read_text(encoding="utf-8")
HEADS, *ROWS = csv.reader(TEXT.splitlines())
SHOWN = (0, 4, 5, 6, 7)  # the columns that the lesson shows


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_lesson_shows_the_table_as_printed():
    printed = [[row[index] for index in SHOWN] for row in ROWS]
    lines = [cells(line) for line in LESSON.splitlines() if line.startswith("| 10")]
    assert [[*line[:-1], line[-1].replace(" ms", "ms")] for line in lines] == printed


def test_the_key_multiplies_rate_and_latency_of_each_row():
    lines = [cells(line) for line in LESSON.splitlines() if " × " in line and line.startswith("|")]
    for row, (product, in_flight, clients, verdict) in zip(ROWS, lines[-4:], strict=True):
        rate, latency_ms = float(row[6].replace(",", "")), float(row[7].removesuffix("ms"))
        assert product == f"{row[6]} × {row[7].removesuffix('ms')} ms"
        assert in_flight == f"{rate * latency_ms / 1000:.{0 if rate > 1e4 else 2}f}"
        assert clients == row[4]
        assert ("impossible" in verdict) == (rate > 1e4)


def test_the_key_says_what_the_audit_says_and_since_when():
    audit = audit_text(TEXT, "x.csv")
    for finding in audit.findings:
        said = finding_text(audit, finding)
        (needed,) = re.findall(r"would have to be ([\d.]+ ms)", said)
        (think,) = re.findall(r"a think time of ([\d.]+ ms)", said)
        assert f"impossible: it would have to be {needed}" in LESSON
        assert think in LESSON
    assert audit_text(TEXT, "x.csv", {7: "maximum"}).findings == []
    (etcd,) = [erratum for erratum in errata() if "etcd-reads" in erratum.tables]
    assert f"in the documentation since {etcd.since[:4]}" in LESSON
    spdy = table_path("spdy-loss").read_text(encoding="utf-8").splitlines()[5]
    assert spdy == "2%,2904,1537,47.7%"
    assert f"a reduction of {100 * (1 - 1537 / 2904):.2f}%" in LESSON


def test_the_lesson_has_the_parts_of_a_lesson():
    for part in ("prediction to ask for", "misconception to expect", "The board", "Exit question"):
        assert f"**The {part}" in LESSON or f"**{part}" in LESSON, part
    for part in ("Answer", "Key to the lesson"):
        assert f"```{{dropdown}} {part}\n" in LESSON
    minutes = [int(end) for end in re.findall(r"^\| \d+–(\d+) \|", LESSON, re.MULTILINE)]
    assert minutes == sorted(minutes)
    assert minutes[-1] == 50
