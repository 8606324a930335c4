"""The law that a reader's commit log is fitted to: delay and flush, shared by all."""

import math

from tunables.plain.own.least_squares import least_squares
from tunables.plain.own.quantiles import mean
from tunables.theory.group_commit import closed_group_commit


def response(clients, delay_s, delays_paid, flush_s) -> float:
    """Return the response time N/X of `closed_group_commit` when a commit pays D k times, s."""
    return clients / closed_group_commit(clients, flush_s, delays_paid * delay_s)


def calibrate(runs):
    """Return (k, F, Z, whether k was fitted) by least squares on the logarithm of R."""
    measured = [math.log(response_s) for _, _, response_s, _ in runs]
    k_fitted = len({delay_s for _, delay_s, _, _ in runs}) > 1

    def residuals(logs):
        flush_s, k = math.exp(logs[0]), math.exp(logs[1]) if k_fitted else 1.0
        by_law = [response(clients, delay_s, k, flush_s) for clients, delay_s, _, _ in runs]
        return [math.log(r) - log for r, log in zip(by_law, measured)]

    start = [min(measured) - math.log(2)] + ([0.0] if k_fitted else [])
    logs, _ = least_squares(residuals, start)
    think_s = mean([clients / rate - response_s for clients, _, response_s, rate in runs])
    k = math.exp(logs[1]) if k_fitted else 1.0
    return k, math.exp(logs[0]), max(0.0, think_s), k_fitted
