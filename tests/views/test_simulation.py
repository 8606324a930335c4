"""The box that compares two settings: its description for the page."""

import pytest

from tunables.core.registry import case_names, find_case
from tunables.views.simulation import STATIC_TEXT, comparison_html, describe_comparison


def test_b_is_a_multiple_of_a_and_the_rest_is_the_default():
    case = find_case("rdu")
    description = describe_comparison(case, "base_s", 1.02)
    first = description["varied"][0]
    assert (first["name"], first["a"]) == ("base_s", case.settings()["base_s"])
    assert first["b"] == 1.02 * first["a"]
    assert description["defaults"] == case.settings()


@pytest.mark.parametrize("name", case_names())
def test_a_and_b_differ_and_are_allowed(name):
    case = find_case(name)
    first = next(p.name for p in case.parameters if not p.choices)
    for varied in describe_comparison(case, first, 1.02)["varied"]:
        parameter = next(p for p in case.parameters if p.name == varied["name"])
        assert varied["a"] != varied["b"]
        assert parameter.low <= varied["b"] <= parameter.high


def test_the_static_box_says_how_to_run_it():
    html = comparison_html("rdu", "base_s", 1.02)
    assert 'class="tunables-comparing" id="compare-rdu"' in html
    assert STATIC_TEXT in html
    with pytest.raises(ValueError, match="must be one of"):
        comparison_html("none", "base_s", 1.02)
