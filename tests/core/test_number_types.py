"""A numpy number, a Decimal or a whole number with `__index__` alone counts as Python's number."""

from decimal import Decimal

import numpy as np
import pytest

from tests.hostile.calls import Call, calls
from tests.hostile.number_types import Indexed, differences
from tunables.core.registry import cards, find_case

GROUPS = ("theory", "predictors", "simulators", "chapters")

# numpy reads an array in one go, and what it does not know is refused.
ARRAYS = {"costs_s", "trace", "chunk", "chunks", "values", "queues", "timers_s", "reads_s"}
ARRAYS |= {"writes_s", "service_s"}


@pytest.mark.slow
@pytest.mark.timeout(900)  # the first time it compiles every kernel
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("group", GROUPS)
def test_a_number_of_another_type_gives_the_same_answer_to_the_last_bit(group, step):
    found = [each for call in calls(group) for each in differences(call, ARRAYS, step)]
    assert found == []


def test_it_sees_an_argument_that_is_used_as_it_was_given():
    def careless(number: float) -> float:
        float(number)
        return number * 3

    with np.errstate(over="ignore"):
        found = differences(Call("careless", careless, {"number": 100}))
    assert found == ["careless(number=np.int8(100)): another answer"]


@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, Decimal, Indexed])
def test_a_card_gives_the_memory_for_a_size_of_any_type(kind):
    model = cards()["cache_cliff"].model
    settings = model.settings()
    plain = model.predict(**settings | {"bytes_per_graph": 95443})
    assert plain["memory_needed_gib"] > 3.5
    assert model.predict(**settings | {"bytes_per_graph": kind(95443)}) == plain


def test_a_storm_of_short_integers_lasts_as_long():
    storm = find_case("storm")
    settings = storm.settings()
    short = storm.predict(**settings | {"timeout_s": np.uint8(200), "retries": np.uint8(3)})
    assert short["longest_s"] == 800.0
