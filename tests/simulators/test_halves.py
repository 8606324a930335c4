import threading

import numpy as np
import pytest

from tunables.simulators.halves import both, is_halved, of_halves


def test_both_are_under_way_at_the_same_time():
    meeting = threading.Barrier(2, timeout=10)
    assert {*both(meeting.wait, meeting.wait)} == {0, 1}


def test_an_error_on_either_thread_reaches_the_caller():
    for functions in [(int, lambda: 1 / 0), (lambda: 1 / 0, int)]:
        with pytest.raises(ZeroDivisionError):
            both(*functions)


def test_halves_of_several_arrays_belong_together(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    ones, twos = np.ones(600_001), np.full(600_001, 2)
    assert of_halves(lambda a, b: (len(a), np.sum(a * b)), ones, twos) == (
        (300_000, 600_000),
        (300_001, 600_002),
    )


@pytest.mark.parametrize(("requests", "processors"), [(600_000, 1), (1000, 2), (600_000, None)])
def test_one_processor_or_a_short_trace_is_not_halved(requests, processors, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    assert not is_halved(requests)
    assert of_halves(len, np.ones(requests)) == (requests,)
