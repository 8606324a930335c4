"""Tables are read from all their formats, and nothing that is pasted breaks the reading."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.reading import audit_text, blamed, states, table_of
from tunables.audit.printed import read_number, refine
from tunables.audit.report import FORMATS, headline, report
from tunables.audit.tables import read_tables
from tunables.audit.verdicts import audit

SAMPLES = Path(__file__).with_name("samples")
LONGEST_S, MOST_MIB = 60, 1000  # for 10^5 rows, beside other tests
START_S = 4  # of Python itself


def sample(name):
    return (SAMPLES / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("1,802", 1801.5, 1802.5),
        ("1 802", 1801.5, 1802.5),
        ("1.8k", 1750, 1850),
        ("5.5ms", 0.00545, 0.00555),
        ("5–7 ms", 0.0045, 0.0075),
        ("5 to 7 ms", 0.0045, 0.0075),
        ("5.5 ± 0.3 s", 5.15, 5.85),
        ("200 ± 5%", 140, 260),
        ("47.7%", 0.4765, 0.4775),
        ("≥ 50", 45, float("inf")),
        ("< 3 ms", 0.0, 0.0035),
        ("~20 s", 10, 30),
        ("(1.08x baseline)", 1.075, 1.085),
        ("334 (min. size)", 333.5, 334.5),
        ("2,5 ms", 0.00245, 0.00255),
        ("1.234,5", 1234.45, 1234.55),
        ("1.2e4", 11500, 12500),
        ("30,000", 25000, 35000),
        ("٣٫٥", 3.45, 3.55),
        ("−12", -12.5, -11.5),
        ("12 MiB/s", 8 * 2**20 * 11.5, 8 * 2**20 * 12.5),
        ("**583** `req/s`", 582.5, 583.5),
    ],
)
def test_a_number_leaves_the_interval_of_its_digits(text, low, high):
    assert read_number(text).interval() == pytest.approx((low, high))


@pytest.mark.parametrize(
    "text",
    ["", "–", "n/a", "N/A*", "leader only", "2020-01-01", "v3.4.1", "1/2/3", "12:30", "$", "x"],
)
def test_words_dates_and_dashes_are_no_numbers(text):
    assert read_number(text) is None


def test_digits_that_were_cut_off_reach_up_to_the_next_one():
    assert read_number("157").interval(cut=True) == (156.5, 158)
    assert read_number("-157").interval(cut=True) == (-158, -156.5)


def test_a_columns_other_numbers_tell_whether_zeros_are_digits():
    numbers = [read_number(text) for text in ("22 ms", "20 ms", "1.6 ms")]
    refine(numbers)
    assert numbers[1].interval() == pytest.approx((0.0195, 0.0205))
    rounded = [read_number(text) for text in ("779,000", "100,000", "342,000")]
    refine(rounded)
    assert rounded[1].interval() == (99_500, 100_500)


TOOLS = {
    "pgbench.txt": ("pgbench", 2, "437.428867 /s"),
    "wrk.txt": ("wrk", 1, "44.02ms"),
    "hey.txt": ("hey", 1, "174.9474 /s"),
    "ab.txt": ("ab", 1, "830.46 /s"),
    "fio.txt": ("fio", 1, "141.28 us"),
    "fio-mix.txt": ("fio", 1, "1256.18 us"),
    "redis-benchmark.txt": ("redis-benchmark", 1, "13458.95 /s"),
    "redis-benchmark.csv": ("CSV", 1, "14054.81"),
    "k6.txt": ("k6", 1, "144.56ms"),
}


@pytest.mark.parametrize("name", TOOLS)
def test_what_a_tool_printed_is_recognised_and_nothing_in_it_is_impossible(name):
    kind, count, text = TOOLS[name]
    tables = read_tables(sample(name), name)
    assert [table.kind for table in tables] == [kind] * count
    assert text in tables[0].rows[0]
    audits = [audit(table) for table in tables]
    assert [each.findings for each in audits] == [[]] * count
    assert any(each.count("follows") + each.count("possible") for each in audits)


@pytest.mark.parametrize(
    ("name", "old", "new", "head"),
    [
        ("pgbench.txt", "= 18.289 ms", "= 38.289 ms", "latency average"),
        ("hey.txt", "174.9474", "179.9474", "requests per second"),
        ("fio.txt", "99.00th=[ 3916]", "99.00th=[39160]", "completion latency p99.50"),
        ("ab.txt", "Complete requests:      1500", "Complete requests:      1900", "requests"),
        ("redis-benchmark.txt", "1.016     0.088", "0.016     0.088", "latency average"),
    ],
)
def test_a_number_changed_in_a_printout_is_found(name, old, new, head):
    text = sample(name)
    assert old in text
    audits = [audit(table) for table in read_tables(text.replace(old, new), name)]
    involved = {
        each.sheet.columns[cell[1]].head
        for each in audits
        for finding in each.findings
        for cell in finding.involved
    }
    assert head in involved


ROWS = [["clients", "tps", "latency (ms)"], ["1", "583", "1.7"], ["8", "2,000", "4.0"]]
FORMS = {
    "Markdown": "\n".join(
        ["| " + " | ".join(ROWS[0]) + " |", "|--|--|--|"]
        + ["| " + " | ".join(row) + " |" for row in ROWS[1:]]
    ),
    "HTML": "<table>"
    + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) for row in ROWS)
    + "</table>",
    "boxed": "\n".join(
        ["+--+--+--+", "| " + " | ".join(ROWS[0]) + " |", "+==+==+==+"]
        + ["| " + " | ".join(row) + " |\n+--+--+--+" for row in ROWS[1:]]
    ),
    "reStructuredText": "\n".join(
        ["A title\n=======\n", "======= ===== ============"]
        + [f"{row[0]:<7} {row[1]:<5} {row[2]}" for row in ROWS[:1]]
        + ["======= ===== ============"]
        + [f"{row[0]:<7} {row[1]:<5} {row[2]}" for row in ROWS[1:]]
        + ["======= ===== ============", "", "text, with a comma"]
    ),
    "CSV": "\n".join(";".join(row) for row in ROWS),
    "TSV": "\n".join("\t".join(row) for row in ROWS),
    "fixed width": "\n".join("".join(f"{cell:<16}" for cell in row).rstrip() for row in ROWS),
}


@pytest.mark.parametrize("kind", FORMS)
def test_each_form_of_a_table_gives_the_same_cells(kind):
    (table,) = read_tables(FORMS[kind])
    assert table.kind == kind
    assert [table.heads, *table.rows] == ROWS


def test_tables_as_psql_and_terminals_draw_them_are_read():
    psql = " a | b \n---+---\n 1 | 2 \n(1 row)\n"
    drawn = "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\n"
    for text in (psql, drawn):
        (table,) = read_tables(text)
        assert (table.kind, table.heads, table.rows) == ("boxed", ["a", "b"], [["1", "2"]])


def test_a_readme_with_several_tables_keeps_their_titles_and_lines():
    text = f"# Reads\n\n{FORMS['Markdown']}\n\ntext\n\n## Writes\n\n{FORMS['Markdown']}\n"
    first, second = read_tables(text, "README.md")
    assert (first.title, second.title) == ("Reads", "Writes")
    assert (first.line, second.line) == (3, 12)
    assert second.lines == [14, 15]


def test_a_table_whose_first_column_says_what_is_measured_is_turned():
    text = table_of(
        "Metric, A, B", "Throughput (req/s), 500, 900", "p50 (ms), 9, 8", "p99 (ms), 20, 4"
    )
    found = audit_text(text)
    assert found.sheet.turned
    assert blamed(found) == [(1, 2)] or blamed(found) == [(2, 2)]


def test_a_row_that_is_too_short_is_not_judged_and_the_table_says_so():
    text = (
        "| clients | tps | latency (ms) |\n|-|-|-|\n| 8 | 400 |\n| 8 | 400 | 20 |\n| 8 | 800 | 10 |"
    )
    found = audit_text(text)
    assert found.findings == []
    assert "fewer cells" in " ".join(found.remarks)


def test_merged_and_nested_cells_of_a_page_are_read_and_said():
    text = (
        "<table><tr><th rowspan=2>case<th colspan=2>ms<tr><th>before<th>after"
        "<tr><td>a<td>10<td>5<table><tr><td>x<td>1<tr><td>y<td>2</table><tr><td>b<td>20<td>7"
        "</table>"
    )
    tables = read_tables(text)
    outer = next(table for table in tables if table.heads[0] == "case")
    assert outer.heads == ["case", "ms, before", "ms, after"]
    assert len(tables) == 2
    assert any("Merged" in remark for remark in outer.remarks)
    assert any("inside" in remark for remark in outer.remarks)


HOSTILE = {
    "script": "<table><tr><td>a<script>alert('<td>9</td>')</script><td>1</table>" * 2,
    "open tags": "<table><tr><td>" * 3000,
    "deep": "<table><tr><td>" * 500 + "1" + "</table>" * 500,
    "spans": "<table><tr><td rowspan=999999 colspan=999999>1" + "<tr><td>2" * 200 + "</table>",
    "bars": "|" * 100_000 + "\n|---|\n" + "|" * 100_000,
    "long cell": "| a | b |\n|--|--|\n| " + "9" * 200_000 + " | 1 |",
    "long number": table_of("clients, tps", "1e999, 9", "9" * 60 + ", 8"),
    "nul": "| a | b |\n|--|--|\n| \0 | 1\0 |",
    "comment": "<table><!-- <tr><td>5 --><tr><td>a<td>b<tr><td>1<td>2</table>",
    "quote": 'a,b\n"1,2\n3,4\n',
    "words": table_of("name, colour", "sky, blue", "grass, green"),
    "right to left": table_of("לקוחות, قيمة", "٣٫٥, ۱۲", "שלום, مرحبا"),
    "nonsense": table_of("clients, tps, latency (ms)", "-1, 0, -5", "0, 0, 0", "9e99, 1e-99, 7"),
    "percent": table_of("a, b, speedup", "0, 0, 0%", "0, 0, 0%", "0, 0, 0%"),
    "entities": "<table><tr><td>a<td>b<tr><td>&#99999999999;&#x0;&bogus;<td>&nbsp;1</table>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_pasted_is_answered(name):
    try:
        tables = read_tables(HOSTILE[name])
    except ValueError:  # a sentence, as tested below
        return
    for form in FORMATS:
        assert isinstance(report([audit(table) for table in tables], form, "x"), str)


def test_nothing_of_a_script_is_read():
    tables = read_tables(HOSTILE["script"])
    assert all("alert" not in cell for table in tables for row in table.rows for cell in row)


def test_a_text_without_a_table_is_a_sentence():
    with pytest.raises(ValueError, match="No table was found: paste one"):
        read_tables("Throughput went up by 30 %.")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("n_rows", [10**4, pytest.param(10**5, marks=pytest.mark.long)])
def test_many_rows_take_bounded_time_and_memory(n_rows):
    lines = ["clients,tps,latency_ms"] + [f"{n % 64 + 1},{400 + n % 7},20.0" for n in range(n_rows)]
    text = "\n".join(lines)
    code = (
        "import pathlib, re, sys, time\n"
        "from tunables.audit.tables import read_tables\n"
        "from tunables.audit.verdicts import audit\n"
        "(table,) = read_tables(sys.stdin.read(), 'x.csv')\n"
        "found = audit(table)\n"
        "status = pathlib.Path('/proc/self/status').read_text()\n"
        "most_kib = int(re.search(r'VmHWM:\\s+(\\d+) kB', status)[1])\n"
        "print(len(table.rows), found.count('impossible'), time.process_time(), most_kib / 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=True
    )
    rows, impossible, seconds, mebibytes = [float(word) for word in done.stdout.split()]
    assert rows == n_rows
    assert impossible > n_rows / 20
    assert seconds < LONGEST_S * n_rows / 10**5 + START_S
    assert mebibytes < MOST_MIB


def test_more_rows_than_are_read_are_said():
    text = "a,b\n" + "1,2\n" * 100_002
    (table,) = read_tables(text, "x.csv")
    assert len(table.rows) == 100_000
    assert table.remarks == ["The table has 100,002 rows; only the first 100,000 were read."]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=5), min_size=2, max_size=5))
def test_tables_of_anything_are_audited_without_an_error(rows):
    text = "\n".join("| " + " | ".join(cells) + " |" for cells in [rows[0], ["---"], *rows[1:]])
    try:
        tables = read_tables(text)
    except ValueError:
        return
    for table in tables:
        assert set(states(audit(table))) <= {"follows", "possible", "impossible", "unchecked"}


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30))
def test_a_cell_of_anything_is_a_number_or_not(text):
    number = read_number(text)
    if number is not None:
        low, high = number.interval()
        assert low <= high


@pytest.mark.parametrize(
    ("head", "cells", "meaning", "first"),
    [
        ("MB/sec", ["23.5", "24.1", "27.3"], "bandwidth", 8 * 23.5e6),
        ("Transfer/sec", ["23.24MB", "24.1MB", "9.3MB"], "bandwidth", 8 * 23.24e6),
        ("Throughput", ["95.3k", "1.2M", "1.1M"], "throughput", 95_300),
        ("Throughput", ["40k", "38k req/s", "41k req/s"], "throughput", 40_000),
        ("Throughput", ["40k", "38,100 req/s", "41,300 req/s"], "throughput", 40_000),
    ],
)
def test_a_rate_is_read_in_all_its_spellings(head, cells, meaning, first):
    column = audit_text(table_of(f"Name, {head}", *[f"a, {cell}" for cell in cells])).sheet.columns[
        1
    ]
    assert column.meaning == meaning
    assert column.numbers[0].value == pytest.approx(first)


def test_a_column_that_counts_the_rows_is_no_measurement():
    found = audit_text(table_of("(index), ops/sec", "0, 311", "1, 297", "2, 305"))
    assert len(found.verdicts) == 3


def test_where_no_law_fits_the_headline_says_what_would_help():
    found = audit_text(table_of("Name, ops/sec, Latency (ms)", "a, 311, 7.1", "b, 297, 7.3"))
    assert headline([found]) == (
        "No law fits these columns, so nothing is checked. "
        "If the table also had the number of clients, Little's law would apply."
    )
    checked = audit_text(table_of("Clients, ops/sec, Latency (ms), Size", "8, 311, 7.1, 9"))
    assert headline([checked]) == "Checked 3 of 4 numbers; none is impossible."
