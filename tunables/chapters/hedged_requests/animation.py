"""Chapter 8's animation: six servers, second requests after a delay, and a reader's stops."""

from functools import cache

from tunables.chapters.hedged_requests.simulation import (
    BUDGETS,
    DELAYS_S,
    INTERVENTIONS,
    RULES,
    play,
)
from tunables.core.animation import Animation, AnimationSetting, Bookmark, Intervention, Overview
from tunables.core.model import Setting

SLOW, ALL = "10_slow_2", "10_all_2"


def _settings(deeds, delay="0.4", rule="run", budget="none", load=50) -> dict[str, Setting]:
    return {"delay": delay, "rule": rule, "budget": budget, "load_percent": load, "deeds": deeds}


def _bookmark(name, label, title, at, deeds, since=None, against=None, **changes) -> Bookmark:
    return Bookmark(name, label, title, _settings(deeds, **changes), at, since, against)


@cache
def animation() -> Animation:
    """Return the animation of the servers and the copies."""
    return Animation(
        name="hedge",
        title="Six servers, and a second request after a delay",
        renderer="hedge",
        play=play,
        settings=(
            AnimationSetting(
                "delay",
                "Ask again after",
                choices=tuple(DELAYS_S),
                choice_texts=("never", "0.2 s", "0.4 s", "0.8 s"),
            ),
            AnimationSetting(
                "rule",
                "The other copy",
                choices=RULES,
                choice_texts=(
                    "is served anyway",
                    "is dropped after the answer",
                    "is dropped once one copy is in service",
                ),
            ),
            AnimationSetting(
                "budget",
                "Budget",
                choices=tuple(BUDGETS),
                choice_texts=("none", "10 copies per 100 requests"),
            ),
            AnimationSetting("load_percent", "Load without second copies (%)", low=10, high=90),
        ),
        interventions=(
            Intervention(
                "slow", "Stop server 1", "server 1 stopped for", INTERVENTIONS["slow"], 2, "s"
            ),
            Intervention(
                "all", "Stop all servers", "all servers stopped for", INTERVENTIONS["all"], 2, "s"
            ),
        ),
        bookmarks=(
            _bookmark(
                "alone",
                "One stops",
                "Server 1 is stopped for two seconds, and no request is sent twice. The "
                "requests in its queue wait.",
                11.9,
                SLOW,
                9.5,
                delay="never",
            ),
            _bookmark(
                "again",
                "Ask again",
                "The same stop, with a second copy after 0.4 s. Most requests that wait at "
                "server 1 have already been answered by other servers.",
                11.9,
                SLOW,
                9.5,
            ),
            _bookmark(
                "shared",
                "All stop",
                "All servers are stopped, so the second copy waits as long as the first.",
                11.9,
                ALL,
                9.5,
                rule="drop",
            ),
            _bookmark(
                "storm",
                "Ten seconds later",
                "The servers are running again, but most of their work is for requests that have "
                "already been answered. If the copies of those requests are dropped, the queues "
                "stay short.",
                22,
                ALL,
                19,
                against={"rule": "drop"},
            ),
            _bookmark(
                "hasty",
                "Too hasty",
                "No server has stopped. Nearly every request is sent a second time "
                "after 0.2 s, and the copies alone fill the queues.",
                25,
                "",
                22,
                delay="0.2",
                load=60,
            ),
            _bookmark(
                "budget",
                "With a budget",
                "With the same delay but at most one copy per ten requests, the queues stay short.",
                25,
                "",
                22,
                delay="0.2",
                budget="10",
                load=60,
            ),
        ),
        overview=Overview(
            "A bar's height shows how long an answer took. Asking again helps against one slow "
            "server. If all servers stop, copies cause a storm unless they are dropped or limited.",
            {
                "server 1 stops, no copies": _settings(SLOW, delay="never"),
                "server 1 stops, copy after 0.4 s": _settings(SLOW),
                "all stop, no copies": _settings(ALL, delay="never"),
                "all stop, copy after 0.4 s": _settings(ALL),
                "all stop, copies dropped": _settings(ALL, rule="drop"),
                "all stop, one copy per ten requests": _settings(ALL, budget="10"),
            },
            miniature=(3,),
        ),
    )
