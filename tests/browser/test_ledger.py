"""The ledger in the page: sorted, filtered, downloaded, linked to."""

import csv
import io
import json

import pytest

PAGE = "book/ledger.html"

pytestmark = pytest.mark.browser


def open_ledger(visitor, path=PAGE):
    page = visitor.open(path)
    page.wait_for_function("() => document.querySelector('.tunables-ledger').ledger")
    return page.locator(".tunables-ledger")


def column(section, name):
    index = section.locator("thead th").all_inner_texts().index(name)
    return section.locator("tbody tr").evaluate_all(
        "(rows, index) => rows.map(row => row.cells[index].innerText.trim())", index
    )


def download(section, name):
    with section.page.expect_download() as waiting:
        section.get_by_role("link", name=name).click()
    return waiting.value.suggested_filename, waiting.value.path().read_text(encoding="utf-8")


def test_a_header_sorts_up_then_down_then_as_printed(reader):
    section = open_ledger(reader())
    printed = column(section, "Number")
    header = section.get_by_role("columnheader", name="Number")
    button = header.get_by_role("button")
    button.focus()
    button.press("Enter")
    assert header.get_attribute("aria-sort") == "ascending"
    up = column(section, "Number")
    assert up != printed
    assert sorted(up) == sorted(printed)
    button.press("Enter")
    assert header.get_attribute("aria-sort") == "descending"
    assert column(section, "Number")[0] == up[-1]
    button.press("Enter")
    assert header.get_attribute("aria-sort") is None
    assert column(section, "Number") == printed


def test_chapter_and_status_of_a_number_are_in_view_without_scrolling(reader):
    section = open_ledger(reader())
    scroll = section.locator(".table-scroll").bounding_box()
    for name in ("Number", "Chapter", "Status", "Published", "Closed form", "Error"):
        header = section.get_by_role("columnheader", name=name, exact=True).bounding_box()
        assert header["x"] + header["width"] <= scroll["x"] + scroll["width"]


def test_errors_sort_by_their_size_and_numbers_without_one_stand_last(reader):
    section = open_ledger(reader())
    printed = column(section, "Error")
    section.get_by_role("button", name="Error", exact=True).click()
    errors = column(section, "Error")
    sizes = [
        abs(float(text.rstrip(" %").replace("−", "-"))) for text in errors if text.endswith("%")
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert errors != printed  # nor were they in order before
    assert all(text.endswith("%") for text in errors[: len(sizes)])


def test_filters_work_together_and_are_counted_aloud(reader):
    section = open_ledger(reader())
    count = section.locator(".ledger-count")
    assert count.get_attribute("role") == "status"
    total = int(count.inner_text().split()[2])
    section.get_by_label("Status").select_option("consistent")
    assert set(column(section, "Status")) == {"consistent"}
    section.get_by_label("Chapter").select_option("3")
    assert {text[0] for text in column(section, "Chapter")} == {"3"}
    section.get_by_label("Search").fill("3.25 gib")
    assert len(column(section, "Number")) == 1
    assert count.inner_text() == f"1 of {total} numbers."
    section.get_by_role("button", name="Show all").click()
    assert count.inner_text() == f"{total} of {total} numbers."
    section.page.wait_for_url(lambda url: "?" not in url)


def test_misfits_are_those_that_the_documents_digits_do_not_allow(reader):
    section = open_ledger(reader())
    section.get_by_label("Status").select_option("misfits")
    totals = section.page.locator("table", has_text="Numbers by status").locator("tbody tr").last
    assert len(column(section, "Number")) == int(totals.locator("td").last.inner_text())


def test_downloads_hold_what_is_shown_in_its_order(reader):
    section = open_ledger(reader(), f"{PAGE}?ledger.chapter=5&ledger.sort=-published")
    labels = [text.split(". ", 1)[1] for text in column(section, "Number")]  # "2. Lag ..."
    name, text = download(section, "CSV")
    assert name == "tunables-ledger.csv"
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["label"] for row in rows] == labels
    name, text = download(section, "JSON")
    assert name == "tunables-ledger.json"
    records = json.loads(text)
    assert [record["label"] for record in records] == labels
    for row, record in zip(rows, records, strict=True):
        assert row["document"] == record["document"]
        assert float(row["published"]) == record["published"]


def test_unfiltered_the_script_writes_the_file_that_the_page_came_with(reader):
    still = reader(java_script_enabled=False).open(PAGE)
    section = open_ledger(reader())
    for kind in ("csv", "json"):
        with still.expect_download() as waiting:
            still.locator(f'a[data-kind="{kind}"]').click()
        first = waiting.value.path().read_text(encoding="utf-8")
        _, second = download(section, kind.upper())
        if kind == "json":
            assert json.loads(first) == json.loads(second)
        else:
            ours, theirs = (list(csv.DictReader(io.StringIO(text))) for text in (first, second))
            for a, b in zip(ours, theirs, strict=True):
                assert list(a) == list(b)
                for key, text in a.items():
                    try:
                        assert float(text) == float(b[key])
                    except ValueError:
                        assert text == b[key]


def test_the_link_keeps_filter_and_order(reader):
    visitor = reader()
    section = open_ledger(visitor)
    section.get_by_label("Status").select_option("calibrated")
    section.get_by_label("Search").fill("row")
    section.get_by_role("button", name="Published").click()
    shown = column(section, "Number")
    section.page.wait_for_url(lambda url: "ledger.sort=" in url)
    again = open_ledger(visitor, section.page.url.removeprefix(f"{visitor.site}/"))
    assert column(again, "Number") == shown
    assert again.get_by_label("Status").input_value() == "calibrated"
    assert again.get_by_label("Search").input_value() == "row"
    header = again.get_by_role("columnheader", name="Published")
    assert header.get_attribute("aria-sort") == "ascending"


@pytest.mark.sampled
@pytest.mark.parametrize(
    "query", ["ledger.status=best", "ledger.chapter=99", "ledger.sort=colour", "ledger.colour=red"]
)
def test_a_link_that_makes_no_sense_shows_all(reader, query):
    section = open_ledger(reader(), f"{PAGE}?{query}")
    shown, _, total, _ = section.locator(".ledger-count").inner_text().split()
    assert shown == total
    section.page.wait_for_url(lambda url: query not in url)


def test_a_number_opens_its_explorer_at_its_settings(reader):
    section = open_ledger(reader())
    section.get_by_role("link", name="Graphs that fit in 4 GiB").click()
    page = section.page
    page.wait_for_selector("#explore-rrd[data-engine=ready]")
    assert page.locator("#explore-rrd").evaluate("s => s.explorer.state.memory_gib") == 4


def test_with_scripts_off_the_whole_table_stands(reader):
    page = reader(java_script_enabled=False).open(PAGE)
    section = page.locator(".tunables-ledger")
    total = int(section.locator(".ledger-count").inner_text().split()[0])
    assert section.locator("tbody tr").count() == total


def test_the_table_scrolls_inside_its_region_on_a_narrow_phone(reader):
    section = open_ledger(reader(viewport={"width": 320, "height": 640}))
    region = section.get_by_role("region", name="Every published number")
    assert region.evaluate("r => r.scrollWidth > r.clientWidth")
