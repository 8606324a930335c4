"""The run behind chapter 3's map: an exact LRU cache under a scan whose order wavers.

It runs in the page too.
"""

from tunables.chapters.cache_cliff.predictor import capacity_graphs
from tunables.chapters.cache_cliff.validity_experiment import experiment
from tunables.plain.arguments import number, run_seed, whole
from tunables.theory.caching import slowdown

RUNS = 2
MOST_GRAPHS = 10_000_000  # some minutes and gigabytes


def run(
    seed, *, graphs, memory_gib, usage_maximum_percent, bytes_per_graph, cost_ratio, disorder, **_
):
    """Return {"slowdown": that of the disordered scan}.

    Raises ValueError for a parameter outside its range, by its name.
    """
    capacity = capacity_graphs(memory_gib, usage_maximum_percent, bytes_per_graph)
    graphs = whole("graphs", graphs, at_least=1, at_most=MOST_GRAPHS)
    whole("capacity, graphs", capacity, at_most=MOST_GRAPHS)
    disorder = float(number("disorder", disorder, at_least=0))
    return {
        "slowdown": slowdown(experiment(run_seed(seed), graphs, capacity, disorder), cost_ratio)
    }
