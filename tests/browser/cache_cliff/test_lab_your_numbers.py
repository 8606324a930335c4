"""The lab Your numbers in the page: traces of any size, offline; it finds what CPython finds."""

import pytest
from playwright.sync_api import expect

from tests.browser.checks import assert_accessible
from tests.browser.conftest import SITE
from tests.browser.lab_runs import run_lab
from tests.chapters.cache_cliff.own_data import breaks, follows
from tunables.chapters.cache_cliff.own import fit_key_trace

PAGE = "labs/07-your-numbers.html"
PATIENCE_MS = 120_000
PASTE = """([box, rows]) => {
  const clipboardData = new DataTransfer();
  const keys = Array.from({ length: rows }, (_, n) => n * n % 997);
  clipboardData.setData('text/plain', ['key', ...keys].join('\\n'));
  box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
}"""
pytestmark = pytest.mark.browser


def assert_fitted(results, source):
    fit = fit_key_trace(source)
    rows = results["result"]["rows"]
    assert results["sentences"][0] == fit.verdict
    for (_, measured, predicted), row in zip(rows, fit.held_out, strict=True):
        assert measured == row.measured
        assert predicted == pytest.approx(row.predicted, abs=1e-9)


class Lab:
    def __init__(self, page, folder):
        self.folder = folder
        self.box = page.locator("#lab-your_numbers")
        self.said = self.box.locator(".lab-said")
        self.file = self.box.get_by_label("A file")

    def bring(self, name, content, told):
        (self.folder / name).write_bytes(content)
        self.file.set_input_files(self.folder / name)
        expect(self.said).to_contain_text(told, timeout=PATIENCE_MS)

    @property
    def results(self):
        return self.box.evaluate("box => box.results")


def table(requests):
    """Return a log of requests, 52 bytes a row, whose keys are called as no trace calls them."""
    row = "{},{},2026-11-22T00:00:00.000000Z,host-07,read\n"
    rows = "".join(row.format(f"{n:010}", f"{n * n % 99_991:08}") for n in range(requests))
    return ("at,where,when,host,what\n" + rows).encode()


def test_offline_it_reads_what_comes_and_the_page_lives(reader, tmp_path):
    page = reader(alone=True).page
    page.goto(f"{reader().site}/{PAGE}")
    lab = Lab(page, tmp_path)
    expect(lab.box).to_be_in_viewport()  # the form opens by itself
    expect(lab.said).to_contain_text("makes no more network requests", timeout=PATIENCE_MS)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)

    for name, source in (("follows", follows(2)), ("breaks", breaks(2))):
        lab.bring(name, source.encode(), f"From {name}, 20,000 requests")
        assert_fitted(lab.results, source)
    lab.bring("none.csv", b"", "The text is empty")
    lab.bring("picture.png", b"\x89PNG\x00\x01", "a binary file")
    lab.bring("large.csv", table(900_000), "choose the one that holds the keys")  # 50 MB
    lab.box.get_by_label("Column that holds the keys").select_option("where")
    expect(lab.said).to_contain_text("From large.csv, 900,000 requests", timeout=PATIENCE_MS)
    page.evaluate(
        PASTE, [lab.box.get_by_label("or paste your numbers").element_handle(), 1_000_000]
    )
    expect(lab.said).to_contain_text("1,000,000 requests for ", timeout=PATIENCE_MS)
    assert lab.box.get_by_label("or paste your numbers").input_value() == ""

    assert [url for url in asked if not url.startswith("blob:")] == []
    page.context.set_offline(False)
    assert_accessible(page, "#lab-your_numbers")  # which asks for the styles
    page.context.close()


RATES = "site,rtt ms,rate\na,5,31.2\nb,20,25\nc,80,6.25\nd,40,12.5\ne,160,3.1\nf,300,1.7\n"


def test_a_menu_left_open_is_asked_for_again_and_a_text_without_columns_gets_no_menu(
    reader, tmp_path
):
    page = reader(alone=True).page
    page.goto(f"{reader().site}/{PAGE}?lab.your_numbers.data=replication")
    lab = Lab(page, tmp_path)
    expect(lab.said).to_contain_text("makes no more network requests", timeout=PATIENCE_MS)
    lab.bring("rates.csv", RATES.encode(), "or choose the columns here")
    lab.box.get_by_role("button", name="Run", exact=True).click()
    expect(lab.said).to_contain_text("Choose the column that holds throughput_bps.")
    lab.box.get_by_label("Unit of throughput_bps").select_option("throughput_MB/s")
    lab.box.get_by_label("Column that holds throughput_bps").select_option("2: rate")
    expect(lab.said).to_contain_text("6 rows were read", timeout=PATIENCE_MS)
    assert lab.results["result"]["rows"][0][1] == pytest.approx(8 * 25e6)

    lab.box.get_by_label("What kind of data").select_option("group_commit")
    lab.bring("junk.txt", b"hello there\nhow are you\n", "add clients, number of clients;")
    expect(lab.said).to_contain_text("Or bring the output of pgbench -l")
    expect(lab.box.get_by_label("Column that holds")).to_have_count(0)
    page.context.close()


def test_a_link_holds_the_result_and_not_the_data_and_works_from_disk(disk_page, tmp_path):
    page = disk_page
    page.goto((SITE / PAGE).as_uri())
    lab = Lab(page, tmp_path)
    expect(lab.box).to_be_in_viewport()  # the form opens by itself
    expect(lab.said).to_contain_text("makes no more network requests", timeout=PATIENCE_MS)
    lab.bring("trace", follows(4).encode(), "From trace")
    verdict, result = lab.results["sentences"][0], lab.results["result"]
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    lab.box.get_by_role("button", name="Copy link").click()
    link = lab.box.get_by_text("?lab.your_numbers=").inner_text()
    assert len(link) < 4_000
    page.goto(link)
    expect(lab.said).to_contain_text("This result was opened from a link", timeout=PATIENCE_MS)
    expect(lab.box).to_contain_text(verdict)
    assert "scan0" not in link
    assert str(result["cliff"]) in link
    page.goto(link.partition("?")[0] + "?lab.your_numbers=x")
    expect(lab.said).to_contain_text(
        "This link doesn’t hold the result of a fit", timeout=PATIENCE_MS
    )


@pytest.mark.long
def test_firefox_reads_a_million_requests_and_counts_them(tmp_path):
    told = run_lab("firefox", f"{PAGE}?lab.your_numbers=made", "your_numbers", tmp_path)
    assert told["state"] == "done", told["said"]
    assert told["results"]["requests"] == 1_000_000
    assert told["results"]["result"]["n"] == 30_000
    assert told["elsewhere"] == []
