"""Chapter 5: the paths from CERN to four Tier-1 sites; the document gives no round-trip time."""

import math

from tunables.plain.arguments import choice

SITES = ("BNL", "TRIUMF", "RAL", "IN2P3")

# Assumed: each lies above what light in fibre needs along the great circle.
ASSUMED_RTT_S = {"BNL": 0.095, "TRIUMF": 0.155, "RAL": 0.020, "IN2P3": 0.007}

LATITUDE_LONGITUDE_DEG = {
    "CERN": (46.234, 6.053),
    "BNL": (40.868, -72.879),
    "TRIUMF": (49.247, -123.230),
    "RAL": (51.573, -1.315),
    "IN2P3": (45.783, 4.865),
}
EARTH_RADIUS_M = 6_371_000
LIGHT_IN_FIBRE_M_S = 299_792_458 / 1.468  # refractive index of single-mode fibre


def great_circle_rtt(site) -> float:
    """Least round-trip time from CERN: light in fibre along the great circle, in seconds.

    Raises ValueError for an unknown site. Source: haversine formula.

    >>> round(great_circle_rtt("BNL"), 4)
    0.0599
    """
    site = choice("site", site, SITES)
    (latitude, longitude), (other_latitude, other_longitude) = (
        map(math.radians, LATITUDE_LONGITUDE_DEG[place]) for place in ("CERN", site)
    )
    haversine = (
        math.sin((other_latitude - latitude) / 2) ** 2
        + math.cos(latitude)
        * math.cos(other_latitude)
        * math.sin((other_longitude - longitude) / 2) ** 2
    )
    distance_m = 2 * EARTH_RADIUS_M * math.asin(math.sqrt(haversine))
    return 2 * distance_m / LIGHT_IN_FIBRE_M_S
