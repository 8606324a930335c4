"""Chapter 3: an RRD collector's files in the Windows System Cache (Han, 2007)."""

from functools import cache

from tunables.chapters.cache_cliff import CASES
from tunables.chapters.cache_cliff.calibration import (
    data,
    miss_cost_of_a_slope,
    production_percent,
    proportion,
    value,
)
from tunables.chapters.cache_cliff.parameters import parameters
from tunables.chapters.cache_cliff.predictor import predict
from tunables.chapters.cache_cliff.simulation import RUNS, run, runs_needed
from tunables.parts.case import Case, Published
from tunables.parts.model import Output, View
from tunables.parts.origin import Baseline, Choice, Fit
from tunables.parts.replication import Simulation


def _number(row_id, label, status, output="", remark="", rests_on=(), **settings):
    return Published(
        data()[row_id], label, status, output, settings, remark=remark, rests_on=rests_on
    )


_ASSUMED_98 = (
    "assumes that production ran at 98, the setting of the test; at the default of 80 the old "
    "servers would not have held their load"
)
_LITTLE_OVER = "bound: the load that did not fit was a little over 40,000"
_REBOOT = "no model here says which size Windows picks at a reboot"


@cache
def case() -> Case:
    """Return all that is known of the report's numbers."""
    title, document = CASES["rrd"]
    production = {
        "graphs": value("graphs-in-production"),
        "usage_maximum_percent": production_percent(),
    }
    upgraded = {"memory_gib": value("memory-upgraded-server")}
    return Case(
        name="rrd",
        chapter="cache_cliff",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("capacity_graphs", "Graphs that fit", "graphs", 0),
            Output("hit_ratio", "Hit ratio", "1", 4),
            Output("slowdown", "Slowdown", "1", 2),
        ),
        numbers=(
            _number(
                "slowdown-after-overflow",
                "Slowdown, 40,000 graphs in 3.25 GiB",
                "calibrated",
                "slowdown",
                memory_gib=value("usable-memory-new-server"),
                **production,
            ),
            _number(
                "graphs-fit-old-server",
                "Graphs that fit in 4 GiB",
                "consistent",
                "capacity_graphs",
                _ASSUMED_98,
                memory_gib=value("memory-old-server"),
                **production,
            ),
            _number(
                "graphs-fit-new-server",
                "Graphs that fit in 3.25 GiB",
                "consistent",
                "capacity_graphs",
                _LITTLE_OVER,
                rests_on=("graphs-fit-old-server",),
                memory_gib=value("usable-memory-new-server"),
                **production,
            ),
            _number(
                "auto-sized-lowest",
                "Sized by Windows, 8 GiB, lowest",
                "unexplained",
                remark=_REBOOT,
            ),
            _number(
                "auto-sized-highest",
                "Sized by Windows, 8 GiB, highest",
                "unexplained",
                remark=_REBOOT,
            ),
            _number(
                "graphs-at-80-percent",
                "Graphs that fit in 8 GiB at 80 %",
                "predicted",
                "capacity_graphs",
                usage_maximum_percent=value("usage-maximum-default"),
                **upgraded,
            ),
            _number(
                "graphs-at-98-percent",
                "Graphs that fit in 8 GiB at 98 %",
                "calibrated",
                "capacity_graphs",
                usage_maximum_percent=value("usage-maximum-set"),
                **upgraded,
            ),
        ),
        main_outputs=("slowdown", "hit_ratio", "capacity_graphs"),
        main_parameters=("memory_gib", "scheme", "graphs"),
        views=(
            View("graphs", "slowdown", "Slowdown against the number of graphs", 121),
            View("memory_gib", "capacity_graphs", "Graphs that fit against memory", 31),
        ),
        predict=predict,
        simulation=Simulation(run, RUNS, runs_needed),
        fits=(
            Fit(("bytes_per_graph",), ("graphs-at-98-percent",)),
            Fit(("cost_ratio",), ("slowdown-after-overflow",)),
        ),
        choices=(
            Choice(
                'the printed "90,0000" read as 90,000, the one reading that both servers allow',
                ("graphs-fit-old-server", "graphs-fit-new-server"),
                ("bytes_per_graph",),
            ),
            Choice(
                "98 % in production, since at the default, 80 %, the old servers would have "
                "overflowed",
                ("graphs-fit-old-server",),
                ("usage_maximum_percent",),
            ),
        ),
        baseline=Baseline(
            "proportion: room as memory and setting, and misses for the share that finds none",
            proportion(),
            ("graphs-at-98-percent",),
            "How many graphs fit the model takes in proportion too, so there it earns nothing. It "
            "earns the cliff: by proportion a round is "
            f"{proportion()['slowdown-after-overflow']:.1f} times slower where the report saw "
            f"{value('slowdown-after-overflow'):.0f}, unless a miss costs "
            f"{miss_cost_of_a_slope():.0f} hits.",
        ),
    )
