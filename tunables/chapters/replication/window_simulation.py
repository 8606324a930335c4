"""What chapter 5's second stage replays: TCP's window on two long paths; runs in the page too."""

from tunables.chapters.replication.predictor import predict
from tunables.chapters.replication.stage_simulation import at_site, window_events
from tunables.plain.arguments import choice

FAR = ("BNL", "TRIUMF")
FROM_S = {"start": 0, "later": 5000}  # CUBIC takes its time to forget the start
SPAN_S = 15
CONTROLS = ("cubic", "window")


def _side(site, first_s, given) -> dict:
    """Return the rounds of one connection that begin within the span, and the one before."""
    parameters = at_site(site, "off", given)
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


def play(*, law, since, **given) -> dict:
    """Return what the stage replays: a while of the connections to the two far sites.

    law: "cubic", with evenly spaced losses, or "window", the same at both sites; since: "start",
    or "later" than slow start; given: the other parameters of the case. "windows" are in
    segments, to a thousandth, and "events" as in `tcp_rounds_kernel`, from round "first" on;
    "rate" is that of the closed form, in LCRs/s.
    Raises ValueError for another law or beginning, and as `predict` does.
    """
    first_s = FROM_S[choice("since", since, sorted(FROM_S))]
    parameters = dict(given)
    parameters["law"] = choice("law", law, CONTROLS)
    return {
        "law": law,
        "first_s": first_s,
        "span_s": SPAN_S,
        "lcrs_a_segment": parameters["mss_bytes"] / parameters["lcr_bytes"],
        "sides": [_side(site, first_s, parameters) for site in FAR],
    }
