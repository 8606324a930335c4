"""Two runs of chapter 3 on one clock, by their address."""

import pytest

from tests.browser.stages import awake, said

SCANS = "chapters/03-cache-cliff.html"

pytestmark = pytest.mark.browser


def test_an_address_brings_the_other_run_back_when_the_first_is_over(reader):
    stands = "stage.rrd.request=326&stage.rrd.against.scheme=lru&stage.rrd.against.request=100.5"
    settings = "stage.rrd.files=13&stage.rrd.scheme=lru%2C+zigzag"
    page = reader(reduced_motion="reduce").open(f"{SCANS}?{settings}&{stands}")
    box = awake(page, "rrd")
    assert "Request 325, in scan 25" in said(box, "Request 100, in scan 8")
    box.get_by_role("button", name="One request on").click()
    assert "Request 325, in scan 25" in said(box, "Request 101, in scan 8")
    page.wait_for_url(lambda url: url.endswith("stage.rrd.against.request=101"))
