"""Charts, markup, widgets and tables: what a reader's eye meets."""

import re

import altair as alt
import pytest

from tunables.cases.ledger import ledger
from tunables.cases.registry import find_case
from tunables.reader import charts
from tunables.reader.explorer import explore
from tunables.reader.tables import Table, ledger_records, ledger_table

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


def test_the_explorer_answers_a_moved_slider_a_typed_number_and_a_pressed_row():
    explorer = explore("rrd")
    explorer._sliders["memory_gib"].value = 200
    assert explorer.state["memory_gib"] == 16
    assert explorer._fields["memory_gib"].value == 16
    assert "180,000" in explorer._result.value
    explorer._sliders["graphs"].value = 0
    assert explorer.state["graphs"] == 1_000
    explorer._fields["graphs"].value = 50_000
    assert explorer.state["graphs"] == 50_000
    explorer._fields["scheme"].value = "lru, zigzag"
    assert explorer.state["scheme"] == "lru, zigzag"
    reset, *rows = explorer.children[-3].children
    rows[0].click()
    assert explorer.state["memory_gib"] == 3.25
    assert explorer.state["graphs"] == 40_000
    reset.click()
    assert explorer.state == RRD.settings()


def test_moving_the_controls_to_a_state_does_not_round_the_state():
    explorer = explore("rrd", bytes_per_graph=95_443.7, graphs=41_234)
    assert explorer.state["bytes_per_graph"] == 95_443.7
    assert explorer._fields["graphs"].value == 41_234
    # A slider is a whole number of steps, so that the browser has nothing to round and send back.
    assert all(isinstance(slider.value, int) for slider in explorer._sliders.values())


def test_the_explorer_keeps_its_state_and_says_why_when_a_value_is_out_of_range():
    explorer = explore(RRD, graphs=50_000)
    explorer._fields["graphs"].value = 5.0
    assert explorer.state["graphs"] == 50_000
    assert "graphs = 5.0: must be a whole number" in explorer._message.value
    explorer.set_state(graphs=60_000)
    assert explorer._message.value == ""
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
    assert re.search(r"Slowdown, 40,000 graphs in 3.25 GiB +20 ", text)


def test_a_table_refuses_a_ragged_row_and_escapes_its_cells():
    with pytest.raises(ValueError, match="must have 2 cells"):
        Table("caption", ("a", "b"), (("1",),))
    assert "&lt;b&gt;" in Table("caption", ("a",), (("<b>",),))._repr_html_()


def test_a_compact_explorer_shows_only_what_was_asked_for_and_still_answers():
    small = explore("rrd", only=("graphs",), table=False, memory_gib=4.0)
    html = small._repr_mimebundle_()["text/html"]
    assert "<table" not in html
    assert html.count("<figure") == 1
    assert html.count("data-output=") == 1
    assert "The chart shows the published settings." in html
    assert list(small._fields) == ["graphs"]
    small.set_state(graphs=45_001)
    assert ">20.00<" in small._result.value
    small.set_state(graphs=40_000)  # the memory that has no control was not forgotten
    assert ">1.00<" in small._result.value


@pytest.mark.parametrize(
    ("only", "message"),
    [(("graph",), "only = 'graph': must be one of"), (("scheme",), "a parameter with a chart")],
)
def test_a_compact_explorer_refuses_a_parameter_that_it_cannot_show(only, message):
    with pytest.raises(ValueError, match=message):
        explore("rrd", only=only)
