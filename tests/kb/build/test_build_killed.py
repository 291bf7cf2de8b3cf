"""Killing a build at any moment does no harm."""

import random
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.dying import moments_of
from tests.support.small_bases import DAYS, build, contents, edition, rows, write
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem, Remedy

pytestmark = pytest.mark.slow

KILLS = 8


@dataclass(frozen=True)
class Stage:
    """The start of every killed build, and the result of an undisturbed one.

    Attributes:
        folder: The working folder.
        old: A base of three editions.
        new: The documents to add.
        result: The bytes of an undisturbed build.
        moments: How many moments such a build has.
        seconds: How long such a build takes.
    """

    folder: Path
    old: Path
    new: list[Path]
    result: bytes
    moments: int
    seconds: float


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Return the common start of all kills."""
    return stage_in(tmp_path_factory.mktemp("killed"))


def stage_in(folder: Path) -> Stage:
    """Prepare the start of all kills."""
    old = write(folder, {f"{day[-4:]}.txt": edition(day, rule=day) for day in DAYS[:3]})
    added = {f"{day[-4:]}.txt": edition(day, rule=day) for day in DAYS[3:]}
    again = {"again.txt": edition(DAYS[1]), "twin.txt": edition(f"{DAYS[0]} ")}
    new = write(folder, again | added)
    build(folder / "old", old)
    shutil.copytree(folder / "old", folder / "undisturbed")
    moments = moments_of(build, folder / "undisturbed", new)
    result = contents(folder / "undisturbed")
    shutil.copytree(folder / "old", folder / "timed")
    began = time.perf_counter()
    moments_of(build, folder / "timed", new)
    seconds = time.perf_counter() - began
    return Stage(folder, folder / "old", new, result, moments, seconds)


def test_dead_at_each_moment(stage: Stage) -> None:
    """After a kill at any moment, the old base stays, and the next build completes normally."""
    by_name = {
        moment: kill(stage, dies_at=moment, after=0) for moment in range(1, stage.moments + 1)
    }

    assert stage.moments > 20
    assert {moment: killed.harm for moment, killed in by_name.items() if killed.harm} == {}
    assert all(killed.is_dead for killed in by_name.values())
    # The last moment is after the swap.
    assert not by_name[1].is_swapped
    assert by_name[stage.moments].is_swapped


def test_killed_from_outside(stage: Stage) -> None:
    """A kill from outside at any time, even during a write, does no harm either."""
    chance = random.Random(200)
    times = [stage.seconds * (place + chance.random()) / KILLS for place in range(KILLS)]

    by_name = {after: kill(stage, dies_at=0, after=after) for after in times}

    assert {after: killed.harm for after, killed in by_name.items() if killed.harm} == {}
    assert sum(killed.is_dead for killed in by_name.values()) >= KILLS / 3


@dataclass(frozen=True)
class Killed:
    """The effect of a kill.

    Attributes:
        is_dead: Whether the build was killed before it ended.
        is_swapped: Whether the new base had replaced the old one.
        harm: What went wrong; "" if nothing.
    """

    is_dead: bool
    is_swapped: bool
    harm: str


def kill(stage: Stage, *, dies_at: int, after: float) -> Killed:
    """Kill a build, check the base, and build again."""
    folder = stage.folder / "killed"
    shutil.copytree(stage.old, folder)
    is_dead = not moments_of(build, folder, stage.new, dies_at=dies_at, after=after)
    is_swapped = contents(folder) == stage.result
    harm = harm_to_new(folder) if is_swapped else harm_to_old(folder, stage)
    harm = harm or harm_to_next(folder, stage)
    shutil.rmtree(folder)
    return Killed(is_dead, is_swapped, harm)


def harm_to_old(folder: Path, stage: Stage) -> str:
    """Return the faults of the old base."""
    if contents(folder) != contents(stage.old) or rows(folder, "label") != rows(stage.old, "label"):
        return "the base is neither the old nor the new one"
    # Documents are stored first, so some may not be in the base yet.
    problems = [report for report in verify(folder) if isinstance(report, Problem)]
    mended = (Remedy.TIDY, Remedy.BUILD)
    return "; ".join(str(problem) for problem in problems if problem.remedy not in mended)


def harm_to_new(folder: Path) -> str:
    """Return the faults of the new base, except for those that the next build repairs."""
    problems = [report for report in verify(folder) if isinstance(report, Problem)]
    return "; ".join(str(problem) for problem in problems if problem.remedy is not Remedy.TIDY)


def harm_to_next(folder: Path, stage: Stage) -> str:
    """Build again undisturbed, at first without the documents; return the faults of the result."""
    build(folder)
    problems = [str(report) for report in verify(folder) if isinstance(report, Problem)]
    problems += [str(path) for path in folder.rglob("*") if path.suffix == ".new"]
    if problems:
        return "; ".join(problems)
    build(folder, stage.new)
    if contents(folder) != stage.result:
        return "the next build comes to another result"
    return "; ".join(str(report) for report in verify(folder) if isinstance(report, Problem))
