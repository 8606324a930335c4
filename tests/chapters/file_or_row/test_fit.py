"""The fit of a reader's matrix: the published one as a reader's, and what it refuses."""

import pytest

from tests.core.made import text
from tunables.chapters.file_or_row.calibration import SIZES, cells, ratio
from tunables.core.registry import fit_source

HEADING = "page_bytes,blob_bytes,file_s,row_s"


def test_the_published_matrix_is_predicted_from_two_of_its_rows():
    rows = [(page, 1000 * SIZES[size], ratio(page, size), 1) for page, size in cells()]
    fit = fit_source("file_or_row", text(HEADING, rows))
    assert fit.fits, fit.verdict
    assert len(fit.held_out) == 35
    assert "pages of 1024 and 8192 bytes" in fit.notes[0]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [(1024, 1000, 1, 1), (2048, 1000, 1, 1)],
            "page_bytes: the number of different page sizes is 2; measure at least 3",
        ),
        ([(512 * 2**k, 1000, 1, 1) for k in range(4)], "2 rows in all; measure at least 5"),
        ([(100, 1000, 1, 1)], "page_bytes"),
    ],
)
def test_the_fits_refusals_say_what_to_do(rows, words):
    with pytest.raises(ValueError, match=words):
        fit_source("file_or_row", text(HEADING, rows))
