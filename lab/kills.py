"""Kill builds and syncs, fill the disk, build twice at once, and ask during rebuilds: many times each.

Half of the kills come at a chosen moment (before or after a file is flushed or renamed), half at a
random time. After each, the base must answer as before or as after an undisturbed run. The next run
must complete it: `cr doctor --deep` finds nothing, no half-written file stays, the answers are those
of an undisturbed run. Exits 1 if there was a problem.
"""

# ruff: noqa: T201 - it prints what it finds

import argparse
import io
import multiprocessing
import os
import random
import resource
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import variorum
from tests.crawler.mirror import Mirror, Page
from variorum.cli.start import main as cr

SAMPLE = Path(__file__).resolve().parents[1] / "kb" / "variorum" / "sample"
CR = str(Path(sysconfig.get_path("scripts")) / "cr")
SEED = 17
CONTEXT = multiprocessing.get_context("fork")

# Runs of the command ------------------------------------------------------------------------------


def run(
    words: Sequence[str], dies_at: int = 0, after: float = 0, most: int = resource.RLIM_INFINITY
) -> tuple[int, int, str]:
    """Run `cr` in a process of its own; return its moments, its exit code, and what it prints.

    At the moment `dies_at` the process ends as if killed, 0 for never; or it is killed `after` some
    seconds. Files may have at most so many bytes. A process that died has no moments, and the code -1.
    """
    mine, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_work, args=(theirs, words, dies_at, most))
    process.start()
    theirs.close()
    told = 0, -1, ""
    with mine, suppress(EOFError):
        mine.recv()
        if after:
            process.join(after)
            process.kill()
        told = mine.recv()
    process.join()
    return told


def _work(answer: Connection, words: Sequence[str], dies_at: int, most: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    passed = 0

    def around(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            nonlocal passed
            passed += 2
            if passed - 1 == dies_at:
                os._exit(9)
            result = call(*arguments, **named)
            if passed == dies_at:
                os._exit(9)
            return result

        return counted

    # Written files survive the death of a process, so nothing waits for the disk.
    os.__dict__.update(fsync=around(int), replace=around(os.replace))
    data, code = io.BytesIO(), 0
    printed = io.TextIOWrapper(data, "utf-8", write_through=True)
    sys.argv = ["cr", *words]
    answer.send(None)
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            cr()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    answer.send((passed, code, data.getvalue().decode()))


def answers(kb: Path) -> str:
    """Return answers of a base: its editions, and what became of the rules of the first."""
    if not (kb / "kb.sqlite").exists():
        return "no base"
    with variorum.open(kb) as base:
        labels = [edition.label for edition in base.editions]
        between = labels[0], labels[-1]
        return repr([labels, base.diff(*between), base.crosswalk(*between), base.history("100.1")])


# Kills --------------------------------------------------------------------------------------------


def kill(start: Path, words: Sequence[str], kills: int) -> Iterator[str]:
    """Kill a command on copies of a base many times; yield the problems."""
    undisturbed, copy = start.with_name("undisturbed"), start.with_name("copy")
    shutil.copytree(start, undisturbed)
    began = time.perf_counter()
    moments, code, said = run([*words, str(undisturbed)])
    seconds = time.perf_counter() - began
    old, new = answers(start), answers(undisturbed)
    if code or old == new:
        yield f"the undisturbed run ends with {code}: {said[-300:]}"
        return
    chance, dead = random.Random(SEED), 0
    for number in range(kills):
        moment = 1 + number // 2 % moments if number % 2 else 0
        after = 0.0 if moment else seconds * chance.random()
        at = f"killed at moment {moment} of {moments}, after {after:.3f} s:"
        shutil.copytree(start, copy)
        dead += run([*words, str(copy)], moment, after)[1] == -1
        if answers(copy) not in {old, new}:
            yield f"{at} neither the old answers nor the new ones"
        _, code, said = run([*words, str(copy)])
        if code:
            yield f"{at} the next run ends with {code}: {said[-300:]}"
        if answers(copy) != new:
            yield f"{at} the next run comes to another result"
        _, code, said = run(["doctor", "--deep", "--kb", str(copy)])
        if code:
            yield f"{at} the doctor says {said[-300:]}"
        yield from (f"{at} {path.name} stays" for path in copy.rglob("*.new"))
        shutil.rmtree(copy)
    if dead < kills / 2:
        yield f"only {dead} of {kills} were killed before they ended"


def editions() -> list[str]:
    """Return the files of the sample editions, oldest first."""
    return [str(path) for path in sorted(SAMPLE.glob("*.txt"))]


def kill_builds(folder: Path, kills: int) -> Iterator[str]:
    """Kill builds that add editions to a base."""
    run(["build", *editions()[:3], "--kb", str(folder / "start")])
    yield from kill(folder / "start", ["build", *editions()[2:6], "--kb"], kills)


def kill_syncs(folder: Path, kills: int) -> Iterator[str]:
    """Kill syncs from a server that has an edition more than the base."""
    run(["build", *editions()[:2], "--kb", str(folder / "start")])
    quick = ["--pause", "0", "--timeout", "5", "--retries", "0", "--jobs", "1"]
    with Mirror() as mirror:
        lines: list[str] = []
        for file in map(Path, editions()[:4]):
            mirror.serve(f"/{file.name}", Page(file.read_bytes()))
            lines.append(f"mirror\tdocument\t\t{mirror.url(f'/{file.name}')}")
        sources = folder / "sources.tsv"
        sources.write_text("\n".join(lines), "utf-8")
        words = ["sync", "--sources", str(sources), *quick, "--kb"]
        yield from kill(folder / "start", words, kills)


# Full disks, and two at once ----------------------------------------------------------------------


def fill_disks(folder: Path, times: int) -> Iterator[str]:
    """Build on disks that are full sooner or later; yield the problems."""
    start, copy = folder / "start", folder / "copy"
    run(["build", *editions()[:3], "--kb", str(start)])
    words = ["build", *editions()[2:6], "--kb", str(copy)]
    old, new = answers(start), ""
    size = (start / "kb.sqlite").stat().st_size
    for most in [2 * size, *(size * 3 * number // times // 2 for number in range(times))]:
        shutil.copytree(start, copy)
        _, code, said = run(words, most=most)
        if most == 2 * size:
            new = answers(copy)
        elif code not in {0, 3} or "Traceback" in said or answers(copy) != (old if code else new):
            yield f"a disk with {most} bytes: ends with {code}: {said[-300:]}"
        if run(words)[1] or answers(copy) != new or [*copy.rglob("*.new")]:
            yield f"a disk with {most} bytes: the next run comes to another result"
        shutil.rmtree(copy)


def build_twice(folder: Path, times: int) -> Iterator[str]:
    """Let two builds begin at once: one says that the other is building, or both are done."""
    kb, words = folder / "kb", ["build", *editions()[:5], "--kb", str(folder / "kb")]
    run(words)
    new = answers(kb)
    for _ in range(times):
        shutil.rmtree(kb)
        both = [Popen([CR, *words], stdout=PIPE, stderr=PIPE, text=True) for _ in range(2)]
        told = [(each.communicate()[1], each.returncode) for each in both]
        busy = [said for said, code in told if code]
        if len(busy) > 1 or not all("another process is building" in said for said in busy):
            yield f"two at once say {told}"
        elif answers(kb) != new:
            yield "two at once come to another result"


# Readers ------------------------------------------------------------------------------------------


def ask_while_rebuilt(folder: Path, rebuilds: int) -> Iterator[str]:
    """Let twenty readers ask without a pause while a base is rebuilt; yield problems."""
    kb, files = folder / "kb", editions()
    right: set[str] = set()
    for count in range(1, len(files) + 1):
        run(["build", *files[:count], "--kb", str(kb)])
        right.add(answers(kb))
    is_over, results = CONTEXT.Event(), CONTEXT.Queue()

    def ask() -> None:
        count, wrong = 0, list[str]()
        while not is_over.is_set():
            count += 1
            try:
                answer = answers(kb)
            except Exception as error:  # noqa: BLE001 - that is what is looked for
                wrong.append(f"reader: {error!r}")
            else:
                wrong += [] if answer in right else [f"reader: mixed answer {answer[:200]}"]
        results.put((count, wrong[:5]))

    asking = [CONTEXT.Process(target=ask) for _ in range(20)]
    for process in asking:
        process.start()
    for number in range(rebuilds):
        count = 1 + number % len(files)
        if count == 1:
            shutil.rmtree(kb / "documents")
        run(["build", *files[:count], "--kb", str(kb)])
    is_over.set()
    told = [results.get() for _ in asking]
    for process in asking:
        process.join()
    print(f"readers asked {sum(count for count, _ in told)} times")
    yield from (problem for _, wrong in told for problem in wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of times")
    share = parser.parse_args(arguments).share
    runs: list[tuple[str, int, Callable[[Path, int], Iterator[str]]]] = [
        ("builds killed", 100, kill_builds),
        ("syncs killed", 100, kill_syncs),
        ("full disks", 20, fill_disks),
        ("times two builds", 20, build_twice),
        ("rebuilds under 20 readers", 10, ask_while_rebuilt),
    ]
    is_wrong = False
    for name, usual, problems in runs:
        times = max(1, round(usual * share))
        with tempfile.TemporaryDirectory() as folder:
            os.environ["VARIORUM_CACHE"] = f"{folder}/cache"
            began = time.perf_counter()
            wrong = list(problems(Path(folder), times))
            head = f"{times} {name}: {len(wrong)} wrong ({time.perf_counter() - began:.0f} s)"
            print(head, *wrong, sep="\n  ", flush=True)
            is_wrong |= bool(wrong)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
