import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.theory.queueing import service_demand, utilisation

positive = st.floats(1e-6, 1e9)


@given(positive, positive, positive)
@settings(deadline=None, max_examples=50, derandomize=True)
def test_a_resource_watched_for_t_seconds_is_busy_for_the_share_that_was_measured(
    busy_s, completions, watched_s
):
    demand_s = service_demand(busy_s, completions)
    assert math.isclose(utilisation(completions / watched_s, demand_s), busy_s / watched_s)


def test_an_idle_resource_has_no_demand_and_no_utilisation():
    assert service_demand(0, 10) == 0
    assert utilisation(100, 0) == utilisation(0, 1) == 0


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: service_demand(-1, 10), "busy_s"),
        (lambda: service_demand(math.nan, 10), "busy_s"),
        (lambda: service_demand(1, 0), "completions"),
        (lambda: service_demand(1, "many"), "completions"),
        (lambda: utilisation(-1, 1), "throughput"),
        (lambda: utilisation(1, math.inf), "demand_s"),
        (lambda: utilisation(1, -1), "demand_s"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=name):
        call()
