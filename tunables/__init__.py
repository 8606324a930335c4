"""Tunables: eight models that reproduce seven published performance reports.

    import tunables

    tunables.erlang_c(servers=4, offered_load=3.2)

`dir(tunables)` lists what it offers: closed forms, simulators (`simulate_...`, `trace_...`), the
published numbers, the cases, and fits to your own numbers. A name is loaded when it is first used.
"""

__version__ = "0.3.0"


def _names():
    # Not an import, since the page would load it too, where nobody asks for these names.
    return __import__("tunables.names", None, None, ["homes"])


def __getattr__(name):
    if name.startswith("_"):  # Python asks for some of these by itself
        raise AttributeError(name)
    return _names().find_name(name)


def __dir__():
    return sorted(list(globals()) + list(_names().homes()))
