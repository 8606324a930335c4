"""What chapter 5's stages replay, for parameters of the case; runs in the page too."""

from tunables.chapters.replication.paths import ASSUMED_RTT_S, SITES
from tunables.chapters.replication.predictor import STAGES, predict
from tunables.chapters.replication.simulation import window_settings
from tunables.chapters.replication.stage_experiment import tandem_trace, window_trace
from tunables.plain.arguments import choice, flag, run_seed, whole

ALL = -1  # room for all batches
MOST_BATCHES = 20_000  # whose trace takes 2 MB
MOST_ROUNDS = 120_000
BATCHES = 1000  # on the stage
SLOWED = ("none", "source", "pump", "apply")
SLOWER = 0.95  # of its rate
STEADY = "steady"  # all batches take the same time, and none is ever blocked
ROOMS = {"any": ALL, "16": 16, "4": 4, "1": 1, "0": 0}  # where their times vary
SEED = 1


def pipeline_events(seed=0, *, batches=1000, room=ALL, varies=False, **parameters) -> tuple:
    """Return the columns of `tandem_trace`: the stages work at the rates of the closed form."""
    closed = predict(**parameters)
    batches = whole("batches", batches, at_least=1, at_most=MOST_BATCHES)
    lcrs = parameters["operations"] * parameters["lcrs_per_operation"]
    rates = [float(closed[f"{stage}_rate_lcr_s"]) for stage in STAGES]
    room = whole("room", room, at_least=ALL, at_most=MOST_BATCHES)
    return tandem_trace(
        run_seed(seed), flag("varies", varies), room, batches, lcrs / batches, *rates
    )


def window_events(seed=None, *, rounds, **parameters) -> tuple:
    """Return the columns of `window_trace`; without a seed losses are evenly spaced.

    Raises ValueError for parameters that `predict` refuses, and for "stop-and-wait".
    """
    predict(**parameters)
    rounds = whole("rounds", rounds, at_least=1, at_most=MOST_ROUNDS)
    names = ("law", "window_bytes", "loss", "mss_bytes")
    loss, cubic, largest = window_settings(*(parameters[name] for name in names))
    rtt_s = float(parameters["rtt_s"])
    first = 0 if seed is None else run_seed(seed)
    return window_trace(first, seed is not None, loss, rounds, rtt_s, cubic, largest)


def milliseconds(column) -> list:
    """Return times in whole milliseconds, which the page reads as they are."""
    return [int(1000 * each_s + 0.5) for each_s in column]


def at_site(site, compress, given) -> dict:
    """Return the parameters of the case at a site; raises ValueError for an unknown site."""
    parameters = dict(given)
    parameters["rtt_s"] = ASSUMED_RTT_S[choice("site", site, SITES)]
    parameters["compress"] = compress
    return parameters


def pipeline(site, parameters) -> dict:
    """Return a run as the stage replays it, but for its times: see `play`."""
    closed = predict(**parameters)
    return {
        "site": site,
        "compress": parameters["compress"],
        "lcrs": parameters["operations"] * parameters["lcrs_per_operation"],
        "batches": BATCHES,
        "stages": list(STAGES),
        "rates": [float(closed[f"{stage}_rate_lcr_s"]) for stage in STAGES],
    }


def play(*, site, compress, slower, room=STEADY, **given) -> dict:
    """Return what the stage replays: a thousand batches on their way to a site.

    slower: the stage that has lost a twentieth of its rate, or "none"; given: the other
    parameters of the case. room: "steady", or how many batches may wait before a stage, a key of
    `ROOMS`, while the times of batches vary. "served_ms" and "departed_ms" are the last columns of
    `pipeline_events`; where none is ever blocked, "served_ms" is None. "rates" are those of the
    closed form, in LCRs/s.
    Raises ValueError for an unknown site, stage or room, and as `predict` does.
    """
    parameters = at_site(site, compress, given)
    if choice("slower", slower, SLOWED) != "none":
        parameters[f"{slower}_lcr_s"] *= SLOWER
    told = pipeline(site, parameters)
    varies = choice("room", room, [STEADY] + list(ROOMS)) != STEADY
    columns = pipeline_events(
        SEED, batches=BATCHES, room=ROOMS.get(room, ALL), varies=varies, **parameters
    )
    told["room"] = room
    told["departed_ms"] = milliseconds(columns[2])
    told["served_ms"] = milliseconds(columns[1]) if varies else None
    return told
