"""Plant small faults in the product, one at a time, and report which of them no test notices.

A seed draws the faults from all modules; a larger module gets more. Each is planted in a copy of the
tree. The tests that ran the faulty line are run until one fails, the quickest first; which tests
those are, a run of the suite under coverage.py says once. That and every result are kept in
`.mutate/`, so a run that was stopped continues, and after a change of tests only they and the faults
that were missed are tried again. Exits 1 if fewer faults are noticed than required.
"""

import argparse
import ast
import copy
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import cast

from lab.lines_run import ROOT, Record, copy_tree, modules, run_tests

KEPT = ROOT / ".mutate"
EQUIVALENT = Path(__file__).with_name("equivalent.tsv")
# What is soon to be replaced: documents other than editions, the fast path, Word and RTF.
WITHOUT = (
    "kb/variorum/cli/start.py",
    "kb/variorum/cli/fast_*.py", "kb/variorum/reading/originals.py",
)  # fmt: skip
# Seconds of tests, as they were recorded, that are run for a fault; a file's first tests run alone.
MOST, FIRST_TESTS = 120, 25

# Faults ------------------------------------------------------------------------------------------

_OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """One expression of a module, and what replaces it; `start` is its offset in bytes.

    `lines` are those of the statement, of a compound one its head. `names` are what the statement
    defines if it runs when the module is imported; otherwise there are none.
    """

    path: str
    line: int
    text: str
    old: str
    new: str
    start: int
    lines: range
    names: tuple[str, ...] | None

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
    for node, statement, names in _expressions(ast.parse(source), range(0), ()):
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        old = source.encode()[start:end].decode()
        for changed in _changed(node):
            new = f"({ast.unparse(changed)})"
            text = lines[node.lineno - 1].strip()
            yield Fault(path, node.lineno, text, old, new, start, statement, names)


def _expressions(
    tree: ast.AST, statement: range, names: tuple[str, ...] | None
) -> Iterator[tuple[ast.expr, range, tuple[str, ...] | None]]:
    """Yield the expressions that are run: no annotations, docstrings, messages or parts of f-strings.

    Arguments such as `zip(strict=…)` only guard against the impossible, so they are left out.
    """
    if isinstance(tree, ast.stmt):
        last = tree.end_lineno or tree.lineno
        body = cast("list[ast.stmt]", getattr(tree, "body", []))
        statement = range(tree.lineno, body[0].lineno if body else last + 1)
        if names is not None:
            names += tuple(_defined(tree))
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "exc", "type_params"}:
            continue
        is_later = name == "body" and isinstance(
            tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        )
        for child in cast("list[object]", value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _is_left_out(name, child):
                continue
            inner = None if is_later else names
            if isinstance(child, ast.expr):
                yield child, statement, inner
            yield from _expressions(child, statement, inner)


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


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (
            node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
        )


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


# Running -----------------------------------------------------------------------------------------


def state_of(tree: Path) -> str:
    """Return a digest of all files of a copy of the tree."""
    digest = hashlib.sha256()
    for file in sorted(path for path in tree.rglob("*") if path.is_file()):
        digest.update(
            f"{file.relative_to(tree)} {file.stat().st_size}".encode() + file.read_bytes()
        )
    return digest.hexdigest()[:16]


def attempt(fault: Fault, record: Record, tree: Path) -> str:
    """Return which test notices a fault, or why none does."""
    tests, seconds = record.tests_of(fault.path, fault.line, fault.lines, fault.names), 0.0
    if not tests:
        return "missed, no test runs it"
    chosen = [
        test
        for test in tests
        if (seconds := seconds + record.seconds[test]) <= MOST or test == tests[0]
    ]
    module, order = tree / fault.path, tree / "chosen.json"
    source = module.read_text("utf-8")
    module.write_text(fault.apply(source), "utf-8")
    try:
        for part in filter(None, (chosen[:FIRST_TESTS], chosen[FIRST_TESTS:])):
            limit = 60 + 10 * sum(record.seconds[test] for test in part)
            order.write_text(json.dumps(part), "utf-8")
            files = dict.fromkeys(test.partition("::")[0] for test in part)
            code, printed = run_tests(tree, ["-x", *files], {"LINES_CHOSEN": str(order)}, limit)
            if code not in {0, 5}:  # 5: no test was collected
                failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", printed, re.MULTILINE)
                return f"noticed by {failed[1] if failed else 'all tests'}"
    except subprocess.TimeoutExpired:
        return "noticed, since tests do not end"
    finally:
        module.write_text(source, "utf-8")
    return f"missed by {len(chosen)} tests" + (
        f" of {len(tests)}" if len(chosen) < len(tests) else ""
    )


def draw(options: argparse.Namespace, sources: dict[str, str]) -> list[Fault]:
    """Draw faults that are not known to change no answer."""
    rows = [line.split("\t") for line in EQUIVALENT.read_text("utf-8").splitlines()[1:]]
    known = {tuple(row[:4]) for row in rows}
    every = [
        fault
        for path, source in sources.items()
        if any(fnmatch(path, pattern) for pattern in options.only)
        if not any(fnmatch(path, pattern) for pattern in options.without)
        for fault in find_faults(path, source)
        if (fault.path, fault.text, fault.old, fault.new) not in known
    ]
    return random.Random(options.seed).sample(every, min(options.count, len(every)))


class Results:
    """What came of faults: who noticed one counts as long as the module is as it was; a miss, while all is."""

    def __init__(self, file: Path, tree: Path, sources: dict[str, str]) -> None:
        self._file, self._tree, self._known = file, state_of(tree), dict[str, str]()
        self._sources = sources
        for line in file.read_text("utf-8").splitlines() if file.exists() else []:
            key, state, outcome = line.split("\t")
            if state == self._tree or outcome.startswith("noticed"):
                self._known[key] = outcome

    def outcome(self, fault: Fault, find: Callable[[], str]) -> str:
        """Return what came of a fault; find out if it is not known."""
        module = hashlib.sha256(self._sources[fault.path].encode()).hexdigest()
        key = json.dumps([str(fault), fault.start, module[:16]])
        if key not in self._known:
            self._known[key] = find()
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{key}\t{self._tree}\t{self._known[key]}\n")
        return self._known[key]


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201 - this is what it is for


def main() -> int:
    """Plant faults, print what came of each, and those that were missed once more."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--count", type=int, default=100, help="how many faults")
    add("--seed", type=int, default=16, help="draws other faults")
    add(
        "--only",
        nargs="*",
        default="*",
        help="patterns of modules, such as 'kb/variorum/audit/*'",
    )
    add("--without", nargs="*", default=WITHOUT, help="patterns of modules that get no fault")
    add("--jobs", type=int, default=2, help="how many faults at once")
    add("--least", type=float, default=0.8, help="which part must be noticed")
    add("--fresh", action="store_true", help="forget the lines and results of earlier runs")
    options = parser.parse_args()
    kept = [KEPT / "lines.json", KEPT / "results.tsv"]
    KEPT.mkdir(exist_ok=True)
    for file in kept if options.fresh else []:
        file.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        copies = [copy_tree(Path(folder, str(number))) for number in range(options.jobs)]
        sources = modules(copies[0])
        faults, results = draw(options, sources), Results(kept[1], copies[0], sources)
        record = Record(kept[0], copies[0], options.jobs)
        say(
            f"{len(faults)} faults; {len(record.seconds)} tests of {sum(record.seconds.values()):.0f} s"
        )

        def judge(fault: Fault) -> str:
            tree = trees.get()
            try:
                outcome = results.outcome(fault, lambda: attempt(fault, record, tree))
            finally:
                trees.put(tree)
            say(f"{fault}: {outcome}")
            return outcome

        for copied in copies:
            trees.put(copied)
        with ThreadPoolExecutor(options.jobs) as pool:
            outcomes = dict(zip(faults, pool.map(judge, faults), strict=True))
    missed = sorted(
        f"{fault}: {outcome}" for fault, outcome in outcomes.items() if outcome.startswith("missed")
    )
    say("\n".join(["", *missed, f"noticed {len(faults) - len(missed)} of {len(faults)}"]))
    return int(len(faults) - len(missed) < options.least * len(faults))


if __name__ == "__main__":
    sys.exit(main())
