"""Codes, the problems that they draw, and the packed text that a page makes."""

import hmac
import json
import random

import pytest

from tests.hand_in.texts import ADA, SECRET, record_of
from tunables.hand_in.codes import student_code
from tunables.page.chapters import with_facet
from tunables.page.hand_in import (
    ALPHABET,
    HandInSession,
    body_of,
    code_of,
    from_base32,
    hand_in_of,
    hmac_sha256,
    pack,
    problems_of,
    public_part,
    read_code,
    sign,
    to_base32,
    unpack,
)
from tunables.page.problem import kinds

CODE = student_code(SECRET, ADA.id)
RANDOM = random.Random(1)


def test_the_signature_is_the_standard_librarys():
    for size in (0, 1, 63, 64, 65, 500):
        key, message = RANDOM.randbytes(20), RANDOM.randbytes(size)
        assert hmac_sha256(key, message) == hmac.digest(key, message, "sha256")


def test_bytes_of_every_length_come_back_from_their_characters():
    for size in range(40):
        data = RANDOM.randbytes(size)
        assert from_base32(to_base32(data)) == data


@pytest.mark.parametrize("text", ["0", "000", "D1MH"])
def test_characters_that_no_bytes_give_are_refused(text):
    with pytest.raises(ValueError, match="must be the output of to_base32"):
        from_base32(text)


def test_a_code_is_read_however_it_is_typed():
    plain = CODE.replace("-", "")
    for typed in (CODE, CODE.lower(), plain, f" {plain[:9]} {plain[9:]}\n", CODE.replace("-", "–")):
        assert read_code(typed) == CODE
    zeros = code_of(bytes(12))
    assert read_code(zeros.replace("0", "o")) == zeros


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type the code"),
        (" - ", "Type the code"),
        (CODE[:-1], "has 20 letters and digits, but this one has 19"),
        (CODE + "0", "has 20 letters and digits, but this one has 21"),
        (CODE[:-1] + "ß", "but this one has 21"),  # in capitals it is SS
        (CODE[:-1] + "!", 'so it can\'t have "!"'),
    ],
)
def test_what_is_no_code_is_refused_in_a_sentence(typed, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_code(typed)


def test_one_wrong_character_of_a_code_is_noticed_wherever_it_is():
    letters = CODE.replace("-", "")
    for place, letter in enumerate(letters):
        for other in ALPHABET.replace(letter, ""):
            with pytest.raises(ValueError, match="is wrong"):
                read_code(letters[:place] + other + letters[place + 1 :])


@pytest.mark.parametrize("chapter", with_facet("problems"))
def test_two_codes_draw_other_problems_one_of_each_kind(chapter):
    mine, others = problems_of(CODE, chapter), problems_of(student_code(SECRET, "s2"), chapter)
    assert [problem.kind for problem in mine] == sorted(kinds(chapter))
    assert {problem.seed for problem in mine}.isdisjoint({problem.seed for problem in others})
    assert mine == problems_of(CODE, chapter)


def test_what_is_packed_comes_back_with_its_signature():
    hand_in = hand_in_of(CODE, 3, " Ada \x07 Ünal ", record_of({"late": " 12 "}))
    content, signature = unpack(pack(CODE, hand_in))
    assert signature == sign(CODE, content) != sign(student_code(SECRET, "s2"), content)
    assert json.loads(body_of(content)) == list(hand_in)
    assert (hand_in.name, hand_in.student) == ("Ada Ünal", public_part(CODE))
    assert [row[2] for row in hand_in.answers if row[0] == "late"] == ["12"]


def ask(**request):
    session = HandInSession(json.dumps({"chapter": "cache_cliff"}))
    return json.loads(session.reply(json.dumps(request)))


def test_the_page_shows_the_problems_without_answers_and_steps():
    shown = ask(code=CODE.lower())
    assert shown["code"] == CODE
    assert len(shown["problems"]) == len(kinds(3))
    assert {*shown["problems"][0]} == {"kind", "title", "question", "wanted"}


def test_the_page_says_that_an_answer_can_be_read_and_not_whether_it_is_right():
    for words in ("12", "0.001"):
        assert ask(code=CODE, kind="late", answer=words) == {"read": True}
    assert "is not a number" in ask(code=CODE, kind="late", answer="lots")["refusal"]
    assert "GiB" in ask(code=CODE, kind="late", answer="3 GiB")["refusal"]


@pytest.mark.parametrize(
    ("name", "answers", "sentence"),
    [
        (" ", {}, "Type your name"),
        ("Ada", {"late": "lots"}, '"lots" is not a number'),
        ("Ada", [], "answers: must have entries"),
    ],
)
def test_no_text_is_made_of_what_nobody_could_mark(name, answers, sentence):
    assert sentence in ask(code=CODE, name=name, record=record_of(answers))["refusal"]
