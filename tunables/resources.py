"""Files beside the code: a checkout has them at its top, an installed package inside."""

from importlib.resources import files
from pathlib import Path


def resource_folder(place: str) -> Path:
    """Return a folder of the installed package, or that of the checkout around the package.

    place: its path from the top of a checkout; the package has it by its last name. It may be
    missing, as the page's scripts are before they are built.

    >>> (resource_folder("data") / "rrd-system-cache.csv").is_file()
    True
    """
    package = Path(str(files("tunables")))
    installed = package / Path(place).name
    return installed if installed.is_dir() else package.parent / place
