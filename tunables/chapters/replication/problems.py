"""Problems of chapter 5: the pace of a pipeline over a wide-area network, and its lag."""

from tunables.chapters.replication.pace_problems import bottleneck, lag, replicats
from tunables.chapters.replication.path_problems import (
    cubic_rate,
    near_enough,
    one_ping,
    window_law,
)

KINDS = {
    "window-law": ("The window law", window_law, 1),
    "cubic-rate": ("CUBIC's rate", cubic_rate, 1),
    "one-ping": ("One ping", one_ping, 2),
    "bottleneck": ("Which stage sets the pace?", bottleneck, 2),
    "lag": ("Days behind", lag, 1),
    "replicats": ("More processes", replicats, 3),
    "near-enough": ("Where distance begins", near_enough, 2),
}
