"""Measures of `cr audit` on a tree of invented programs, compared with a program that only reads it."""

import contextlib
import importlib
import json
import os
import random
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import run as run_command

Run = Callable[[], tuple[float, float]]
_CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
_AS_OF = "2014-07-18"
_CITED, _SIZE = 20, 10_000
_FILES = (1_000, 5_000, 20_000)
_SEED = 20261120
_READ = (
    "import pathlib, sys; "
    "print(sum(p.read_bytes().count(b'CR ') for p in pathlib.Path(sys.argv[1]).rglob('*.rs')))"
)
_TEXT = (
    "walks the queue before anything else happens here and asks for more while nobody looks at it "
    "because every caller waits until its own step has been taken out of the way by somebody else"
)
_PROSE = _TEXT.split()


def auditing(folder: Path, base: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of an audit, each in a process of its own, including its children.

    Args:
        folder: The folder in which trees are made.
        base: The folder of a base of all editions.
    """
    with KnowledgeBase.open(base) as opened:
        numbers = [
            provision.number for provision in opened.provisions(_AS_OF) if "." in provision.number
        ]
    trees = {count: write_files(folder / f"audited-{count}", count, numbers) for count in _FILES}
    five, asked = trees[5_000], ("--as-of", _AS_OF, "--kb", str(base))
    yield "5,000 files only read (baseline)", _timed(sys.executable, "-c", _READ, str(five)), ""
    yield "cr audit of them: 100,000 citations", _timed(str(_CR), "audit", str(five), *asked), "6 s"
    seconds = _timed(str(_CR), "audit", str(five), *asked, "--jobs", "1")
    yield "the same in one process", seconds, ""
    for count in _FILES:
        for who in ("itself", "a child"):
            name = f"{count:,} files, {_CITED * count:,} citations; MB of {who}"
            arguments = ("audit", str(trees[count]), *asked, "--format", "github")
            yield name, _in_memory(who, arguments), "constant"


def _timed(*command: str) -> Run:
    def run() -> tuple[float, float]:
        start = time.perf_counter()
        done = subprocess.run(command, check=False, capture_output=True)
        seconds = time.perf_counter() - start
        if done.returncode not in {0, 1} or b"Traceback" in done.stderr:
            raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
        return seconds, 0.0

    return run


def _in_memory(who: str, arguments: tuple[str, ...]) -> Run:
    def run() -> tuple[float, float]:
        command = (sys.executable, __file__, *arguments)
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout)
        return result["seconds"], result[who]

    return run


def write_files(folder: Path, count: int, numbers: list[str]) -> Path:
    """Write programs of ten kilobytes, each with twenty citations; return their folder."""
    rng = random.Random(_SEED)
    for place in range(count):
        path = folder / f"part{place % 50}" / f"file{place}.rs"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_program(rng, numbers), "utf-8")
    return folder


def _program(rng: random.Random, numbers: list[str]) -> str:
    lines: list[str] = []
    for _ in range(_CITED):
        start = rng.randrange(len(_PROSE) - 8)
        words = " ".join(_PROSE[start : start + 8])
        lines.append(f"    // {words} (CR {rng.choice(numbers)}).")
        while sum(map(len, lines)) % (_SIZE // _CITED) < _SIZE // _CITED - 60:
            value, second = rng.randrange(1000), rng.randrange(100)
            lines.append(f"    let step_{value} = queue.take({second}, 0.{value}).rest();")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run a command; print its seconds, and the memory that it and its largest child needed."""
    start = time.perf_counter()
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.suppress(SystemExit),
    ):
        run_command(sys.argv[1:])
    seconds = time.perf_counter() - start
    own, child = _peaks()
    sys.stdout.write(json.dumps({"seconds": seconds, "itself": own, "a child": child}))


def _peaks() -> tuple[float, float]:
    """Return the peak of memory, in MB, of this process and of a child; 0 if unknown."""
    if sys.platform == "win32":
        return 0.0, 0.0
    resource = importlib.import_module("resource")
    # Kilobytes on Linux, bytes on macOS.
    scale = 1024**2 if sys.platform == "darwin" else 1024
    own: float = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
    child: float = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / scale
    return own, child


if __name__ == "__main__":
    main()
