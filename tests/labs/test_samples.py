"""The scripts of the labs' sample data write the same files each time."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "labs" / "samples"


def digests(folder: Path) -> dict[str, str]:
    """Return the digests of the data files in a folder, by their paths."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.*"))
        if path.suffix in (".csv", ".txt")
    }


@pytest.mark.parametrize("script", ["collector.py", "own_numbers.py"])
def test_a_script_writes_the_files_that_are_there(script, tmp_path):
    copy = tmp_path / script
    copy.write_bytes((SAMPLES / script).read_bytes())
    subprocess.run([sys.executable, copy], check=True, timeout=60)
    written, there = digests(tmp_path), digests(SAMPLES)
    assert written
    assert written.items() <= there.items()
