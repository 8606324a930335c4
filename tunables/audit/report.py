"""The audit in words: as text, as Markdown, as JSON, and as annotations of a pull request."""

import json

from tunables.audit.cells import CellMap
from tunables.audit.intervals import INFINITY
from tunables.audit.meanings import MEANINGS
from tunables.audit.verdicts import STATES

MARKS = {"follows": "=", "possible": "~", "impossible": "✗", "unchecked": "·"}


def _plural(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def name_of(audit, cell) -> str:
    """Return a cell as a sentence names it: row 3, "Average latency per request"."""
    sheet = audit.sheet
    row, _ = sheet.place(cell)
    column = sheet.columns[cell[1]].name
    if sheet.turned:
        return f'"{column}" of {sheet.labels[cell[0]] or f"column {cell[0] + 1}"}'
    return f'row {row + 1}, "{column}"'


def finding_sentences(audit, finding) -> list:
    """Return the sentences of a finding: what does not fit, what is needed, what it rests on."""
    blamed = []
    for cell, needed in finding.needed[:5]:
        need = "" if needed == "anything" else f", which would have to be {needed}"
        blamed.append(name_of(audit, cell) + need)
    if len(finding.needed) > 5:
        blamed.append(f"{len(finding.needed) - 5} more")
    which = "error is" if len(blamed) == 1 else "errors are"
    words = [finding.sentence, f"The likeliest {which} {', and '.join(blamed)}."]
    if finding.slips:
        words.append(f"Perhaps {finding.slips[0]}.")
    if finding.assumes:
        words.append(f"This holds if {finding.assumes}.")
    return words


def other_ways(finding) -> str:
    """Return the sentence on what else would explain a finding, "" if nothing would."""
    listed = finding.explanations
    if not listed or len(finding.cells) > 2:
        return ""
    several = ", ".join(listed[:-1]) + " or " + listed[-1] if len(listed) > 1 else listed[0]
    return f"Another explanation would be {several}."


def finding_text(audit, finding) -> str:
    """Return a finding as one paragraph, in the words of the page."""
    sentences = finding_sentences(audit, finding) + [other_ways(finding)]
    return " ".join([each for each in sentences if each])


def summary(audit) -> str:
    """Return in a sentence how many cells have which verdict.

    >>> from tunables.audit.tables import read_tables
    >>> from tunables.audit.verdicts import audit
    >>> (table,) = read_tables("| clients | tps | latency (ms) |\\n|-|-|-|\\n| 8 | 400 | 50 |")
    >>> summary(audit(table))
    '3 numbers: 0 follow from others, 2 are possible, 1 is impossible, 0 are unchecked.'
    """
    counts = {state: audit.count(state) for state in STATES}
    verb = {state: "is" if counts[state] == 1 else "are" for state in STATES}
    follow = "follows" if counts["follows"] == 1 else "follow"
    return (
        f"{_plural(len(audit.verdicts), 'number')}: {counts['follows']} {follow} from others, "
        + f"{counts['possible']} {verb['possible']} possible, {counts['impossible']} "
        + f"{verb['impossible']} impossible, {counts['unchecked']} {verb['unchecked']} unchecked."
    )


def headline(audits) -> str:
    """Return in a sentence what was found in all tables of a text.

    >>> from tunables.audit.tables import read_tables
    >>> from tunables.audit.verdicts import audit
    >>> (table,) = read_tables("| clients | tps | latency (ms) |\\n|-|-|-|\\n| 8 | 400 | 50 |")
    >>> headline([audit(table)])
    '1 of the 3 numbers is impossible.'
    """
    numbers = sum([len(audit.verdicts) for audit in audits])
    wrong, unchecked = [
        sum([audit.count(state) for audit in audits]) for state in ("impossible", "unchecked")
    ]
    where = _plural(numbers, "number") + (f" in {len(audits)} tables" if len(audits) > 1 else "")
    if not numbers:
        return "This text has no numbers, so there is nothing to check."
    if wrong:
        return f"{wrong} of the {where} {'is' if wrong == 1 else 'are'} impossible."
    if unchecked == numbers:
        return _nothing_fits(audits)
    return f"Checked {numbers - unchecked} of {where}; none is impossible."


# Columns that a law needs together with others: (what is there, what is missing, its words, law).
_WOULD_HELP = (
    (("throughput", "latency"), "clients", "the number of clients", "Little's law"),
    (("clients", "latency"), "throughput", "the throughput", "Little's law"),
    (("clients", "throughput"), "latency", "the mean latency", "Little's law"),
    (("throughput", "duration"), "count", "the number of operations", "rate × time = count"),
    (("throughput", "bandwidth"), "size", "the bytes per operation", "size × rate = bandwidth"),
    (("hits",), "cache", "the size of the cache", "the law of stack policies"),
    (("throughput",), "clients", "the number of clients and the mean latency", "Little's law"),
    (("latency",), "clients", "the number of clients and the throughput", "Little's law"),
)


def _nothing_fits(audits):
    """Return the sentences on tables that no law fits: what would make one apply."""
    words = "No law fits these columns, so nothing is checked."
    for there, missing, what, law in _WOULD_HELP:
        for audit in audits:
            meanings = {column.meaning for column in audit.sheet.columns}
            if missing == "clients" and audit.sheet.table.apart:
                continue
            if missing not in meanings and all([each in meanings for each in there]):
                return f"{words} If the table also had {what}, {law} would apply."
    return f"{words} If the audit has misread a heading, choose what its column means."


def _read_by_hand(sheet):
    """Return the sentence on the columns whose meaning the reader chose, "" if there are none."""
    chosen = []
    for column in sheet.columns:
        if not column.guessed:
            words = MEANINGS[column.meaning][0]
            if column.meaning == "percentile":
                words = f"p{100 * column.p:g}"
            chosen.append(f"{column.name} = {words}")
    return f"Meanings chosen by hand: {'; '.join(chosen)}." if chosen else ""


def heading(audit, index, count) -> str:
    """Return what names a table: its title or place, and how it was read."""
    table = audit.sheet.table
    title = f'"{table.title}", ' if table.title else ""
    return f"Table {index + 1} of {count} ({title}line {table.line}, {table.kind})"


def text_of(audits) -> str:
    """Return all audits of a file as plain text."""
    lines = []
    for index, audit in enumerate(audits):
        lines.append(heading(audit, index, len(audits)))
        lines.append("  " + summary(audit))
        for finding in audit.findings:
            lines.append(f"  {MARKS['impossible']} " + finding_text(audit, finding))
        for remark in audit.remarks:
            lines.append("  note: " + remark)
        lines.append("")
    return "\n".join(lines).rstrip()


_MARK_WORDS = (
    ("follows", "= the other cells give exactly this"),
    ("impossible", "✗ impossible, followed by the number of the finding"),
)


def _escape(text):
    return text.replace("|", "\\|").replace("\n", " ")


def markdown_of(audits) -> str:
    """Return all audits as Markdown, with the tables and a mark behind each judged number."""
    lines = [f"**{headline(audits)}**", ""]
    for index, audit in enumerate(audits):
        table = audit.sheet.table
        lines += ["### " + heading(audit, index, len(audits)), "", summary(audit), ""]
        by_hand = _read_by_hand(audit.sheet)
        lines += [_escape(by_hand), ""] if by_hand else []
        numbers = CellMap()
        for number, finding in enumerate(audit.findings):
            for cell in finding.cells:
                numbers[audit.sheet.place(cell)] = str(number + 1)
        lines.append("| " + " | ".join([_escape(head) for head in table.heads]) + " |")
        lines.append("|" + " --- |" * len(table.heads))
        for row, cells in enumerate(table.rows[:200]):
            shown = []
            for column, text in enumerate(cells):
                verdict = audit.at(row, column)
                marked = verdict and verdict.state in ("follows", "impossible")
                mark = MARKS[verdict.state] + numbers.get((row, column), "") if marked else ""
                shown.append(f"{_escape(text)} {mark}" if mark else _escape(text))
            lines.append("| " + " | ".join(shown) + " |")
        meanings = [words for state, words in _MARK_WORDS if audit.count(state)]
        lines += ["", "; ".join(meanings) + "." if meanings else "", ""]
        for number, finding in enumerate(audit.findings):
            lines.append(f"{number + 1}. " + _escape(finding_text(audit, finding)))
        lines += [""] if audit.findings and audit.remarks else []
        lines += ["- " + remark for remark in audit.remarks] + [""]
    return "\n".join(lines).rstrip()


def _end(value):
    return value if abs(value) < INFINITY else None  # nor what is no number


def as_data(audit) -> dict:
    """Return an audit as data that JSON can hold; intervals are in base units, null if open."""
    sheet = audit.sheet
    cells = []
    for column in sheet.columns:
        for row in range(sheet.rows):
            verdict = audit.verdicts.get((row, column.index))
            if verdict is None:
                continue
            place = sheet.place((row, column.index))
            left = verdict.interval
            cells.append(
                {
                    "row": place[0] + 1,
                    "column": place[1] + 1,
                    "printed": sheet.read_as.rows[row][column.index],
                    "verdict": verdict.state,
                    "disputed": verdict.disputed,
                    "sentence": verdict.sentence,
                    "needed": verdict.needed,
                    "laws": verdict.laws,
                    "interval": [_end(left[0]), _end(left[1])] if left else None,
                }
            )
    return {
        "title": sheet.table.title,
        "line": sheet.table.line,
        "kind": sheet.table.kind,
        "heads": sheet.table.heads,
        "rows": sheet.table.rows,
        "turned": sheet.turned,
        "columns": [
            {"head": c.head, "meaning": c.meaning, "guessed": c.guessed, "unit": c.unit, "p": c.p}
            for c in sheet.columns
        ],
        "relations": [
            {"law": relation.law.name, "read_as": relation.words} for relation in audit.relations
        ],
        "cells": cells,
        "findings": [
            {
                "cells": [[place + 1 for place in sheet.place(cell)] for cell in finding.cells],
                "text": finding_text(audit, finding),
                "sentences": finding_sentences(audit, finding),
                "other_ways": other_ways(finding),
                "assumes": finding.assumes,
                "laws": [
                    {"name": law.name, "formula": law.formula, "source": law.source}
                    for law in finding.laws
                ],
            }
            for finding in audit.findings
        ],
        "summary": summary(audit),
        "remarks": audit.remarks,
    }


def json_of(audits, name="") -> str:
    """Return all audits as JSON."""
    return json.dumps({"file": name, "tables": [as_data(audit) for audit in audits]})


def _command_text(text):
    """Return a text as a workflow command of GitHub may hold it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property_text(text):
    return _command_text(text).replace(":", "%3A").replace(",", "%2C")


def github_of(audits, name="") -> str:
    """Return the findings as workflow commands of GitHub, which shows them beside the lines.

    Source: GitHub Docs, Workflow commands for GitHub Actions, "Setting an error message".
    """
    lines = []
    for audit in audits:
        table = audit.sheet.table
        for finding in audit.findings:
            row = audit.sheet.place(finding.cells[0])[0]
            line = table.lines[row] if 0 <= row < len(table.lines) else table.line
            lines.append(
                f"::error file={_property_text(name)},line={line},title=Impossible number::"
                + _command_text(finding_text(audit, finding))
            )
    return "\n".join(lines)


FORMATS = ("text", "json", "github", "markdown")


def report(audits, form="text", name="") -> str:
    """Return the audits of a file in one of FORMATS; name: of the file."""
    if form == "json":
        return json_of(audits, name)
    if form == "github":
        return github_of(audits, name)
    if form == "markdown":
        return markdown_of(audits)
    return text_of(audits)
