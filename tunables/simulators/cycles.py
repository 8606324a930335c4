"""Users who think and then do a job, over and over, until the jobs of their pool are done.

cycles = (think_s, first, jobs, pool_of): pool p has jobs[p] jobs, pool_of[u] is the pool of
user u, and before the i-th job of pool p its user thinks for think_s[first[p] + i] seconds.
"""

import numpy as np

from tunables.base.arguments import flag, integer, numbers, same_length
from tunables.base.portable import plain_sum
from tunables.simulators.compiled import compiled, records
from tunables.simulators.draws import from_seed, random
from tunables.simulators.event_heap import new_heap, push
from tunables.simulators.limits import check_size

POOL = np.dtype([("upcoming", "i8"), ("stop", "i8"), ("finished_s", "f8")], align=True)


def workload(population, size_bytes, transactions, delay_s):
    """Return the four as arrays, one entry a class, or raise ValueError that names the culprit."""
    users = [integer("population", n, at_least=1) for n in numbers("population", population)]
    sizes = np.array(numbers("size_bytes", size_bytes, above=0))
    counts = [integer("transactions", n, at_least=1) for n in numbers("transactions", transactions)]
    delays = np.array(numbers("delay_s", delay_s, at_least=0))
    same_length(population=users, size_bytes=sizes, transactions=counts, delay_s=delays)
    jobs = plain_sum(n * count for n, count in zip(users, counts, strict=True))
    check_size("sum of population", plain_sum(users), bytes_each=320)
    check_size("sum of population * transactions", jobs)
    return np.array(users), sizes, np.array(counts), delays


@compiled
def draw_cycles(population, transactions, delay_s, state, spread, pooled):
    """Return the cycles of users of several classes, and the class of each pool.

    A think time is delay_s (1 - spread + 2 spread U) with U uniform on [0, 1). The i-th think
    time of a pool is the same under every discipline. A pool is a class or, if not pooled, a user.
    population, transactions and delay_s: arrays from `workload`; state: see `draws`.
    """
    users = total = 0
    for k in range(len(population)):
        users += population[k]
        total += population[k] * transactions[k]
    pools = len(population) if pooled else users
    think_s, pool_of = np.empty(total), np.empty(users, np.int64)
    first, jobs, class_of_pool = (
        np.zeros(pools, np.int64),
        np.zeros(pools, np.int64),
        np.zeros(pools, np.int64),
    )
    user = 0
    for k in range(len(population)):
        for _ in range(population[k]):
            pool = k if pooled else user
            pool_of[user], class_of_pool[pool] = pool, k
            jobs[pool] += transactions[k]
            user += 1
    drawn = 0
    for pool in range(pools):
        first[pool] = drawn
        drawn += jobs[pool]
        mean_s = delay_s[class_of_pool[pool]]
        for i in range(first[pool], drawn):
            think_s[i] = mean_s * (1 - spread + 2 * spread * random(state))
    return (think_s, first, jobs, pool_of), class_of_pool


def closed_cycles(population, transactions, delay_s, seed, spread, pooled):
    """Return the result of `draw_cycles` for a seed."""
    means_s = np.asarray(delay_s, dtype=np.float64)
    state = from_seed(seed)
    return draw_cycles(
        population, transactions, means_s, state, float(spread), flag("pooled", pooled)
    )


@compiled
def new_pools(cycles):
    """Return one record per pool: index of its next think time, their end, its last finish."""
    _, first, jobs, _ = cycles
    pools = records(len(jobs), POOL)
    for pool in range(len(jobs)):
        pools[pool].upcoming = first[pool]
        pools[pool].stop = first[pool] + jobs[pool]
    return pools


@compiled
def think(user, pool, now, think_s, wake_s, thinkers, thinking):
    """Let user start thinking before the next job of its pool, if one is left.

    wake_s, thinkers and thinking (its size) are the heap of thinking users; return the new size.
    """
    if pool.upcoming == pool.stop:
        return thinking
    wake = now + think_s[pool.upcoming]
    pool.upcoming += 1
    return push(wake_s, thinkers, thinking, wake, user)


@compiled
def start_thinking(think_s, pools, pool_of):
    """Let all users start thinking; return the heap of their wake-up times and its size."""
    wake_s, thinkers = new_heap(pool_of.size)
    thinking = 0
    for user in range(pool_of.size):
        thinking = think(user, pools[pool_of[user]], 0.0, think_s, wake_s, thinkers, thinking)
    return wake_s, thinkers, thinking


@compiled
def last_of_class(finished_s, class_of_pool):
    """Return the time at which the last pool of each class finished."""
    done_s = np.zeros(class_of_pool.max() + 1)
    for pool in range(len(class_of_pool)):
        k = class_of_pool[pool]
        done_s[k] = max(done_s[k], finished_s[pool])
    return done_s
