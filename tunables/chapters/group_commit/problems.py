"""Problems of chapter 1: response times taken apart, and delays before a flush."""

from tunables.chapters.group_commit.flush_problems import (
    flush_sharing,
    random_commits,
    waiting_in_vain,
)
from tunables.chapters.group_commit.lease_problems import busy_threads, commit_stage, two_caps

KINDS = {
    "two-caps": ("Where did the seconds go?", two_caps, 1),
    "busy-threads": ("Who had no threads?", busy_threads, 2),
    "commit-stage": ("A stage of commit threads", commit_stage, 2),
    "flush-sharing": ("When does a delay pay?", flush_sharing, 1),
    "waiting-in-vain": ("Waiting in vain", waiting_in_vain, 3),
    "random-commits": ("Commits at random", random_commits, 3),
}
