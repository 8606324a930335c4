"""The numbers of the assignment's model answers to the open questions, computed."""

import pytest

from tests.assignments.submissions import model_answers
from tunables.theory.retries import retry_fixed_points


def test_the_models_answers_to_the_open_questions():
    shown = model_answers("time_outs")
    stuck = max(retry_fixed_points(40, 100, timeout_s=0.5, retries=3))
    gathered = (stuck - 100) * 3600
    assert f"40 × 4 = {stuck:.0f} attempts a second" in shown
    assert f"{stuck - 100:.0f} × 3,600 = {gathered:,.0f} stale attempts" in shown
    assert gathered / (100 - 40) == pytest.approx(3600)  # "take another hour at 60 a second"
    assert f"away takes {gathered / 100 / 60:.0f} minutes" in shown
    assert retry_fixed_points(40, 100, timeout_s=0.5, retries=1) == [pytest.approx(40, abs=0.01)]
