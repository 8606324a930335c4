"""What a user's table may look like, and the sentence for each kind that is refused."""

import contextlib
import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tunables.base.user_data.columns import Column
from tunables.core.reading import LARGEST_BYTES, read_columns
from tunables.core.registry import fit_source, fits

COLUMNS = (Column("rtt_s", "", above=0), Column("rate_bps", "", above=0, required=False))


@pytest.mark.parametrize(
    "source",
    [
        "rtt_s,rate_bps\n0.5,1000\n0.25,2000\n",
        "\ufeffrtt_s,rate_bps\r\n0.5,1000\r\n0.25,2000\r\n",
        b"\xef\xbb\xbfrtt_s;rate_bps\r0.5;1000\r0.25;2000",
        "rtt_s\trate_bps\n0.5\t1000\n\n0.25\t2000\n",
        "rtt_s;rate_bps\n0,5;1000\n0,25;2000\n",
        'rtt_s,rate_bps\n0.5,"1,000.0"\n0.25,"2,000"\n',
        "rtt_s;rate_bps\n0,5;1.000\n0,25;2.000\n",  # 0,5 says that the dot parts thousands
        "rtt_s;rate_bps\n0.5;1 000\n0.25;2\u202f000\n",
        "rtt_s;rate_bps\n0.5;1'000\n0.25;2\u2019000\n",
        "Rate (kbps),RTT (ms),note\n1,500,a\n2,250,b\n",
        "rate_bps,RTT [µs]\n1e3,500000\n2E+3,2.5e5\n",
    ],
)
def test_one_table_in_many_shapes(source):
    found = read_columns(source, COLUMNS)
    assert found["rtt_s"].tolist() == pytest.approx([0.5, 0.25])
    assert found["rate_bps"].tolist() == pytest.approx([1000, 2000])


def test_a_column_that_is_not_required_may_be_missing(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("other,rtt_s\nx,2\n")
    assert list(read_columns(path, COLUMNS)) == ["rtt_s"]


def make_zip():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<xml/>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (b"", "the text is empty; it needs a line of headings"),
        (" \n\n", "the text is empty; it needs a line of headings"),
        (
            "time,rate\n1,2\n",
            r"no column rtt_s; the columns found are time, rate; those needed are rtt_s",
        ),
        ("0.5,1000\n0.25,2000\n", "line 1: there are numbers where the headings should be"),
        ("rtt_s,rtt_ms\n1,2\n", "more than one column for rtt_s"),
        ("rtt_s,RTT s\n1,2\n", "more than one column for rtt_s"),
        ("rtt_s\n", "too few rows \\(0\\): this fit needs at least 1"),
        (
            'rtt_s,rate_bps\n1,"1,000"\n',
            "line 2: the comma in '1,000' could separate thousands or decimals",
        ),
        ("rtt_s,rate_bps\n1,1,000\n", "write a number without commas"),
        ('rtt_s,rate_bps\n"1,5","1,000.5"\n', "two ways to write a decimal number"),
        ("rtt_s,rate_bps\n1,fast\n", "line 2: rate_bps = 'fast' is not a number"),
        ("rtt_s,rate_bps\n1,\n", "line 2: rate_bps is empty"),
        ("rtt_s\n1\nnan\n", "line 3: rtt_s = 'nan' is not finite"),
        ("rtt_s\n1\ninf\n", "line 3: rtt_s = 'inf' is not finite"),
        ("rtt_s\n1\n0\n", "line 3: rtt_s = 0: must be above 0; correct the row"),
        ("rtt_ms\n1\n-7\n", "line 3: rtt_ms = -7: must be above 0"),
        ("rtt_s\n1e300\n", "line 2: rtt_s = 1e.300: must be of a realistic size"),
        ("rtt_s,rate_mbps\n1,1e308\n", "line 2: rate_mbps = 1e.308: must be of a realistic size"),
        ("rtt_s,rate_bps\n1,2\n3\n", "line 3: the number of columns is 1, but line 1 has 2"),
        ('rtt_s\n"1\n', "unexpected end of data"),
        ("rtt_s\n1" + "0" * 200_000 + "\n", "field larger than field limit"),
        (b"rtt_s\n\x00\x01\n", "line 2: binary data"),
        (b"\x89PNG\r\n\x1a\n\x00", "byte 0x89 is not UTF-8 text; save the file as UTF-8"),
        ("rtt_s\n1\n".encode("utf-16"), "this is UTF-16 text; save the file as UTF-8"),
        (gzip.compress(b"rtt_s\n1\n", mtime=0), "this is compressed; unpack the file first"),
        (make_zip(), "this is a spreadsheet or ZIP archive, not text; save the table as CSV"),
        (
            b"1" * (LARGEST_BYTES + 1),
            "the file is 64 MiB; the limit is 64 MiB; use a shorter time span",
        ),
        (
            "," * 300_000 + "\n",
            "line 1: a row of more than 262,144 characters is not a measurement",
        ),
        ('"\n",' * 100_000, r"line \d+: a row of more than 262,144 characters"),
        (
            "x," * 50_000 + "\n",
            "the columns found are x, x, .* and 49,989 more; those needed are rtt_s",
        ),
        ("x" * 9_000 + "\n1\n", "the columns found are x{18}...x{18}; those needed"),
        ("rtt_s\n" + "x" * 9_000 + "\n", r"line 2: rtt_s = 'x{27}\.\.\.x{27}' is not a number"),
        ("no-such-file.csv", "neither a file nor lines of text"),
        (Path("no-such-file.csv"), "this file cannot be read: No such file or directory"),
        (Path(__file__).parent, "this is a folder, not a file"),
        (Path("/dev/zero"), "the file is 64 MiB; the limit is 64 MiB"),
        ("rtt_s\n__import__('os').getcwd()\n", "is not a number"),
    ],
)
def test_what_is_refused_says_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_columns(source, COLUMNS)


@pytest.mark.long  # chapter 4's are read and fitted in `make test`
def test_a_million_rows_are_read():
    rng = np.random.default_rng(1)
    values = rng.random((1_000_000, 2)) + 0.5
    source = "rtt_s,rate_bps\n" + "\n".join(f"{a:.6f},{b:.6f}" for a, b in values.tolist())
    found = read_columns(source, COLUMNS)
    assert len(found["rtt_s"]) == 1_000_000
    assert found["rate_bps"].sum() == pytest.approx(values[:, 1].sum(), rel=1e-6)


@pytest.mark.parametrize("chapter", fits())
@settings(deadline=None, max_examples=60, derandomize=True)
@given(source=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text + "\n"))
@example(source=b"\xff")
def test_whatever_comes_is_refused_by_a_sentence(chapter, source):
    with pytest.raises(ValueError, match=r".{10}"):
        fit_source(chapter, source)


CELLS = st.sampled_from(["0", "1", "-1", "1e308", "1e-308", "1,5", "1.5", "nan", "", "x", "1e400"])


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "heading",
    [
        "clients;response_s;throughput_per_s",
        "clients;response_s;delay_s;time_s",
        "latency_s;timeout_s;retries",
        "start_s;size_bytes;duration_s",
        "rtt_s;throughput_bps;source_bps",
    ],
)
@pytest.mark.parametrize("copies", [1, 1000])
@settings(deadline=None, max_examples=40, derandomize=True)
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8))
def test_tables_of_odd_numbers_give_a_fit_or_a_sentence(heading, copies, rows):
    """Numbers at the ends of their range must not leak another error out of a fit."""
    width = heading.count(";") + 1
    lines = [";".join((*row, "1")[:width]) for row in rows] * copies
    chapter = {"c": 1, "l": 2, "s": 4, "r": 5}[heading[0]]
    with contextlib.suppress(ValueError):
        fit = fit_source(chapter, "\n".join([heading, *lines]) + "\n")
        assert fit.verdict.startswith("This model")


def test_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read_columns(b"rtt_s\n1\n", COLUMNS)
    assert list(tmp_path.iterdir()) == []
