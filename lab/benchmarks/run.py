"""Measure time and memory on the real editions; `make bench` runs this.

Figures are medians of several runs, each in a fresh process unless it is called warm. Machines are
shared and noisy. So measures take turns with a baseline, and each figure is also given as a ratio
to it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from variorum_kb.answers.exports.export import export_edition

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))  # the checkout, only for the folder of tests
from lab.benchmarks.growth import SIZES, report_growth  # noqa: E402 - found there

CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure.

    Attributes:
        run: Measures once; returns seconds and MB (0 if not measured).
        limit: The limit that the project sets, in words.
    """

    name: str
    run: Callable[[], tuple[float, float]]
    limit: str = ""


def reading(corpus: Path) -> Iterator[Measure]:
    """Yield measures of the reader, each a process of its own."""

    def alone(measured: str) -> Callable[[], tuple[float, float]]:
        command = [sys.executable, str(HERE / "measures.py"), measured, str(corpus)]

        def run() -> tuple[float, float]:
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            result = json.loads(done.stdout)
            return result["seconds"], result["megabytes"]

        return run

    yield Measure("all editions only split into words (baseline)", alone("words"))
    yield Measure("all editions read on one core", alone("read-all"), "6 s, 300 MB")
    yield Measure("the longest edition, warm", alone("read-one"), "0.107 s")


def building(corpus: Path, folder: Path) -> Iterator[Measure]:
    """Yield measures of building, wall time."""
    files = sorted((corpus / "official").iterdir())
    all_but_one = folder / "all-but-one"
    timed(["build", "--kb", str(all_but_one), *map(str, files[:-1])])

    def build(base: str, *paths: Path) -> Callable[[], tuple[float, float]]:
        def run() -> tuple[float, float]:
            target = folder / base
            if base == "new":
                target = Path(tempfile.mkdtemp(dir=folder))
            elif base == "one-more":
                target = Path(tempfile.mkdtemp(dir=folder))
                copy(all_but_one, target)
            seconds = timed(["build", "--kb", str(target), *map(str, paths)])
            return seconds, (target / "kb.sqlite").stat().st_size / 1e6

        return run

    yield Measure("build of all editions (MB: kb.sqlite)", build("new", *files), "30 s, 40 MB")
    yield Measure("one more edition", build("one-more", files[-1]), "2 s")
    yield Measure("nothing new", build("all-but-one", *files[:-1]), "0.5 s")


def citing(folder: Path) -> Iterator[Measure]:
    """Yield the measure of finding and resolving all citations, from a base."""
    command = [sys.executable, str(HERE / "measures.py"), "references", str(folder)]

    def run() -> tuple[float, float]:
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout)
        return result["seconds"], result["megabytes"]

    yield Measure("all citations of all editions found and resolved", run, "5 s")


def looking_up(folder: Path) -> Iterator[Measure]:
    """Yield measures of commands, cold: wall time of a process each."""
    environment = {**os.environ, "VARIORUM_KB": str(folder / "base")}

    def cold(*command: str) -> Callable[[], tuple[float, float]]:
        return lambda: (timed_process(command, environment), 0.0)

    yield Measure("python -c pass (baseline)", cold(sys.executable, "-c", "pass"))
    yield Measure("python -c 'import click'", cold(sys.executable, "-c", "import click"))
    for module in ("whoosh.index", "whoosh.index, whoosh.reading, whoosh.codec.whoosh3"):
        yield Measure(
            f"python -c 'import {module[:20]}…'", cold(sys.executable, "-c", f"import {module}")
        )
    for words, limit in (
        ("704.5k", "ratio 1.5"),
        ("704.5k 704.5j", "ratio 1.5"),
        ("600.4a", "ratio 1.5"),
        ("600.4a-c", "ratio 1.5"),
        ("600.4a --on 2007-10-01", "ratio 5"),
        ("508.1d-f", "ratio 5"),
        ("trample", "ratio 5"),
        ("704.5k --json", "ratio 5"),
        ("refs 704.5k", "ratio 5"),
        ("704.5k --markdown", "ratio 5"),
        ("history 704.5k", "ratio 4"),
        ("history 702", "ratio 4"),
        ("blame 704.5k", "ratio 4"),
        ("blame 702.19", "ratio 4"),
        ("where 600.4a", "ratio 4"),
        ("toc", "ratio 5"),
        ("editions", "ratio 5"),
        ("702 --tree", "ratio 5"),
        ("glossary", "ratio 5"),
        ("changes", "ratio 10"),
        ("diff latest 2026-04-17", "ratio 10"),
        ("crosswalk 2026-04-17 latest", "ratio 10"),
        ("diff 2009-05-01 2009-07-11", "ratio 25"),
        ("diff 2003-07-01 latest", "ratio 25"),
        ("crosswalk 2003-07-01 latest", "ratio 25"),
        ("search trample", "ratio 12"),
        ("search can I respond to a mana ability", "ratio 12"),
        ('search "legend rule"', "ratio 12"),
        ("search comes into play tapped", "ratio 12"),
        ("search 704.5k", "ratio 12"),
        ("search --ever removed from the game", ""),
        ("search --on 2007-10-01 leaves play", ""),
        ("resolve a creature with flying", ""),
        ("lint", "ratio 15"),
        ("lint M10", "ratio 15"),
        ("check", "1 s"),
    ):
        yield Measure(f"cr {words}", cold(str(CR), *words.split()), limit)


def warm(folder: Path) -> Iterator[Measure]:
    """Yield measures of the library on an open base."""
    from variorum_kb.answers.knowledge_base import KnowledgeBase  # noqa: PLC0415 - not part of the others

    base = KnowledgeBase.open(folder / "base")
    edition = base.edition()

    def each(times: int, question: Callable[[], object]) -> Callable[[], tuple[float, float]]:
        def run() -> tuple[float, float]:
            start = time.perf_counter()
            for _ in range(times):
                question()
            return (time.perf_counter() - start) / times, 0.0

        return run

    yield Measure("show, warm (baseline)", each(2000, lambda: base.show("704.5k")), "0.00005 s")
    yield Measure("an edition, warm", each(10, lambda: list(base.provisions(edition))), "0.02 s")
    yield Measure("an export, warm", each(10, lambda: export_edition(base, edition)), "0.02 s")


def searching(folder: Path) -> Iterator[tuple[str, list[Measure]]]:
    """Yield tables about search, each with its name."""
    from lab.benchmarks import searching as module  # noqa: PLC0415 - not part of the others

    yield "making search indexes", [Measure(*measure) for measure in module.indexing(folder)]
    yield "search, warm", [Measure(*measure) for measure in module.querying(folder)]


def through_time(folder: Path) -> Iterator[tuple[str, list[Measure]]]:
    """Yield tables about lineages, each with its name."""
    from lab.benchmarks import history  # noqa: PLC0415 - not part of the others

    for title, measures in (
        ("aligning", history.aligning(folder)),
        ("answers about time, warm", history.answering(folder)),
        ("word diffs", history.diffing(folder)),
    ):
        yield title, [Measure(*measure) for measure in measures]


def auditing(folder: Path) -> Iterator[Measure]:
    """Yield measures of auditing citations in a tree of programs."""
    from lab.benchmarks import auditing as module  # noqa: PLC0415 - not part of the others

    for measure in module.auditing(folder, folder / "base"):
        yield Measure(*measure)


def siting(corpus: Path, folder: Path) -> Iterator[Measure]:
    """Yield measures of building the website."""
    from lab.benchmarks import siting as module  # noqa: PLC0415 - not part of the others

    for measure in module.siting(corpus, folder):
        yield Measure(*measure)


def growing(corpus: Path, folder: Path) -> Iterator[Measure]:
    """Yield measures of websites of growing numbers of editions."""
    from lab.benchmarks import siting as module  # noqa: PLC0415 - not part of the others

    for measure in module.growing(corpus, folder):
        yield Measure(*measure)


def syncing(corpus: Path, folder: Path) -> Iterator[Measure]:
    """Yield measures of syncing from a mirror on loopback."""
    from lab.benchmarks import syncing as module  # noqa: PLC0415 - not part of the others

    for measure in module.syncing(corpus, folder):
        yield Measure(*measure)


def witnessing(corpus: Path, folder: Path) -> Iterator[Measure]:
    """Yield measures of witnesses that are not editions."""
    from lab.benchmarks import witnessing as module  # noqa: PLC0415 - not part of the others

    for measure in module.witnessing(corpus, folder):
        yield Measure(*measure)


def timed(arguments: list[str]) -> float:
    """Return how long a command takes."""
    return timed_process((str(CR), *arguments), dict(os.environ))


def timed_process(command: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Return the wall time of a process."""
    start = time.perf_counter()
    # An ambiguous quotation is also an answer.
    code = subprocess.run(
        command, capture_output=True, check=False, env=dict(environment)
    ).returncode
    if code not in {0, 1}:
        raise SystemExit(f"{' '.join(command)}: exit code {code}")
    return time.perf_counter() - start


def copy(source: Path, target: Path) -> None:
    """Copy a base."""
    import shutil  # noqa: PLC0415 - not part of the others

    shutil.copytree(source, target, dirs_exist_ok=True)


def report(title: str, measures: list[Measure], runs: int) -> None:
    """Run measures in turn and print a table of medians."""
    results_of: list[list[tuple[float, float]]] = [[] for _ in measures]
    for _ in range(runs):
        for results, measure in zip(results_of, measures, strict=True):
            results.append(measure.run())
    baseline = statistics.median(seconds for seconds, _ in results_of[0])
    sys.stdout.write(f"\n{title:54} {'seconds':>9} {'ratio':>7} {'MB':>5}  asked for\n")
    for measure, results in zip(measures, results_of, strict=True):
        seconds = statistics.median(seconds for seconds, _ in results)
        megabytes = max(megabytes for _, megabytes in results)
        shown = f"{megabytes:5.0f}" if megabytes else f"{'':5}"
        sys.stdout.write(
            f"{measure.name:54} {seconds:9.5f} {seconds / baseline:7.2f} {shown}  {measure.limit}\n"
        )


def report_changed_words(corpus: Path, base: Path) -> None:
    """Print the number of changed words between consecutive editions since 2015."""
    from lab.benchmarks.history import count_changed  # noqa: PLC0415 - not part of the others

    git, every, shown = count_changed(corpus, base, "2015")
    sys.stdout.write(f"\nchanged words, consecutive editions since 2015: git {git}\n")
    sys.stdout.write(f"  ours, of every class, letter for letter: {every} ({every / git:.2f})\n")
    sys.stdout.write(f"  ours, as shown by default: {shown} ({shown / git:.2f}; asked for: 0.5)\n")


def main() -> int:
    """Print all tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often each is run")
    parser.add_argument("--only", default="", help="tables whose names begin so")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="how many editions growth is tried on"
    )
    options = parser.parse_args()
    named = os.environ.get("VARIORUM_CORPUS")
    if options.only == "growth" or not options.only:
        with tempfile.TemporaryDirectory() as name:
            corpus = Path(named) if named else None
            report_growth(corpus, Path(name), options.sizes, min(options.runs, 3))
        if options.only:
            return 0
    if not named:
        sys.stderr.write("VARIORUM_CORPUS must name the folder of the real editions\n")
        return 1
    corpus = Path(named)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timed(["build", "--kb", str(folder / "base"), str(corpus / "official")])
        for title, tables, runs in _tables(corpus, folder, options.runs):
            if title.startswith(options.only):
                for table, measures in tables():
                    report(table, measures, runs)
        if not options.only:
            report_changed_words(corpus, folder / "base")
    return 0


_Tables = Callable[[], Iterator[tuple[str, list[Measure]]]]


def _tables(corpus: Path, folder: Path, runs: int) -> Iterator[tuple[str, _Tables, int]]:
    """Yield the groups of tables, each with the function that makes it and its number of runs."""

    def one(title: str, measures: Callable[[], Iterator[Measure]]) -> tuple[str, _Tables]:
        return title, lambda: iter([(title, list(measures()))])

    base = folder / "base"
    yield *one("reading", lambda: reading(corpus)), runs
    yield *one("building", lambda: building(corpus, folder)), min(runs, 3)
    yield *one("citations", lambda: citing(folder)), runs
    yield *one("looking up, cold", lambda: looking_up(folder)), 8 * runs
    yield *one("looking up, warm", lambda: warm(folder)), runs
    yield "search", lambda: searching(base), min(runs, 5)
    yield *one("audit of citations", lambda: auditing(folder)), min(runs, 3)
    yield *one("witnesses", lambda: witnessing(corpus, folder)), min(runs, 3)
    yield *one("syncing", lambda: syncing(corpus, folder)), min(runs, 3)
    yield *one("website", lambda: siting(corpus, folder)), min(runs, 3)
    yield *one("website, growing", lambda: growing(corpus, folder)), 1
    yield "history", lambda: through_time(base), min(runs, 5)


if __name__ == "__main__":
    raise SystemExit(main())
