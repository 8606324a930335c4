"""A shop's till with one clerk, as an M/M/1 queue."""

from tunables.base.arguments import number


def predict(*, arrivals_per_h=40.0, service_per_h=60.0) -> dict:
    """Return the mean time in the shop, in minutes: 60 / (u - a).

    a: customers who come in an hour; u: customers whom the clerk can serve in an hour.
    Raises ValueError unless 0 < a < u. Source: any text on M/M/1.

    >>> predict(arrivals_per_h=40.0, service_per_h=60.0)
    {'time_min': 3.0}
    """
    u = number("service_per_h", service_per_h, above=0)
    a = number("arrivals_per_h", arrivals_per_h, above=0, below=u)
    return {"time_min": 60 / (u - a)}
