"""Problems of chapter 2: what a time-out with retries costs, and when it keeps a server down."""

from tunables.chapters.time_outs.query_problems import (
    backoff,
    lost_queries,
    mean_latency,
    percentile,
)
from tunables.chapters.time_outs.server_problems import safe_load, thread_pool, watershed

KINDS = {
    "mean-latency": ("The mean of a retried query", mean_latency, 2),
    "lost-queries": ("The price of one retry", lost_queries, 1),
    "percentile": ("A percentile that jumps", percentile, 2),
    "safe-load": ("Safe loads", safe_load, 1),
    "watershed": ("The watershed", watershed, 3),
    "thread-pool": ("A pool of threads", thread_pool, 2),
    "backoff": ("Pauses between attempts", backoff, 2),
}
