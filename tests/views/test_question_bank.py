"""Question banks: they hold to the formats' schemas, and are marked as the formats say."""

import io
import re
import zipfile
from functools import cache
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from tunables.base.units import UNITS
from tunables.cli import main
from tunables.page.problem import wanted_text
from tunables.views.classroom import counted_sheets
from tunables.views.question_bank import Group, bank, groups_of, moodle_xml, qti_zip

SCHEMAS = Path(__file__).parent / "schemas"
QTI = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"

# Parts of a valid export, and replacements that a schema refuses.
SPOILT = {
    "moodle": [
        ("<tolerance>", "<tolerance>-"),
        ("unit_name>", "unitname>"),
        ('fraction="100"', 'fraction="101"'),
        ("<showunits>", "<showunits>x"),
        ('type="numerical"', 'type="number"'),
    ],
    "qti": [
        ("vargte", "vargt"),
        ("<varlte respident", "<varlte ident"),
        ('action="Set"', 'action="Give"'),
        ("<selection_number>1", "<selection_number>0"),
    ],
}


@cache
def made_exports():
    """Return one problem of each kind, its Moodle XML and its QTI assessment."""
    groups = bank(None, 1)
    return groups, moodle_xml(groups), assessment(qti_zip(groups))


def assessment(package: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(package)) as file:
        [name] = [name for name in file.namelist() if re.search(r"/text2qti_assess[^/]*$", name)]
        return file.read(name).decode()


def problems():
    return [problem for group in made_exports()[0] for _, problem in group.problems]


def valid(name: str, text: str) -> bool:
    return schema(name).is_valid(ElementTree.fromstring(text))


@cache
def schema(name: str) -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(SCHEMAS / f"{name}.xsd")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), [("moodle", 1), ("qti", 2)])
def test_an_export_is_valid_and_a_spoilt_one_is_not(name, place):
    text = made_exports()[place]
    schema(name).validate(ElementTree.fromstring(text))
    for was, becomes in SPOILT[name]:
        assert was in text
        assert not valid(name, text.replace(was, becomes)), becomes


def read(element, path: str) -> str:
    """Return what a reader sees of the HTML within."""
    return unescape(re.sub(r"<[^>]+>", "|", element.findtext(path)))


def moodle_marks(question, value: float, unit: str = "") -> tuple[float, str]:
    """Return the marks in per cent and the feedback that Moodle gives a typed answer."""
    sizes = {
        one.find("unit_name").text: one.find("multiplier").text for one in question.iter("unit")
    }
    value /= float(sizes[unit]) if unit else 1
    for answer in question.findall("answer"):
        right = float(answer.find("text").text)
        near = float(answer.find("tolerance").text) + 1e-9 * abs(right)
        if abs(value - right) <= near:
            return float(answer.get("fraction")), answer.find("feedback/text").text or ""
    return 0, ""


def test_moodle_marks_the_answer_its_units_and_its_slips():
    questions = ElementTree.fromstring(made_exports()[1]).findall("question[@type='numerical']")
    in_another_unit = 0
    for question, problem in zip(questions, problems(), strict=True):
        answer, near = problem.answer, problem.tolerance
        assert moodle_marks(question, answer * (1 + 0.99 * near)) == (100, "")
        assert moodle_marks(question, answer * (1.001 + 1.01 * near)) == (0, "")
        in_words = problem.unit not in UNITS or problem.unit == "1"
        for slip in (1000, 0.001, *(() if problem.unit != "%" else (100, 0.01))):
            points, said = moodle_marks(question, answer * slip)
            assert points == (0 if in_words else 50), problem
            assert ("half of the marks" in said) is not in_words
        assert f"|{problem.question}|" in read(question, "questiontext/text")
        assert all(f"|{step}|" in read(question, "generalfeedback/text") for step in problem.steps)
        if problem.unit == "ms":
            in_another_unit += 1
            assert moodle_marks(question, answer / 1000, "s")[0] == 100
            assert moodle_marks(question, answer, "s")[0] == 50
    assert in_another_unit > 3


def qti_marks(item, value: float) -> float:
    """Return the score that a QTI item's conditions give a typed number."""
    for condition in item.iter(f"{QTI}respcondition"):
        low, high = condition.find(f".//{QTI}vargte"), condition.find(f".//{QTI}varlte")
        if low is not None and float(low.text) <= value <= float(high.text):
            return float(condition.find(f"{QTI}setvar").text)
        equal = condition.find(f".//{QTI}varequal")
        if equal is not None and float(equal.text) == value:
            return float(condition.find(f"{QTI}setvar").text)
    return 0


def set_in_type(text: str) -> str:
    """Return a text as text2qti sets it: single spaces, an ellipsis for three dots."""
    return " ".join(text.split()).replace("...", "…")


def test_canvas_marks_the_answer_and_shows_the_way():
    items = list(ElementTree.fromstring(made_exports()[2]).iter(f"{QTI}item"))
    for item, problem in zip(items, problems(), strict=True):
        answer, near = problem.answer, problem.tolerance
        assert qti_marks(item, answer * (1 + 0.9 * near)) == 100
        assert qti_marks(item, answer * (1.001 + 1.1 * near)) == 0
        assert qti_marks(item, answer * 1000) == 0
        asked = read(item, f"{QTI}presentation/{QTI}material/{QTI}mattext")
        assert f"|{set_in_type(problem.question)}|" in asked
        assert f"|{wanted_text(problem)}|" in asked
        said = read(item, f"{QTI}itemfeedback/{QTI}flow_mat/{QTI}material/{QTI}mattext")
        assert all(f"|{set_in_type(step)}|" in said for step in problem.steps)


def test_a_bank_has_as_many_of_each_kind_and_is_the_same_each_time():
    groups = bank(3, 5, "heron")
    assert {len({problem.question for _, problem in group.problems}) for group in groups} == {5}
    assert groups == bank("cache_cliff", 5, "heron")
    assert groups != bank(3, 5, "crane")
    assert qti_zip(groups) == qti_zip(groups)
    assert b"<imsmd:dateTime>1980-01-01<" in zipfile.ZipFile(io.BytesIO(qti_zip(groups))).read(
        "imsmanifest.xml"
    )


ODD_NAMES = ["Ada\x01", "Bob\x0c", "Cy\ud800", "]]>", "<b>&amp;", "Dan\nTitle: x\n1.  y", "\ufffe"]


def test_a_percent_says_what_its_one_percent_is_of():
    asked = [wanted_text(problem) for problem in problems() if problem.unit == "%"]
    assert asked
    assert all(
        re.search(r"within [\d.]+% of the right value \(relative, not in percentage points\)", said)
        for said in asked
    )


def test_personal_problems_do_not_mix_with_those_of_the_bank():
    text = moodle_xml(groups_of(counted_sheets(3, 7, 2, "zigzag")))
    assert "$course$/top/Tunables/By student/Chapter 3/zigzag" in text
    assert "By student" not in made_exports()[1]


def test_a_name_breaks_no_export():
    asked = problems()[: len(ODD_NAMES)]
    groups = [Group(1, "kind", "Title", list(zip(ODD_NAMES, asked, strict=True)))]
    questions = ElementTree.fromstring(moodle_xml(groups)).findall("question[@type='numerical']")
    names = ["Ada", "Bob", "Cy", "]]>", "<b>&amp;", "Dan Title: x 1. y", ""]
    assert [question.findtext("name/text") for question in questions] == [
        f"{name}: {problem.title}" for name, problem in zip(names, asked, strict=True)
    ]
    items = ElementTree.fromstring(assessment(qti_zip(groups))).iter(f"{QTI}item")
    titles = [item.get("title", "").strip() for item in items]
    assert titles == [f"1 {name}".strip() for name in names]


def test_the_command_line_writes_banks_and_refuses_in_one_sentence(tmp_path, capsys):
    path = str(tmp_path / "bank.zip")
    assert main(["bank", "3", "--each", "2", "--format", "qti", "--output", path]) == 0
    assert valid("qti", assessment(Path(path).read_bytes()))
    assert main(["bank", "3", "--each", "2", "--secret", "heron"]) == 0
    assert valid("moodle", capsys.readouterr().out)
    roster = tmp_path / "class.csv"
    roster.write_text("id;name\ns1;Zoë Müller\n", encoding="utf-8")
    drawn = ["problem", "3", "--roster", str(roster), "--secret", "heron", "--format", "moodle"]
    assert main(drawn) == 0
    assert "Zoë Müller (s1): " in capsys.readouterr().out
    for arguments, sentence in (
        (["bank", "3", "--format", "qti"], "format qti makes a zip: use --output to name the file"),
        (["bank", "3", "--each", "0"], "each = 0: must be"),
        (["bank", "9"], "chapter = '9': must be one of 1 "),
        (["bank", "3", "--each", "1", "--output", str(tmp_path)], "Is a directory"),
    ):
        assert main(arguments) == 2
        assert sentence in capsys.readouterr().err
