"""A problem: drawn by chapter, kind and seed; shown as text, Markdown or plain data."""

from collections import namedtuple

from tunables.page.chapters import find_chapter, module
from tunables.page.generator import Generator, stream_number
from tunables.plain.arguments import choice, whole
from tunables.plain.digits import group_thousands, significant
from tunables.plain.units import UNITS

LARGEST_SEED = 10**15 - 1  # a page's numbers hold every whole number up to 2^53
LONGEST_SEED = 32
_SEED_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"

# How much work a kind is: its third entry in KINDS.
EFFORTS = {
    1: "one formula of the chapter, numbers put in",
    2: "two steps, or the right case to choose",
    3: "a recursion, a root or a long sum: a calculator will not do, a spreadsheet will",
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


def kinds(chapter) -> dict:
    """Return the kinds of a chapter's problems: a dict from name to (title, function, effort).

    Raises ValueError for an unknown chapter, and for one without problems.
    """
    return module(chapter, "problems").KINDS


def _word_or_number(text):
    """Return what a text names: a whole number, a word in small letters, or None."""
    text = text.strip().lower()
    if not 0 < len(text) <= LONGEST_SEED or any(letter not in _SEED_LETTERS for letter in text):
        return None
    return int(text) if all(letter in "0123456789" for letter in text) else text


def _seed(seed):
    """Return a seed as it is named: a whole number, or a word in small letters."""
    named = _word_or_number(seed) if isinstance(seed, str) else seed
    if isinstance(named, str):
        return named
    try:
        return whole("seed", named, at_most=LARGEST_SEED)
    except ValueError:
        pass
    largest = group_thousands(str(LARGEST_SEED))
    raise ValueError(
        f"seed = {seed!r}: must be a whole number from 0 to {largest}, or a word of up to "
        f"{LONGEST_SEED} letters (a to z) and digits"
    )


def _drawn(seed, stream):
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
    """
    known = kinds(chapter)
    found = find_chapter(chapter)
    seed = _seed(seed)
    if kind is None:
        kind = _drawn(seed, f"{found.number}").pick(sorted(known))
    title, make, _ = known[choice("kind", kind, sorted(known))]
    made = make(_drawn(seed, f"{found.number}/{kind}"))
    return Problem(found.slug, kind, seed, title, **made)


def number(problem) -> int:
    """Return the number of a problem's chapter, which a reader and links know it by."""
    return find_chapter(problem.chapter).number


def answer_text(problem) -> str:
    """Return the answer with its unit, to four significant digits."""
    return f"{significant(problem.answer)} {problem.unit}".strip()


def wanted_text(problem) -> str:
    """Return the unit of the answer and how near it must come, a sentence for the reader."""
    unit = problem.unit
    near = f"within {significant(100 * problem.tolerance)} %"
    if problem.tolerance == 0:
        near = "exact"
    if not unit:
        return f"Answer with a number, {near}."
    asked = f"in {unit}" if unit in UNITS else f"with a number of {unit}"
    return f"Answer {asked}, {near}."


def link(problem) -> str:
    """Return the end of the page's address that opens this problem."""
    return f"?problem.{number(problem)}={problem.kind}.{problem.seed}#practice-{number(problem)}"


def as_record(problem, with_answer=True) -> dict:
    """Return the problem as JSON holds it; without its answer, steps and remark if so wished."""
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
    lines = [f"Chapter {number(problem)}: {problem.title}", "", problem.question]
    lines.append(wanted_text(problem))
    if with_answer:
        lines += ["", f"Answer: {answer_text(problem)}"]
        lines += ["  " + step for step in problem.steps]
        lines += [problem.remark] if problem.remark else []
        lines.append(f"In the page: {link(problem)}")
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
