"""A user's trace: what counts as a CSV of keys, what is refused, and where the knee is."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.core.trace import knee, read_keys

# A byte order mark is dropped wherever it is, so it cannot be a key or a part of one.
KEYS = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters="\ufeff"),
    min_size=1,
).map(str.strip)


def keys_of(*arguments):
    ids, names = read_keys(*arguments)
    return [names[i] for i in ids]


@pytest.mark.parametrize(
    "text",
    [
        "a\nb\na\n",
        "a\r\nb\r\na\r\n",
        "a\rb\ra",
        "\ufeffa\nb\na",
        "\n\na\n  \nb\r\n\r\na\n\n",
        '"a"\n"b"\n"a"\n',
        " a\nb \n\ta\n",
        "key\na\nb\na\n",
        "URL\na\nb\na\n",
    ],
)
def test_one_column_in_many_shapes(text):
    assert keys_of(text) == ["a", "b", "a"]
    assert keys_of(text.encode()) == ["a", "b", "a"]
    assert keys_of(memoryview(text.encode())) == ["a", "b", "a"]


def test_ids_go_by_first_appearance():
    ids, names = read_keys("zebra\nape\nzebra\nbee\nape\n")
    assert ids.tolist() == [0, 1, 0, 2, 1]
    assert ids.dtype == np.int64
    assert names == ["zebra", "ape", "bee"]


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.lists(KEYS.filter(bool), min_size=1, max_size=20))
def test_any_strings_are_keys_when_quoted(keys):
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(["at", "name"])
    writer.writerows(enumerate(keys))
    assert keys_of(out.getvalue(), "name") == keys


TABLE = 'at,file,bytes\n1,"a,b",7\n2,c,8\n3,"a,b",9\n'


def test_column_by_name_or_index():
    assert keys_of(TABLE, "file") == ["a,b", "c", "a,b"]
    assert keys_of(TABLE, 1) == ["a,b", "c", "a,b"]
    assert keys_of(TABLE, "bytes") == keys_of(TABLE, 2) == ["7", "8", "9"]
    assert keys_of("1,a\n2,b\n", 1) == ["a", "b"]


def test_a_line_break_inside_quotes_belongs_to_the_key():
    assert keys_of('"a\nb"\nc\n') == ["a\nb", "c"]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("request\n17\n4\n17\n", ["17", "4", "17"]),  # the only cell that is not a number
        ("17\n4\n17\n", ["17", "4", "17"]),
        ("apple\nkey\n", ["apple", "key"]),
        ("key\nlock\nkey\n", ["key", "lock", "key"]),  # asked for again: a key, not a header
        ("a\n1\nb\n", ["a", "1", "b"]),
        ("apple\n", ["apple"]),
    ],
)
def test_what_is_a_header(text, keys):
    assert keys_of(text) == keys


def test_a_path_is_read(tmp_path):
    path = tmp_path / "trace.csv"
    path.write_bytes(TABLE.encode())
    assert keys_of(path, "file") == keys_of(str(path), "file") == ["a,b", "c", "a,b"]


@pytest.mark.parametrize(
    ("source", "column", "message"),
    [
        ("\n\n", None, "line 1: there are no keys in this text"),
        (b"", None, "line 1: there are no keys in this text"),
        ("\nat,file\n\n", "file", "line 2: a header, but no keys below it"),
        ("key\n", None, "line 1: a header, but no keys below it"),
        ("at,file\n1,a\n\n2\n", "file", "line 4: the number of columns is 1, but line 1 has 2"),
        ("1,a\n2,b,c\n", 1, "line 2: the number of columns is 3, but line 1 has 2"),
        ("at,file\n1,a\n2,\n", "file", "line 3: the key is empty"),
        (
            "\n\nat,file\n1,a\n",
            None,
            r"line 3: there are 2 columns \(at, file\): choose one by name",
        ),
        ("at,file\n1,a\n", "name", "column = 'name': must be one of at, file"),
        ("at,file\n1,a\n", 2, "column = 2: must be a whole number at least 0 and at most 1"),
        ("at,file\n1,a\n", -1, "column = -1"),
        ("a\nb\x00c\n", None, "line 2: binary data"),
        (b"\x89PNG\r\n\x1a\n\x00", None, "line 1: byte 0x89 is not UTF-8 text"),
        (b"a\nb\n\xff\n", None, "line 3: byte 0xff is not UTF-8 text"),
        ("a\nb\n".encode("utf-16-le"), None, "line 1: binary data"),
        ('a\n"b\nc\n', None, "line 3: a quote is not closed: unexpected end of data"),
        ('a\n"b"c\n', None, "line 2: ',' expected after '\"'"),
        ("no-such-file.csv", None, "'no-such-file.csv': neither a file nor lines of text"),
        ("", None, "'': neither a file nor lines of text"),
        ("a," * 5000, None, "neither a file nor lines of text"),
        ("a\nb\x0cc\n", None, "line 2: binary data"),
        (None, None, "None: neither a file nor lines of text"),
    ],
)
def test_what_is_refused(source, column, message):
    with pytest.raises(ValueError, match=message):
        read_keys(source, column)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match="this is a folder, not a file"):
        read_keys(tmp_path)


@pytest.mark.parametrize("objects", [1, 2, 50, 1000])
def test_knee_of_a_cyclic_scan_is_the_foot_of_its_cliff(objects):
    assert knee([1.0] * objects + [0.02]) == objects


def test_knee_at_a_cliff_with_a_tail_is_its_foot():
    assert knee([1.0] * 30 + [0.3 - 0.01 * i for i in range(11)]) == 30


def test_knee_of_a_straight_line_is_its_end():
    assert knee(np.linspace(1, 0.1, 90)) == 89


def test_knee_of_a_hyperbola_is_where_its_slope_is_the_chords():
    """1/(1 + c) on 0...99: chord slope -0.99/99 = -1/100, so 1 + c = 10."""
    assert knee([1 / (1 + capacity) for capacity in range(100)]) == 9


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        ([], r"miss_ratio_curve = \[\]"),
        ([1, float("nan")], r"miss_ratio_curve\[1\] = nan"),
        ([1, 1.5], r"miss_ratio_curve\[1\] = 1.5"),
        ([1, -0.1], r"miss_ratio_curve\[1\] = -0.1"),
        (np.ones((2, 2)), r"miss_ratio_curve\[0\]"),
    ],
)
def test_knee_refuses(curve, message):
    with pytest.raises(ValueError, match=message):
        knee(curve)
