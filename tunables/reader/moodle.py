"""Problems as Moodle reads them: numerical questions with tolerance, units and worked steps.

Moodle publishes no schema; the elements are those of its manual, "Moodle XML format", and what
they mean is in its "Numerical question type".
"""

from html import escape
from xml.etree import ElementTree

from tunables.page.problem import Problem, answer_text, wanted_text
from tunables.plain.units import UNITS
from tunables.reader.bank import Group

_SLIPS = (1000, 0.001)  # answers off by so much get no marks, and a word
_SLIP = "The digits are right. Look at the units."
_OPTIONAL, _NO_UNIT = "0", "3"  # Moodle's <showunits>: may a unit be typed behind the number?
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_OTHER_NAMES = {"us"}  # of a unit that is listed already


def _add(parent, tag: str, text: str = "", **attributes: str):
    """Add an element; texts of several words stand in a <text> of their own, as Moodle has it."""
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


def _add_text(parent, tag: str, text: str, **attributes: str):
    element = _add(parent, tag, **attributes)
    _add(element, "text", text)
    return element


def question_html(problem: Problem) -> str:
    """Return a problem's question and what is asked for."""
    return f"<p>{escape(problem.question)}</p><p><em>{escape(wanted_text(problem))}</em></p>"


def feedback_html(problem: Problem) -> str:
    """Return the way to a problem's answer, and what the answer says."""
    steps = "".join(f"<li>{escape(step)}</li>" for step in problem.steps)
    remark = f"<p>{escape(problem.remark)}</p>" if problem.remark else ""
    return f"<ol>{steps}</ol><p>Answer: {escape(answer_text(problem))}</p>{remark}"


def _add_answer(parent, value: float, tolerance: float, fraction: int, said: str) -> None:
    answer = _add(parent, "answer", fraction=str(fraction), format="moodle_auto_format")
    _add(answer, "text", f"{value:.12g}")
    _add_text(answer, "feedback", said, format="html")
    _add(answer, "tolerance", f"{tolerance:.12g}")


def _add_units(parent, unit: str) -> None:
    """Let the answer be typed in any unit of its kind; a wrong one makes it another number."""
    kind, size = UNITS.get(unit, ("", 1))
    known = {name: size / other for name, (of, other) in UNITS.items() if of == kind}
    if kind and unit != "1":
        units = _add(parent, "units")
        for name in [unit, *sorted(known.keys() - {unit, "1"} - _OTHER_NAMES)]:
            one = _add(units, "unit")
            _add(one, "multiplier", f"{known[name]:.12g}")
            _add(one, "unit_name", name)
    _add(parent, "unitgradingtype", "0")
    _add(parent, "showunits", _OPTIONAL if kind and unit != "1" else _NO_UNIT)


def _add_question(quiz, name: str, problem: Problem) -> None:
    question = _add(quiz, "question", type="numerical")
    _add_text(question, "name", name)
    _add_text(question, "questiontext", question_html(problem), format="html")
    _add_text(question, "generalfeedback", feedback_html(problem), format="html")
    _add(question, "defaultgrade", "1")
    _add(question, "penalty", "0.3333333")
    _add(question, "hidden", "0")
    near = abs(problem.answer) * problem.tolerance
    _add_answer(question, problem.answer, near, 100, "")
    for slip in _SLIPS:
        _add_answer(question, problem.answer * slip, near * slip, 0, _SLIP)
    _add_units(question, problem.unit)


def moodle_xml(groups: list[Group]) -> str:
    """Return a question bank for Moodle's import: a category a kind, a question a problem."""
    quiz = ElementTree.Element("quiz")
    for group in groups:
        category = _add(quiz, "question", type="category")
        place = f"$course$/top/Tunables/Chapter {group.chapter}/{group.kind}"
        _add_text(category, "category", place)
        _add_text(category, "info", escape(group.title), format="html")
        for name, problem in group.problems:
            _add_question(quiz, f"{name}: {problem.title}", problem)
    ElementTree.indent(quiz)
    return _DECLARATION + ElementTree.tostring(quiz, encoding="unicode")
