"""A chapter's hand-in: the personal code, the problems it draws, and the text with its signature.

The page makes the text in MicroPython; `tunables.hand_in` reads and marks it on the teacher's
machine with the same functions. A code has 20 characters: the first five say in public whose it
is, and all of them are the key that signs the text and draws the student's problems.
"""

import hashlib
import json
from collections import namedtuple

from tunables.base.numbers_as_text import LONGEST
from tunables.base.portable import plain_sum
from tunables.page.chapters import find_chapter
from tunables.page.problem import (
    LARGEST_SEED,
    check_answer,
    kinds,
    make_problem,
    wanted_text,
)
from tunables.page.requests import entries, reply_to

VERSION = 1  # of the text
BEGIN, END = "BEGIN TUNABLES HAND IN", "END TUNABLES HAND IN"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: without I, L, O and U
CODE_LENGTH, PUBLIC_LENGTH, GROUP = 20, 5, 5
LONGEST_NAME = 80
MOST_COUNT = 999  # of guesses or steps
SIGNATURE_BYTES = 32
_HEAD_BYTES = 3  # the version, and how many bytes the whole has
_LINE = 60  # characters of a line of the text
_BLOCK = 64  # bytes of a block of SHA-256
_READ_AS = {"I": "1", "L": "1", "O": "0"}
_PARTS = " -\u00a0\u2010\u2011\u2012\u2013\u2014\u2212\t\r\n"  # what may part a code's groups

# What a student did in a chapter. chapter: its slug; student: the public part of the code; name:
# as the student typed it; guesses: a list of [name of the question, number or "skip" or ""];
# steps: [reached, all] of the animations; map, own_numbers: whether they were used; answers: a
# list of [kind, seed, what was typed], one of each kind of problem.
HandIn = namedtuple(
    "HandIn",
    ["chapter", "student", "name", "guesses", "steps", "map", "own_numbers", "answers"],
)


def hmac_sha256(key, message) -> bytes:
    """Return HMAC-SHA256(key, message), for a key of at most 64 bytes. Source: RFC 2104.

    >>> hmac_sha256(b"Jefe", b"what do ya want for nothing?")[:4].hex()  # RFC 4231, case 2
    '5bdcc146'
    """
    padded = key + bytes(_BLOCK - len(key))
    inner = hashlib.sha256(bytes([byte ^ 0x36 for byte in padded]) + message).digest()
    return hashlib.sha256(bytes([byte ^ 0x5C for byte in padded]) + inner).digest()


def to_base32(data) -> str:
    """Return bytes as characters of ALPHABET, five bits each; zeros fill the last.

    >>> to_base32(b"hi")
    'D1MG'
    """
    letters, value, bits = [], 0, 0
    for byte in data:
        value, bits = (value << 8 | byte) & 0xFFF, bits + 8
        while bits >= 5:
            bits -= 5
            letters.append(ALPHABET[value >> bits & 31])
    if bits:
        letters.append(ALPHABET[value << 5 - bits & 31])
    return "".join(letters)


def from_base32(text) -> bytes:
    """Return the bytes that `to_base32` wrote as these characters of ALPHABET.

    Raises ValueError for characters that it writes of no bytes.

    >>> from_base32("D1MG")
    b'hi'
    """
    data, value, bits = [], 0, 0
    for letter in text:
        value, bits = (value << 5 | ALPHABET.index(letter)) & 0xFFF, bits + 5
        if bits >= 8:
            bits -= 8
            data.append(value >> bits & 0xFF)
    if bits >= 5 or value & (1 << bits) - 1:
        raise ValueError(f"text of {len(text)} characters: must be the output of to_base32")
    return bytes(data)


def _check_letter(letters):
    """Return the letter that ends a code: it notices one wrong letter, and most swapped ones."""
    weighed = [(2 * place + 1) * ALPHABET.index(letter) for place, letter in enumerate(letters)]
    return ALPHABET[plain_sum(weighed) % len(ALPHABET)]


def code_of(drawn) -> str:
    """Return the code that 12 random bytes make, in its normal form.

    >>> code_of(bytes(12))
    '00000-00000-00000-00000'
    """
    letters = to_base32(drawn)[: CODE_LENGTH - 1]
    return _in_groups(letters + _check_letter(letters))


def _in_groups(letters):
    return "-".join([letters[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP)])


def read_code(text) -> str:
    """Return a typed code in its normal form: small letters, spaces, and O for 0 are no matter.

    Raises ValueError, one sentence for the reader, for a text that is no code.

    >>> read_code("ooooo 00000 00000 00000")
    '00000-00000-00000-00000'
    """
    letters = "".join([letter for letter in text.upper() if letter not in _PARTS])
    letters = "".join([_READ_AS.get(letter, letter) for letter in letters])
    strange = [letter for letter in letters if letter not in ALPHABET]
    if not letters:
        raise ValueError("Type the code that your teacher gave you.")
    if strange:
        raise ValueError(f'A code has only letters and digits, so it can\'t have "{strange[0]}".')
    if len(letters) != CODE_LENGTH:
        raise ValueError(
            f"A code has {CODE_LENGTH} letters and digits, but this one has {len(letters)}."
        )
    if _check_letter(letters[:-1]) != letters[-1]:
        raise ValueError(
            "A letter or digit of this code is wrong. Compare it with the code you were given."
        )
    return _in_groups(letters)


def public_part(code) -> str:
    """Return the part of a code that a hand-in shows.

    >>> public_part("7KQ2M-00000-00000-00000")
    '7KQ2M'
    """
    return code[:PUBLIC_LENGTH]


def seed_of(code, chapter, kind) -> int:
    """Return the seed that a code gives the problem of a kind in a chapter.

    HMAC-SHA256(code, "seed/SLUG/KIND"), its first eight bytes, modulo 10^15.

    >>> code = code_of(bytes(12))
    >>> seed_of(code, 3, "late") == seed_of(code, "cache_cliff", "late")
    True
    """
    drawn = hmac_sha256(code.encode(), f"seed/{find_chapter(chapter).slug}/{kind}".encode())
    return int.from_bytes(drawn[:8], "big") % (LARGEST_SEED + 1)


def problems_of(code, chapter) -> list:
    """Return the problems that a code draws: one of each kind of a chapter, in the kinds' order.

    >>> [problem.kind for problem in problems_of(code_of(bytes(12)), 3)][:2]
    ['capacity', 'late']
    """
    return [
        make_problem(chapter, seed_of(code, chapter, kind), kind) for kind in sorted(kinds(chapter))
    ]


def sign(code, content) -> bytes:
    """Return the signature of what a hand-in holds: HMAC-SHA256(code, "sign/" + content)."""
    return hmac_sha256(code.encode(), b"sign/" + content)


def pack(code, hand_in) -> str:
    """Return what a student did as characters of ALPHABET: version, length, JSON, signature."""
    body = json.dumps(list(hand_in), separators=(",", ":")).encode()
    size = _HEAD_BYTES + len(body) + SIGNATURE_BYTES
    content = bytes([VERSION]) + size.to_bytes(2, "big") + body
    return to_base32(content + sign(code, content))


CHANGED = "it was changed after the page made it"


def unpack(letters) -> tuple:
    """Return (content, signature) of what `pack` wrote; `body_of(content)` is what it holds.

    The signature is not checked, since that takes the code.
    Raises ValueError for another version, or for text that is cut off or cannot be what it wrote.
    """
    head = from_base32(letters[: _HEAD_BYTES * 8])[:_HEAD_BYTES] if len(letters) >= 24 else b""
    if not head:
        raise ValueError("it is cut off: almost nothing is left of it")
    if head[0] != VERSION:
        raise ValueError(
            f"its version is {head[0]}, but this program reads version {VERSION}, so it was "
            "changed, or made by a page of another edition of the book"
        )
    size = int.from_bytes(head[1:], "big")
    wanted = -(-size * 8 // 5)
    if len(letters) < wanted:
        raise ValueError(f"it is cut off: only {len(letters)} of its {wanted} characters are left")
    try:
        packed = from_base32(letters)
    except ValueError:
        raise ValueError(CHANGED) from None
    if len(packed) != size or size < _HEAD_BYTES + SIGNATURE_BYTES:
        raise ValueError(CHANGED)
    return packed[:-SIGNATURE_BYTES], packed[-SIGNATURE_BYTES:]


def body_of(content) -> bytes:
    """Return the JSON that what is signed holds."""
    return content[_HEAD_BYTES:]


def _clean_name(name):
    letters = [letter if letter >= " " and letter != "\x7f" else " " for letter in name]
    return " ".join("".join(letters)[:LONGEST_NAME].split())


def _known_answers(code, chapter, typed):
    """Return [kind, seed, what was typed] of each problem; raise ValueError for what is unread."""
    answers = []
    for problem in problems_of(code, chapter):
        words = str(typed.get(problem.kind, "")).strip()
        if words:
            try:
                check_answer(problem, words)
            except ValueError as error:
                raise ValueError(f"{problem.title}: {error}") from None
        answers.append([problem.kind, problem.seed, words])
    return answers


def hand_in_of(code, chapter, name, record) -> HandIn:
    """Return a hand-in of what a page has recorded.

    record: {"guesses": ..., "steps": ..., "map": ..., "own_numbers": ..., "answers": {kind: text}},
    as HandIn describes them.
    Raises ValueError, one sentence for the reader, for an empty name or an answer that is no
    number.
    """
    entries("record", record, ["guesses", "steps", "map", "own_numbers", "answers"])
    name = _clean_name(name)
    if not name:
        raise ValueError("Type your name, so that your teacher sees whose text it is.")
    answers = _known_answers(code, chapter, entries("answers", record["answers"]))
    guesses = [[str(title), str(guess)[:LONGEST]] for title, guess in record["guesses"]]
    steps = [min(max(int(count), 0), MOST_COUNT) for count in record["steps"]]
    used = [bool(record[part]) for part in ("map", "own_numbers")]
    slug = find_chapter(chapter).slug
    return HandIn(slug, public_part(code), name, guesses, steps, used[0], used[1], answers)


def as_text(code, hand_in) -> str:
    """Return the text to paste: a heading for people, and what counts between two marker lines."""
    number = find_chapter(hand_in.chapter).number
    letters = pack(code, hand_in)
    lines = [letters[at : at + _LINE] for at in range(0, len(letters), _LINE)]
    heading = f"Hand-in of chapter {number} by {hand_in.name} (student {hand_in.student})"
    return "\n".join([heading, BEGIN] + lines + [END, ""])


def _shown(problem):
    """Return a problem as the page shows it before it is handed in: without answer and steps."""
    return {
        "kind": problem.kind,
        "title": problem.title,
        "question": problem.question,
        "wanted": wanted_text(problem),
    }


def reply(chapter, request) -> dict:
    """Return the problems that request["code"] draws; or whether an "answer" to the problem of a
    "kind" can be read; or the text to hand in, for a "name" and a "record".

    Raises ValueError for a text that is no code, no number or no name.
    """
    code = read_code(entries("request", request, ["code"])["code"])
    if "record" in request:
        hand_in = hand_in_of(code, chapter, request["name"], request["record"])
        return {"text": as_text(code, hand_in)}
    if "answer" in request:
        kind = request["kind"]
        check_answer(make_problem(chapter, seed_of(code, chapter, kind), kind), request["answer"])
        return {"read": True}
    shown = [_shown(problem) for problem in problems_of(code, chapter)]
    return {"code": code, "student": public_part(code), "problems": shown}


class HandInSession:
    """The hand-in box of one chapter's page."""

    def __init__(self, description_json):
        self.chapter = json.loads(description_json)["chapter"]

    def reply(self, request_json) -> str:
        """Return reply(...) of a request as JSON, or {"refusal": sentence}."""
        return reply_to(request_json, lambda request: reply(self.chapter, request))
