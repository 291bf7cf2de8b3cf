"""Kill builds and syncs, fill the disk, build twice at once, and ask during rebuilds: many times each.

Half of the kills come at a chosen moment (before or after a file is flushed or renamed), half at a
random time. After each, the base must answer as before or as after an undisturbed run. The next run
must complete it: `cr doctor --deep` finds nothing, no half-written file stays, the answers are those
of an undisturbed run. Exits 1 if there was a problem.
"""

# ruff: noqa: T201 - it prints what it finds

import argparse
import io
import itertools
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
from variorum.cli import start
from variorum.files import SAMPLE_RULEBOOK

# The files of the sample editions, oldest first.
EDITIONS = [str(path) for path in sorted(SAMPLE_RULEBOOK.glob("*.txt"))]
SEED, READERS = 17, 20
CONTEXT = multiprocessing.get_context("fork")

# Runs of the command ------------------------------------------------------------------------------


def run(
    words: Sequence[str], dies_at: int = 0, after: float = 0, most: int = resource.RLIM_INFINITY
) -> tuple[int, int, str]:
    """Run `cr` in a process of its own; return its moments, its exit code, -1 if it died, and what it prints.

    It ends as if killed at the moment `dies_at`, or is killed `after` some seconds, if that is not 0. Files
    may have at most so many bytes, as if the disk were full.
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
    moments = itertools.count(1)

    def around(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            for work in (None, lambda: call(*arguments, **named)):
                result = work and work()
                if next(moments) == dies_at:
                    os._exit(9)
            return result

        return counted

    # Written files survive the death of a process, so nothing waits for the disk.
    os.__dict__.update(fsync=around(int), replace=around(os.replace))
    data = io.BytesIO()
    printed = io.TextIOWrapper(data, "utf-8", write_through=True)
    answer.send(None)
    with redirect_stdout(printed), redirect_stderr(printed):
        code = start.run(words)
    answer.send((next(moments) - 1, code, data.getvalue().decode()))


def answers(kb: Path) -> str:
    """Return answers of a base: its editions, and what became of the rules of the first."""
    with variorum.open(kb) as base:
        ends, labels = ("first", "latest"), [edition.label for edition in base.editions]
        return repr([labels, base.diff(*ends), base.crosswalk(*ends), base.history("100.1")])


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
        _, findings, told = run(["doctor", "--deep", "--kb", str(copy)])
        if code or findings or answers(copy) != new or [*copy.rglob("*.new")]:
            yield f"{at} the next run does not complete it: {said[-300:]}{told[-300:]}"
        shutil.rmtree(copy)
    if dead < kills / 2:
        yield f"only {dead} of {kills} were killed before they ended"


def kill_builds(folder: Path, kills: int) -> Iterator[str]:
    """Kill builds that add editions to a base."""
    run(["build", *EDITIONS[:3], "--kb", str(folder / "start")])
    yield from kill(folder / "start", ["build", *EDITIONS[2:6], "--kb"], kills)


def kill_syncs(folder: Path, kills: int) -> Iterator[str]:
    """Kill syncs from a server that has an edition more than the base."""
    run(["build", *EDITIONS[:2], "--kb", str(folder / "start")])
    words = ["sync", "--pause", "0", "--timeout", "5", "--retries", "0", "--jobs", "1", "--sources"]
    with Mirror() as mirror:
        for file in map(Path, EDITIONS[:4]):
            mirror.serve(f"/{file.name}", Page(file.read_bytes()))
        lines = [f"mirror\tdocument\t\t{mirror.url(f'/{Path(it).name}')}" for it in EDITIONS[:4]]
        (sources := folder / "sources.tsv").write_text("\n".join(lines), "utf-8")
        yield from kill(folder / "start", [*words, str(sources), "--kb"], kills)


# Full disks, and two at once ----------------------------------------------------------------------


def fill_disks(folder: Path, times: int) -> Iterator[str]:
    """Build on disks that are full sooner or later; yield the problems."""
    start, copy = folder / "start", folder / "copy"
    run(["build", *EDITIONS[:3], "--kb", str(start)])
    run(["build", *EDITIONS[:6], "--kb", str(folder / "whole")])
    old, new = answers(start), answers(folder / "whole")
    words = ["build", *EDITIONS[2:6], "--kb", str(copy)]
    for number in range(times):
        most = (start / "kb.sqlite").stat().st_size * 3 * number // times // 2
        shutil.copytree(start, copy)
        _, code, said = run(words, most=most)
        is_well = answers(copy) == (old if code else new) and "Traceback" not in said
        if code not in {0, 3} or not is_well or run(words)[1] or answers(copy) != new:
            yield f"a disk with {most} bytes: ends with {code}: {said[-300:]}"
        shutil.rmtree(copy)


def build_twice(folder: Path, times: int) -> Iterator[str]:
    """Let two builds begin at once: one says that the other is building, or both are done."""
    kb, words = folder / "kb", ["build", *EDITIONS[:5], "--kb", str(folder / "kb")]
    run(words)
    cr, new = Path(sysconfig.get_path("scripts"), "cr"), answers(kb)
    for _ in range(times):
        shutil.rmtree(kb)
        both = [Popen([cr, *words], stdout=PIPE, stderr=PIPE, text=True) for _ in range(2)]
        told = [(each.communicate()[1], each.returncode) for each in both]
        busy = [said for said, code in told if code]
        is_said = all("another process is building" in said for said in busy)
        if len(busy) > 1 or not is_said or answers(kb) != new:
            yield f"two at once come to another result, and say {told}"


# Readers ------------------------------------------------------------------------------------------


def ask(kb: Path, right: set[str]) -> tuple[int, list[str]]:
    """Ask a base until its folder has a file "over"; return how often, and wrong answers."""
    count, wrong = 0, list[str]()
    while not (kb / "over").exists():
        count += 1
        try:
            answer = answers(kb)
        except Exception as error:  # noqa: BLE001 - that is what is looked for
            answer = repr(error)
        wrong += [] if answer in right else [f"a reader is told {answer[:200]}"]
    return count, wrong[:5]


def ask_while_rebuilt(folder: Path, rebuilds: int) -> Iterator[str]:
    """Let readers ask without a pause while a base is rebuilt; yield problems."""
    kb, right = folder / "kb", set[str]()
    for count in range(1, len(EDITIONS) + 1):
        run(["build", *EDITIONS[:count], "--kb", str(kb)])
        right.add(answers(kb))
    with CONTEXT.Pool(READERS) as pool:
        asking = pool.starmap_async(ask, [(kb, right)] * READERS)
        for number in range(rebuilds):
            count = 1 + number % len(EDITIONS)
            if count == 1:
                shutil.rmtree(kb / "documents")
            run(["build", *EDITIONS[:count], "--kb", str(kb)])
        (kb / "over").touch()
        told = asking.get()
    print(f"readers asked {sum(count for count, _ in told)} times")
    yield from (problem for _, wrong in told for problem in wrong)


TRIALS: dict[str, tuple[int, Callable[[Path, int], Iterator[str]]]] = {
    "builds killed": (100, kill_builds),
    "syncs killed": (100, kill_syncs),
    "full disks": (20, fill_disks),
    "times two builds": (20, build_twice),
    f"rebuilds under {READERS} readers": (10, ask_while_rebuilt),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return the exit code."""
    parser, is_wrong = argparse.ArgumentParser(description=__doc__), False
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of times")
    share = parser.parse_args(arguments).share
    for name, (most, trial) in TRIALS.items():
        with tempfile.TemporaryDirectory() as folder:
            os.environ["VARIORUM_CACHE"] = f"{folder}/cache"
            began, times = time.perf_counter(), max(1, round(most * share))
            wrong = list(trial(Path(folder), times))
        said = f"{times} {name}: {len(wrong)} wrong ({time.perf_counter() - began:.0f} s)"
        print(said, *wrong, sep="\n  ", flush=True)
        is_wrong |= bool(wrong)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
