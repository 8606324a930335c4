"""Chapter 8's simulations: reads, leaves, servers with copies, and what the animation replays.

They run in the page too.
"""

from tunables.base.arguments import choice, integer, number, run_seed
from tunables.base.interventions import parse_interventions
from tunables.chapters.hedged_requests.experiment import (
    simulate_after_stop,
    simulate_duplicates,
    simulate_leaves,
    simulate_reads,
    trace_hedges,
)
from tunables.chapters.hedged_requests.predictor import COPIES, predict_fanout, predict_tied
from tunables.page.kernels import column

TIED_RUNS = 10
READS = 100_000
FANOUT_RUNS = 5
LEAF_REQUESTS = 1_500_000  # in one run, whatever the number of leaves
MOST_REQUESTS, FEWEST_REQUESTS = 4_000, 500
DUPLICATES_RUNS = 5
SERVERS = 20
REQUESTS, MEASURED = 40_000, 20_000
STOP_SERVICES = 30.0  # the overload: all servers stand still for so many mean service times
MAP_RUNS = 4
MAP_REQUESTS, MAP_MEASURED = 20_000, 10_000


def run_tied(
    seed, *, p50_ms, p90_ratio, p99_ratio, p999_ratio, floor_ms, delay_ms, shared, reads=READS
) -> dict:
    """Return the outputs of `predict_tied` from reads that are drawn one by one.

    Raises ValueError as `predict_tied` does.
    """
    predict_tied(  # it refuses impossible settings
        p50_ms=p50_ms, p90_ratio=p90_ratio, p99_ratio=p99_ratio, p999_ratio=p999_ratio,
        floor_ms=floor_ms, delay_ms=delay_ms, shared=shared,
    )  # fmt: skip
    p90_ms = float(p50_ms) * float(p90_ratio)
    p99_ms = p90_ms * float(p99_ratio)
    p50, p90, p99, p999, twice = simulate_reads(
        run_seed(seed),
        integer("reads", reads, at_least=1000, at_most=10**7),
        float(floor_ms),
        float(p50_ms),
        p90_ms,
        p99_ms,
        p99_ms * float(p999_ratio),
        float(delay_ms),
        float(shared),
    )
    return {
        "hedged_p50_ms": p50,
        "hedged_p90_ms": p90,
        "hedged_p99_ms": p99,
        "hedged_p999_ms": p999,
        "copies_percent": 100 * twice,
    }


def run_fanout(
    seed, *, leaves, slow_percent, leaf_p50_ms, leaf_p95_ratio, leaf_p99_ratio, copies, delay_ms,
    shared,
) -> dict:  # fmt: skip
    """Return outputs of `predict_fanout` from requests to leaves that are drawn one by one.

    The 99.9th percentile is left out. Raises ValueError as `predict_fanout` does.
    """
    predict_fanout(
        leaves=leaves, slow_percent=slow_percent, leaf_p50_ms=leaf_p50_ms,
        leaf_p95_ratio=leaf_p95_ratio, leaf_p99_ratio=leaf_p99_ratio, copies=copies,
        delay_ms=delay_ms, shared=shared,
    )  # fmt: skip
    n = integer("leaves", leaves, at_least=1)
    requests = min(max(LEAF_REQUESTS // n, FEWEST_REQUESTS), MOST_REQUESTS)
    leaf_p95_ms = float(leaf_p50_ms) * float(leaf_p95_ratio)
    slow, *times, twice = simulate_leaves(
        run_seed(seed), requests, n, float(slow_percent) / 100, float(leaf_p50_ms), leaf_p95_ms,
        leaf_p95_ms * float(leaf_p99_ratio), COPIES.index(copies), float(delay_ms), float(shared),
    )  # fmt: skip
    names = [f"{which}_{name}_ms" for which in ("all", "most") for name in ("p50", "p95", "p99")]
    found = {"slow_requests_percent": 100 * slow, "copies_percent": 100 * twice}
    for name, value in zip(names, times):
        found[name] = value
    return found


def _load_settings(load_percent, service_ms, delay_ms, budget_percent, deadline_ms):
    """Return rate, service, delay, rule, budget and deadline as the experiment takes them."""
    load = number("load_percent", load_percent, above=0, below=100) / 100
    service_s = number("service_ms", service_ms, above=0) / 1000
    return (
        SERVERS * load / service_s,
        service_s,
        number("delay_ms", delay_ms, at_least=0) / 1000,
        0,
        number("budget_percent", budget_percent, at_least=0, at_most=100) / 100,
        number("deadline_ms", deadline_ms, above=0) / 1000,
    )


def run_duplicates(
    seed, *, load_percent, service_ms, delay_ms, budget_percent, deadline_ms
) -> dict:
    """Return outputs of `predict_duplicates` from 20 servers, from rest and after a stop of all.

    The stop lasts for 30 mean service times; the second half of the requests is measured.
    Raises ValueError as `predict_duplicates` does.
    """
    *settings, deadline_s = _load_settings(
        load_percent, service_ms, delay_ms, budget_percent, deadline_ms
    )
    stop_s = STOP_SERVICES * settings[1]
    copies, late, copies_after, late_after, once = simulate_duplicates(
        run_seed(seed), REQUESTS, MEASURED, SERVERS, *settings, stop_s, deadline_s
    )
    return {
        "copies_percent": 100 * copies,
        "copies_after_percent": 100 * copies_after,
        "late_percent": 100 * late,
        "late_after_percent": 100 * late_after,
        "late_once_percent": 100 * once,
    }


def run_of_map(
    seed, *, load_percent, service_ms, delay_ms, budget_percent, deadline_ms, stop_ms
) -> dict:
    """Return {"busy_percent": ...}, the load with the copies, long after a stop of all servers.

    Raises ValueError as `predict_duplicates` does, and for a negative stop.
    """
    *settings, _ = _load_settings(load_percent, service_ms, delay_ms, budget_percent, deadline_ms)
    stop_s = number("stop_ms", stop_ms, at_least=0) / 1000
    copies = simulate_after_stop(
        run_seed(seed), MAP_REQUESTS, MAP_MEASURED, SERVERS, *settings, stop_s
    )
    return {"busy_percent": float(load_percent) * (1 + copies)}


# The animation: six servers that are slow enough to be watched, and what a reader does to them.
SEED = 1
HORIZON_S = 40
SHOWN_SERVERS = 6
SHOWN_SERVICE_S = 0.1
LATE_S = 1.0
DELAYS_S = {"never": 1e9, "0.2": 0.2, "0.4": 0.4, "0.8": 0.8}
RULES = ("run", "drop", "tie")
BUDGETS = {"none": 1.0, "10": 0.1}
INTERVENTIONS = {"slow": (0.1, 10), "all": (0.1, 10)}  # seconds


def _merge(spells):
    """Return the (begin, end) of spells in order, with those that touch merged."""
    merged: list = []
    for begin, end in sorted(spells):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


def _stops(interventions) -> list:
    """Return for each server the (begin, end) of the times in which it stands still."""
    common = [(at_s, at_s + value) for at_s, name, value in interventions if name == "all"]
    own = [(at_s, at_s + value) for at_s, name, value in interventions if name == "slow"]
    return [_merge(common + (own if server == 0 else [])) for server in range(SHOWN_SERVERS)]


def _microseconds(time_s, since_s):
    return -1 if time_s < 0 else int(1e6 * (time_s - since_s) + 0.5)


def play(*, delay, rule, budget, load_percent, deeds) -> dict:
    """Return 40 s of six servers, with the interventions that `deeds` lists.

    "asked" are the times of the requests in microseconds, "took" the times to their answers.
    "server", "sent", "begun" and "ended" have an entry for each first copy, then for each second
    one, the times since the request was asked; -1 is never. "stops" are the times in which each
    server stands still, in seconds.
    Raises ValueError for settings that the animation does not have.
    """
    interventions = parse_interventions(deeds, INTERVENTIONS, HORIZON_S)
    choice("delay", delay, sorted(DELAYS_S))
    choice("rule", rule, RULES)
    choice("budget", budget, sorted(BUDGETS))
    load = integer("load_percent", load_percent, at_least=10, at_most=90) / 100
    rate_per_s = SHOWN_SERVERS * load / SHOWN_SERVICE_S
    stops = _stops(interventions)
    first_spell = [0]
    for mine in stops:
        first_spell.append(first_spell[-1] + len(mine))
    spells = [spell for mine in stops for spell in mine]
    n = int(rate_per_s * HORIZON_S + 0.5)
    asked_s, answered_s, server, sent_s, begun_s, ended_s = trace_hedges(
        SEED, n, SHOWN_SERVERS, rate_per_s, SHOWN_SERVICE_S, DELAYS_S[delay], RULES.index(rule),
        BUDGETS[budget], column(first_spell, int), column([each[0] for each in spells], float),
        column([each[1] for each in spells], float),
    )  # fmt: skip
    copies = [(k, k % n) for k in range(2 * n)]
    return {
        "servers": SHOWN_SERVERS,
        "end": HORIZON_S,
        "late": LATE_S,
        "rule": rule,
        "stops": [[list(spell) for spell in mine] for mine in stops],
        "asked": [_microseconds(each, 0.0) for each in asked_s],
        "took": [_microseconds(answered_s[k], asked_s[k]) for k in range(n)],
        "server": [int(each) for each in server],
        "sent": [_microseconds(sent_s[k], asked_s[r]) for k, r in copies],
        "begun": [_microseconds(begun_s[k], asked_s[r]) for k, r in copies],
        "ended": [_microseconds(ended_s[k], asked_s[r]) for k, r in copies],
    }
