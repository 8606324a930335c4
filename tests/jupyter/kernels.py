"""Kernels that meet their clients at files instead of ports: a pytest plugin for nbval, too.

A port that is found free may be taken before the kernel binds it, by any connection of the machine.
A kernel whose iopub port is taken neither ends nor answers: its client waits until it gives up.
"""

import itertools
import tempfile

from jupyter_client.manager import KernelManager


class KernelsAtFiles:
    """Make kernel managers whose sockets are files in one folder, until it is closed."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="kernels-")  # a socket's path is short
        self._numbers = itertools.count()
        self.close = self._folder.cleanup

    def manager(self, **traits) -> KernelManager:
        place = f"{self._folder.name}/{next(self._numbers)}"
        return KernelManager(transport="ipc", ip=place, **traits)


def pytest_configure(config):
    """Where this module is loaded as a plugin, nbval's kernels are such."""
    import nbval.kernel

    kernels = KernelsAtFiles()
    config.add_cleanup(kernels.close)
    nbval.kernel.KernelManager = kernels.manager
