"""Charts, markup, widgets and tables: what a reader's eye meets."""

import re

import altair as alt
import pytest

from tests.views.asked import ask_view
from tunables.core.ledger import ledger
from tunables.core.registry import find_case
from tunables.views import charts
from tunables.views.explorer import describe, explore
from tunables.views.reproduce import Notes, ledger_notes
from tunables.views.tables import Table, ledger_records, ledger_table

RRD = find_case("rrd")


def chart(value=1.0, **properties):
    rows = [{"x": 1, "y": value}, {"x": 2, "y": 3.0}]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_line()
        .encode(x="x:Q", y="y:Q")
        .properties(**properties)
    )


def test_a_chart_without_a_text_alternative_is_refused():
    with pytest.raises(ValueError, match="description = ''"):
        charts.figure_html(chart().to_dict())


def test_the_same_chart_gives_the_same_bytes_and_another_gives_another_id():
    first = charts.figure_html(chart(description="a line").to_dict())
    assert first == charts.figure_html(chart(description="a line").to_dict())
    # Another machine's last bit is the same chart.
    assert first == charts.figure_html(chart(1.0 + 1e-15, description="a line").to_dict())
    assert first != charts.figure_html(chart(1.1, description="a line").to_dict())


def test_a_figure_carries_its_picture_and_cannot_close_its_own_script():
    html = charts.figure_html(chart(description="</script><b>").to_dict())
    assert html.count("</script>") == 1
    assert "<svg" in html
    assert 'aria-label="&lt;/script&gt;&lt;b&gt;"' in html


def test_altair_charts_show_as_figures_once_enabled():
    charts.enable()
    bundle = chart(description="a line")._repr_mimebundle_()
    assert bundle["text/html"].startswith('<figure class="tunables-chart"')


def test_the_state_follows_what_the_browser_keeps():
    explorer = explore("rrd")
    assert explorer.state == RRD.settings()
    explorer.set_state({"entries": {"rrd.memory_gib": 16, "rrd.scheme": "lru, zigzag"}})
    assert explorer.state == RRD.settings(memory_gib=16, scheme="lru, zigzag")


def test_a_state_set_in_python_is_kept_for_the_browser_unrounded():
    explorer = explore("rrd", bytes_per_graph=95_443.7, graphs=41_234)
    assert explorer.entries == {"rrd.bytes_per_graph": 95_443.7, "rrd.graphs": 41_234}
    explorer.set_state(**RRD.settings())
    assert explorer.entries == {}


def test_the_explorer_keeps_its_state_and_says_why_when_a_value_is_out_of_range():
    explorer = explore(RRD, graphs=50_000)
    explorer.set_state(graphs=5.0)
    assert explorer.state["graphs"] == 50_000
    assert "graphs = 5.0: must be a whole number" in explorer.notice
    explorer.set_state(graphs=60_000)
    assert explorer.notice == ""
    explorer.set_state(colour="red")
    assert "parameter = 'colour'" in explorer.notice
    with pytest.raises(ValueError, match="graphs = 1: must be"):
        explore("rrd", graphs=1)
    with pytest.raises(ValueError, match="parameter = 'colour'"):
        explore("rrd", colour="red")


def test_the_static_markup_says_how_to_wake_it_and_holds_the_whole_table():
    html = explore("rrd")._repr_mimebundle_()["text/html"]
    assert "make serve" in html
    for number in RRD.numbers:
        assert number.label in html
    assert html == explore("rrd", graphs=50_000)._repr_mimebundle_()["text/html"]


def test_ledger_table_and_records_tell_the_same_numbers():
    entries = ledger(RRD, simulate=False)
    text = str(ledger_table(entries, "caption"))
    records = ledger_records("rrd", entries)
    assert "73,469" in text
    assert "fitted" in text
    assert [r["predicted"] for r in records if r["number"] == "graphs-at-80-percent"] == [73_469]
    assert re.search(r"Slowdown with 40,000 graphs in 3.25 GiB +20 ", text)


def test_a_table_refuses_a_ragged_row_and_escapes_its_cells():
    with pytest.raises(ValueError, match="must have 2 cells"):
        Table("caption", ("a", "b"), (("1",),))
    assert "&lt;b&gt;" in Table("caption", ("a",), (("<b>",),))._repr_html_()


def test_the_ledgers_notes_are_text_in_the_terminal_and_paragraphs_in_a_notebook():
    notes = ledger_notes(find_case("quagga"))
    remarks = {number.remark for number in find_case("quagga").numbers if number.remark}
    assert len(notes.remarks) == len(remarks)
    assert "Degrees of freedom: " in str(notes)
    html = notes._repr_html_()
    assert html.count("<p>") == 2
    assert html.count("<li>") == len(remarks)
    assert Notes(("a < b",), ())._repr_html_() == "<p>a &lt; b</p>"


def test_a_compact_explorer_shows_only_what_was_asked_for_and_still_answers():
    small = explore("rrd", only=("graphs",), table=False, memory_gib=4.0)
    html = small._repr_mimebundle_()["text/html"]
    assert "<table" not in html
    assert html.count("<figure") == 1
    assert html.count("data-output=") == 1
    assert "The chart shows the published settings." in html
    # The memory that has no control is not forgotten.
    assert ask_view(small, {"state": small.state})["output_texts"] == {"slowdown": "1.00"}
    small.set_state(graphs=45_001)
    assert ask_view(small, {"state": small.state})["output_texts"] == {"slowdown": "20.00"}


@pytest.mark.parametrize(
    ("only", "message"),
    [(("graph",), "only = 'graph': must be one of"), (("scheme",), "a parameter with a chart")],
)
def test_a_compact_explorer_refuses_a_parameter_that_it_cannot_show(only, message):
    with pytest.raises(ValueError, match=message):
        explore("rrd", only=only)


def test_a_menu_shows_words_and_its_state_holds_the_choice():
    assert explore("dpp", structure="S1").state["structure"] == "S1"
    described = {p["name"]: p for p in describe(find_case("dpp"))["parameters"]}
    assert described["structure"]["choice_texts"][1] == "one wait"
    assert "choice_texts" not in described["users"]
