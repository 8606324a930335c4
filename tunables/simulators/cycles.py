"""Users who think and then do a job, over and over, until the jobs of their pool are done.

cycles = (think_s, first, jobs, pool_of): pool p has jobs[p] jobs, pool_of[u] is the pool of
user u, and before the i-th job of pool p its user thinks for think_s[first[p] + i] seconds.
"""

import numpy as np

from tunables.arguments import numbers, same_length, whole
from tunables.simulators.compiled import compiled
from tunables.simulators.event_heap import new_heap, push

POOL = np.dtype([("upcoming", "i8"), ("stop", "i8"), ("finished_s", "f8")], align=True)


def workload(population, size_bytes, transactions, delay_s):
    """Return the four as arrays, one entry a class, or raise ValueError that names the culprit."""
    users = np.array(
        [whole("population", n, at_least=1) for n in numbers("population", population)]
    )
    sizes = np.array(numbers("size_bytes", size_bytes, above=0))
    counts = np.array(
        [whole("transactions", n, at_least=1) for n in numbers("transactions", transactions)]
    )
    delays = np.array(numbers("delay_s", delay_s, at_least=0))
    same_length(population=users, size_bytes=sizes, transactions=counts, delay_s=delays)
    return users, sizes, counts, delays


def closed_cycles(population, transactions, delay_s, seed, spread, pooled):
    """Return the cycles of users of several classes, and the class of each pool.

    A think time is delay_s (1 - spread + 2 spread U) with U uniform on [0, 1): the i-th of a
    pool is the same under every discipline. A pool is a class or, if not pooled, a user.
    population, transactions and delay_s: arrays from `workload`.
    """
    classes = np.arange(population.size)
    class_of_user = np.repeat(classes, population)
    if pooled:
        class_of_pool, pool_of, jobs = classes, class_of_user, population * transactions
    else:
        class_of_pool, pool_of = class_of_user, np.arange(class_of_user.size)
        jobs = transactions[class_of_user]
    uniform = np.random.default_rng(seed).random(int(jobs.sum()))
    mean_s = np.repeat(delay_s[class_of_pool], jobs)
    first = np.concatenate(([0], np.cumsum(jobs)[:-1]))
    return (mean_s * (1 - spread + 2 * spread * uniform), first, jobs, pool_of), class_of_pool


def new_pools(cycles):
    """Return a record a pool: where its next think time stands, where they stop, its last end."""
    _, first, jobs, _ = cycles
    pools = np.zeros(len(jobs), POOL).view(np.recarray)
    pools.upcoming, pools.stop = first, first + jobs
    return pools


@compiled
def think(user, pool, now, think_s, wake_s, thinkers, thinking):
    """Let user begin to think before the next job of its pool, if one is left.

    wake_s, thinkers and their number are a heap of those who think; return the new number.
    """
    if pool.upcoming == pool.stop:
        return thinking
    wake = now + think_s[pool.upcoming]
    pool.upcoming += 1
    return push(wake_s, thinkers, thinking, wake, user)


@compiled
def start_thinking(think_s, pools, pool_of):
    """Let all users begin to think; return the heap of their wakes and its size."""
    wake_s, thinkers = new_heap(pool_of.size)
    thinking = 0
    for user in range(pool_of.size):
        thinking = think(user, pools[pool_of[user]], 0.0, think_s, wake_s, thinkers, thinking)
    return wake_s, thinkers, thinking


def last_of_class(finished, class_of_pool):
    """Return when the last pool of each class was done."""
    done = np.zeros(class_of_pool.max() + 1)
    np.maximum.at(done, class_of_pool, finished)
    return done
