"""A copy of the checkout as git knows it: no caches, nothing built."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def copy_of_tree(goal: Path) -> Path:
    """Copy every file that git tracks, or would with the next `git add`, as it is now."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():  # neither deleted nor a linked folder
            (goal / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, goal / name)
    return goal
