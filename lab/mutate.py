"""Plant small faults in the product, one at a time, and report which of them no test notices.

A run of the suite with pytest-cov says once which tests run which lines; `.mutate/` keeps that
until a file of the checkout changes. A seed draws the faults. Each is planted in a copy of the tree,
and the tests that ran its line are run until one fails, the quickest first; behind them the other
tests of the same files and all transcripts, since tests share what is made once. Exits 1 if fewer
faults are noticed than required.
"""

import argparse
import ast
import copy
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from typing import cast

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".mutate"
EQUIVALENT = Path(__file__).with_name("equivalent.tsv")
PARTS = ("crawler", "kb", "site")
IGNORED = (".venv*", ".git", ".mutate", "dist", ".*_cache", "__pycache__", "node_modules")
# The share of all seconds of tests, as they were recorded, that is run for a fault.
MOST = 0.2
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)

# Faults ------------------------------------------------------------------------------------------

_OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """One expression of a module, and what replaces it; `start` is its offset in bytes."""

    path: str
    line: int
    text: str
    old: str
    new: str
    start: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} became {self.new}"

    def apply(self, source: str) -> str:
        """Return the source with the fault."""
        data, end = source.encode(), self.start + len(self.old.encode())
        return (data[: self.start] + self.new.encode() + data[end:]).decode()


def find_faults(path: str, source: str) -> Iterator[Fault]:
    """Yield the possible faults of a module, in the order of its lines."""
    begins = [0]
    for line in source.encode().splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    lines = source.splitlines()
    for node in _expressions(ast.parse(source)):
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        old = source.encode()[start:end].decode()
        for changed in _changed(node):
            text = lines[node.lineno - 1].strip()
            yield Fault(path, node.lineno, text, old, f"({ast.unparse(changed)})", start)


def _expressions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that are run: no annotations, docstrings, messages or parts of f-strings.

    Arguments such as `zip(strict=…)` only guard against the impossible, so they are left out.
    """
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "exc", "type_params"}:
            continue
        for child in cast("list[object]", value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not _is_left_out(name, child):
                if isinstance(child, ast.expr):
                    yield child
                yield from _expressions(child)


def _is_left_out(field: str, node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.keyword(arg="doc" | "strict"):
            return True
        case ast.Tuple():
            return field == "slice"  # tuple[int, str]
        case ast.If(test=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name == "TYPE_CHECKING"
        case _:
            return False


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _OPPOSITE:
            yield _with(node, ops=[_OPPOSITE[type(op)]()])
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in _OPPOSITE:
            yield _with(node, op=_OPPOSITE[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str(value)) if value and not value.strip(" ,.;:-\n\t/|"):
            yield ast.Constant("")
        case ast.Tuple(elts=[_, _, *_], ctx=ast.Load()):
            yield _with(node, elts=node.elts[:-1])
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case _:
            pass


def _with(node: ast.expr, **changes: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in changes.items():
        setattr(changed, name, value)
    return changed


def draw(options: argparse.Namespace) -> list[Fault]:
    """Draw faults that are not known to change no answer."""
    rows = [line.split("\t") for line in EQUIVALENT.read_text("utf-8").splitlines()[1:]]
    known = {tuple(row[:4]) for row in rows}
    paths = [path for part in PARTS for path in sorted((ROOT / part).glob("variorum*/**/*.py"))]
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    every = [
        fault
        for name in names
        if any(fnmatch(name, pattern) for pattern in options.only)
        for fault in find_faults(name, (ROOT / name).read_text("utf-8"))
        if (fault.path, fault.text, fault.old, fault.new) not in known
    ]
    return random.Random(options.seed).sample(every, min(options.count, len(every)))


# Which tests run which lines ---------------------------------------------------------------------


class Record:
    """Which tests run which lines of a copy of the tree, and how many seconds each test takes."""

    def __init__(self, tree: Path, jobs: int) -> None:
        """Run the suite, unless what that recorded is kept."""
        digest = hashlib.sha256()
        for file in sorted(path for path in tree.rglob("*") if path.is_file()):
            digest.update(str(file.relative_to(tree)).encode() + file.read_bytes())
        kept = KEPT / digest.hexdigest()[:16]
        if not (kept / "printed").exists():
            say("Recording which tests run which lines.")
            kept.mkdir(parents=True, exist_ok=True)
            (kept / "settings").write_text(
                f"[run]\ndata_file = {kept}/lines\npatch = subprocess, _exit\n"
                f"concurrency = multiprocessing, thread\ninclude = {tree}/*/variorum*/*\n"
            )
            measured = ["--cov", f"--cov-config={kept}/settings", "--cov-context=test"]
            timed = ["-n", str(jobs), "--dist", "loadgroup", "--durations=0", "--durations-min=0"]
            _, said = run_tests(tree, [*measured, "--cov-report=", *timed, "-v", "tests", *PARTS])
            (kept / "printed").write_text(said, "utf-8")
        self.lines = CoverageData(str(kept / "lines"))
        self.lines.read()
        self.seconds, printed = (
            defaultdict[str, float](float),
            (kept / "printed").read_text("utf-8"),
        )
        for took, test in re.findall(
            r"^([\d.]+)s (?:setup|call|teardown) +(.+)$", printed, re.MULTILINE
        ):
            self.seconds[test] += float(took)
        for failed in _FAILED.findall(printed):
            self.seconds.pop(failed, None)

    def tests_of(self, fault: Fault) -> list[str]:
        """Return the tests that may notice a fault, the likeliest and quickest first."""
        paths = [path for path in self.lines.measured_files() if path.endswith(f"/{fault.path}")]
        lines = self.lines.contexts_by_lineno(paths[0]) if paths else {}
        ran = {*lines.get(fault.line, [""])}
        if "" in ran:  # by an import, or in another process
            ran = ran.union(*lines.values())
        direct = {context.rpartition("|")[0] for context in ran}
        files = {_file_of(test) for test in direct} | {"tests/test_transcripts.py"}
        near = [test for test in self.seconds if test in direct or _file_of(test) in files]
        near.sort(key=lambda test: (test not in direct, self.seconds[test]))
        total = [*accumulate(self.seconds[test] for test in near)]
        return near[: max(1, bisect(total, MOST * sum(self.seconds.values())))]


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def run_tests(tree: Path, arguments: Sequence[str], limit: float | None = None) -> tuple[int, str]:
    """Run tests of a copy of the tree; return the exit code of pytest and what it printed."""
    folders = os.pathsep.join([str(tree), *(str(tree / part) for part in PARTS)])
    options = ["-q", "-p", "no:cacheprovider", "-m", "not browser"]
    with tempfile.TemporaryFile() as printed:  # a pipe would wait for processes that outlive tests
        done = subprocess.run(
            [sys.executable, "-P", "-m", "pytest", *options, *arguments], cwd=tree, timeout=limit,
            env={**os.environ, "PYTHONPATH": folders}, check=False,
            stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT,
        )  # fmt: skip
        printed.seek(0)
        return done.returncode, printed.read().decode(errors="replace")


# Running -----------------------------------------------------------------------------------------


def attempt(fault: Fault, known: Record, tree: Path) -> str:
    """Return which test notices a fault, or that none does."""
    tests = known.tests_of(fault)
    module = tree / fault.path
    source = module.read_text("utf-8")
    module.write_text(fault.apply(source), "utf-8")
    try:
        limit = 60 + 10 * sum(known.seconds[test] for test in tests)
        code, printed = run_tests(tree, ["-x", *tests], limit)
    except subprocess.TimeoutExpired:
        return "noticed, since tests do not end"
    finally:
        module.write_text(source, "utf-8")
    if code:
        return f"noticed by {next(iter(_FAILED.findall(printed)), 'all tests')}"
    return f"missed by {len(tests)} tests"


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201 - this is what it is for


def main() -> int:
    """Plant faults, print what came of each, and those that were missed once more."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--count", type=int, default=100, help="how many faults")
    add("--seed", type=int, default=16, help="draws other faults")
    add("--only", nargs="*", default="*", help="modules, such as 'kb/variorum/audit/*'")
    add("--jobs", type=int, default=2, help="how many faults at once")
    add("--least", type=float, default=0.8, help="which part must be noticed")
    options = parser.parse_args()
    faults = draw(options)
    with tempfile.TemporaryDirectory() as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            copied = Path(folder, str(number))
            trees.put(shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns(*IGNORED)))
        known = Record(Path(folder, "0"), options.jobs)

        def judge(fault: Fault) -> str:
            tree = trees.get()
            try:
                outcome = attempt(fault, known, tree)
            finally:
                trees.put(tree)
            say(f"{fault}: {outcome}")
            return f"{fault}: {outcome}"

        with ThreadPoolExecutor(options.jobs) as pool:
            missed = [told for told in pool.map(judge, faults) if ": missed by" in told]
    say("\n".join(["", *missed, f"noticed {len(faults) - len(missed)} of {len(faults)}"]))
    return int(len(faults) - len(missed) < options.least * len(faults))


if __name__ == "__main__":
    sys.exit(main())
