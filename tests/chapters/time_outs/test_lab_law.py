"""The law of lab 2 in the page is that of chapters 1 and 2."""

import pytest

from tests.chapters.time_outs.lab_law import SETTING
from tunables.chapters.group_commit import predictor as rdu
from tunables.chapters.time_outs import lease_predictor as lease_query
from tunables.page.labs.time_outs import batches


@pytest.mark.parametrize(("timeout_s", "retries", "max_delay_s"), [(1, 3, 2), (0.5, 1, 0.025)])
def test_with_a_thread_each_it_is_chapter_1s(timeout_s, retries, max_delay_s):
    tunables = {"timeout_s": timeout_s, "retries": retries, "max_delay_s": max_delay_s}
    law = batches(**SETTING | tunables)
    theory = rdu.predict(**tunables, base_s=SETTING["work_s"], think_s=SETTING["think_s"])
    assert {name: law[name] for name in theory} == pytest.approx(theory, rel=1e-12)


@pytest.mark.parametrize("threads", [1, 25, 49, 50])
def test_with_a_pool_it_is_chapter_2s(threads):
    tunables = {"timeout_s": 0.5, "retries": 1}
    law = batches(**SETTING | tunables | {"commits": 0, "work_s": 0, "threads": threads})
    theory = lease_query.predict(**tunables, threads=threads, think_s=SETTING["think_s"])
    assert law["response_s"] == pytest.approx(theory["response_s"], rel=1e-12)
    assert law["throughput_per_s"] == pytest.approx(theory["throughput_per_s"], rel=1e-12)
    assert law["least_s"] == theory["longest_s"]
