"""A build that is killed, at any moment, does no harm."""

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from tests.kb.bases import build, edition, write
from variorum_kb.build.check import Part, Problem, verify
from variorum_kb.store.reader import Reader

pytestmark = pytest.mark.slow

SAMPLE = Path(str(files("variorum_kb").joinpath("sample")))
DRIVER = Path(__file__).with_name("build_and_die.py")
KILLS = 200


@dataclass(frozen=True)
class Stage:
    """What every killed build starts from, and what it would have come to.

    Attributes:
        folder: Where to work.
        old: A base of three editions.
        new: The documents that are to be added.
        labels: Of the old editions.
        result: The bytes of an undisturbed build.
        moments: How many moments the driver counts in one.
        seconds: How long one takes.
    """

    folder: Path
    old: Path
    new: list[Path]
    labels: list[str]
    result: bytes
    moments: int
    seconds: float


class Build:
    """A build in a process of its own."""

    def __init__(self, folder: Path, moment: int, paths: list[Path]) -> None:
        command = [sys.executable, "-P", str(DRIVER), str(folder), str(moment), *map(str, paths)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def start(self) -> None:
        """Let it build."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill_after(self, seconds: float) -> None:
        """Kill it when so much time has passed, unless it is over before."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def end(self) -> str:
        """Wait until it is over; return what it said, nothing if it was killed."""
        answer, _ = self._process.communicate()
        return answer


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Return the stage of all kills."""
    folder = tmp_path_factory.mktemp("killed")
    days = ["June 5, 2020", "July 6, 2021", "August 7, 2022"]
    old = write(folder, {f"{day[-4:]}.txt": edition(day, rule=day) for day in days})
    new = write(folder, {"again.txt": edition("July 6, 2021"), "twin.txt": edition(days[0])})
    new += sorted(SAMPLE.glob("20*.txt"))
    build(folder / "old", old)
    labels = labels_of(folder / "old")
    shutil.copytree(folder / "old", folder / "undisturbed")
    whole = Build(folder / "undisturbed", 0, new)
    began = time.perf_counter()
    whole.start()
    moments = int(whole.end())
    seconds = time.perf_counter() - began
    result = (folder / "undisturbed" / "kb.sqlite").read_bytes()
    return Stage(folder, folder / "old", new, labels, result, moments, seconds)


def labels_of(folder: Path) -> list[str]:
    """Return the editions of a base."""
    reader = Reader(folder / "kb.sqlite")
    try:
        assert all(reader.states_in(one["id"]) for one in reader.editions())
        return [str(one["label"]) for one in reader.editions()]
    finally:
        reader.close()


def plan(stage: Stage) -> Iterator[tuple[int, float]]:
    """Yield where to kill: at each moment, and at times spread over the rest."""
    yield from ((moment, 0) for moment in range(1, stage.moments + 1))
    chance = random.Random(200)
    for place in range(KILLS - stage.moments):
        yield 0, stage.seconds * (place + chance.random()) / (KILLS - stage.moments)


@dataclass(frozen=True)
class Killed:
    """What a kill did.

    Attributes:
        is_dead: The build was killed, not over already.
        is_swapped: The new base was in its place by then.
        harm: What went wrong, "" if nothing did.
    """

    is_dead: bool
    is_swapped: bool
    harm: str


def kill(stage: Stage, name: str, moment: int, seconds: float) -> Killed:
    """Kill a build, look at the base, and build again."""
    folder = stage.folder / name
    shutil.copytree(stage.old, folder)
    process = Build(folder, moment, stage.new)
    process.start()
    if not moment:
        process.kill_after(seconds)
    is_dead = not process.end()
    is_swapped = (folder / "kb.sqlite").read_bytes() == stage.result
    harm = "" if is_swapped else harm_to_old(folder, stage)
    harm = harm or harm_to_next(folder, stage)
    shutil.rmtree(folder)
    return Killed(is_dead, is_swapped, harm)


def harm_to_old(folder: Path, stage: Stage) -> str:
    """Say what is wrong with the old base."""
    if labels_of(folder) != stage.labels:
        return "the base is neither the old nor the new one"
    # Documents that no base knows yet may lie about, since they come first.
    problems = [one for one in verify(folder) if isinstance(one, Problem)]
    return "; ".join(str(one) for one in problems if one.part is not Part.DOCUMENT)


def harm_to_next(folder: Path, stage: Stage) -> str:
    """Build again, undisturbed, and say what is wrong then."""
    build(folder, stage.new)
    if (folder / "kb.sqlite").read_bytes() != stage.result:
        return "the next build comes to another result"
    return "; ".join(str(one) for one in verify(folder) if isinstance(one, Problem))


def test_killed_builds_do_no_harm(stage: Stage) -> None:
    """Killed at 200 points, the old base stays, and the next build completes as if never killed."""
    points = list(plan(stage))

    with ThreadPoolExecutor(2) as pool:
        runs = [
            pool.submit(kill, stage, str(number), *point) for number, point in enumerate(points)
        ]
        found = [run.result() for run in runs]

    assert len(points) == KILLS
    assert [(point, one.harm) for point, one in zip(points, found, strict=True) if one.harm] == []
    # The last moment is behind the swap; by time, most builds are still at work.
    assert stage.moments > 20
    assert all(one.is_dead for one in found[: stage.moments])
    assert not found[0].is_swapped
    assert found[stage.moments - 1].is_swapped
    assert sum(one.is_dead for one in found) > KILLS / 2
