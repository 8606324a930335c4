"""The command line, `python -m tunables`: cases, problems for a class, fits, sweeps and audits.

Each command imports for itself what it needs: `list` needs neither numpy nor any model.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from tunables.base.arguments import path as file_path
from tunables.base.user_data.columns import shorten
from tunables.interrupts import INTERRUPTED, STOPPED
from tunables.options import add_audit, add_hand_in, add_sweep, parse_integer
from tunables.page.chapters import CHAPTERS, find_chapter
from tunables.terminal import say, table_encoding, take_standard_error, write, write_file
from tunables.views.classroom import (
    FORMATS,
    Sheet,
    counted_sheets,
    handout,
    read_roster,
    roster_sheets,
)
from tunables.views.exam import FORMATS as EXAM_FORMATS
from tunables.views.exam import exam_file, exam_sheets
from tunables.views.question_bank import EXPORTS, bank, export, groups_of

OUTPUT = "the file to write (default: the terminal)"
CHAPTER = "a chapter: its number, its name or the name of one of its cases"
IMPOSSIBLE = 1  # exit status of an audit that found an impossible number
LONGEST_SAID = 1000  # most characters of a refusal


class _Parser(argparse.ArgumentParser):
    """A parser whose help is written as all output is, and whose refusals end."""

    def error(self, message: str) -> NoReturn:
        super().error(shorten(message, LONGEST_SAID))

    def print_help(self, file=None) -> None:
        self.exit(write([self.format_help().rstrip()]))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m tunables", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list each case: its name, chapter, title and document")
    reproduce = commands.add_parser(
        "reproduce", help="show each published number beside the models' numbers"
    )
    reproduce.add_argument("case", nargs="?", help="a case or a chapter (default: all)")
    reproduce.add_argument("--format", choices=["table", "csv", "json"], default="table")
    reproduce.add_argument("--seed", default="1", help="seed of the simulations (default 1)")
    problem = commands.add_parser("problem", help="generate a problem from a seed")
    problem.add_argument("chapter", help=CHAPTER)
    problem.add_argument(
        "--seed",
        help="the seed that the numbers are drawn from: a number or a word, such as a student's "
        "name (default 1)",
    )
    problem.add_argument("--kind", help="a kind of question (default: the seed chooses one)")
    problem.add_argument("--answer", action="store_true", help="show the answer and the steps too")
    problem.add_argument("--format", choices=[*FORMATS, *EXPORTS], default="text")
    problem.add_argument(
        "--students", help="the number of problems, one for each seed from --seed upward"
    )
    problem.add_argument(
        "--roster", help="a CSV with the columns id and name: one problem for each student"
    )
    problem.add_argument(
        "--secret",
        help="a secret word that goes into the seed too, so that nobody can work out the numbers "
        "from an id",
    )
    problem.add_argument("--output", help=OUTPUT)
    bank = commands.add_parser("bank", help="write a question bank for Moodle or Canvas")
    bank.add_argument("chapter", nargs="?", help=f"{CHAPTER} (default: all)")
    bank.add_argument(
        "--each", default="60", help="the number of problems of each kind (default 60)"
    )
    bank.add_argument(
        "--secret", help="a secret word, which makes the numbers differ from those on the page"
    )
    bank.add_argument("--format", choices=EXPORTS, default="moodle")
    bank.add_argument("--output", help=OUTPUT)
    exam = commands.add_parser(
        "exam",
        help="generate an exam from your secret word, with kinds of question that no page shows",
    )
    exam.add_argument("chapter", help=CHAPTER)
    exam.add_argument("--secret", required=True, help="a secret word of your own")
    exam.add_argument("--questions", help="the number of questions (default: one of each kind)")
    exam.add_argument(
        "--variant",
        help="a letter: B has the same kinds of question as A, with different numbers and in a "
        "different order (default A)",
    )
    exam.add_argument(
        "--roster", help="a CSV with the columns id and name: one exam for each student"
    )
    exam.add_argument("--answer", action="store_true", help="show answers and methods too")
    exam.add_argument("--format", choices=[*EXAM_FORMATS, *EXPORTS], default="md")
    exam.add_argument("--output", help=OUTPUT)
    add_hand_in(commands)
    fit = commands.add_parser("fit", help="fit a chapter's model to your own numbers")
    fit.add_argument("chapter", help=CHAPTER)
    fit.add_argument("file", help="a CSV file, or a daemon's printout: the chapter says which")
    fit.add_argument(
        "--column", help="the column that holds the keys: its heading, or its number counted from 0"
    )
    add_sweep(commands)
    add_audit(commands)
    return parser


def _list() -> Iterator[str]:
    for chapter in CHAPTERS:
        for name, (title, document) in chapter.cases.items():
            yield f"{name:10} chapter {chapter.number}: {title} ({document})"


def _reproduce(name: str | None, form: str, seed: int) -> Iterator[str]:
    from tunables.views.reproduce import reproduce

    return reproduce(name, form, seed)


def _fit(chapter: str, path: str, column: str | None) -> Iterator[str]:
    from tunables.core.registry import find_fit, fit_path
    from tunables.views.user_fit import FitReport

    wanted = find_fit(chapter)
    try:
        yield str(FitReport(fit_path(chapter, path, column)))
    except ValueError as error:
        if "wanted" in str(error):
            raise
        number = find_chapter(chapter).number
        hint = f"The fit of chapter {number} takes {wanted.bring}: {wanted.columns}."
        raise ValueError(f"{error}\n{hint}") from None


def _sheets(options: argparse.Namespace) -> list[Sheet]:
    if options.roster is None:
        students = parse_integer("students", options.students or "1")
        seed = options.seed if options.seed is not None else "1"
        return counted_sheets(options.chapter, seed, students, options.kind, options.secret)
    for name in ("students", "seed"):
        if getattr(options, name) is not None:
            raise ValueError(f"{name} or roster: use one of them, not both")
    people = read_roster(options.roster)
    return roster_sheets(options.chapter, people, options.secret, options.kind)


def _deliver(options: argparse.Namespace, content: str | bytes) -> Iterator[str]:
    """Write into the file that the options name, or hand on what a terminal can show."""
    if options.output is not None:
        is_table = getattr(options, "format", "csv") == "csv"  # grade-page writes nothing else
        write_file(options.output, content, table_encoding() if is_table else "utf-8")
    elif isinstance(content, bytes):
        raise ValueError(f"format {options.format} makes a zip: use --output to name the file")
    else:
        yield content


def _problem(options: argparse.Namespace) -> Iterator[str]:
    sheets = _sheets(options)
    if options.format in EXPORTS:
        content = export(groups_of(sheets), options.format)
    else:
        content = handout(sheets, options.format, options.answer)
    return _deliver(options, content)


def _bank(options: argparse.Namespace) -> Iterator[str]:
    groups = bank(options.chapter, parse_integer("each", options.each), options.secret)
    return _deliver(options, export(groups, options.format))


def _exam(options: argparse.Namespace) -> Iterator[str]:
    wanted = options.questions
    questions = None if wanted is None else parse_integer("questions", wanted)
    if options.roster is not None and options.variant is not None:
        raise ValueError("variant or roster: use one of them, not both")
    students = None if options.roster is None else read_roster(options.roster)
    variant = "A" if options.variant is None else options.variant
    sheets = exam_sheets(options.chapter, options.secret, questions, variant, students)
    return _deliver(options, exam_file(sheets, options.format, options.answer))


def _class_codes(options: argparse.Namespace) -> Iterator[str]:
    from tunables.hand_in.codes import class_codes, codes_sheet

    codes = class_codes(read_roster(options.roster), options.secret)
    return _deliver(options, codes_sheet(codes, options.format))


def _grade_page(options: argparse.Namespace) -> Iterator[str]:
    from tunables.hand_in.grading import grade_rows, gradebook

    students = read_roster(options.roster)
    place = Path(file_path("submissions", options.submissions))
    return _deliver(
        options, gradebook(grade_rows(place, students, options.secret, options.chapter))
    )


def _sweep(options: argparse.Namespace) -> Iterator[str]:
    from tunables.sweep.command import run_command

    return run_command(options)


def _pieces(options: argparse.Namespace) -> Iterator[str]:
    if options.command == "list":
        return _list()
    if options.command == "reproduce":
        return _reproduce(options.case, options.format, parse_integer("seed", options.seed))
    if options.command == "fit":
        return _fit(options.chapter, options.file, options.column)
    if options.command == "bank":
        return _bank(options)
    if options.command == "exam":
        return _exam(options)
    if options.command == "class-codes":
        return _class_codes(options)
    if options.command == "grade-page":
        return _grade_page(options)
    if options.command == "sweep":
        return _sweep(options)
    return _problem(options)


def _audit(options: argparse.Namespace) -> int:
    """Write what the tables of a file say; return 1 if a number in them is impossible."""
    from tunables.audit.command import run_command

    table = parse_integer("table", options.table, at_least=1) if options.table else None
    text, impossible = run_command(options.file, options.format, options.column, table)
    status = write([text] if text else [], options.format)
    return status or (IMPOSSIBLE if impossible else 0)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; a bad argument is answered with one sentence and exit status 2."""
    take_standard_error()
    options = _parser().parse_args(arguments)
    try:
        if options.command == "audit":
            return _audit(options)
        return write(_pieces(options), getattr(options, "format", "text"))
    except ValueError as error:
        say(f"tunables: {shorten(error, LONGEST_SAID)}")
        return 2
    except KeyboardInterrupt:
        say(STOPPED)
        return INTERRUPTED
