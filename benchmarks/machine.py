"""The machine that a benchmark ran on, without which its figures mean nothing."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "numba", "simpy", "ciw", "libcachesim", "cachetools")


def _processor() -> str:
    """Return the processor's name if Linux knows it, or its architecture."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def machine() -> dict[str, str]:
    """Return the processor, the system, and the versions of Python and of the packages raced."""
    found = {
        "processor": f"{os.cpu_count()} x {_processor()}",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
    }
    return found | {package: _version(package) for package in PACKAGES}
