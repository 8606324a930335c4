"""The command line: `python -m tunables` list, reproduce, problem CHAPTER, fit CHAPTER FILE."""

import argparse
import csv
import json
import sys

from tunables.arguments import whole
from tunables.cases.case import Case
from tunables.cases.ledger import degrees_of_freedom, ledger
from tunables.cases.registry import cases, find_case
from tunables.own.chapters import FITS, fit_path
from tunables.reader.handout import FORMATS, class_problems, handout
from tunables.reader.own_fit import FitReport
from tunables.reader.tables import ledger_records, ledger_table

PROBLEM_NUMBERS = ("chapter", "seed", "students")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tunables", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the cases: name, chapter, title, document")
    reproduce = commands.add_parser(
        "reproduce", help="each published number beside the models' numbers"
    )
    reproduce.add_argument("case", nargs="?", help="one case; all without it")
    reproduce.add_argument("--format", choices=["table", "csv", "json"], default="table")
    reproduce.add_argument("--seed", default="1", help="seed of the simulations (default 1)")
    problem = commands.add_parser("problem", help="an exercise that the seed makes")
    problem.add_argument("chapter", help="the number of a chapter")
    problem.add_argument("--seed", default="1", help="what draws the numbers (default 1)")
    problem.add_argument("--kind", help="a kind of question; the seed chooses one without it")
    problem.add_argument("--answer", action="store_true", help="show answer and steps as well")
    problem.add_argument("--format", choices=FORMATS, default="text")
    problem.add_argument("--students", default="1", help="so many problems, from the seed on")
    fit = commands.add_parser("fit", help="a chapter's model, fitted to your own numbers")
    fit.add_argument("chapter", help="the number of a chapter")
    fit.add_argument("file", help="a CSV; for chapter 6 what the daemon printed")
    return parser


def _list() -> None:
    for case in cases().values():
        print(f"{case.name:10} chapter {case.chapter}: {case.title} ({case.document})")


def _print_tables(chosen: list[Case], seed: int) -> None:
    for case in chosen:
        caption = f"{case.name}: {case.title} ({case.document})"
        print(ledger_table(ledger(case, seed), caption))
        for number in case.numbers:
            if number.remark:
                print(f"  {number.label}: {number.remark}.")
        print(f"\n{degrees_of_freedom(case)}\n")


def _reproduce(name: str | None, form: str, seed: int) -> None:
    chosen = [find_case(name)] if name else list(cases().values())
    if form == "table":
        _print_tables(chosen, seed)
        return
    records = [
        record for case in chosen for record in ledger_records(case.name, ledger(case, seed))
    ]
    if form == "json":
        json.dump(records, sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
        print()
        return
    writer = csv.DictWriter(sys.stdout, fieldnames=list(records[0]))
    writer.writeheader()
    writer.writerows(records)


def _fit(chapter: int, path: str) -> None:
    try:
        print(FitReport(fit_path(chapter, path)))
    except ValueError as error:
        wanted = FITS.get(chapter)
        if wanted is None or "wanted" in str(error):
            raise
        hint = f"Chapter {chapter} wants {wanted.bring}: {wanted.columns}."
        raise ValueError(f"{error}\n{hint}") from None


def _integer(name: str, text: str) -> int:
    return whole(name, int(text) if text.isdigit() else text)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; a bad argument is answered with one sentence and exit status 2."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "list":
            _list()
        elif options.command == "reproduce":
            _reproduce(options.case, options.format, _integer("seed", options.seed))
        elif options.command == "fit":
            _fit(_integer("chapter", options.chapter), options.file)
        else:
            wanted = {name: _integer(name, getattr(options, name)) for name in PROBLEM_NUMBERS}
            problems = class_problems(kind=options.kind, **wanted)
            print(handout(problems, options.format, options.answer))
    except ValueError as error:
        print(f"tunables: {error}", file=sys.stderr)
        return 2
    return 0
