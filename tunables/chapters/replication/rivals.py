"""Chapter 5: what fits the tables of results as well: windows set by path, a stage at one site."""

from collections.abc import Mapping

from tunables.chapters.replication.calibration import Times, predictions
from tunables.chapters.replication.paths import ASSUMED_RTT_S

FAR = ("BNL", "TRIUMF")


def windows_needed(
    plain_s: Times, lcrs, lcr_bytes, rtt_s: Times = ASSUMED_RTT_S
) -> dict[str, float]:
    """Return the window in bytes by which W/RTT gives the time of each far site.

    >>> windows_needed({"BNL": 10, "TRIUMF": 20}, 1000, 100, {"BNL": 0.1, "TRIUMF": 0.2})
    {'BNL': 1000.0, 'TRIUMF': 1000.0}
    """
    return {site: lcrs / plain_s[site] * lcr_bytes * rtt_s[site] for site in FAR}


def far_times(parameters: Mapping, changes: Mapping) -> dict[str, float]:
    """Return the seconds of BNL and TRIUMF with COMPRESS; changes: parameters by site."""
    return {
        site: predictions({**parameters, **changes.get(site, {})})["compressed", site]
        for site in FAR
    }


def own_stage(parameters: Mapping, plain_s: Times, compressed_s: Times, lcrs) -> dict[str, dict]:
    """Return changes by site: one ratio for both, and a stage of its own at TRIUMF.

    The ratio is BNL's speed-up, the least that lets BNL's network keep up with the stage that
    three sites share. TRIUMF's own stage, apply or the collector before it, is as fast as
    TRIUMF was with COMPRESS; its network would be faster.
    """
    ratio = {"compression_ratio": plain_s["BNL"] / compressed_s["BNL"]}
    here = min(parameters["apply_lcr_s"], lcrs / compressed_s["TRIUMF"])
    return {"BNL": ratio, "TRIUMF": {**ratio, "apply_lcr_s": here}}


def own_ratio(plain_s: Times, compressed_s: Times) -> dict[str, dict]:
    """Return changes by site: a ratio for each, be it the data's or a change of the network."""
    return {site: {"compression_ratio": plain_s[site] / compressed_s[site]} for site in FAR}
