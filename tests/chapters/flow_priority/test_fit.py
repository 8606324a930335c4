"""Chapter 4's fit to a user's flow log: a long log, and one that is refused."""

import pytest

from tests.chapters.flow_priority.own_data import follows
from tests.core.made import lines, text
from tunables.core.registry import fit_source


@pytest.mark.long  # thousands are fitted in tests/core/test_fits.py
def test_a_million_rows_are_fitted():
    heading, rows = lines(follows())
    cells = [row.split(",") for row in rows]
    span = float(cells[-1][0])
    # The flows come more densely by that factor, as on a port of that many times the capacity.
    copies = 1_000_000 // len(rows) + 1
    many = [
        f"{float(start) + span * copy / copies / 1000},{size},{duration}"
        for copy in range(copies)
        for start, size, duration in cells
    ]
    assert len(many) >= 1_000_000
    assert fit_source("flow_priority", text(heading, many)).parameters[0].value > 0


def test_flows_that_all_start_at_once_are_refused():
    source = "start_s,size_bytes,duration_s\n" + "1,2,3\n" * 700
    with pytest.raises(ValueError, match="start_s is the same in a ninth of the rows"):
        fit_source("flow_priority", source)
