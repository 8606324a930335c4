"""The numbers of the assignment's model answers to the open questions, computed."""

import math

from tests.assignments.submissions import model_answers
from tunables.simulators.work_queue import drain_work_queue


def test_the_models_answers_to_the_open_questions():
    costs_s = [5e-6] * 200_000 + [1e-3] * 2_000
    drain = drain_work_queue(costs_s, 0.010, "2005-05-06")
    dear = next(k for k, slice_s in enumerate(drain.slice_s) if slice_s > 0.1)
    assert 0.19 < drain.slice_s[dear] < 0.2
    assert math.ceil(0.010 / (1e-3 / 3) / 29) * 29 == 58
    assert "29 and 58 items: 58 take 19.3 ms" in model_answers("work_queues")
