"""Hit ratios that are exact for a few files, where the chapter's forms are limits of many."""

from tunables.chapters.cache_cliff.predictor import scheme_hit_ratio

_LIMITS = ("random", "2q", "lru, shuffled")


def exact_hit_ratio(files, places, scheme):
    """Return the steady hit ratio of scans over so many files, or None where no form is exact.

    With n files and C places, n > C: "random" has (C - 1)/(C + 1) at n = C + 1, "2q"
    (C - 1)/(2n - C + 1) up to n = 1.5 C; the others that of `scheme_hit_ratio`, but for a scan
    in a fresh random order each time. Raises ValueError as `scheme_hit_ratio` does.

    >>> exact_hit_ratio(13, 12, "random") == 11 / 13
    True
    """
    ratio = scheme_hit_ratio(files, places, scheme)
    if files <= places or scheme not in _LIMITS:
        return ratio
    if scheme == "random" and files == places + 1:
        return (places - 1) / (places + 1)
    if scheme == "2q" and files <= 1.5 * places:
        return (places - 1) / (2 * files - places + 1)
    return None
