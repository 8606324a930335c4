"""A live part as Jupyter's widget: what it shows, asks for and keeps."""

import json
from dataclasses import replace

import pytest

from tests.views.asked import ask_view
from tunables.core.case import Simulation
from tunables.core.registry import find_case
from tunables.views import live
from tunables.views.explorer import explore
from tunables.views.live import LabPlace, Live
from tunables.views.tables import Table
from tunables.views.validity import validity_map

FIGURE = (
    '<figure class="tunables-chart"><script type="application/json">'
    '{"mark": "point", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}}'
    "</script></figure>"
)


class Deaf:
    """A page that fails at any question."""

    def reply(self, request_json):
        raise ZeroDivisionError("by nothing")


@pytest.fixture
def part():
    return Live(f"<p>still</p>{FIGURE}", "plain", Deaf())


def test_outside_jupyter_a_part_is_its_markup_and_its_text(part):
    bundle = part._repr_mimebundle_()
    assert bundle["text/html"] == f"<p>still</p>{FIGURE}"
    assert bundle["text/plain"] == "plain"
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == part.model_id


def test_the_browser_gets_charts_that_need_no_compiler(part):
    spec = json.loads(part.markup.split('json">')[1].split("</script>")[0])
    assert "vega.github.io/schema/vega/" in spec["$schema"]


def test_a_fault_in_an_answer_is_reported(part):
    failure = {"failure": "failed (ZeroDivisionError: by nothing)"}
    assert ask_view(part, {"text": "1"}) == failure


def test_only_the_files_of_the_front_are_served(part, tmp_path, monkeypatch):
    (tmp_path / "vega.js").write_text("the library")
    (tmp_path / "other.js").write_text("another file")
    monkeypatch.setattr(live, "FRONT", tmp_path)
    assert part._answer({"asset": "vega.js"}) == {"reply": {"text": "the library"}}
    assert "failure" in part._answer({"asset": "other.js"})


def test_without_its_script_a_part_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "FRONT", tmp_path)
    assert "make widgets" in live._script()
    (tmp_path / "widget.js").write_text("the script")
    assert live._script() == "the script"


def test_a_repeated_sentence_is_shown_twice():
    explorer = explore("rrd")
    shown: list = []
    explorer.observe(lambda change: shown.append(change["new"]), "notice")
    for _ in range(2):
        explorer.set_state(graphs=7)
    assert len([sentence for sentence in shown if sentence]) == 2


def test_a_users_case_needs_no_module_for_its_closed_form():
    rrd = find_case("rrd")
    case = replace(rrd, predict=lambda **state: rrd.predict(**state) | {"slowdown": 7.0})
    reply = ask_view(explore(case), {"state": case.settings()})
    assert reply["output_texts"]["slowdown"] == "7.00"


@pytest.mark.slow
def test_an_explorer_and_a_map_simulate_with_the_functions_of_their_case():
    rrd = find_case("rrd")

    def run(seed, **state):
        return {"slowdown": float(seed)}

    case = replace(rrd, simulation=Simulation(run, replications=3))
    asked = {"state": case.settings(), "assumptions": {}, "seed": 2, "replication": 2}
    reply = ask_view(explore(case), {"simulate": asked})
    assert reply["intervals"]["slowdown"][0] == 7
    assert reply["needed"] == 3
    view = validity_map("rrd")
    cell = asked | {"seed": 1, "assumptions": {"disorder": 0.0}, "replication": 1}
    reply = ask_view(view, {"simulate": cell})
    assert reply["texts"] == {"slowdown": "20.00 in every run"}


def test_a_figure_without_its_table_is_not_simulated():
    assert "simulation" in explore("rrd")._description
    assert "simulation" not in explore("rrd", ("memory_gib",), table=False)._description


TABLE = Table("Rows", ("Setting", "Response (s)"), (("row 1", "8.072"),))


def test_scripts_find_json_and_readers_a_table():
    description = {"rows": [{"title": "</script><b>", "timeout_s": 1.0}]}
    place = LabPlace(TABLE, description)
    html = place._repr_html_()
    stored = html.split('class="lab-published">')[1].split("</script>")[0]
    assert json.loads(stored) == description
    assert html.endswith(TABLE._repr_html_())
    assert repr(place) == str(TABLE)
