"""The numbers of the lesson's key that no role computes, computed."""

from tests.chapters.lessons import lesson
from tunables.parts.registry import cases
from tunables.simulators.plain_caches import lru


def test_the_game():
    """Four students, three chairs: play it."""
    there_and_back = [1, 2, 3, 4, 4, 3, 2, 1]
    assert f"{str(there_and_back)[1:-1]}, three times over" in lesson("cache_cliff")

    def hits(calls):
        return sum(lru(calls, 3))

    first, second, third = (hits(there_and_back * rounds) for rounds in (1, 2, 3))
    assert hits([1, 2, 3, 4] * 3) == 0
    assert (first, second - first, third - second) == (3, 6, 6)
    assert 6 / 8 == 3 / 4
    # The fourth and the eighth of the second round are the ones that miss.
    warm = there_and_back * 2
    missed = [k for k in range(1, 9) if hits(warm[: 8 + k]) == hits(warm[: 7 + k])]
    assert missed == [4, 8]


def test_the_edge_and_the_ledger():
    rrd = cases()["rrd"]
    bytes_per_graph = float(rrd.settings()["bytes_per_graph"])
    assert (
        f"it takes {40_000 * bytes_per_graph / 2**30:.2f} GiB at 98 %, or 4 GiB at 88 %"
        in lesson("cache_cliff")
    )
    fits = [
        rrd.predict(**rrd.settings(memory_gib=4, usage_maximum_percent=percent))["capacity_graphs"]
        for percent in (87, 88)
    ]
    assert fits[0] < 40_000 <= fits[1]
    [number] = [n for n in rrd.numbers if n.value == 70_000]
    assert number.status != "calibrated"
    fitted = {n.value for n in rrd.numbers if n.status == "calibrated"}
    assert {20, 90_000} == fitted
