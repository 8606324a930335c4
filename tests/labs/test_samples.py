"""The sample trace is what its script prints, and nobody edited it."""

import subprocess
import sys
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "labs" / "samples"


def test_collector_trace_is_made_by_its_script():
    made = subprocess.run(
        [sys.executable, SAMPLES / "collector.py"], capture_output=True, text=True, check=True
    )
    assert made.stdout == (SAMPLES / "collector.csv").read_text()
