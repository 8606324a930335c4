"""LRU's miss ratios from a sample of the objects: for traces that do not fit in memory.

SHARDS (Waldspurger, Park, Garthwaite & Ahmad 2015): keep the requests for the objects whose hash is
below a threshold. Of the objects between two requests for such an object, a share equal to the rate
is kept too, so a stack distance in the sample, divided by the rate, is the distance in the trace.
Either all requests for an object are kept or none, whatever chunk they are in.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tunables.base.arguments import in_short, integer, number, numbers, refuse
from tunables.base.kinds import Numbers
from tunables.base.refusals import refusal
from tunables.simulators.arrays import Floats, Integers, describe
from tunables.simulators.limits import check_length
from tunables.simulators.object_ids import integer_ids
from tunables.simulators.stack import stack_distances

_STEP = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_BITS = 53  # of a hash, so that a rate is a threshold without rounding


class Sample(NamedTuple):
    """The kept requests of a trace, ids, in its order; requests: the number in the whole trace."""

    ids: Integers
    requests: int

    def __repr__(self) -> str:
        return describe(self)


def _hash_ids(ids: np.ndarray, seed: int) -> np.ndarray:
    """Return 53 mixed bits of each id, by SplitMix64 (Steele, Lea & Flood 2014) with a seed."""
    mixed = ids.view(np.uint64) + np.uint64((seed * 2 + 1) * _STEP % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return (mixed ^ (mixed >> np.uint64(31))) >> np.uint64(64 - _BITS)


def sample_chunk(chunk: ArrayLike, rate: float, seed: int = 0) -> np.ndarray:
    """Return the requests of a chunk for the objects in the sample, in their order.

    rate: the share of the objects that is kept, above 0 and at most 1. The same seed keeps the same
    objects in every chunk. Shape (kept requests,), int64.
    Raises ValueError for another rate, a seed that is not a whole number from 0, and a chunk that
    is not a one-dimensional, non-empty sequence of whole numbers of 64 bits.

    >>> sample_chunk([7, 9, 7], rate=0.5, seed=1).tolist()
    [9]
    """
    rate, seed = number("rate", rate, above=0, at_most=1), integer("seed", seed)
    ids = integer_ids(chunk)
    return ids[_hash_ids(ids, seed) < np.uint64(round(rate * 2**_BITS))]


def sample_trace(chunks: Iterable, rate: float, seed: int = 0) -> Sample:
    """Return the sample of a trace in chunks, of which one at a time is in memory.

    Errors as in `sample_chunk`; also ValueError if there is no chunk.

    >>> sample_trace([[7, 9], [7]], rate=0.5, seed=1)
    Sample
      ids       1, from 9 to 9
      requests  3
    """
    if not isinstance(chunks, Iterable):
        refuse("chunks", chunks, "an iterable of chunks of a trace")
    check_length("chunks", chunks)
    kept, requests = [], 0
    for chunk in chunks:
        kept.append(sample_chunk(chunk, rate, seed))
        requests += len(chunk)
    if not kept:
        raise refusal(f"chunks = {in_short(chunks)}: must hold at least one chunk")
    return Sample(np.concatenate(kept), requests)


def sampled_miss_ratios(sample: Sample, capacities: Numbers, rate: float) -> Floats:
    """Return LRU's miss ratio at each capacity (objects), from a sample taken at that rate.

    A request at depth d of the sample hits from capacity d/rate on. If the sample has more or
    fewer requests than rate times all, the difference counts as hits at any capacity (SHARDS-adj,
    section 3.2 of the source); a few frequently requested objects cause it. Shape (capacities,); at
    rate 1 these are the exact ratios of `miss_ratio_curve`. The error is that of a sample of
    capacity * rate objects, so this product should be some thousands.
    Raises ValueError for a sample without a request, and for capacities below 0.

    >>> whole = sample_trace([[7, 9, 7]], rate=1.0)
    >>> sampled_miss_ratios(whole, [1, 2], rate=1.0).round(3).tolist()
    [1.0, 0.667]
    """
    rate = number("rate", rate, above=0, at_most=1)
    sizes = np.array(numbers("capacities", capacities, at_least=0))
    if not isinstance(sample, Sample) or np.ndim(sample.ids) != 1:
        refuse("sample", sample, "a Sample from sample_trace")
    if not len(sample.ids):
        raise refusal(f"sample = {in_short(sample)}: must not be empty: use a higher rate")
    depths = stack_distances(sample.ids)
    reached = np.sort(depths[depths > 0] / rate)
    requests = integer("requests in the sample", sample.requests, at_least=len(sample.ids))
    expected = rate * requests
    hits = np.searchsorted(reached, sizes, side="right") + (expected - len(sample.ids))
    return np.clip(1 - np.where(sizes > 0, hits, 0) / expected, 0, 1)
