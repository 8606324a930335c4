"""libCacheSim fed with the integer ids of objects of one size, through its Python binding."""

import libcachesim
import numpy as np

_RECORD = np.dtype([("time", "<u4"), ("id", "<u8"), ("size", "<u4"), ("next", "<i8")])
_NEVER = np.iinfo(np.int64).max
_CACHES = {
    "lru": libcachesim.LRU,
    "fifo": libcachesim.FIFO,
    "clock": libcachesim.Clock,
    "sieve": libcachesim.Sieve,
    "arc": libcachesim.ARC,
    "2q": libcachesim.TwoQ,
    "opt": libcachesim.Belady,
}
PEER_POLICIES = tuple(_CACHES)  # its Random is not uniform, and it has no MRU
_CACHES |= {"lirs": libcachesim.LIRS, "s3fifo": libcachesim.S3FIFO}  # not in this book's own


def _next_uses(ids):
    order = np.argsort(ids, kind="stable")
    again = ids[order[1:]] == ids[order[:-1]]
    next_use = np.full(len(ids), _NEVER)
    next_use[order[:-1][again]] = order[1:][again]
    return next_use


class PeerTrace:
    """A trace written as libCacheSim's own binary format (oracleGeneral), its fastest input."""

    def __init__(self, path, trace):
        ids = np.asarray(trace)
        records = np.zeros(len(ids), _RECORD)
        records["id"], records["size"], records["next"] = ids, 1, _next_uses(ids)
        records.tofile(path)
        self.path = str(path)
        self.requests = len(ids)

    def hits(self, capacity, policy) -> int:
        """Return the hits of a cache that starts empty and holds capacity objects."""
        # a hash table of about as many places as objects, its fastest of the sizes tried
        cache = _CACHES[policy](int(capacity), hashpower=max(10, int(capacity).bit_length()))
        reader = libcachesim.TraceReader(
            self.path,
            libcachesim.TraceType.ORACLE_GENERAL_TRACE,
            libcachesim.ReaderInitParam(ignore_obj_size=True),
        )
        miss_ratio, _ = cache.process_trace(reader)
        return self.requests - round(miss_ratio * self.requests)
