"""No test is collected without a time limit: pyproject.toml has the usual one.

Those that may take longest begin first, so that none is left when all other workers have ended.
Of what is asked of every case or chapter alike the first and the last are asked in `make test`, and
in a browser the last alone.
"""

from collections import defaultdict

import pytest

from upkeep.check import names_one

LONGEST_S = 900


def pytest_addoption(parser):
    parser.addoption("--names", help="only tests that have one of these words in their name: a,b")
    parser.addoption("--whole", default="", help="files whose tests run whatever their names: a,b")


def leave_out_what_names_none(config, items):
    """Keep the tests that have a word of --names in their name, and those of the --whole files."""
    words = config.getoption("names").split(",")
    whole = config.getoption("whole").split(",")
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        named = names_one(item.nodeid, words) or item.nodeid.partition("::")[0] in whole
        (kept if named else left_out).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


def limit_s(item) -> float:
    """Return the seconds after which pytest-timeout ends a test; 0 where it never does."""
    marker = item.get_closest_marker("timeout")
    given = [*marker.args, *marker.kwargs.values()][0] if marker else item.config.getini("timeout")
    return float(given or 0)


def leave_for_later(items):
    """Mark all but the first and the last item of each test that is `sampled` as long.

    Of the items that need a browser, which are slow, only the last is left.
    """
    sampled = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            sampled[item.nodeid.partition("[")[0]].append(item)
    for alike in sampled.values():
        first = 0 if alike[0].get_closest_marker("browser") else 1
        for item in alike[first:-1]:
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(tryfirst=True)  # before pytest picks by -m
def pytest_collection_modifyitems(config, items):
    leave_for_later(items)
    if config.getoption("names"):
        leave_out_what_names_none(config, items)
    endless = [item.nodeid for item in items if not 0 < limit_s(item) <= LONGEST_S]
    if endless:
        told = f"a time limit must be above 0 and at most {LONGEST_S} s: "
        raise pytest.UsageError(told + ", ".join(endless))
    items.sort(key=limit_s, reverse=True)
