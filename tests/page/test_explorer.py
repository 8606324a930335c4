"""What the explorer answers, whichever front asks."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.core.registry import cases, find_case
from tunables.page.chapters import module
from tunables.page.explorer import ExplorerSession, answer
from tunables.page.formats import error_text, published_text, shortest, with_commas
from tunables.views.explorer import defaults, describe

RRD = find_case("rrd")
PREDICTOR = module("rrd", "predictor")
DESCRIPTION = describe(RRD)


@pytest.mark.sampled
@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_at_its_defaults_the_answer_is_the_prediction_under_each_rows_settings(case):
    description = describe(case)
    reply = answer(description, case.predict, defaults(description))
    assert reply["outputs"] == case.predict(**case.settings())
    for number, row in zip(case.numbers, reply["rows"], strict=True):
        if number.output:
            predicted = case.predict(**case.settings(**number.settings))[number.output]
            assert row["model"] == predicted


@pytest.mark.slow
@pytest.mark.parametrize("case", cases().values(), ids=lambda case: case.name)
def test_views_span_their_parameters_range_and_carry_the_published_points(case):
    description = describe(case)
    reply = answer(description, case.predict, defaults(description))
    ranges = {p.name: (p.low, p.high) for p in case.parameters}
    for view, drawn in zip(description["views"], reply["views"], strict=True):
        low, high = ranges[view["x"]]
        xs = [point["x"] for point in drawn["curve"]]
        assert (xs[0], xs[-1]) == (low, high)
        assert xs == sorted(xs)
        assert drawn["here"][0] in drawn["curve"]
        shown = view["spec"]["datasets"]["published"]
        assert len(shown) == sum(number.output == view["y"] for number in case.numbers)
        assert ("a ring for each published number" in view["spec"]["description"]) == bool(shown)


def test_a_fitted_number_shows_its_error_once_the_fit_is_moved_away():
    state = defaults(DESCRIPTION)
    fitted = next(i for i, n in enumerate(RRD.numbers) if n.status == "calibrated")
    assert answer(DESCRIPTION, RRD.predict, state)["rows"][fitted]["error_text"] == "fitted"
    moved = answer(DESCRIPTION, RRD.predict, state | {"cost_ratio": 40})
    assert moved["rows"][fitted]["error_text"] == "+100.0%"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"graphs": 10}, "graphs = 10: must be a whole number at least 1000 and at most 200000"),
        ({"graphs": 2000.5}, "graphs = 2000.5: must be a whole number"),
        ({"graphs": ""}, "graphs = '': must be a whole number"),
        ({"graphs": None}, "graphs = None"),
        ({"memory_gib": math.nan}, "memory_gib = nan: must be a finite number"),
        ({"memory_gib": math.inf}, "memory_gib = inf"),
        ({"scheme": "lifo"}, "scheme = 'lifo': must be one of"),
    ],
)
def test_a_state_out_of_range_is_refused_in_a_sentence_that_names_it(changes, message):
    with pytest.raises(ValueError, match=message):
        answer(DESCRIPTION, RRD.predict, defaults(DESCRIPTION) | changes)


def ask(page, request):
    return json.loads(page.reply(json.dumps(request)), parse_constant=pytest.fail)


def test_the_page_answers_in_json_without_infinities_and_refuses_in_a_sentence():
    page = ExplorerSession(json.dumps(DESCRIPTION))
    state = defaults(DESCRIPTION)
    assert ask(page, {"state": state})["outputs"] == RRD.predict(**state)
    refused = ask(page, {"state": state | {"graphs": 1}})
    assert refused["refusal"] == (
        "Graphs updated in each scan (graphs) must be a whole number at least 1000"
        " and at most 200000, not 1."
    )


def test_the_page_draws_piece_by_piece_what_the_answer_draws_at_once():
    page = ExplorerSession(json.dumps(DESCRIPTION))
    # When graphs have moved, the curve against graphs is what it was.
    for graphs, kept in ((40_000.0, ""), (50_000.0, "graphs")):
        state = defaults(DESCRIPTION) | {"graphs": graphs}
        whole = answer(DESCRIPTION, RRD.predict, state)
        reply = ask(page, {"state": state})
        pieces = 0
        while "views" not in reply:
            reply |= ask(page, {"draw_s": 0})
            pieces += 1
        assert reply == whole
        # A value a piece, on a grid and where the curve bends; then what is drawn of them.
        drawn = [view["points"] for view in DESCRIPTION["views"] if view["x"] != kept]
        assert pieces > sum(drawn) + 1


def test_the_page_asks_again_only_for_rows_that_what_moved_can_change(monkeypatch):
    asked = []

    def predict(**state):
        asked.append(state)
        return RRD.predict(**state)

    monkeypatch.setattr(PREDICTOR, "predict", predict)
    page = ExplorerSession(json.dumps(DESCRIPTION))
    state = defaults(DESCRIPTION)
    ask(page, {"state": state})
    settings = [row["settings"] for row in DESCRIPTION["rows"] if row["output"]]
    asked.clear()
    ask(page, {"state": state | {"graphs": 41_000.0}})
    moved = {json.dumps(state | {"graphs": 41_000.0} | s, sort_keys=True) for s in settings}
    before = {json.dumps(state | s, sort_keys=True) for s in settings}
    present = {json.dumps(state | {"graphs": 41_000.0}, sort_keys=True)}
    assert len(asked) == len((moved | present) - before)


def test_infinity_leaves_the_page_as_null():
    page = ExplorerSession(json.dumps(DESCRIPTION))
    page.predict = lambda **_: {"capacity_graphs": math.inf, "hit_ratio": 0.0, "slowdown": 1.0}
    reply = ask(page, {"state": defaults(DESCRIPTION)})
    assert reply["outputs"]["capacity_graphs"] is None
    assert reply["output_texts"]["capacity_graphs"] == "∞"


def test_numbers_are_written_the_same_everywhere():
    assert with_commas(1234567.891, 2) == "1,234,567.89"
    assert with_commas(-999.9, 0) == "−1,000"
    assert with_commas(math.inf) == "∞"
    assert with_commas(-math.inf) == "−∞"
    assert shortest(0.00001234) == "1.234e-05"
    assert shortest(-1234.5) == "−1,234.5"
    assert shortest(-2.5e-9) == "−2.5e-09"
    assert published_text(5.0, "at most") == "≤\u00a05"
    assert error_text("predicted", "at least", False, None) == "fails"
    assert error_text("identity", "=", True, -0.001) == "−0.1%"


@given(st.floats(-1e12, 1e12), st.integers(0, 6))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_grouping_matches_cpythons_own(value, digits):
    assert with_commas(value, digits) == f"{value:,.{digits}f}".replace("-", "−")
