"""Kill builds, syncs and site builds, and ask questions during a rebuild: many times each.

The tests do the same a few times. After each kill, the base must be the old or the new one, and the
next run must complete it: `cr doctor --deep` finds nothing, no half-written file stays, and the bytes are
those of an undisturbed run. Exits 1 if there was a problem.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crawler.mirror import Mirror
from tests.crawler.sync import test_sync_killed
from tests.crawler.syncing import do_nothing
from tests.kb.build import test_build_killed
from tests.site.building import base_of, build_site, contents
from tests.support.dying import moments_of
from tests.support.small_bases import DAYS, build, edition, write
from variorum_kb.answers.exports.export import export_edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lookup import find_states, open_plain
from variorum_kb.answers.question_parser import parse_question
from variorum_kb.errors import VariorumError

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Event

SEED = 17


def kill_builds(folder: Path, kills: int) -> Iterator[str]:
    """Kill builds, half of them at chosen moments and half at random times; yield problems."""
    stage = test_build_killed.stage_in(folder)
    chance = random.Random(SEED)
    for number in range(kills):
        moment, after = 0, 0.0
        if number % 2:
            moment = 1 + number // 2 % stage.moments
        else:
            after = stage.seconds * chance.random()
        killed = test_build_killed.kill(stage, dies_at=moment, after=after)
        if killed.harm:
            yield f"build killed at moment {moment}, after {after:.3f} s: {killed.harm}"


def kill_syncs(folder: Path, kills: int) -> Iterator[str]:
    """Kill syncs at random moments of each part of a run; yield problems."""
    with Mirror() as mirror, test_sync_killed.driving() as driver:
        for moment, problem in test_sync_killed.Stage(mirror, folder).kill_all(driver, kills):
            yield f"sync killed at moment {moment}: {problem}"


def kill_sites(folder: Path, kills: int) -> Iterator[str]:
    """Kill builds of a new site and of an existing one; yield problems."""
    kb = base_of(folder, {f"{day}.txt": edition(day, rule=day) for day in DAYS})
    began = time.perf_counter()
    build_site(kb, folder / "undisturbed")
    seconds = time.perf_counter() - began
    expected = contents(folder / "undisturbed")
    earlier = base_of(
        folder / "earlier", {f"{day}.txt": edition(day, rule=day) for day in DAYS[:3]}
    )
    build_site(earlier, folder / "old")
    chance = random.Random(SEED)
    for number in range(kills):
        out = folder / "out"
        if number % 2:
            shutil.copytree(folder / "old", out)
        moments_of(build_site, kb, out, after=seconds * chance.random())
        build_site(kb, out)
        built = contents(out)
        if built != expected:
            differing = {
                name for name in built.keys() | expected if built.get(name) != expected.get(name)
            }
            yield f"site {number}: {sorted(differing)[:5]} and {len(differing)} in all differ"
        shutil.rmtree(out)


def ask_while_rebuilt(folder: Path, readers: int, rebuilds: int) -> Iterator[str]:
    """Let readers ask without a pause during a rebuild of the base; yield problems."""
    paths = write(
        folder, {f"{day}.txt": edition(day, rule=f"A keeper hums on {day}.") for day in DAYS}
    )
    kb = folder / "kb"
    answers: set[str] = set()
    for count in range(1, len(DAYS) + 1):
        build(kb, paths[:count])
        answers.add(_answer(kb))
    shutil.rmtree(kb)
    build(kb, paths[:1])
    context = multiprocessing.get_context("fork")
    is_over, results_queue = context.Event(), context.Queue()
    asking = [
        context.Process(target=_ask, args=(kb, answers, is_over, results_queue))
        for _ in range(readers)
    ]
    for process in asking:
        process.start()
    for number in range(rebuilds):
        count = 1 + (number + 1) % len(DAYS)
        if count == 1:
            shutil.rmtree(kb / "documents")
        build(kb, paths[:count])
        time.sleep(0.1)
    is_over.set()
    results = [results_queue.get() for _ in asking]
    for process in asking:
        process.join()
    print(f"readers asked {sum(count for count, _ in results)} times")  # noqa: T201
    yield from (problem for _, wrong in results for problem in wrong)


def _ask(
    kb: Path, answers: set[str], is_over: "Event", results_queue: "Queue[tuple[int, list[str]]]"
) -> None:
    wrong: list[str] = []
    count = 0
    while not is_over.is_set():
        count += 1
        try:
            answer = _answer(kb)
        except (
            VariorumError,
            ArithmeticError,
            LookupError,
            OSError,
            TypeError,
            ValueError,
        ) as error:
            wrong.append(f"reader: {error!r}")
        else:
            wrong += [] if answer in answers else [f"reader: mixed answer {answer[:200]}"]
    results_queue.put((count, wrong[:5]))


def _answer(kb: Path) -> str:
    """Return answers of a base: its editions, an edition in full, a history, and a look-up."""
    with KnowledgeBase.open(kb, today=date(2030, 1, 1)) as base:
        labels = [edition.label for edition in base.editions]
        answer = [labels, export_edition(base, "latest"), base.subject("100.1").history()]
    plain = open_plain(str(kb / "kb.sqlite"))
    if plain is None:
        raise ValueError("no look-up")
    with suppress(IndexError):
        find_states(plain, parse_question("100.1"), 0)[0]
    plain.close()
    return json.dumps(answer)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--builds", type=int, default=300)
    parser.add_argument("--syncs", type=int, default=150)
    parser.add_argument("--sites", type=int, default=50)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--rebuilds", type=int, default=10)
    asked = parser.parse_args(arguments)
    os.__dict__.update(fsync=do_nothing)  # no machine crashes here
    runs: dict[str, Callable[[Path], Iterator[str]]] = {
        f"{asked.builds} builds killed": lambda folder: kill_builds(folder, asked.builds),
        f"{asked.syncs} syncs killed": lambda folder: kill_syncs(folder, asked.syncs),
        f"{asked.sites} builds of a site killed": lambda folder: kill_sites(folder, asked.sites),
        f"{asked.readers} readers, {asked.rebuilds} rebuilds": lambda folder: ask_while_rebuilt(
            folder, asked.readers, asked.rebuilds
        ),
    }
    is_wrong = False
    for name, run in runs.items():
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder
            began = time.perf_counter()
            wrong = list(run(Path(folder)))
            print(f"{name}: {len(wrong)} wrong ({time.perf_counter() - began:.0f} s)", flush=True)  # noqa: T201
            for line in wrong:
                print(f"  {line}", flush=True)  # noqa: T201
            is_wrong |= bool(wrong)
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
