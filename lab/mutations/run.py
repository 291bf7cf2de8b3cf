"""Plant faults in every room, one at a time, and check whether the room's own tests notice them.

A seed draws the faults; a larger room has more. Each fault is planted in a copy of the tree, so
other programs do not see it. The tests that name the module run first, because they notice most
faults. Exits 1 if fewer are noticed than required.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from lab.mutations.mutants import Mutant, find_mutants

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
PACKAGES = {
    "variorum_crawler": "crawler",
    "variorum_kb": "kb",
    "variorum": "kb",
    "variorum_mcp": "kb",
    "variorum_site": "site",
}
SECONDS = 600
LEAST = 0.9


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a module of a room.

    Attributes:
        room: The folder of the room's tests, or a pattern of their paths.
        path: The path of the module.
        text: The line with the fault, without blanks around it.
        mutant: The change.
    """

    room: str
    path: str
    text: str
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.path}:{self.mutant.line}: {self.mutant.old} became {self.mutant.new}"


def rooms() -> dict[str, list[str]]:
    """Return the modules of each room, by the folder or pattern of its tests."""
    by_room: dict[str, list[str]] = {}
    for package, part in PACKAGES.items():
        for module in sorted((ROOT / part / package).rglob("*.py")):
            path = module.relative_to(ROOT)
            by_room.setdefault(_room(part, path), []).append(path.as_posix())
    return by_room


def _room(part: str, path: Path) -> str:
    """Return the tests of a module; for a module in no room, the tests beside the folders."""
    _, package, *inner = path.parts[:-1]
    if part == "site":
        return "tests/site"
    if package == "variorum_mcp":
        return "tests/kb/mcp"
    if not inner:
        return f"tests/{part}/test_*.py"
    room = f"tests/{part}/{inner[0]}"
    return room if (ROOT / room).is_dir() else f"tests/{part}"


def paths_of_tests(fault: Fault, tree: Path) -> list[str]:
    """Return the paths of a room's tests, first those that are named like the module or import it.

    For a module in no room, all tests that import it; if there are none, all tests.
    """
    room = sorted(tree.glob(fault.room))
    places = room if room[0].is_dir() else [room[0].parent]
    files = [file for place in places for file in sorted(place.rglob("test_*.py"))]
    module = Path(fault.path)
    dotted = ".".join(module.with_suffix("").parts[1:])
    own = [file for file in files if file.name == f"test_{module.name}"]
    first = own or [file for file in files if _imports(file.read_text("utf-8"), dotted)]
    last = room if first else places
    return [path.relative_to(tree).as_posix() for path in dict.fromkeys([*first, *last])]


def _imports(text: str, dotted: str) -> bool:
    package, _, name = dotted.rpartition(".")
    return re.search(rf"\b{dotted}\b|from {package} import .*\b{name}\b", text) is not None


def draw(count: int, seed: int, only: str) -> list[Fault]:
    """Draw faults of all rooms, in proportion to their sizes and at least one each."""
    every = {
        room: [
            Fault(room, path, lines[mutant.line - 1].strip(), mutant)
            for path in paths
            for source in [(ROOT / path).read_text("utf-8")]
            for lines in [source.splitlines()]
            for mutant in find_mutants(source)
        ]
        for room, paths in rooms().items()
        if only in room
    }
    total = sum(map(len, every.values()))
    chance = random.Random(seed)
    return [
        fault
        for faults in every.values()
        if faults
        for fault in chance.sample(
            faults, min(len(faults), max(1, round(count * len(faults) / total)))
        )
    ]


def is_noticed(fault: Fault, tree: Path) -> bool:
    """Return whether the tests of a room fail, or take too long, with a fault."""
    module = tree / fault.path
    source = module.read_text("utf-8")
    module.write_text(fault.mutant.apply(source), "utf-8")
    try:
        return any(_fails(fault, tree, marked) for marked in ("not slow", "slow"))
    finally:
        module.write_text(source, "utf-8")


def _fails(fault: Fault, tree: Path, marked: str) -> bool:
    folders = os.pathsep.join(str(tree / part) for part in dict.fromkeys(PACKAGES.values()))
    command = [
        sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
        "-m", f"{marked} and not corpus and not browser", *paths_of_tests(fault, tree), fault.path,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, cwd=tree, env={**os.environ, "PYTHONPATH": folders}, check=False,
            capture_output=True, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    # 5: no test was collected.
    return done.returncode not in {0, 5}


def equivalent() -> set[tuple[str, str, str, str]]:
    """Return the faults that change no answer, according to a person."""
    table = tomllib.loads(EQUIVALENT.read_text("utf-8"))
    return {
        (fault["path"], fault["text"], fault["old"], fault["new"])
        for fault in table.get("fault", [])
    }


def try_all(faults: Sequence[Fault], jobs: int) -> Iterator[tuple[Fault, bool]]:
    """Yield each fault and whether it was noticed, in order."""
    trees: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(jobs):
            tree = Path(folder, str(number))
            ignored = shutil.ignore_patterns(".venv*", ".git", "dist", ".*_cache", "__pycache__")
            shutil.copytree(ROOT, tree, ignore=ignored)
            trees.put(tree)

        def attempt(fault: Fault) -> bool:
            tree = trees.get()
            try:
                return is_noticed(fault, tree)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(jobs) as pool:
            yield from zip(faults, pool.map(attempt, faults), strict=True)


def main() -> int:
    """Print how many faults were noticed in each room, and every fault that was not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=80, help="how many faults")
    parser.add_argument("--seed", type=int, default=16, help="draws other faults")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--only", default="", help="part of the name of a room")
    options = parser.parse_args()
    known = equivalent()
    drawn = draw(options.count, options.seed, options.only)
    faults = [f for f in drawn if (f.path, f.text, f.mutant.old, f.mutant.new) not in known]
    counts: dict[str, list[bool]] = {}
    for fault, noticed in try_all(faults, options.jobs):
        counts.setdefault(fault.room, []).append(noticed)
        if not noticed:
            print(f"not noticed: {fault}", flush=True)  # noqa: T201 - this is what it is for
    for room, results in counts.items():
        print(f"{sum(results):>3} of {len(results):>3}  {room}")  # noqa: T201 - likewise
    total = sum(sum(results) for results in counts.values())
    print(f"{total} of {len(faults)}, {len(drawn) - len(faults)} are equivalent")  # noqa: T201
    return int(total < LEAST * len(faults))


if __name__ == "__main__":
    sys.exit(main())
