"""A problem: drawn by chapter, kind and seed; shown as text, Markdown or plain data; checked."""

import json
from collections import namedtuple

from tunables.base.arguments import choice, in_short, integer
from tunables.base.numbers_as_text import group_thousands, parse_number, significant
from tunables.base.units import UNITS, unit_factor, unit_text
from tunables.page.chapters import find_chapter, module
from tunables.page.requests import entries, reply_to

_MASK_64 = 2**64 - 1
_MASK_32 = 2**32 - 1
_MULTIPLIER = 6364136223846793005


def stream_number(text) -> int:
    """Return the 64-bit FNV-1a hash of a text, to pick a stream by name.

    Source: Fowler, Noll & Vo; offset 14695981039346656037, prime 1099511628211.

    >>> hex(stream_number("a"))
    '0xaf63dc4c8601ec8c'
    """
    result = 14695981039346656037
    for byte in text.encode():
        result = ((result ^ byte) * 1099511628211) & _MASK_64
    return result


class Generator:
    """PCG32 with the given seed and stream, both whole numbers from 0 to 2^64 - 1.

    >>> demo = Generator(42, 54)
    >>> [hex(demo.next_32()) for _ in range(2)]  # the author's own check
    ['0xa15c02b7', '0x7b47f409']
    """

    def __init__(self, seed, stream):
        self.increment = (stream << 1 | 1) & _MASK_64
        self.state = 0
        self.next_32()
        self.state = (self.state + seed) & _MASK_64
        self.next_32()

    def next_32(self) -> int:
        """Return the next whole number from 0 to 2^32 - 1."""
        old = self.state
        self.state = (old * _MULTIPLIER + self.increment) & _MASK_64
        shifted = ((old >> 18 ^ old) >> 27) & _MASK_32
        turn = old >> 59
        return (shifted >> turn | shifted << (-turn & 31)) & _MASK_32

    def below(self, bound) -> int:
        """Return a whole number from 0 to bound - 1, each as likely (bound at most 2^32).

        Draws that would favour some of them are drawn again.
        """
        rest = 2**32 % bound
        while True:
            drawn = self.next_32()
            if drawn >= rest:
                return drawn % bound

    def between(self, low, high, step=1) -> int:
        """Return one of the whole numbers low, low + step, ..., at most high."""
        return low + step * self.below((high - low) // step + 1)

    def pick(self, items):
        """Return one of a sequence."""
        return items[self.below(len(items))]


LARGEST_SEED = 10**15 - 1  # a page's numbers hold every whole number up to 2^53
LONGEST_SEED = 32
TOLERANCE = 0.01  # relative error that counts as right, unless a kind of problem differs
_SEED_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"

# How much work a kind is: its third entry in KINDS.
EFFORTS = {
    1: "one of the chapter's formulas, with numbers filled in",
    2: "two steps, or a choice of the right case",
    3: "a recursion, a root or a long sum, which takes a spreadsheet, not just a calculator",
}

# chapter: its slug; question: text; given: the numbers in it, by name, in SI units; answer in
# `unit`; tolerance: the relative error that still counts as right (0: the exact whole number);
# steps: the way there, a line each, formula, numbers put in, result; remark: what the result says.
Problem = namedtuple(
    "Problem",
    [
        "chapter",
        "kind",
        "seed",
        "title",
        "question",
        "given",
        "unit",
        "answer",
        "tolerance",
        "steps",
        "remark",
    ],
)


# Problems of no chapter: the word in a chapter's place, their module, and the page they are on.
APART = {"audit": ("tunables.audit.problems", "Audit a table")}


def _is_apart(chapter) -> bool:
    return isinstance(chapter, str) and chapter in APART


def problem_slug(chapter) -> str:
    """Return the slug of a chapter, or the word for problems that belong to none: "audit".

    Raises ValueError for an unknown chapter.

    >>> problem_slug(3), problem_slug("audit")
    ('cache_cliff', 'audit')
    """
    return chapter if _is_apart(chapter) else find_chapter(chapter).slug


def kinds(chapter) -> dict:
    """Return the kinds of a chapter's problems: a dict from name to (title, function, effort).

    chapter: "audit" too, whose problems belong to none.
    Raises ValueError for an unknown chapter, and for one without problems.

    >>> "zigzag" in kinds(3), list(kinds("audit"))
    (True, ['impossible-row'])
    """
    if _is_apart(chapter):
        return __import__(APART[chapter][0], None, None, ("KINDS",)).KINDS
    return module(chapter, "problems").KINDS


def _word_or_number(text):
    """Return what a text names: a whole number, a word in small letters, or None."""
    text = text.strip().lower()
    if not 0 < len(text) <= LONGEST_SEED or any(letter not in _SEED_LETTERS for letter in text):
        return None
    return int(text) if all(letter in "0123456789" for letter in text) else text


def _seed(seed):
    """Return a seed in its normal form: an integer, or a word in small letters."""
    named = _word_or_number(seed) if isinstance(seed, str) else seed
    if isinstance(named, str):
        return named
    try:
        return integer("seed", named, at_most=LARGEST_SEED)
    except ValueError:
        pass
    largest = group_thousands(str(LARGEST_SEED))
    raise ValueError(
        f"seed = {in_short(seed)}: must be a whole number from 0 to {largest}, or a word of up to "
        f"{LONGEST_SEED} letters (a to z) and digits"
    )


def generator_of(seed, stream):
    """Return the generator of a seed: a word counts by its hash."""
    number = stream_number(seed) if isinstance(seed, str) else seed
    return Generator(number, stream_number(stream))


def make_problem(chapter, seed, kind=None) -> Problem:
    """Return the problem of that chapter, seed and kind; the same three give the same problem.

    Without a kind the seed chooses one of the chapter's `kinds`. A seed can be a student's number
    or user name: capitals count as small letters, "007" as 7.
    Raises ValueError for an unknown chapter or kind, or a seed that is not a whole number from
    0 to 999,999,999,999,999 nor a word of up to 32 letters and digits.

    >>> make_problem(3, seed=7) == make_problem("cache_cliff", seed="007")
    True
    >>> make_problem(3, seed="S1234567").seed
    's1234567'
    >>> make_problem(3, 7, kind="zigzag").kind
    'zigzag'
    """
    known = kinds(chapter)
    slug = problem_slug(chapter)
    place = problem_number(slug)
    seed = _seed(seed)
    if kind is None:
        kind = generator_of(seed, f"{place}").pick(sorted(known))
    title, make, _ = known[choice("kind", kind, sorted(known))]
    made = make(generator_of(seed, f"{place}/{kind}"))
    return Problem(slug, kind, seed, title, **made)


def problem_number(chapter):
    """Return the number of a chapter, or the word for problems that belong to none.

    >>> problem_number("cache_cliff"), problem_number("audit")
    (3, 'audit')
    """
    return chapter if _is_apart(chapter) else find_chapter(chapter).number


def number(problem):
    """Return the number of a problem's chapter, or "audit": readers and links know it by this."""
    return problem_number(problem.chapter)


def problem_place(number) -> str:
    """Return where problems belong, for a heading, from what `number` returns.

    >>> problem_place(3), problem_place("audit")
    ('Chapter 3', 'Audit a table')
    """
    return APART[number][1] if number in APART else f"Chapter {number}"


def answer_text(problem) -> str:
    """Return the answer with its unit, to four significant digits."""
    return significant(problem.answer) + unit_text(problem.unit)


def wanted_text(problem) -> str:
    """Return the unit of the answer and how near it must come, a sentence for the reader."""
    unit = problem.unit
    near = f"within {significant(100 * problem.tolerance)}%"
    if problem.tolerance == 0:
        near = "which must be exact"
    elif unit == "%":
        near += " of the right value (relative, not in percentage points)"
    if not unit:
        return f"Answer with a number, {near}."
    asked = f"in {unit}" if unit in UNITS else f"with a number of {unit}"
    return f"Answer {asked}, {near}."


def link(problem) -> str:
    """Return the end of the page's address that opens this problem."""
    return f"?problem.{number(problem)}={problem.kind}.{problem.seed}#practice-{number(problem)}"


def as_record(problem, with_answer=True) -> dict:
    """Return the problem as JSON holds it; with its answer, steps and remark if asked for."""
    record = {
        "chapter": number(problem),
        "kind": problem.kind,
        "seed": problem.seed,
        "title": problem.title,
        "question": problem.question,
        "given": problem.given,
        "unit": problem.unit,
        "tolerance": problem.tolerance,
        "wanted": wanted_text(problem),
        "link": link(problem),
    }
    if with_answer:
        record["answer"] = problem.answer
        record["answer_text"] = answer_text(problem)
        record["steps"] = problem.steps
        record["remark"] = problem.remark
    return record


def as_text(problem, with_answer=False) -> str:
    """Return the problem for a terminal."""
    lines = [f"{problem_place(number(problem))}: {problem.title}", "", problem.question]
    lines.append(wanted_text(problem))
    if with_answer:
        lines += ["", f"Answer: {answer_text(problem)}"]
        lines += ["  " + step for step in problem.steps]
        lines += [problem.remark] if problem.remark else []
        lines.append(f"On the page: {link(problem)}")
    return "\n".join(lines)


def as_markdown(problem, with_answer=False, title="") -> str:
    """Return the problem as Markdown under its title or another; the steps as a code block."""
    lines = [f"## {title or problem.title}", "", problem.question]
    lines += ["", f"*{wanted_text(problem)}*"]
    if with_answer:
        lines += ["", f"**Answer:** {answer_text(problem)}", "", "```text"]
        lines += problem.steps + ["```"]
        lines += ["", problem.remark] if problem.remark else []
    return "\n".join(lines)


_EXACT = 0.0005  # nearer than this is right without a remark


def slip_factors(unit) -> list:
    """Return the factors by which an answer is off if its unit alone is wrong.

    >>> slip_factors("ms"), slip_factors("%")[4:]
    ([1000.0, 0.001, 1000000.0, 1e-06], [100, 0.01])
    """
    slips = [1e3, 1e6]
    if unit == "%":
        slips.append(100)
    if UNITS.get(unit, ("", 1))[0] == "bits":
        slips.append(8)
    return [factor for slip in slips for factor in (slip, 1 / slip)]


def _slip(ratio, unit, tolerance):
    """Return by which factor of a wrong unit the answer is off, or None."""
    for factor in slip_factors(unit):
        if abs(ratio / factor - 1) <= tolerance:
            return factor
    return None


def check_answer(problem, text) -> tuple:
    """Return (verdict, sentence) on what a student typed as the answer to a problem.

    Verdicts: "right"; "close", right within the problem's tolerance; "unit", off by a factor of
    1,000 or another slip of a unit; "wrong". Units that measure the same are converted.
    Raises ValueError, a sentence for the reader, for a text that is not a number or has a unit
    that measures something else.

    >>> verdict, sentence = check_answer(make_problem(3, 7, "zigzag"), "20")
    >>> verdict
    'wrong'
    """
    value, word = parse_number(text)
    value *= unit_factor(word, problem.unit)
    ratio = value / problem.answer
    error = abs(ratio - 1)
    shown = significant(problem.answer) + unit_text(problem.unit)
    if error <= max(min(problem.tolerance, _EXACT), 1e-9):
        return "right", f"Right: {shown}."
    if error <= problem.tolerance:
        near = significant(100 * problem.tolerance)
        return "close", f"Right, to within {near}%: the answer is {shown}."
    slip = _slip(ratio, problem.unit, max(problem.tolerance, _EXACT))
    if slip:
        much, way = (slip, "large") if slip > 1 else (1 / slip, "small")
        asked = f"must be in {problem.unit}" if problem.unit in UNITS else "must be a plain number"
        return "unit", (
            f"The digits are right, but the number is {significant(much)} times too {way}."
            + f" Check the units: the answer {asked}."
        )
    if value <= 0:
        return "wrong", "Wrong: the answer is above 0."
    way = "high" if ratio > 1 else "low"
    far = ", by a factor of more than ten" if not 0.1 <= ratio <= 10 else ""
    return "wrong", f"Wrong: too {way}{far}."


def describe_problem(problem) -> dict:
    """Return a problem as a page shows it: texts, and the numbers that name it."""
    return {
        "kind": problem.kind,
        "seed": problem.seed,
        "title": problem.title,
        "question": problem.question,
        "wanted": wanted_text(problem),
        "answer": answer_text(problem),
        "steps": problem.steps,
        "remark": problem.remark,
        "link": link(problem),
    }


def reply(chapter, request) -> dict:
    """Return the problem of request["kind"] and request["seed"], or a verdict on its "answer".

    Raises ValueError for an unknown kind, a bad seed, or an answer that is not a number.
    """
    entries("request", request, ["kind", "seed"])
    problem = make_problem(chapter, request["seed"], request["kind"])
    if "answer" not in request:
        return describe_problem(problem)
    verdict, sentence = check_answer(problem, request["answer"])
    return {"verdict": verdict, "sentence": sentence}


class PracticeSession:
    """One practice box in the page: the problems of one chapter."""

    def __init__(self, description_json):
        self.chapter = json.loads(description_json)["chapter"]

    def reply(self, request_json) -> str:
        """Return reply(...) of a request as JSON, or {"refusal": sentence}."""
        return reply_to(request_json, lambda request: reply(self.chapter, request))
