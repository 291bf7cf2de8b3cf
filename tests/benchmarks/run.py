"""Measure time and memory on the real editions; `make bench` runs this.

Figures are medians of several runs in fresh processes. Times of a shared machine wander, so each
is also given as a ratio to a baseline that runs in turn with it: a process that only reads the
same files and splits them into words.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MEASURES = {
    "words": "all editions, only split into words (the baseline)",
    "read-all": "all editions, read on one core",
    "read-one": "the longest edition alone, read once in a warm process",
}


def measure(name: str, corpus: Path) -> dict[str, float]:
    """Run one measure in a process of its own; seconds of processor time and MB."""
    command = [sys.executable, str(HERE / "measures.py"), name, str(corpus)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> int:
    """Print a table of medians; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each is run")
    runs = parser.parse_args().runs
    named = os.environ.get("VARIORUM_CORPUS")
    if not named:
        sys.stderr.write("VARIORUM_CORPUS must name the folder of the real editions\n")
        return 1
    found: dict[str, list[dict[str, float]]] = {name: [] for name in MEASURES}
    for _ in range(runs):
        for name, results in found.items():
            results.append(measure(name, Path(named)))
    baseline = statistics.median(one["seconds"] for one in found["words"])
    sys.stdout.write(f"{'':54} {'seconds':>8} {'ratio':>6} {'MB':>5}\n")
    for name, results in found.items():
        seconds = statistics.median(one["seconds"] for one in results)
        memory = max(one["megabytes"] for one in results)
        ratio = seconds / baseline
        sys.stdout.write(f"{MEASURES[name]:54} {seconds:8.3f} {ratio:6.2f} {memory:5.0f}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
