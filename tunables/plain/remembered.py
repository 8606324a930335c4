"""What was computed before, kept: the page's Python has no functools.lru_cache."""


def remembered(function, most=500):
    """Return function, called once for the same arguments; it forgets all beyond so many results.

    >>> asked = []
    >>> double = remembered(lambda x: asked.append(x) or 2 * x)
    >>> double(3), double(3), asked
    (6, 6, [3])
    """
    known: dict = {}

    def look_up(*arguments, **named):
        key = arguments, tuple(sorted(named.items()))
        if key not in known:
            result = function(*arguments, **named)
            if len(known) >= most:
                known.clear()
            known[key] = result
        return known[key]

    return look_up
