"""The paste box: what is in its fields reaches the function, and a bad CSV gives a sentence."""

import datetime

import pytest

from tunables.measure.own_trace import read_keys
from tunables.measure.paste_box import paste_box

pytest.importorskip("ipywidgets")


def parts(box):
    text, choices, button, _ = box.children
    return text, *choices.children, button


@pytest.fixture
def calls():
    return []


@pytest.fixture
def fields(calls):
    return parts(paste_box(lambda source, **rest: calls.append((source, rest)), "a\nb"))


def test_the_sample_is_there_to_be_shown(fields, calls):
    *_, button = fields
    button.click()
    assert calls == [("a\nb\n", {"column": None, "capacity": None})]


def test_fields_are_passed_on(fields, calls):
    text, _, column, capacity, button = fields
    text.value, column.value, capacity.value = "at,key\n1,a", " key ", 7
    button.click()
    column.value = "1"
    button.click()
    assert calls == [
        ("at,key\n1,a\n", {"column": "key", "capacity": 7}),
        ("at,key\n1,a\n", {"column": 1, "capacity": 7}),
    ]


def test_what_came_last_counts(fields, calls):
    text, upload, *_, button = fields
    now = datetime.datetime.now(datetime.UTC)
    file = {"name": "t.csv", "type": "text/csv", "size": 4, "last_modified": now}
    upload.value = ({**file, "content": memoryview(b"x\ny\n")},)
    button.click()
    text.value = "c\nd"
    button.click()
    assert [bytes(source) for source, _ in calls[:1]] == [b"x\ny\n"]
    assert [source for source, _ in calls[1:]] == ["c\nd\n"]


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("", "line 1: there are no keys in this text\n"),
        ("at,key\n1,a", "line 1: 2 columns (at, key): choose one by name or index\n"),
        ("a\nb,c", "line 2: the columns are 2, but 1 in line 1\n"),
    ],
)
def test_a_bad_csv_gives_a_sentence(pasted, sentence, capsys):
    text, *_, button = parts(paste_box(lambda source, column, capacity: read_keys(source, column)))
    text.value = pasted
    button.click()
    assert capsys.readouterr() == (sentence, "")
