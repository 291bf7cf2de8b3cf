"""The measures of `run.py` that have a process of their own; prints seconds and MB as JSON."""

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from variorum_kb.reading.edition import read_edition


def words(files: list[tuple[str, bytes]]) -> None:
    """Do the least that any reader must do: decode, and look at every word."""
    for _, data in files:
        data.decode("latin-1").split()


def read_all(files: list[tuple[str, bytes]]) -> None:
    """Read every edition, and keep none."""
    for name, data in files:
        read_edition(data, name)


def references(base: Path) -> None:
    """Find and resolve every citation of every edition of a base."""
    from variorum_kb.references.find import find_references  # noqa: PLC0415 - for this alone
    from variorum_kb.references.ranges import numbers_between  # noqa: PLC0415
    from variorum_kb.rows import State, full_text  # noqa: PLC0415
    from variorum_kb.store.reader import Reader  # noqa: PLC0415
    from variorum_kb.text.keys import bearing, keys_of  # noqa: PLC0415

    by_body: dict[str, tuple[Any, ...]] = {}
    reader = Reader(base / "kb.sqlite")
    for edition in reader.editions():
        states = reader.states_in(edition["id"])
        numbered: dict[str, list[State]] = {}
        for state in states:
            for key in keys_of(state) if state.number else ():
                numbered.setdefault(key, []).append(state)
        for state in states:
            if state.body not in by_body:
                by_body[state.body] = find_references(full_text(state.body))
            for reference in by_body[state.body]:
                for number in numbers_between(reference.first, reference.last):
                    bearing(lambda key: numbered.get(key, []), number)  # noqa: B023 - called here


def main() -> None:
    """Measure what the first argument names, in the folder that the second argument names."""
    name, folder = sys.argv[1:]
    files = [
        (path.name, path.read_bytes()) for path in sorted((Path(folder) / "official").glob("*"))
    ]
    match name:
        case "words":
            start = time.process_time()
            words(files)
        case "read-all":
            start = time.process_time()
            read_all(files)
        case "read-one":
            longest = max(files, key=lambda file: len(file[1].replace(b"\x00", b"")))
            read_all([longest])
            start = time.process_time()
            read_all([longest])
        case "references":
            files.clear()
            start = time.process_time()
            references(Path(folder) / "base")
        case _:
            raise SystemExit(f"no measure is called {name}")
    seconds = time.process_time() - start
    sys.stdout.write(json.dumps({"seconds": seconds, "megabytes": peak_memory()}))


def peak_memory() -> float:
    """Return the most memory that this process has had, in MB; 0 if the platform does not say."""
    if sys.platform == "win32":
        return 0.0
    resource = importlib.import_module("resource")
    # Kilobytes on Linux, bytes on macOS.
    scale = 1024**2 if sys.platform == "darwin" else 1024
    most: float = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
    return most


if __name__ == "__main__":
    main()
