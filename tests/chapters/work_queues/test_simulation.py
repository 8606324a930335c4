"""The simulation beside the predictor."""

import numpy as np
import pytest

from tests.simulators.test_event_loop import load
from tunables.chapters.work_queues.predictor import predict


@pytest.mark.parametrize(("queues", "quantum_s"), [(1, 0.001), (1, 0.010), (1, 0.050), (4, 0.010)])
def test_the_predictor_gives_the_simulated_lateness_within_5_percent(queues, quantum_s):
    predicted = predict(
        items=320_975,
        item_cost_s=0.00033,
        cost_shape=0.8,
        quantum_s=quantum_s,
        rule="2005-05-06",
        granularity=1,
        queues=queues,
        runs_before=0,
        items_before=0,
        entry_bytes=20,
    )
    traces = [load(queues, quantum_s, seed) for seed in range(8)]
    late = np.mean([trace.timer_lateness_s.mean() for trace in traces])
    assert predicted["lateness_s"] == pytest.approx(late, rel=0.05)
    assert predicted["drain_s"] == pytest.approx(traces[0].turn_s.sum(), rel=0.01)
