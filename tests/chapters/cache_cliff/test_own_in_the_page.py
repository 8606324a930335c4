"""Lab 7 in the page reads a trace as the package does, counts the same and fits the same."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.chapters.cache_cliff.own_data import follows
from tests.node import node_path
from tunables.chapters.cache_cliff.own import capacities, counted, fit_key_trace
from tunables.page.labs.fit_text import fit_sentences
from tunables.page.labs.your_numbers import Page
from tunables.parts.key_words import HEADER_WORDS
from tunables.parts.text import delimiter_of, text_of
from tunables.parts.trace import read_keys

SCRIPT = Path(__file__).with_name("read_traces.js")
FEW = 20  # requests, so that both halves have some
KEYS = "".join(f"k{n * n % 7}\n" for n in range(FEW))
NUMBERS = "".join(f"{n * n % 7}\n" for n in range(FEW))
TABLE = "".join(f"{n},{n * n % 7},x\n" for n in range(FEW))
READ = {  # name: (text, column)
    "a heading that is known": ("key\n" + KEYS, None),
    "no heading": (KEYS, None),
    "a heading over numbers": ("sector\n" + NUMBERS, None),
    "numbers alone": (NUMBERS, None),
    "a heading that is a key too": ("key\n" + KEYS + "key\n", None),
    "lines of Windows, and blank ones": (("key\n\n" + KEYS + "  \n").replace("\n", "\r\n"), None),
    "lines of the old Macintosh": (("key\n" + KEYS).replace("\n", "\r"), None),
    "no end of the last line": ("key\n" + KEYS.rstrip(), None),
    "a byte order mark": ("\ufeffkey\n" + KEYS, None),
    "a known column": ("at,lbn,what\n" + TABLE, None),
    "semicolons": ("at;URL;what\n" + TABLE.replace(",", ";"), None),
    "tabs": ("at\tkey\twhat\n" + TABLE.replace(",", "\t"), None),
    "a column that is chosen": ("at,sector,what\n" + TABLE, "sector"),
    "a column by its number": (TABLE, 1),
    "quotes": ('at,key\n1,"a,b"\n2,"a,b"\n3,"a ""b"""\n4,"a\nb"\n5, c \n6,c\n' + "7,é\n" * 9, None),
    "a quote within a cell": ('key\na"b\n' + KEYS, None),
    "blank rows of commas": ("at,key,what\n,,\n" + TABLE, None),
}
REFUSED = {
    "empty": (b"", "text"),
    "blank": (b" \n\n", "there are no keys in this text"),
    "a heading alone": (b"key\n", "a header, but no keys below it"),
    "binary": (b"key\na\x00b\nc\n", "line 2: binary data, not text"),
    "a picture": (b"\x89PNG and so on", "UTF-8"),
    "a spreadsheet": (b"PK\x03\x04 and so on", "spreadsheet or ZIP archive"),
    "compressed": (b"\x1f\x8b and so on", "compressed; unpack the file first"),
    "another encoding": ("key\nM\xfcller\n".encode("latin-1"), "UTF-8"),
    "a row too short": (b"at,key\n1,a\n2\n", "line 3: the columns are 1, but 2 in line 1"),
    "an empty key": (b"at,key\n1,a\n2,\n", "line 3: the key is empty"),
    "an open quote": (b'at,key\n1,"a\n2,b\n', "unexpected end of data"),
    "more behind a quote": (b'at,key\n1,"a"b\n', "',' expected after '\"'"),
    "a row without end": (b"key\n" + 300_000 * b"a", "a row of more than 262,144 characters"),
}


def in_node(asked):
    """Return what the page's scripts make of [(bytes, column), ...]."""
    words = sorted(HEADER_WORDS)
    given = [{"hex": data.hex(), "words": words, "column": column} for data, column in asked]
    command = [node_path(), str(SCRIPT)]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers():
    """Return what is made of all texts: those read, those refused, and three more."""
    texts = [(text.encode(), None if c is None else str(c)) for text, c in READ.values()]
    refused = [(data, None) for data, _ in REFUSED.values()]
    more = [(b"at,sector\n1,2\n", None), (b"at,sector\n", "no"), (made(), None)]
    found = in_node(texts + refused + more)
    names = [*READ, *REFUSED, "choose", "no such", "made"]
    return dict(zip(names, found, strict=True))


def made():
    return follows(3).encode()


def known(text, column):
    """Return the column of a text, as `read_keys` wants it."""
    first = text.strip("\ufeff").splitlines()[0].split(delimiter_of(text))
    named = [cell for cell in first if cell.lower() in HEADER_WORDS]
    return column if column is not None or len(first) == 1 else named[0]


def renumbered(ids):
    """Return ids in the order of first appearance."""
    numbers: dict = {}
    return [numbers.setdefault(each, len(numbers)) for each in ids]


@pytest.mark.parametrize("name", READ)
def test_the_page_reads_the_same_requests(name, answers):
    text, column = READ[name]
    text = text_of(text.encode())
    wanted = read_keys(text + "\n", known(text, column), delimiter_of(text)).ids
    assert "refused" not in answers[name], answers[name]
    assert renumbered(answers[name]["ids"]) == wanted.tolist()


@pytest.mark.parametrize("name", REFUSED)
def test_the_page_refuses_what_the_package_refuses(name, answers):
    data, words = REFUSED[name]
    assert words.lower() in answers[name]["refused"].lower()
    with pytest.raises(ValueError, match=r"^(?!This is not)"):
        fit_key_trace(data)


def test_where_no_column_is_known_the_reader_chooses(answers):
    assert answers["choose"]["columns"] == answers["no such"]["columns"] == ["at", "sector"]
    assert "choose that of the keys" in answers["choose"]["refused"]


def replied(call, given):
    return json.loads(Page().reply(json.dumps({"call": call, "given": given})))


def asked(call, **given):
    return replied(call, {"chapter": 3, **given})


def linked(result):
    return replied("linked", {"result": result})


def test_the_page_counts_and_fits_the_same(answers):
    found = answers["made"]
    fit, ids = fit_key_trace(made()), np.array(found["ids"])
    at = asked("capacities", keys=found["distinct"])["answer"]
    assert at == capacities(found["distinct"])
    measured = [[room, found["misses"][room] / found["later"]] for room in at]
    by_page, ours = found["half"] | {"measured": measured}, counted(ids)
    for name in ("requests", "counts", "new", "measured"):
        assert by_page[name] == ours[name]
    assert sorted(by_page["often"]) == sorted(ours["often"])
    answer = asked("fitted", counted=by_page)["answer"]
    assert answer["sentences"] == fit_sentences(fit)
    rows = [[row.measured, row.predicted] for row in fit.held_out]
    assert np.array(answer["result"]["rows"])[:, 1:] == pytest.approx(np.array(rows), abs=1e-12)
    assert linked(answer["result"])["answer"] == answer
    older = {name: value for name, value in answer["result"].items() if name != "chapter"}
    assert linked(older)["answer"] == answer
    model = asked("curve", counted=by_page, at=at)["answer"]
    assert model == [predicted for _, predicted in rows]


@pytest.mark.parametrize("result", [None, 3, [], {}, {"keys": 0, "g": 0}, "x"])
def test_a_link_without_a_result_is_told(result):
    assert linked(result)["refusal"] == "this link holds no result of a fit"
