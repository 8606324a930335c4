"""The token bucket that limits extra attempts, such as retries or second copies, compiled.

A request earns a share of a token, and an extra attempt costs a whole one.
"""

from tunables.simulators.compiled import compiled


@compiled
def earn(tokens, share, burst):
    """Return the tokens after a request that earns a share; more than burst are never saved up."""
    return min(tokens + share, burst)


@compiled
def spend(tokens):
    """Return the tokens left after an extra attempt, and whether there was one for it."""
    return (tokens - 1, True) if tokens >= 1 else (tokens, False)
