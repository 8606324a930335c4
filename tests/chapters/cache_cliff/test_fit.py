"""Chapter 3's fit: what it learns from a key trace, what it refuses, and the lab Your numbers.

The page reads a trace as the package does, counts the same and fits the same.
"""

import json
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from tests.chapters.cache_cliff.own_data import follows
from tests.core.made import SCRIPT
from tests.node import node_path
from tunables.base.user_data.columns import HEADER_WORDS
from tunables.chapters.cache_cliff.fit import learn_traffic, miss_ratio
from tunables.chapters.cache_cliff.own import capacities, count, enough_room, fit_key_trace
from tunables.core.reading import delimiter_of, text_of
from tunables.core.registry import fit_source
from tunables.core.trace import read_keys
from tunables.page.labs.your_numbers import LabSession, fit_sentences
from tunables.theory.caching import che_approximation, cliff_capacity

SEEDS = [1, 2, 3, 4]


def learn(ids):
    """Return the Traffic that the fit learns if ids are the first half of a trace."""
    half = count(np.concatenate([ids, ids]))
    return learn_traffic(half["requests"], half["counts"], half["often"])


@pytest.mark.long
def test_a_trace_of_a_million_requests_takes_seconds():
    rng = np.random.default_rng(5)
    keys = rng.zipf(1.3, 1_000_000) % 200_000
    fit_source("cache_cliff", follows())  # compiles
    source = "key\n" + "\n".join(map(str, keys.tolist())) + "\n"
    started = time.perf_counter()
    fit = fit_source("cache_cliff", source)
    print(f"{time.perf_counter() - started:.1f} s")
    assert fit.fits, fit.verdict


def test_without_a_scan_the_model_is_ches_approximation():
    counts = [40, 30, 20, 10, 5, 3, 2]
    ids = np.random.default_rng(1).permutation(np.repeat(np.arange(7), counts))
    traffic = learn(ids)
    assert traffic.n == 0
    for capacity in range(1, 7):
        hit_ratio, _ = che_approximation(counts, capacity)
        assert miss_ratio(traffic, capacity) == pytest.approx(1 - hit_ratio, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_requests_are_not_taken_for_a_scan(seed):
    rng = np.random.default_rng(seed)
    assert learn(rng.integers(0, 2000, 40_000)).n == 0
    assert learn(rng.zipf(1.2, 100_000) % 5000).n == 0


def test_the_cliff_of_the_scan_is_where_the_chapter_says():
    weights = [rank**-0.8 for rank in range(1, 201)]
    ids = np.unique(list(SCRIPT.trace(False, 40_000, 1)), return_inverse=True)[1]
    traffic = learn(ids)
    cliff = cliff_capacity(120, weights, 0.6)
    below, above = (miss_ratio(traffic, cliff * factor) for factor in (0.97, 1.03))
    assert below - above > 0.35  # four requests in ten belong to the scan


TRACE = [str(n * n % 97) for n in range(600)]


@pytest.mark.parametrize("column", ["sector", "1"])
def test_a_column_is_chosen_by_its_heading_or_its_number(column):
    rows = "".join(f"{at},{key}\n" for at, key in enumerate(TRACE))
    fit = fit_source("cache_cliff", "at,sector\n" + rows, column)
    alone = fit_source("cache_cliff", "key\n" + "\n".join(TRACE))
    assert fit.verdict == alone.verdict
    with pytest.raises(ValueError, match=r"columns found are at, sector; none is called 'other'"):
        fit_source("cache_cliff", "at,sector\n" + rows, "other")


def test_a_usual_heading_of_traces_is_recognised():
    rows = "".join(f"{at},{key}\n" for at, key in enumerate(TRACE))
    assert fit_source("cache_cliff", "at,lbn\n" + rows).value("keys") == 49


def test_other_fits_take_no_column():
    with pytest.raises(ValueError, match=r"column = 'x': must be left out"):
        fit_source(1, "a\n", "x")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("at,what\n1,a\n2,b\n", "one must be called key"),
        ("key\na\nb\n", "2 requests are too few"),
    ],
)
def test_a_refusal_says_what_to_do(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_source("cache_cliff", source)


READ_TRACES = Path(__file__).with_name("read_traces.js")
FEW = 20  # requests: enough for two halves
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
    "a row too short": (
        b"at,key\n1,a\n2\n",
        "line 3: the number of columns is 1, but line 1 has 2",
    ),
    "an empty key": (b"at,key\n1,a\n2,\n", "line 3: the key is empty"),
    "an open quote": (b'at,key\n1,"a\n2,b\n', "unexpected end of data"),
    "more behind a quote": (b'at,key\n1,"a"b\n', "',' expected after '\"'"),
    "a row without end": (b"key\n" + 300_000 * b"a", "a row of more than 262,144 characters"),
}


def read_in_node(requests):
    """Return what the page's scripts read in [(bytes, column), ...]."""
    words = sorted(HEADER_WORDS)
    given = [{"hex": data.hex(), "words": words, "column": column} for data, column in requests]
    command = [node_path(), str(READ_TRACES)]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers():
    """Return the page's answers to all texts: READ, REFUSED, and three more."""
    texts = [(text.encode(), None if c is None else str(c)) for text, c in READ.values()]
    refused = [(data, None) for data, _ in REFUSED.values()]
    more = [(b"at,sector\n1,2\n", None), (b"at,sector\n", "no"), (sample(), None)]
    found = read_in_node(texts + refused + more)
    names = [*READ, *REFUSED, "choose", "no such", "sample"]
    return dict(zip(names, found, strict=True))


def sample():
    return follows(3).encode()


def key_column(text, column):
    """Return the column of a text as `read_keys` takes it."""
    first = text.strip("\ufeff").splitlines()[0].split(delimiter_of(text))
    named = [cell for cell in first if cell.lower() in HEADER_WORDS]
    return column if column is not None or len(first) == 1 else named[0]


def renumber(ids):
    """Return ids numbered in the order of their first appearance."""
    numbers: dict = {}
    return [numbers.setdefault(each, len(numbers)) for each in ids]


@pytest.mark.parametrize("name", READ)
def test_the_page_reads_the_same_requests(name, answers):
    text, column = READ[name]
    text = text_of(text.encode())
    wanted = read_keys(text + "\n", key_column(text, column), delimiter_of(text)).ids
    assert "refused" not in answers[name], answers[name]
    assert renumber(answers[name]["ids"]) == wanted.tolist()


@pytest.mark.parametrize("name", REFUSED)
def test_the_page_refuses_what_the_package_refuses(name, answers):
    data, words = REFUSED[name]
    assert words.lower() in answers[name]["refused"].lower()
    with pytest.raises(ValueError, match=r"^(?!This is not)"):
        fit_key_trace(data)


def test_the_verdict_says_how_large_a_cache_is_enough():
    """Keys a to d come in turn, so LRU needs room for all four; e comes only at the end."""
    fit = fit_source("cache_cliff", "key\n" + "a\nb\nc\nd\n" * 250 + "e\n")
    assert "a cache with room for 4 keys is enough: 99.8% of those requests hit" in fit.verdict
    assert "at most 99.8%" in fit.verdict
    assert fit.parameters[0].what == "number of distinct keys in the first half of the requests"


def test_what_is_enough_is_within_a_point_of_the_best():
    assert enough_room([1000, 900, 400, 310, 300]) == 3
    assert enough_room([1000, 900, 400, 311, 300]) == 4
    assert enough_room([1000, 1000]) == 0
    never = fit_source("cache_cliff", "key\n" + "\n".join(f"k{n}" for n in range(1000)))
    assert never.verdict.endswith("at most 0.0% hit, however large the cache.")


def test_where_no_heading_is_recognised_the_user_chooses_a_column(answers):
    assert answers["choose"]["columns"] == answers["no such"]["columns"] == ["at", "sector"]
    assert "choose the one that holds the keys" in answers["choose"]["refused"]


def reply(name, given):
    return json.loads(LabSession().reply(json.dumps({"function": name, "arguments": given})))


def ask(name, **given):
    return reply(name, {"chapter": 3, **given})


def open_link(result):
    return reply("link_result", {"result": result})


def test_the_page_counts_and_fits_the_same(answers):
    found = answers["sample"]
    fit, ids = fit_key_trace(sample()), np.array(found["ids"])
    at = ask("capacities", keys=found["distinct"])["answer"]
    assert at == capacities(found["distinct"])
    measured = [[room, found["misses"][room] / found["later"]] for room in at]
    by_page, by_package = found["half"] | {"measured": measured}, count(ids)
    for name in ("requests", "counts", "new", "enough", "measured"):
        assert by_page[name] == by_package[name]
    assert sorted(by_page["often"]) == sorted(by_package["often"])
    answer = ask("finish_fit", counted=by_page)["answer"]
    assert answer["sentences"] == fit_sentences(fit)
    rows = [[row.measured, row.predicted] for row in fit.held_out]
    assert np.array(answer["result"]["rows"])[:, 1:] == pytest.approx(np.array(rows), abs=1e-12)
    assert open_link(answer["result"])["answer"] == answer
    older = {name: value for name, value in answer["result"].items() if name != "chapter"}
    assert open_link(older)["answer"] == answer
    model = ask("curve", counted=by_page, at=at)["answer"]
    assert model == [predicted for _, predicted in rows]


@pytest.mark.parametrize("result", [None, 3, [], {}, {"keys": 0, "g": 0}, "x"])
def test_a_link_without_a_result_is_refused(result):
    assert open_link(result)["refusal"] == "this link doesn't hold the result of a fit"
