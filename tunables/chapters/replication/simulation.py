"""Chapter 5's simulations, around the compiled functions of `experiment`; the page runs them too.

`run` and `run_session` simulate the two cases, `run_of_map` a point of the validity map.
`play_pipeline` and `play_windows` return what the two animations replay.
"""

from tunables.base.arguments import LARGEST, choice, flag, floats, integer, number, run_seed
from tunables.chapters.replication.experiment import (
    mean_window,
    session_rate,
    tandem_seconds,
    tandem_trace,
    window_trace,
)
from tunables.chapters.replication.predictor import (
    ASSUMED_RTT_S,
    FAR_SITES,
    LAWS,
    SITES,
    STAGES,
    predict,
    stations,
    upstream_rate,
)
from tunables.theory.closed_network import MOST_CUSTOMERS
from tunables.theory.pipelines import pipeline_throughput

BATCHES = 10_000  # LCRs pass the stages in this many batches; trails on disk hold any number
ROUNDS = 200_000  # a quarter of them is the warm-up
MOST_BATCHES, MOST_ROUNDS = 10**6, 10**7  # which take some seconds
NEVER = 1e-15  # a loss too rare to occur in MOST_ROUNDS

SESSION_RUNS = 8
COMPLETIONS, MOST_COMPLETIONS = 50_000, 10**7
FEWEST_CYCLES = 100  # completions per process: see `tunables.simulators.cyclic_queues`

MAP_RUNS = 4
MAP_LOSSES = 400  # a run of the map is long enough for about this many
FEWEST_MAP_ROUNDS, MOST_MAP_ROUNDS = 10_000, 200_000

ALL = -1  # room for all batches
MOST_TRACED_BATCHES = 20_000  # whose trace takes 2 MB
MOST_TRACED_ROUNDS = 120_000
SHOWN_BATCHES = 1000  # in the animation
SLOWED = ("none", "source", "pump", "apply")
SLOWER = 0.95  # a slowed stage has this share of its rate
STEADY = "steady"  # all batches take the same time, and no stage is ever blocked
ROOMS = {"any": ALL, "16": 16, "4": 4, "1": 1, "0": 0}  # if the times of batches vary
SEED = 1
FROM_S = {"start": 0, "later": 5000}  # CUBIC takes a long time to forget the start
SPAN_S = 15
CONTROLS = ("cubic", "window")


def window_settings(law, window_bytes, loss, mss_bytes) -> tuple:
    """Return (loss, whether it is CUBIC, largest window in segments) of a connection by a law.

    With "window" nothing is lost, and the window limits the growth.
    Raises ValueError for another law, or an argument of it that is not above 0 (loss: at most 1).
    """
    if choice("law", law, LAWS[:3]) == "window":
        window_bytes = number("window_bytes", window_bytes, above=0)
        return NEVER, True, max(1.0, window_bytes / number("mss_bytes", mss_bytes, above=0))
    return number("loss", loss, above=0, at_most=1), law == "cubic", LARGEST


def simulate_connection(
    law, rtt_s, window_bytes, loss, mss_bytes, seed=None, rounds=ROUNDS
) -> float:
    """Return the bytes/s of a TCP connection, from the mean of its window over many round trips.

    Without a seed every (1/loss)-th segment is lost, as the closed forms assume; with a seed,
    segments are lost independently. Raises ValueError as `window_settings` does, and if rtt_s is
    not above 0.
    """
    loss, cubic, largest = window_settings(law, window_bytes, loss, mss_bytes)
    rtt_s, at_random = number("rtt_s", rtt_s, above=0), seed is not None
    rounds = integer("rounds", rounds, at_least=1, at_most=MOST_ROUNDS)
    first = run_seed(seed) if at_random else 0
    mss_bytes = number("mss_bytes", mss_bytes, above=0)
    segments = mean_window(first, at_random, loss, rounds, rounds // 4, rtt_s, cubic, largest)
    return segments * mss_bytes / rtt_s


def run(seed, *, batches=BATCHES, **parameters) -> dict:
    """Return seconds, throughput and the network's rate.

    The seed has no effect: losses are evenly spaced and each stage takes the same time for every
    batch, as the closed form assumes, so one run is enough.
    """
    run_seed(seed)
    batches = integer("batches", batches, at_least=1, at_most=MOST_BATCHES)
    closed = predict(**parameters)
    parameters = floats(parameters)
    rates = {stage: closed[f"{stage}_rate_lcr_s"] for stage in STAGES}
    lcrs = parameters["operations"] * parameters["lcrs_per_operation"]
    ratio = parameters["compression_ratio"] if parameters["compress"] == "on" else 1.0
    rtt_s, law = parameters["rtt_s"], parameters["law"]
    if law != "stop-and-wait":  # which has no window to simulate
        connection = simulate_connection(
            law, rtt_s, parameters["window_bytes"], parameters["loss"], parameters["mss_bytes"]
        )
        link = min(parameters["link_gbps"] * 1e9 / 8, connection)
        rates["network"] = link * ratio / parameters["lcr_bytes"]
    rates_lcr_s = [float(rates[stage]) for stage in STAGES]
    seconds = tandem_seconds(batches, lcrs / batches, *rates_lcr_s)
    return {
        "seconds": seconds,
        "throughput_lcr_s": lcrs / seconds,
        "network_rate_lcr_s": rates["network"],
    }


def run_session(
    seed,
    *,
    replicats,
    lcrs,
    user_io_s,
    cpu_s,
    system_io_s,
    unaccounted_s,
    io="queue",
    receiver_s=0.0,
    reader_s=0.0,
    completions=COMPLETIONS,
) -> dict:
    """Return time, throughput and utilisations from a closed network.

    Raises ValueError for an argument that `predict_session` refuses, by its name, and for fewer
    than 100 completions of each process.
    """
    upstream = upstream_rate(lcrs, receiver_s, reader_s)
    lcrs = number("lcrs", lcrs, above=0)
    user_io = number("user_io_s", user_io_s, above=0) / lcrs
    cpu = number("cpu_s", cpu_s, above=0) / lcrs
    system_io = number("system_io_s", system_io_s, at_least=0) / lcrs
    rest = number("unaccounted_s", unaccounted_s, at_least=0) / lcrs
    replicats = integer("replicats", replicats, at_least=1, at_most=MOST_CUSTOMERS)
    least = FEWEST_CYCLES * replicats
    queued, delay = stations(io, [user_io, cpu, system_io], rest)
    apply_rate = session_rate(
        run_seed(seed),
        len(queued),
        *queued + [0.0] * (3 - len(queued)),
        replicats,
        delay,
        integer("completions", completions, at_least=least, at_most=MOST_COMPLETIONS),
    )
    rate = min(apply_rate, upstream)
    return {
        "apply_s": lcrs / rate,
        "throughput_lcr_s": rate,
        "user_io_utilisation": rate * user_io,
        "cpu_utilisation": rate * cpu,
    }


def simulate_random_losses(seed, settings, rounds) -> float:
    """Return the bytes/s of a CUBIC connection whose segments are lost at random."""
    rtt_s, loss = float(settings["rtt_s"]), float(settings["loss"])
    segments = mean_window(run_seed(seed), True, loss, rounds, rounds // 5, rtt_s, True, LARGEST)
    return segments * settings["mss_bytes"] / rtt_s


def run_of_map(seed, **settings) -> dict:
    """Return the seconds of the replication, with random losses in the network."""
    closed = predict(**settings)
    settings = floats(settings)
    rates = {stage: closed[f"{stage}_rate_lcr_s"] for stage in STAGES}
    segments_s = closed["network_rate_lcr_s"] * settings["lcr_bytes"] / settings["mss_bytes"]
    rounds_per_loss = 1 / (settings["loss"] * segments_s * settings["rtt_s"])
    rounds = int(min(max(MAP_LOSSES * rounds_per_loss, FEWEST_MAP_ROUNDS), MOST_MAP_ROUNDS))
    link = settings["link_gbps"] * 1e9 / 8
    rates["network"] = (
        min(link, simulate_random_losses(seed, settings, rounds)) / settings["lcr_bytes"]
    )
    lcrs = settings["operations"] * settings["lcrs_per_operation"]
    return {"seconds": lcrs / pipeline_throughput(rates)[0]}


def pipeline_events(seed=0, *, batches=1000, room=ALL, varies=False, **parameters) -> tuple:
    """Return the columns of `tandem_trace`, with the closed form's rates of the stages.

    Raises ValueError for parameters that `predict` refuses, and for batches or room out of range.

    >>> from tunables.core.registry import find_case
    >>> settings = find_case("wlcg").settings()
    >>> columns = pipeline_events(1, batches=50, room=2, varies=True, **settings)
    >>> [len(column) for column in columns]  # of 50 batches in four stages
    [200, 200, 200]
    """
    closed = predict(**parameters)
    parameters = floats(parameters)
    batches = integer("batches", batches, at_least=1, at_most=MOST_TRACED_BATCHES)
    lcrs = parameters["operations"] * parameters["lcrs_per_operation"]
    rates = [float(closed[f"{stage}_rate_lcr_s"]) for stage in STAGES]
    room = integer("room", room, at_least=ALL, at_most=MOST_TRACED_BATCHES)
    return tandem_trace(
        run_seed(seed), flag("varies", varies), room, batches, lcrs / batches, *rates
    )


def window_events(seed=None, *, rounds, **parameters) -> tuple:
    """Return the columns of `window_trace`; without a seed losses are evenly spaced.

    Raises ValueError for parameters that `predict` refuses, and for "stop-and-wait".

    >>> from tunables.core.registry import find_case
    >>> windows, events = window_events(1, rounds=50, **find_case("wlcg").settings())
    >>> [float(segments) for segments in windows[:4]], len(events)
    ([10.0, 20.0, 40.0, 80.0], 50)
    """
    predict(**parameters)
    parameters = floats(parameters)
    rounds = integer("rounds", rounds, at_least=1, at_most=MOST_TRACED_ROUNDS)
    names = ("law", "window_bytes", "loss", "mss_bytes")
    loss, cubic, largest = window_settings(*(parameters[name] for name in names))
    rtt_s = float(parameters["rtt_s"])
    first = 0 if seed is None else run_seed(seed)
    return window_trace(first, seed is not None, loss, rounds, rtt_s, cubic, largest)


def _milliseconds(column) -> list:
    """Return times in integer milliseconds, which the page reads without conversion."""
    return [int(1000 * each_s + 0.5) for each_s in column]


def site_parameters(site, compress, given) -> dict:
    """Return the parameters of the case for a site; raises ValueError for an unknown site."""
    parameters = floats(given)
    parameters["rtt_s"] = ASSUMED_RTT_S[choice("site", site, SITES)]
    parameters["compress"] = compress
    return parameters


def _describe_pipeline(site, parameters) -> dict:
    """Return what the animation replays of a run, without its times: see `play_pipeline`."""
    closed = predict(**parameters)
    return {
        "site": site,
        "compress": parameters["compress"],
        "lcrs": parameters["operations"] * parameters["lcrs_per_operation"],
        "batches": SHOWN_BATCHES,
        "stages": list(STAGES),
        "rates": [float(closed[f"{stage}_rate_lcr_s"]) for stage in STAGES],
    }


def play_pipeline(*, site, compress, slower, room=STEADY, **given) -> dict:
    """Return what the first animation replays: a thousand batches on their way to a site.

    slower: the stage that has lost a twentieth of its rate, or "none"; given: the other
    parameters of the case. room: "steady", or a key of `ROOMS`: the number of batches that may wait
    before a stage, where the times of batches vary. "served_ms" and "departed_ms" are the last
    columns of `pipeline_events`; if no stage is ever blocked, "served_ms" is None. "rates" are
    those of the closed form, in LCRs/s.
    Raises ValueError for an unknown site, stage or room, and as `predict` does.
    """
    parameters = site_parameters(site, compress, given)
    if choice("slower", slower, SLOWED) != "none":
        parameters[f"{slower}_lcr_s"] *= SLOWER
    replay = _describe_pipeline(site, parameters)
    varies = choice("room", room, [STEADY] + list(ROOMS)) != STEADY
    columns = pipeline_events(
        SEED, batches=SHOWN_BATCHES, room=ROOMS.get(room, ALL), varies=varies, **parameters
    )
    replay["room"] = room
    replay["departed_ms"] = _milliseconds(columns[2])
    replay["served_ms"] = _milliseconds(columns[1]) if varies else None
    return replay


def _connection_rounds(site, first_s, given) -> dict:
    """Return the rounds of one connection that begin within the span, and the one before."""
    parameters = site_parameters(site, "off", given)
    rtt_s = parameters["rtt_s"]
    first, last = int(first_s / rtt_s), int((first_s + SPAN_S) / rtt_s)
    windows, events = window_events(rounds=last + 1, **parameters)
    return {
        "site": site,
        "rtt_s": rtt_s,
        "first": first,
        "windows": [int(1000 * each + 0.5) / 1000 for each in windows[first:]],
        "events": [int(each) for each in events[first:]],
        "rate": float(predict(**parameters)["network_rate_lcr_s"]),
    }


def play_windows(*, law, since, **given) -> dict:
    """Return what the second animation replays: SPAN_S of the connections to the two far sites.

    law: "cubic", with evenly spaced losses, or "window", the same at both sites; since: "start",
    or "later" than slow start; given: the other parameters of the case. "windows" are in
    segments, to a thousandth, and "events" as in `tcp_rounds_kernel`, from round "first" on;
    "rate" is that of the closed form, in LCRs/s.
    Raises ValueError for another law or start, and as `predict` does.
    """
    first_s = FROM_S[choice("since", since, sorted(FROM_S))]
    parameters = dict(given)
    parameters["law"] = choice("law", law, CONTROLS)
    return {
        "law": law,
        "first_s": first_s,
        "span_s": SPAN_S,
        "lcrs_a_segment": parameters["mss_bytes"] / parameters["lcr_bytes"],
        "sides": [_connection_rounds(site, first_s, parameters) for site in FAR_SITES],
    }
