"""What chapter 1's stage is set to: the note's tests, and each explanation's own base b.

Runs in the page too, which has no data: so the note's numbers stand here as it prints them.
"""

from tunables.chapters.group_commit.predictor import calibrated_base
from tunables.plain.arguments import choice, whole

TESTS = ("original", "flush", "both", "fourth")
CLIENTS = 50
_TUNABLES = {  # D (s), T (s) and r; nobody published the fourth
    "original": (2.0, 1.0, 3),
    "flush": (0.025, 1.0, 3),
    "both": (0.025, 0.5, 1),
    "fourth": (2.0, 0.5, 1),
}
_RESPONSE_S = {"original": 8.072, "flush": 4.126, "both": 1.131}
_THROUGHPUT_PER_S = 43  # of the test "both", which alone shows a think time
_THREADS = {"pool_threads": 25, "commit_threads": 13}


def _tunables(test) -> dict:
    max_delay_s, timeout_s, retries = _TUNABLES[choice("test", test, TESTS)]
    return {"max_delay_s": max_delay_s, "timeout_s": timeout_s, "retries": retries}


def _base_s(hypothesis, think_s) -> float:
    fitted_to = "original" if hypothesis == "thread pool" else "flush"
    settings = _tunables(fitted_to)
    settings.update(_THREADS)
    return calibrated_base(
        _RESPONSE_S[fitted_to],
        hypothesis=hypothesis,
        clients=CLIENTS,
        think_s=think_s,
        **settings,
    )


def settings_of(hypothesis, test, clients) -> dict:
    """Return all settings of a run: those that `case.rival` gives, with other clients.

    Raises ValueError for an unknown explanation or test, or clients that are not 1 to 50.

    >>> round(settings_of("two caps", "fourth", 50)["base_s"], 3)
    0.076
    """
    settings = _tunables(test)
    settings.update(_THREADS)
    settings["hypothesis"] = hypothesis
    settings["clients"] = whole("clients", clients, at_least=1, at_most=CLIENTS)
    settings["think_s"] = CLIENTS / _THROUGHPUT_PER_S - _RESPONSE_S["both"]
    settings["base_s"] = _base_s(hypothesis, settings["think_s"])
    return settings
