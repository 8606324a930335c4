"""The random quantities of the simulators of retries, compiled, and the outage's arguments."""

import numpy as np

from tunables.plain.arguments import number
from tunables.simulators.compiled import compiled
from tunables.simulators.draws import poisson, random, standard_exponential


@compiled
def pauses(most, base_s, cap_s):
    """Return the bounds of the pauses before so many retries: doubled each time, up to the cap."""
    bounds_s = np.empty(most)
    for k in range(most):
        bounds_s[k] = base_s = min(base_s, cap_s)
        base_s *= 2
    return bounds_s


@compiled
def _services(state, service_s, start, stop, service_rate):
    for attempt in range(start, stop):
        service_s[attempt] = standard_exponential(state) / service_rate


@compiled
def _thoughts(state, thought_s, think_time_s):
    for i in range(len(thought_s)):
        thought_s[i] = think_time_s * standard_exponential(state)


@compiled
def _uniforms(state, drawn, start, stop):
    for i in range(start, stop):
        drawn[i] = random(state)


@compiled
def draw_storm(state, arrival_rate, service_rate, retries, most, horizon_s, base_s, cap_s):
    """Return the columns of `Draws` for requests that come at random, a rate a second.

    Each has retries at first and at most `most`. The same seed gives the same requests whatever
    the retries, and the same draws of all attempts whatever is allowed later.
    """
    fresh_s = np.empty(poisson(state, arrival_rate * horizon_s))
    for request in range(len(fresh_s)):
        fresh_s[request] = horizon_s * random(state)
    fresh_s.sort()
    attempts, all_attempts = len(fresh_s) * (retries + 1), len(fresh_s) * (most + 1)
    service_s, jitter = np.empty(all_attempts), np.empty(all_attempts)
    chances = np.empty(len(fresh_s))
    _services(state, service_s, 0, attempts, service_rate)
    _uniforms(state, jitter, 0, attempts)
    _uniforms(state, chances, 0, len(chances))
    _services(state, service_s, attempts, all_attempts, service_rate)
    _uniforms(state, jitter, attempts, all_attempts)
    return fresh_s, service_s, pauses(most, base_s, cap_s), jitter, np.empty(0), chances


@compiled
def draw_callers(state, callers, attempts, service_rate, think_time_s, retries):
    """Return the columns of `Draws` for so many callers, who think before each request."""
    fresh_s, service_s, think_s = np.empty(callers), np.empty(attempts), np.empty(attempts)
    _thoughts(state, fresh_s, think_time_s)
    fresh_s.sort()
    _services(state, service_s, 0, attempts, service_rate)
    _thoughts(state, think_s, think_time_s)
    pauses_s = pauses(retries, 0.0, 0.0)
    return fresh_s, service_s, pauses_s, np.zeros(attempts), think_s, np.zeros(callers)


def outage(start_s, length_s):
    """Return when the server goes down and when it is up again."""
    down = number("outage_start_s", start_s, at_least=0)
    return down, down + number("outage_s", length_s, at_least=0)
