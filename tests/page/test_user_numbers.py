"""The lab Your numbers in the page reads, counts and fits in MicroPython as the package does."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from tests.book.test_page_python import PARTS, page_python
from tests.core.made import FILES
from tests.node import node_path
from tunables.core.registry import fit_source
from tunables.page.chapters import find_chapter, module
from tunables.page.labs.your_numbers import fit_rows, fit_sentences, list_fits

LONGEST_LINK = 4_000  # characters
SCRIPT = Path(__file__).with_name("read_numbers.js")
KINDS = {offer["chapter"]: offer["wanted"]["kind"] for offer in list_fits()}
SAMPLES = {
    path.name: (slug, path.read_bytes())
    for path in FILES
    for slug in [find_chapter(path.stem[0]).slug]
    if KINDS.get(slug, "keys") != "keys"
}
SLUG = "time_outs"  # an example, with three columns that all are required
WAN = find_chapter(5).slug
HEADING, *ROWS = next(data for slug, data in SAMPLES.values() if slug == SLUG).decode().split()
CELLS = [row.split(",") for row in ROWS]
NAMES = HEADING.split(",")


def table(names, rows, delimiter=","):
    return "\n".join(delimiter.join(row) for row in [names, *rows]) + "\n"


def comma(cell):
    return cell.replace(".", ",")


def change_cell(cell, row=3, column=0):
    """Return the sample's text with one cell changed."""
    rows = [list(cells) for cells in CELLS]
    rows[row][column] = cell
    return table(NAMES, rows, ";")


SHAPES = {
    "semicolons and decimal commas": table(NAMES, [map(comma, row) for row in CELLS], ";"),
    "tabs, Windows, a byte order mark": "\ufeff" + table(NAMES, CELLS, "\t").replace("\n", "\r\n"),
    "another order and more columns": table(
        [*reversed(NAMES), "note"], [[*reversed(row), "x"] for row in CELLS]
    ),
    "quotes": table(NAMES, [[f'"{cell}"' for cell in row] for row in CELLS]),
    "milliseconds": table(
        [NAMES[0].replace("_s", " [ms]"), *NAMES[1:]],
        [[str(1000 * float(row[0])), *row[1:]] for row in CELLS],
    ),
}
REFUSED = {
    "nothing": b"",
    "blank": b" \n\n",
    "commas alone": b",,\n,,\n",
    "numbers for headings": b"1,2,3\n4,5,6\n",
    "a column lacking": table(["what", *NAMES[1:]], CELLS[:3]).encode(),
    "a column twice": table([NAMES[0], NAMES[0].replace("_s", "_ms"), *NAMES[2:]], CELLS).encode(),
    "too few": table(NAMES, CELLS[:3]).encode(),
    "a word": change_cell("fast").encode(),
    "an underscore": change_cell("1_000").encode(),
    "an underscore that sets no thousands apart": change_cell("1_00020").encode(),
    "a gap": change_cell("").encode(),
    "nan": change_cell("nan").encode(),
    "infinity": change_cell("-Infinity").encode(),
    "a comma that may be either": table(NAMES, [["1,234", "1", "1"]], ";").encode(),
    "two ways": (change_cell("1,234.5") + "2,5;1;1\n").encode(),
    "out of range": change_cell("-1").encode(),
    "not of a size": change_cell("1e300").encode(),
    "thousands without quotes": (table(NAMES, CELLS[:3]) + "1,000,1,1\n").encode(),
    "a row too short": (table(NAMES, CELLS[:3]) + "1\n").encode(),
    "an open quote": (table(NAMES, CELLS[:3]) + '"1,\n').encode(),
    "binary": (table(NAMES, CELLS[:3]) + "\x01,\n").encode(),
    "a spreadsheet": b"PK\x03\x04 and so on",
}
PRINTED, PRINTOUT = next(sample for sample in SAMPLES.values() if KINDS[sample[0]] == "text")
LINES = PRINTOUT.decode().splitlines()


def change_word(old, new, line=None):
    """Return the printout with a word of one line changed, or of all."""
    lines = [
        text.replace(old, new) if line in (None, place) else text
        for place, text in enumerate(LINES)
    ]
    return "\n".join(lines).encode()


REFUSED_TEXTS = {
    "nothing printed": b"",
    "another text": b"hello\nworld\n",
    "one command": change_word("Runtime(ms)", "Time"),
    "no threads": b"\n".join(PRINTOUT.splitlines()[:4]),
    "one thread too few": change_word("work_queue_run", "other", 6),
    "a strange heading": change_word("Best", "Worst"),
    "a row cut": change_word(LINES[3], LINES[3][:30]),
    "a word in a row, and quotes": change_word("50", "'50\"", 3),
    "an odd letter": change_word("466", "46é6"),
    "few runs": change_word("466", "4"),
    "other queues": change_word("466", "466000", 6),
    "no cost": change_word(" 50 ", " 0 ", 3),
    "no granularity": change_word(" 27 ", " 0 ", 3),
    "no time": change_word("15127", "0", 6),
    "more than is counted": change_word(" 50 ", f" {10**400} ", 3),
    "binary text": change_word("Avg.", "Avg.\x01"),
    "a spreadsheet of counts": b"PK\x03\x04 and so on",
}
TOO_MANY = b"\n".join(PRINTOUT for _ in range(100))
PASTED = change_word("  ", "\u00a0\ufeff ").replace(b"\n", b"\r\n")


def question(chapter, data, named=None):
    return {"chapter": chapter, "hex": data.hex(), "named": named or {}}


def page_answers(given):
    """Return what the page makes of all that it is given, by name."""
    sources = PARTS["shared"] | page_python.laws()["your_numbers"]
    text = json.dumps({"sources": sources, "asked": list(given.values())})
    done = subprocess.run(
        [node_path(), str(SCRIPT)], input=text, capture_output=True, text=True, check=True
    )
    return dict(zip(given, json.loads(done.stdout), strict=True))


def in_small(sentence):
    """Return a refusal without what a page adds: a capital to begin with, and a full stop."""
    told = sentence.rstrip(".")
    return told[:1].lower() + told[1:]


@pytest.fixture(scope="module")
def answers():
    """Return what the page makes of all samples, all shapes of one, and all that is refused."""
    given = {name: question(slug, data) for name, (slug, data) in SAMPLES.items()}
    given |= {name: question(SLUG, text.encode()) for name, text in SHAPES.items()}
    given |= {name: question(SLUG, data) for name, data in REFUSED.items()}
    given |= {name: question(PRINTED, data) for name, data in REFUSED_TEXTS.items()}
    given |= {"too many": question(PRINTED, TOO_MANY), "pasted": question(PRINTED, PASTED)}
    other = table(["what", *NAMES[1:]], CELLS).encode()
    given["chosen"] = question(SLUG, other, {"0": NAMES[0]})
    return page_answers(given)


TRANSFERS = [("oslo", 5, 31.2), ("rome", 20, 25), ("lima", 80, 6.25), ("cairo", 40, 12.5)]
TRANSFERS += [("delhi", 160, 3.1), ("perth", 300, 1.7), ("quito", 240, 2.1)]


@pytest.mark.slow
def test_a_rate_in_megabytes_is_read_and_not_as_megabits():
    def given(heads, per_s):
        rows = [(site, str(rtt), str(rate * per_s)) for site, rtt, rate in TRANSFERS]
        return table(heads, rows)

    bits = fit_source(WAN, given(["site", "rtt ms", "throughput_mbps"], 8))
    for head in ("MB/s", "throughput MBps", "Throughput (MB/s)"):
        source = given(["site", "rtt ms", head], 1)
        assert numbers(fit_source(WAN, source)) == pytest.approx(numbers(bits))
    answers = page_answers({"MB/s": question(WAN, source.encode())})
    assert_fitted(answers["MB/s"], WAN, fit_source(WAN, source))


@pytest.mark.slow
def test_a_text_with_too_few_columns_asks_for_no_choice_and_says_what_to_add():
    answers = page_answers(
        {
            "junk": question(find_chapter(1).slug, b"hello there\nhow are you\n"),
            "one setting": question(SLUG, b"zeit;latency_ms\n0;15\n1;20\n"),
            "other names": question(WAN, b"site,rtt ms,rate\na,5,3\nb,6,3\n"),
        }
    )
    assert answers["junk"]["lacking"] == answers["one setting"]["lacking"] == []
    assert "add clients, number of clients;" in answers["junk"]["refused"]
    assert "add timeout_s, timeout of an attempt" in answers["one setting"]["refused"]
    (units,) = answers["other names"]["lacking"]
    assert units[0] == "throughput_bps"
    assert "throughput_MB/s" in units


def numbers(fit):
    """Return all numbers of a fit."""
    rows = [number for row in fit.held_out for number in row[2:]]
    elasticities = [elasticity for _, elasticity in fit.sensitivity]
    return [parameter.value for parameter in fit.parameters] + rows + elasticities


def assert_fitted(answer, slug, fit):
    """Words and tables are the same, the numbers behind them to 1e-9, and a link holds them."""
    assert "refused" not in answer, answer
    report = answer["report"]
    assert report["sentences"] == fit_sentences(fit)
    tables = json.loads(json.dumps(fit_rows(fit)))
    for (*heads, rows), (*by_page, others) in zip(tables, report["tables"], strict=True):
        assert by_page == heads
        assert [row[0] for row in others] == [row[0] for row in rows]  # the numbers may tie
    by_page = module(slug, "fit").report(report["result"])
    assert numbers(by_page) == pytest.approx(numbers(fit), rel=1e-9, abs=1e-12)
    assert answer["linked"] == report
    assert len(json.dumps(report["result"])) < LONGEST_LINK


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_page_fits_a_sample_as_the_package_does(name, answers):
    slug, data = SAMPLES[name]
    assert_fitted(answers[name], slug, fit_source(slug, data))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SHAPES, "chosen"])
def test_one_table_in_many_shapes(name, answers):
    assert_fitted(answers[name], SLUG, fit_source(SLUG, table(NAMES, CELLS)))


@pytest.mark.slow
def test_blanks_and_line_ends_of_a_page_change_no_printout(answers):
    assert_fitted(answers["pasted"], PRINTED, fit_source(PRINTED, PRINTOUT))


@pytest.mark.slow
def test_a_printout_whose_result_no_link_can_hold_is_left_to_the_command_line(answers):
    assert fit_source(PRINTED, TOO_MANY)
    assert answers["too many"]["refused"] == (
        "for this fit the page takes at most 25 printouts; use the command line for more"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "name", "data"),
    [(SLUG, name, data) for name, data in REFUSED.items()]
    + [(PRINTED, name, data) for name, data in REFUSED_TEXTS.items()],
)
def test_the_page_refuses_with_the_packages_sentence(slug, name, data, answers):
    with pytest.raises(ValueError, match=r".") as error:
        fit_source(slug, data)
    assert in_small(answers[name]["refused"]) == in_small(str(error.value))


CELLS_ODD_OWN_NUMBERS = [
    "0",
    "-1",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "",
    "1,5",
    "1.234.567",
    "１２",
    "<script>",
]
CELLS_ODD_OWN_NUMBERS += [
    "1_000",
    "1_00020",
    "x" * 300,
    '"',
    "1 000",
    "=1+1",
    "\u202e1",
    "True",
    "0x1",
    "1e",
    "+",
    ".",
    "9" * 400,
]
BYTES = [b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\t", b";", b",", b'"', b"P ", b" "]


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Return a file with a cell, a line or some bytes changed, a few times over."""
    for _ in range(chance.randint(1, 3)):
        lines = data.split(b"\n")
        last = len(lines) - 1
        place = chance.choice([0, min(1, last), chance.randrange(len(lines)), last])
        way = chance.randrange(5)
        if way == 0:
            cells = lines[place].split(b",")
            cells[chance.randrange(len(cells))] = chance.choice(CELLS_ODD_OWN_NUMBERS).encode()
            lines[place] = b",".join(cells)
        elif way == 1:
            del lines[place]
        elif way == 2:
            lines.insert(place, chance.choice(lines))
        elif way == 3:
            line, at = lines[place], chance.randint(0, len(lines[place]))
            lines[place] = line[:at] + chance.choice(BYTES) + line[at + chance.randrange(2) :]
        else:
            lines = lines[: chance.randrange(len(lines) + 1)]
        data = b"\n".join(lines)
    return data


def files(count: int) -> dict[str, tuple[str, bytes]]:
    chance = random.Random("own numbers")
    known = [*SAMPLES.values(), (PRINTED, PRINTOUT)]
    ends = {f"an open quote {end!r}": end for end in (b"", b"\n", b"\r", b"\n\n")}
    return {name: ("time_outs", b'latency_s\n1\n"2\n3' + end) for name, end in ends.items()} | {
        f"{slug} {number}": (slug, mutate(data, chance))
        for number in range(count)
        for slug, data in [chance.choice(known)]
    }


def refusal(slug: str, data: bytes) -> str:
    """Return why the package refuses a file, or ""."""
    try:
        fit_source(slug, data)
    except ValueError as error:
        return str(error)
    return ""


def assert_alike(count: int) -> None:
    odd = files(count)
    answers = page_answers({name: question(slug, data) for name, (slug, data) in odd.items()})
    refusals = {name: refusal(slug, data) for name, (slug, data) in odd.items()}
    for name, (slug, data) in odd.items():
        if refusals[name]:
            told = answers[name].get("refused", "")
            if "not UTF-8 text" in refusals[name]:  # a browser does not say which byte it is
                assert "not UTF-8 text" in told
            else:
                assert in_small(told) == in_small(refusals[name]), (name, data[:300])
        else:
            assert_fitted(answers[name], slug, fit_source(slug, data))
    assert 0 < sum(map(bool, refusals.values())) < count


@pytest.mark.slow
def test_odd_files_are_read_alike():
    assert_alike(25)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_many_odd_files_are_read_alike():
    assert_alike(1500)
