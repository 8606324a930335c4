"""The audit in Jupyter, what its page is given, and the hall of errata as a reader sees it."""

import json
import re
from html import unescape

import pytest

from tests.views.asked import ask_view
from tunables.audit.laws import explain
from tunables.audit.meanings import MEANINGS
from tunables.evidence.errata import ERRATA, errata
from tunables.views.audit import (
    LONGEST_LINK,
    SAMPLES,
    audit_html,
    audit_table,
    describe_audit,
    hall_of_errata,
    laws_table,
    menu,
)

WRONG = "| clients | tps | latency (ms) |\n|-|-|-|\n| 8 | 400 | 50 |\n"


def test_a_table_is_judged_and_its_text_is_kept_in_the_entries():
    box = audit_table(WRONG)
    assert box.entries == {"audit.text": WRONG, "audit.name": ""}
    reply = ask_view(box, {"text": WRONG, "name": "", "chosen": []})
    assert [cell["verdict"] for cell in reply["tables"][0]["cells"]].count("impossible") == 1
    corrected = [{"columns": {"2": "maximum"}, "turned": False}]
    again = ask_view(box, {"text": WRONG, "name": "", "chosen": corrected})
    assert again["tables"][0]["findings"] == []


def test_what_cannot_be_judged_is_refused_in_a_sentence():
    box = audit_table()
    assert box.entries == {}
    asked = {"text": "only words", "name": "", "chosen": []}
    assert ask_view(box, asked)["refusal"].startswith("No table was found")
    with pytest.raises(ValueError, match="text = "):
        audit_table("\ud800")
    with pytest.raises(ValueError, match="No table was found"):
        audit_table("only words")


def test_the_menu_has_every_meaning_and_the_usual_percentiles():
    meanings = [meaning for meaning, _ in menu()]
    assert {meaning.partition(":")[0] for meaning in meanings} == set(MEANINGS)
    assert len(set(meanings)) == len(meanings)
    assert dict(menu())["percentile:0.999"] == "p99.9"


def test_every_table_with_an_impossible_number_is_one_press_away_and_fits_into_a_link():
    wrong = {cell.table for erratum in errata() for cell in erratum.impossible}
    assert wrong <= set(SAMPLES)
    for sample in describe_audit()["samples"]:
        assert (ERRATA / f"{sample['name']}.csv").read_text(encoding="utf-8") == sample["text"]
        assert len(sample["text"]) < LONGEST_LINK


def test_the_markup_is_whole_without_scripts_and_no_text_ends_the_script_early():
    markup = audit_html()
    assert markup.count("</script>") == 1
    assert "python -m tunables audit README.md" in unescape(markup)
    (text,) = re.findall(r"-description\">(.*?)</script>", markup, re.DOTALL)
    assert json.loads(text) == json.loads(json.dumps(describe_audit()))


def test_the_hall_shows_each_document_with_its_impossible_cells_and_what_became_of_them():
    html = hall_of_errata()._repr_html_()
    sections = re.findall(r"<section class=\"erratum\".*?</section>", html, re.DOTALL)
    assert len(sections) == len(errata())
    for erratum, section in zip(errata(), sections, strict=True):
        said = unescape(re.sub(r"<[^>]+>", " ", section))
        for words in (erratum.verdict, erratum.explanation, erratum.rests_on, erratum.committed):
            assert words in said
        assert section.count("✗") == len(erratum.impossible)
        assert all(cell.needed in said for cell in erratum.impossible)
        assert f"/blob/{erratum.commit}/{erratum.path}" in section
        assert ("It has not been corrected there." in said) == (not erratum.corrected)
        assert all(way in said for way in erratum.checked)


def test_the_table_of_laws_has_each_law_with_its_source():
    rows = laws_table().rows
    assert len(rows) == len(explain())
    assert all(all(row) for row in rows)
