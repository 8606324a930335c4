"""Mean response times of the M/G/1 queue under four disciplines."""

from tunables.base.arguments import number, numbers, same_length
from tunables.base.kinds import Numbers
from tunables.base.portable import plain_sum


def _load(rate, mean_service_s):
    return number("load (arrival_rate * mean service time)", rate * mean_service_s, below=1)


def _second_moment(name, value, mean):
    # A whisker below the square of the mean is a constant time and rounding.
    return number(name, value, at_least=mean * mean * (1 - 1e-9))


def mg1_fifo_response(arrival_rate: float, mean_service_s: float, second_moment_s2: float) -> float:
    """Mean response time in seconds, first in first out: T = E[S] + lambda E[S^2]/(2 (1 - rho)).

    rho = lambda E[S] must be below 1.
    Raises ValueError for a rate or time that is negative or not finite, a second moment below
    the square of the mean, or a load of 1 or more.
    Source: Pollaczek (1930), Khinchine (1932); Kleinrock vol. 1 (1975), ch. 5.

    >>> round(mg1_fifo_response(0.8, 1.0, 3.25), 9)
    7.5
    """
    rate = number("arrival_rate", arrival_rate, at_least=0)
    mean = number("mean_service_s", mean_service_s, at_least=0)
    second = _second_moment("second_moment_s2", second_moment_s2, mean)
    return mean + rate * second / (2 * (1 - _load(rate, mean)))


def mg1_ps_response(size_s: float, load: float) -> float:
    """Mean response time in seconds of a job of size x, processor sharing: T(x) = x/(1 - rho).

    Only the mean of the other sizes matters.
    Raises ValueError for a size that is negative or not finite, or a load outside [0, 1).
    Source: Sakata, Noguchi & Oizumi (1971); Kleinrock vol. 2 (1976), ch. 4.

    >>> round(mg1_ps_response(0.5, 0.8), 9)
    2.5
    """
    size = number("size_s", size_s, at_least=0)
    return size / (1 - number("load", load, at_least=0, below=1))


def mg1_fb_response(
    arrival_rate: float, size_s: float, sizes_s: Numbers, probabilities: Numbers
) -> float:
    """Mean response time in seconds of a job of size x, least attained service first.

    T(x) = lambda E[min(S, x)^2]/(2 (1 - rho_x)^2) + x/(1 - rho_x), rho_x = lambda E[min(S, x)]

    S is sizes_s[i] with probabilities[i]. The load up to x, rho_x, must be below 1.
    Raises ValueError for a rate or size that is negative or not finite, probabilities that are
    not in [0, 1] or do not sum to 1, lengths that differ, or a load rho_x of 1 or more.
    Source: Schrage (1967); Kleinrock vol. 2 (1976), ch. 4.

    >>> round(mg1_fb_response(0.8, 0.5, [0.5, 5.5], [0.9, 0.1]), 9)
    1.111111111
    """
    rate = number("arrival_rate", arrival_rate, at_least=0)
    x = number("size_s", size_s, at_least=0)
    sizes = numbers("sizes_s", sizes_s, at_least=0)
    p = numbers("probabilities", probabilities, at_least=0, at_most=1)
    same_length(sizes_s=sizes, probabilities=p)
    number("sum of probabilities", plain_sum(p), at_least=1 - 1e-9, at_most=1 + 1e-9)
    mean = plain_sum(p_i * min(s, x) for p_i, s in zip(p, sizes))
    second = plain_sum(p_i * min(s, x) ** 2 for p_i, s in zip(p, sizes))
    idle = 1 - _load(rate, mean)
    return rate * second / (2 * idle**2) + x / idle


def cobham_waits(
    arrival_rates: Numbers, mean_services_s: Numbers, second_moments_s2: Numbers
) -> list[float]:
    """Mean waiting time in seconds of each class, non-preemptive priority, the first class first.

    W_k = (sum_i lambda_i E[S_i^2]/2) / ((1 - sigma_(k-1)) (1 - sigma_k)), where sigma_k is the
    load of the classes up to k. Conservation: sum_k rho_k W_k is the same for every order.
    Raises ValueError for rates or times that are negative or not finite, second moments below
    the squares of the means, lengths that differ, or a total load of 1 or more.
    Source: Cobham (1954).

    >>> rates, means = [0.2 / 1.2, 0.6 / 7.2], [1.2, 7.2]
    >>> [round(wait, 6) for wait in cobham_waits(rates, means, [mean**2 for mean in means])]
    [2.85, 14.25]
    """
    rates = numbers("arrival_rates", arrival_rates, at_least=0)
    means = numbers("mean_services_s", mean_services_s, at_least=0)
    seconds = numbers("second_moments_s2", second_moments_s2, at_least=0)
    same_length(arrival_rates=rates, mean_services_s=means, second_moments_s2=seconds)
    for k, mean in enumerate(means):
        _second_moment(f"second_moments_s2[{k}]", seconds[k], mean)
    residual = plain_sum(rate * second for rate, second in zip(rates, seconds)) / 2
    number("total load", plain_sum(rate * mean for rate, mean in zip(rates, means)), below=1)
    waits = []
    load = 0.0
    for rate, mean in zip(rates, means):
        higher = load
        load += rate * mean
        waits.append(residual / ((1 - higher) * (1 - load)))
    return waits
