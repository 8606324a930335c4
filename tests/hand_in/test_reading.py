"""Whatever a platform does to a text it is read; whatever a student does to it is refused."""

import html
import json
import random
import re
import textwrap

import pytest

from tests.hand_in.texts import ADA, BOB, CLASS, SECRET, payload, record_of, text_of
from tunables.hand_in.codes import class_codes, codes_sheet, student_code
from tunables.hand_in.reading import UnknownCode, decoded, open_piece, pieces
from tunables.page.chapters import with_facet
from tunables.page.hand_in import (
    ALPHABET,
    VERSION,
    HandIn,
    as_text,
    body_of,
    from_base32,
    hand_in_of,
    sign,
    to_base32,
    unpack,
)

CODES = [*class_codes(CLASS, SECRET).values()]
ADAS = student_code(SECRET, ADA.id)
TEXT = text_of(ADA)
START, LETTERS = payload(TEXT)


def opened(text):
    """Return what the one piece of a text holds."""
    [piece] = pieces(text)
    return open_piece(piece, CODES)


def refusal(text):
    with pytest.raises(ValueError, match=r".") as caught:
        opened(text)
    return str(caught.value)


@pytest.mark.parametrize("chapter", with_facet("problems"))
def test_a_hand_in_of_each_chapter_comes_back(chapter):
    code, hand_in = opened(text_of(BOB, chapter))
    assert code == student_code(SECRET, BOB.id)
    assert (hand_in.chapter, hand_in.name) == (chapter, BOB.name)
    assert all(words for *_, words in hand_in.answers)


def wrapped(width):
    return "\n".join(textwrap.fill(line, width) for line in TEXT.splitlines())


def as_html(text):
    lines = "".join(f"<p dir='ltr'>{html.escape(line)}&nbsp;</p>\n" for line in text.splitlines())
    return f"<!DOCTYPE html><html><body><div class='no-overflow'>{lines}</div></body></html>"


MANGLED = {
    "as it is": TEXT,
    "Windows": TEXT.replace("\n", "\r\n"),
    "on one line": " ".join(TEXT.split()),
    "wrapped": wrapped(20),
    "wrapped in the markers": wrapped(9),
    "indented": textwrap.indent(TEXT, " \t "),
    "quoted": textwrap.indent(TEXT, "> "),
    "quoted twice": textwrap.indent(TEXT, ">> | "),
    "HTML": as_html(TEXT),
    "escaped twice": html.escape(as_html(TEXT)),
    "a quote in HTML": as_html(textwrap.indent(TEXT, "> ")),
    "all bold": f"**{TEXT}**",
    "bold": TEXT.replace("BEGIN", "**BEGIN").replace("HAND IN\n", "HAND IN**\n"),
    "typographic": f"“{TEXT}”".replace("HAND IN", "HAND‑IN"),
    "with words around": f"Dear Prof,\nhere it is — a < b & c > d:\n\n{TEXT}\n\nBye, Ada",
    "zero width": re.sub("(.{7})", "\\1\u200b", payload(TEXT)[1]).join(
        TEXT.split(payload(TEXT)[1])
    ),
    "soft hyphens": TEXT.replace("\n0", "\u00ad\n0"),
}


@pytest.mark.parametrize("text", MANGLED.values(), ids=[*MANGLED])
def test_what_a_platform_does_to_a_text_is_no_matter(text):
    assert opened(text) == opened(TEXT)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_read_in_its_encoding(encoding):
    assert opened(decoded(text_of(BOB).encode(encoding)))[1].name == BOB.name


def edits(places, others):
    """Yield the text with each edit of one character at each place."""
    for place in places:
        before, letter, after = (
            TEXT[: START + place],
            TEXT[START + place],
            TEXT[START + place + 1 :],
        )
        if letter == "\n":
            continue
        yield before + after
        for other in others:
            if other != letter:
                yield before + other + after
            yield before + other + letter + after


def test_any_edit_of_one_character_is_refused():
    edited = [*edits(range(len(LETTERS)), "0Z")]
    assert len(edited) > 4 * len(LETTERS)
    for text in edited:
        assert refusal(text)


@pytest.mark.parametrize("other", [*ALPHABET, "o", "z", "i", "-", "_", "=", ".", "é", "０"])
def test_an_edit_to_any_character_is_refused_at_its_ends_and_in_its_middle(other):
    places = [0, 1, 2, 3, 7, 30, len(LETTERS) // 2, len(LETTERS) - 2, len(LETTERS) - 1]
    for text in edits(places, other):
        assert refusal(text)
    after = TEXT.replace(LETTERS, LETTERS + other)
    assert refusal(after)


def test_two_characters_that_change_places_are_noticed():
    drawn = random.Random(1)
    for _ in range(200):
        place = drawn.randrange(len(LETTERS) - 1)
        one, two = LETTERS[place : place + 2]
        if one != two and "\n" not in (one, two):
            swapped = LETTERS[:place] + two + one + LETTERS[place + 2 :]
            assert refusal(TEXT.replace(LETTERS, swapped))


def test_hand_ins_one_behind_the_other_are_all_read():
    found = list(pieces(text_of(ADA) + text_of(BOB)))
    assert [open_piece(piece, CODES)[1].name for piece in found] == [ADA.name, BOB.name]


@pytest.mark.timeout(20)
@pytest.mark.parametrize("part", ["<!--", "<a", "*", "&lt;!--", "> "])
def test_a_file_full_of_what_never_ends_takes_no_longer_than_its_length(part):
    text = text_of(ADA)
    found = list(pieces(text[: text.index("END TUN")] + part * 200_000 + "x\n" + text))
    assert len(found) == 2


@pytest.mark.parametrize("kept", [0, 1, 5, 23, 24, 200, len(LETTERS) - 1])
def test_a_text_that_is_cut_off_is_refused_for_that(kept):
    assert "cut off" in refusal(TEXT.replace(LETTERS, LETTERS[:kept]))
    assert "cut off" in refusal(TEXT[: START + kept])


def test_a_text_without_its_first_line_is_refused_for_that():
    assert "BEGIN TUNABLES HAND IN" in refusal(TEXT[START:])


@pytest.mark.parametrize("text", ["", " \n", "My answer is 42.", "<p></p>", "BEGIN", "%PDF-1.4"])
def test_a_text_that_is_none_is_refused(text):
    assert refusal(text) == "there is no hand-in in it"


def test_a_hand_in_within_another_is_refused_and_the_next_is_read():
    first, second = pieces(TEXT[: START + 60] + "\n" + TEXT)
    assert "END TUNABLES HAND IN" in first.refusal
    assert open_piece(second, CODES) == opened(TEXT)


@pytest.mark.parametrize("version", [0, VERSION + 1, 31])
def test_another_version_is_refused_by_its_number(version):
    packed = from_base32(LETTERS.replace("\n", ""))
    content = bytes([version]) + packed[1:-32]
    letters = to_base32(content + sign(ADAS, content))
    said = refusal(TEXT.replace(LETTERS, letters))
    assert f"its version is {version}," in said
    assert f"reads version {VERSION}" in said


@pytest.mark.parametrize(
    "codes",
    [
        class_codes(CLASS, "another secret").values(),  # the wrong secret
        class_codes(CLASS[1:], SECRET).values(),  # a student who is not in the class
        [],
    ],
)
def test_who_is_not_of_this_class_is_unknown(codes):
    [piece] = pieces(TEXT)
    with pytest.raises(UnknownCode, match="has no code in this class"):
        open_piece(piece, [*codes])


def signed(body, code=ADAS):
    """Return the text of any JSON with a student's good signature, as one who runs the script."""
    size = 3 + len(body) + 32
    content = bytes([VERSION]) + size.to_bytes(2, "big") + body
    return (
        f"BEGIN TUNABLES HAND IN\n{to_base32(content + sign(code, content))}\nEND TUNABLES HAND IN"
    )


def test_a_classmates_public_part_with_ones_own_signature_is_refused():
    body = body_of(unpack(LETTERS.replace("\n", ""))[0])
    assert opened(signed(body))[1].student == ADAS[:5]
    with pytest.raises(ValueError, match="it was changed"):
        opened(signed(body, student_code(SECRET, BOB.id)))


GOOD = list(opened(TEXT)[1])
BAD: dict[str, list] = {
    "chapter": ["no chapter", 3, None, ["cache_cliff"]],
    "student": [None, 7],
    "name": ["x" * 81, None],
    "guesses": [None, [["a"]], [["a", 1]], [["a", "1"]] * 100, {"a": 1}],
    "steps": [[1], [1, -1], [1, 1000], ["1", "2"], [True, True], "ab"],
    "map": [1, None],
    "own_numbers": ["yes"],
    "answers": [None, [["late"]], [["late", 1, 5]], [[["late"], 1, "5"]]],
}


@pytest.mark.parametrize(
    ("part", "value"), [(part, value) for part, values in BAD.items() for value in values]
)
def test_what_no_page_writes_is_refused_though_its_signature_is_good(part, value):
    hand_in = HandIn(*GOOD)._replace(**{part: value})
    assert "changed" in refusal(signed(json.dumps(list(hand_in)).encode()))


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b"[" * 5000, b"\xff", b"[1,2]"])
def test_what_is_no_record_is_refused(body):
    assert "changed" in refusal(signed(body))


def test_a_name_may_hold_what_the_text_is_made_of():
    name = "BEGIN TUNABLES HAND IN <b>Ada</b>"
    text = as_text(ADAS, hand_in_of(ADAS, 3, name, record_of({})))
    *_, piece = pieces(text)
    assert open_piece(piece, CODES)[1].name == name


def test_codes_differ_by_id_and_secret_and_not_by_name():
    codes = class_codes(CLASS, SECRET)
    assert len({*codes.values()}) == len(CLASS)
    renamed = class_codes([ADA._replace(name="Augusta Ada King")], SECRET)
    assert [*renamed.values()] == [codes[ADA]]
    assert {*codes.values()}.isdisjoint(class_codes(CLASS, SECRET + "x").values())


def test_the_codes_are_printed_as_a_table_and_as_slips():
    codes = class_codes(CLASS, SECRET)
    assert f"s1,Ada Lovelace,{codes[ADA]},?hand-in={codes[ADA]}#hand-in" in codes_sheet(codes)
    assert codes_sheet(codes, "text").count(codes[BOB]) == 1
    with pytest.raises(ValueError, match="secret = ' '"):
        class_codes(CLASS, " ")
    with pytest.raises(ValueError, match="format"):
        codes_sheet(codes, "pdf")
