"""A problem: drawn by chapter, kind and seed; shown as text, Markdown or plain data."""

from collections import namedtuple

from tunables.arguments import choice, whole
from tunables.digits import significant
from tunables.problems import (
    cache_cliff,
    flow_priority,
    group_commit,
    replication,
    time_outs,
    work_queues,
)
from tunables.problems.generator import Generator, stream_number
from tunables.units import UNITS

CHAPTERS = {
    1: group_commit,
    2: time_outs,
    3: cache_cliff,
    4: flow_priority,
    5: replication,
    6: work_queues,
}
LARGEST_SEED = 999_999

# question: text; given: the numbers in it, by name, in SI units; answer in `unit`; tolerance:
# the relative error that still counts as right (0: the exact whole number); steps: the way
# there, a line each, formula, numbers put in, result; remark: what the result says.
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
    """Return the kinds of a chapter's problems: a dict from name to (title, function).

    Raises ValueError for a chapter that is not one of 1 to 6.
    """
    return CHAPTERS[whole("chapter", chapter, at_least=1, at_most=len(CHAPTERS))].KINDS


def make_problem(chapter, seed, kind=None) -> Problem:
    """Return the problem of that chapter, seed and kind; the same three give the same problem.

    Without a kind the seed chooses one of the chapter's `kinds`.
    Raises ValueError for an unknown chapter or kind, or a seed that is not a whole number from
    0 to 999,999.

    >>> make_problem(3, seed=7) == make_problem(3, seed=7)
    True
    """
    known = kinds(chapter)
    seed = whole("seed", seed, at_most=LARGEST_SEED)
    if kind is None:
        kind = Generator(seed, stream_number(f"{int(chapter)}")).pick(sorted(known))
    title, make = known[choice("kind", kind, sorted(known))]
    made = make(Generator(seed, stream_number(f"{int(chapter)}/{kind}")))
    return Problem(int(chapter), kind, seed, title, **made)


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
    return f"?problem.{problem.chapter}={problem.kind}.{problem.seed}#practice-{problem.chapter}"


def as_record(problem, with_answer=True) -> dict:
    """Return the problem as JSON holds it; without its answer, steps and remark if so wished."""
    record = {
        "chapter": problem.chapter,
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
    lines = [f"Chapter {problem.chapter}: {problem.title}", "", problem.question]
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
