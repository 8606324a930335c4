"""Problems as a QTI 1.2 package, which Canvas and what reads its exports import.

text2qti makes the package from a text of its own; zip and manifest are made the same each time.
"""

import io
import re
import zipfile
from html import escape

from tunables.page.problem import Problem, answer_text, wanted_text
from tunables.reader.bank import Group

_MARKS = re.compile(r"[^\w ,;:.?%/()=]|_")  # what may be Markdown's
_RIGHTS = "Text and figures CC BY 4.0"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # a zip's first day


def _plain(text: str) -> str:
    """Return a text in which Markdown finds no marks of its own."""
    return _MARKS.sub(lambda found: f"&#{ord(found[0])};", text)


def _answer(problem: Problem) -> str:
    if problem.tolerance == 0:
        return f"{problem.answer}"
    return f"{problem.answer:.12g} +- {abs(problem.answer) * problem.tolerance:.12g}"


def _question(name: str, problem: Problem) -> list[str]:
    """Return the lines of a question as text2qti reads them."""
    said = [*problem.steps, f"Answer: {answer_text(problem)}", problem.remark]
    paragraphs = [f"    {_plain(line.strip())}" for line in said if line]
    return [
        f"Title: {name}",
        f"1.  {_plain(problem.question)}",
        "",
        f"    {_plain(wanted_text(problem))}",
        "... " + "\n\n".join(paragraphs).lstrip(),
        f"=   {_answer(problem)}",
        "",
    ]


def quiz_text(groups: list[Group], title: str = "Tunables") -> str:
    """Return a quiz that draws one question of each group, as text2qti reads it."""
    lines = [f"Quiz title: {title}", ""]
    for group in groups:
        lines += ["GROUP", "pick: 1", "points per question: 1", ""]
        for name, problem in group.problems:
            lines += _question(f"{group.chapter} {name}", problem)
        lines += ["END_GROUP", ""]
    return "\n".join(lines)


def _manifest(text: str) -> str:
    """Return text2qti's manifest without the day, and with the book's licence."""
    text = re.sub(r"(<imsmd:dateTime>).*?(</)", r"\g<1>1980-01-01\2", text)
    return re.sub(r"Private \(Copyrighted\)[^<]*", escape(_RIGHTS), text)


def qti_zip(groups: list[Group]) -> bytes:
    """Return a QTI 1.2 package; the same groups give the same bytes."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    made = QTI(Quiz(quiz_text(groups), config=Config(), source_name="tunables"))
    name = made.assessment_identifier
    texts = {
        "imsmanifest.xml": _manifest(made.imsmanifest_xml),
        f"{name}/assessment_meta.xml": made.assessment_meta,
        f"{name}/{name}.xml": made.assessment,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for path, text in texts.items():
            package.writestr(zipfile.ZipInfo(path, _LONG_AGO), text, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
