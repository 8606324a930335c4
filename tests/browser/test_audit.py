"""Audit a table, in the page: pasted, judged, corrected, linked, copied, and nothing runs."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.checks import (
    assert_accessible,
    assert_accessible_in_the_dark,
    assert_nothing_hangs_over,
)
from tunables.audit.session import LONGEST_PASTE, AuditSession
from tunables.views.audit import SAMPLES, describe_audit

PAGE = "book/audit.html"
PATIENCE_MS = 60_000  # until the engine answers first
WRONG = "# Load\n\n| clients | tps | latency (ms) |\n|-|-|-|\n| 8 | 400 | 50 |\n| 8 | 400 | 20 |\n"
README = f"{WRONG}\n## Sizes\n\n| name | size |\n|-|-|\n| a | small |\n"
NOTHING_FITS = "No law fits these columns, so nothing is checked."
BAD = {  # what is pasted: the beginning of the sentence that answers it
    "Only words, and no table.": "No table was found: paste one",
    "sky,blue\ngrass,green\n" * 3: "This text has no numbers",
    "clients,tps,latency (ms)\n8,400\n8,400,20\n8,800,10\n": (
        "Checked 6 of 8 numbers; none is impossible."
    ),
    "<table><tr><th rowspan=2>case<th colspan=2>ms<tr><th>before<th>after<tr><td>a<td>10<td>5"
    "<table><tr><td>x<td>1<tr><td>y<td>2</table><tr><td>b<td>20<td>7</table>": NOTHING_FITS,
    "לקוחות,tps\n٣٫٥,۱۲\n4,5\n": NOTHING_FITS,
    "clients,tps,latency (ms)\n-1,0,-5\n0,0,0\n9e99,1e-99,7\n": "1 of the 9 numbers is impossible",
    "| a | <img src=x onerror=alert(1)> |\n|-|-|\n| <script>alert(2)</script> | 3 |": NOTHING_FITS,
    "clients,tps\n" + "8,400\n" * 3000: "Your tables have 6,000 cells, but this page can judge",
    "clients,tps\n" + "8,400\n" * 100_000: "Your text has 600,012 characters, but this page",
}
# The clipboard as a reader's paste brings it; a long one is refused before it gets into the box.
PASTE = """
(box, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  if (!box.dispatchEvent(event)) return;
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}
"""
VERDICTS = """
(section) => [...section.querySelectorAll('td[data-verdict]')].map((cell) =>
  [...cell.dataset.cell.split(' ').map(Number), cell.dataset.verdict])
"""

pytestmark = pytest.mark.browser


def open_audit(visitor, end=""):
    """Return the page and its box, once it is there."""
    page = visitor.open(f"{PAGE}{end}")
    box = page.locator("#audit")
    expect(box).to_have_attribute("data-state", "done" if end else "empty", timeout=PATIENCE_MS)
    return page, box


def paste(box, text):
    box.get_by_label("Paste a table").evaluate(PASTE, text)


def test_a_pasted_readme_is_judged_corrected_linked_and_copied(reader):
    visitor = reader(alone=True)
    page, box = open_audit(visitor)
    said = box.locator(".audit-said")
    paste(box, README)
    expect(said).to_have_text("1 of the 6 numbers in 2 tables is impossible.", timeout=PATIENCE_MS)
    wrong = box.locator('td[data-verdict="impossible"]')
    assert "50 ✗1" in wrong.inner_text()
    assert "impossible, finding 1" in wrong.text_content()
    expect(box.locator(".audit-findings strong")).to_contain_text("keeps 20 requests in flight")
    box.get_by_role("button", name="Show row 1").click()
    expect(wrong).to_be_focused()
    expect(box.locator(".audit-detail").first).to_contain_text("Row 1: 50 is impossible.")
    page.keyboard.press("ArrowDown")
    assert box.locator("td:focus").get_attribute("data-cell") == "2 3"

    box.get_by_role("button", name="Copy as Markdown").click()
    assert "| 8 | 400 | 50 ✗1 |" in page.evaluate("navigator.clipboard.readText()")
    menu = box.get_by_label("What latency (ms) means")
    menu.focus()
    menu.select_option("maximum")
    expect(said).to_contain_text(NOTHING_FITS)
    expect(menu).to_be_focused()
    box.get_by_role("button", name="Copy a link").click()
    expect(box.locator(".audit-buttons [role=status]")).to_have_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "?" not in link.partition("#")[0]  # no server is sent the table
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".audit-said")).to_contain_text(NOTHING_FITS, timeout=PATIENCE_MS)
    assert other.get_by_label("Paste a table").input_value() == README
    other.close()
    assert visitor.troubles == []
    page.context.close()


def test_every_sample_gets_the_verdicts_of_cpython_in_every_look(reader):
    visitor = reader(alone=True)
    page, box = open_audit(visitor, "#audit?sample=etcd-reads")
    session = AuditSession()
    for sample in describe_audit()["samples"]:
        box.get_by_role("button", name=SAMPLES[sample["name"]], exact=True).click()
        expect(page).to_have_url(f"{visitor.site}/{PAGE}#audit?sample={sample['name']}")
        expect(box).to_have_attribute("data-state", "done")
        asked = {"text": sample["text"], "name": f"{sample['name']}.csv", "chosen": []}
        (table,) = json.loads(session.reply(json.dumps(asked)))["tables"]
        cells = [[cell["row"], cell["column"], cell["verdict"]] for cell in table["cells"]]
        assert sorted(box.evaluate(VERDICTS)) == sorted(cells)
    page.get_by_role("link", name="Audit this table").last.click()  # in the hall
    expect(box.locator(".audit-said")).to_have_text("1 of the 24 numbers is impossible.")
    expect(box.get_by_label("Paste a table")).to_be_in_viewport()
    assert_accessible(page, "#audit")
    assert_accessible_in_the_dark(page, "#audit")
    page.set_viewport_size({"width": 390, "height": 844})
    assert_nothing_hangs_over(page)
    page.emulate_media(media="print")
    expect(box.locator("textarea, select, button").locator("visible=true")).to_have_count(0)
    expect(box.locator(".audit-findings")).to_be_visible()
    assert visitor.troubles == []
    page.context.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_samples_impossible_number_is_in_view_beside_the_samples(reader, size):
    width, height = size
    _, box = open_audit(reader(viewport={"width": width, "height": height}))
    sample = box.get_by_role("button", name="Amazon EBS", exact=True)
    sample.click()
    expect(box.locator('td[data-verdict="impossible"]')).to_be_in_viewport(ratio=1)
    expect(sample).to_be_in_viewport(ratio=1)
    expect(sample).to_be_focused()


def test_on_a_phone_the_verdict_is_in_view_and_a_sample_does_not_lose_the_readers_table(reader):
    visitor = reader(alone=True, has_touch=True, is_mobile=True)
    page, box = open_audit(visitor)
    page.set_viewport_size({"width": 390, "height": 664})
    paste(box, README)
    said = box.locator(".audit-said")
    expect(said).to_contain_text("1 of the 6 numbers", timeout=PATIENCE_MS)
    expect(said).to_be_in_viewport(ratio=1)
    under = box.locator(".audit-form").bounding_box()
    assert said.bounding_box()["y"] - under["y"] - under["height"] < 40
    expect(box.get_by_label("Choose a file")).to_be_hidden()
    sizes = box.evaluate(
        "box => [...box.querySelectorAll('textarea, select, button, summary')]"
        ".filter((each) => each.checkVisibility())"
        ".map((each) => [each.offsetHeight, each.tagName, getComputedStyle(each).fontSize])"
    )
    assert min(height for height, *_ in sizes) >= 40
    assert {size for _, tag, size in sizes if tag in ("TEXTAREA", "SELECT")} == {"16px"}
    box.get_by_role("button", name="SPDY", exact=True).click()
    expect(said).to_have_text("1 of the 24 numbers is impossible.")
    box.get_by_role("button", name="Back to your table").click()
    expect(said).to_contain_text("1 of the 6 numbers in 2 tables")
    assert box.get_by_label("Paste a table").input_value() == README
    assert visitor.troubles == []
    page.context.close()


def test_bad_input_gets_a_sentence_and_nothing_runs_or_is_lost(reader):
    visitor = reader(alone=True)
    page, box = open_audit(visitor)
    said, field = box.locator(".audit-said"), box.get_by_label("Paste a table")
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    kept = ""
    for text, sentence in BAD.items():
        paste(box, text)
        expect(said).to_contain_text(sentence, timeout=PATIENCE_MS)
        kept = text if len(text) <= LONGEST_PASTE else kept
        assert field.input_value() == kept
        assert box.locator("img, script:not(.audit-description)").count() == 0
    file = {"name": "x.xlsx", "mimeType": "", "buffer": b"PK\x03\x04" + bytes(99)}
    box.get_by_label("Choose a file").set_input_files(file)
    expect(said).to_contain_text("a spreadsheet or ZIP archive, not text")
    assert field.input_value() == kept
    broken = '#audit?text=a,b%0A1,2&read=[{"columns":{"0":"nonsense"}}]'
    page.evaluate("hash => { location.hash = hash; }", broken)
    expect(said).to_contain_text('"nonsense" is not a known meaning')
    assert visitor.troubles == []
    page.context.close()
