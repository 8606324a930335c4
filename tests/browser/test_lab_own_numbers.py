"""The lab Your numbers fits what is brought, for all chapters, offline, in one page, as CPython."""

import re

import pytest
from playwright.sync_api import expect

from tests.core.made import FILES
from tunables.core.registry import fit_source
from tunables.page.chapters import find_chapter
from tunables.page.labs.your_numbers import fit_sentences, list_fits

PAGE = "labs/07-your-numbers.html"
PATIENCE_MS = 120_000
KINDS = {offer["chapter"]: offer["wanted"]["kind"] for offer in list_fits()}
BROUGHT = [slug for slug, kind in KINDS.items() if kind != "keys"]
SAMPLES = [(slug, path) for path in FILES if (slug := find_chapter(path.stem[0]).slug) in BROUGHT]
pytestmark = pytest.mark.browser


def test_offline_each_chapters_numbers_are_fitted_and_a_column_is_chosen(reader, tmp_path):
    page = reader(alone=True).page
    page.goto(f"{reader().site}/{PAGE}")
    box = page.locator("#lab-your_numbers")
    said = box.locator(".lab-said")
    chapter, file = box.get_by_label("What kind of data do you have?"), box.get_by_label("A file")
    expect(box).to_be_in_viewport()  # the form is first on its page, and opens by itself
    expect(said).to_contain_text("makes no more network requests", timeout=PATIENCE_MS)
    page.context.set_offline(True)

    def sentences():
        return box.evaluate("box => box.results.sentences")

    for slug, path in (SAMPLES[0], SAMPLES[-1]):  # tests/page/test_user_numbers.py fits all
        chapter.select_option(slug)
        file.set_input_files(path)
        expect(said).to_contain_text(f"From {path.name}, ", timeout=PATIENCE_MS)
        assert sentences() == fit_sentences(fit_source(slug, path))
    for slug in BROUGHT:
        chapter.select_option(slug)
        box.get_by_role("button", name="Try made-up numbers").click()
        expect(said).to_contain_text("From the made-up numbers (", timeout=PATIENCE_MS)
        assert sentences()[0].startswith("This model fits: ")

    slug, path = [sample for sample in SAMPLES if KINDS[sample[0]] == "table"][-1]
    heading, rows = path.read_text().split("\n", 1)
    first, rest = heading.split(",", 1)
    (tmp_path / "other.csv").write_text(f"what,{rest}\n{rows}")
    chapter.select_option(slug)
    file.set_input_files(tmp_path / "other.csv")
    expect(said).to_contain_text("change the headings", timeout=PATIENCE_MS)
    wanted = first.replace("_ms", "_s")
    box.get_by_label(f"Unit of {wanted}").select_option(first)
    box.get_by_label(f"Column that holds {wanted}").select_option("0")
    expect(said).to_contain_text("From other.csv, ", timeout=PATIENCE_MS)
    assert sentences() == fit_sentences(fit_source(slug, path))
    page.context.close()


def test_a_refused_paste_stays_to_be_mended(reader):
    page = reader(alone=True).page
    page.goto(f"{reader().site}/{PAGE}")
    box = page.locator("#lab-your_numbers")
    said, paste = box.locator(".lab-said"), box.get_by_label("or paste your numbers")
    question = box.locator(".lab-question")
    expect(said).to_contain_text("makes no more network requests", timeout=PATIENCE_MS)
    expect(question).to_contain_text("keys")  # of the chapter that is chosen at first
    box.get_by_label("What kind of data do you have?").select_option(find_chapter(2).slug)
    expect(question).to_be_hidden()
    rows = "latency_s,timeout_s,retries\n" + "0.1,1,2\n" * 5
    paste.focus()
    page.evaluate(
        """rows => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text', rows);
            const event = { clipboardData, bubbles: true, cancelable: true };
            document.activeElement.dispatchEvent(new ClipboardEvent('paste', event));
        }""",
        rows,
    )
    expect(said).to_contain_text(re.compile("1,?000"), timeout=PATIENCE_MS)
    expect(paste).to_have_value(rows)
    box.get_by_label("What kind of data do you have?").select_option(find_chapter(1).slug)
    box.get_by_role("button", name="Run").click()  # what is still there is meant for it
    expect(said).to_contain_text("heading", timeout=PATIENCE_MS)
    page.context.close()
