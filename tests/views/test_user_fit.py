"""The paste box: what is in its fields reaches the function, and a bad CSV gives a sentence."""

import datetime

import pytest

from tests.core.made import SAMPLES
from tunables.core.registry import fit_source
from tunables.core.trace import read_keys
from tunables.page.chapters import find_chapter
from tunables.views.user_fit import FitBox, PasteBox, TextBox

pytest.importorskip("ipywidgets")


@pytest.fixture
def calls():
    return []


@pytest.fixture
def box(calls):
    return PasteBox(lambda source, **rest: calls.append((source, rest)), "a\nb")


def test_the_sample_is_there_to_be_shown(box, calls):
    box.button.click()
    assert calls == [("a\nb\n", {"column": None, "capacity": None})]


def test_fields_are_passed_on(box, calls):
    box.text.value, box.column.value, box.capacity.value = "at,key\n1,a", " key ", 7
    box.button.click()
    box.column.value = "1"
    box.button.click()
    assert calls == [
        ("at,key\n1,a\n", {"column": "key", "capacity": 7}),
        ("at,key\n1,a\n", {"column": 1, "capacity": 7}),
    ]


def test_what_came_last_counts(box, calls):
    now = datetime.datetime.now(datetime.UTC)
    file = {"name": "t.csv", "type": "text/csv", "size": 4, "last_modified": now}
    box.upload.value = ({**file, "content": memoryview(b"x\ny\n")},)
    box.button.click()
    box.text.value = "c\nd"
    box.button.click()
    assert [bytes(source) for source, _ in calls[:1]] == [b"x\ny\n"]
    assert [source for source, _ in calls[1:]] == ["c\nd\n"]


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("", "line 1: there are no keys in this text\n"),
        ("at,key\n1,a", "line 1: there are 2 columns (at, key): choose one by name or index\n"),
        ("a\nb,c", "line 2: the number of columns is 2, but line 1 has 1\n"),
    ],
)
def test_a_bad_csv_gives_a_sentence(pasted, sentence, capsys):
    box = PasteBox(lambda source, column, capacity: read_keys(source, column))
    box.text.value = pasted
    box.button.click()
    printed, errors = capsys.readouterr()
    assert printed.rpartition("\r")[2] == sentence  # a terminal is cleared by a line's erasure
    assert errors == ""


def test_a_static_page_gets_a_sentence(box):
    assert "Run in Jupyter" in box._repr_mimebundle_()["text/html"]


def test_a_box_for_any_text_passes_on_the_text_alone(calls):
    box = TextBox(lambda source: calls.append(source), "sample", kind="a printout")
    box.button.click()
    assert calls == ["sample\n"]
    assert "upload a printout" in box._repr_mimebundle_()["text/html"]


def test_the_fit_box_passes_the_chapter_on_and_says_which_columns_it_wants(calls):
    box = FitBox(lambda source, chapter: calls.append((source, chapter)), "rtt_s", chapter=5)
    assert "rtt_s (or _ms, _us), throughput_bps" in box.columns.value
    box.button.click()
    box.chapter.value = "cache_cliff"
    assert "one request per line" in box.columns.value
    box.button.click()
    assert calls == [("rtt_s\n", find_chapter(5).slug), ("rtt_s\n", "cache_cliff")]


def test_an_upload_is_fitted_and_a_bad_one_gets_its_sentence(capsys):
    box = FitBox(lambda source, chapter: print(fit_source(chapter, source).verdict), chapter=5)
    now = datetime.datetime.now(datetime.UTC)
    file = {"name": "own.csv", "type": "text/csv", "size": 1, "last_modified": now}
    content = (SAMPLES / "own" / "5-fits.csv").read_bytes()
    for uploaded in (content, b"\x00\x01", b""):
        box.upload.value = ({**file, "content": memoryview(uploaded)},)
        box.button.click()
    printed, errors = capsys.readouterr()
    assert "This model fits" in printed
    assert "line 1: binary data, not text" in printed
    assert "the text is empty; it needs" in printed
    assert errors == ""


def test_a_pasted_path_is_text_and_opens_no_file(capsys):
    box = FitBox(lambda source, chapter: print(fit_source(chapter, source).verdict), chapter=5)
    box.text.value = str(SAMPLES / "own" / "5-fits.csv")
    box.button.click()
    assert "no column rtt_s" in capsys.readouterr().out
