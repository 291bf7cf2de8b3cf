"""How the cost of each command grows with the number of editions in a base.

The last editions of every base are invented and have the same words, so a question has the same
answer in each base. A cost is the processor time of a process and its children, which does not
depend on other users of the machine. With an exponent e, n times as many editions cost n^e times as
much.
"""

import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from lab.benchmarks.made_up_editions import write_editions

SIZES = (135, 540, 1080)
_CR = Path(sysconfig.get_path("scripts")) / "cr"
_ANSWER, _WHOLE = 0.15, 1.1


@dataclass(slots=True)
class Cost:
    """What a command costs.

    Attributes:
        name: The name of the command.
        most: The highest exponent allowed.
        seconds: Medians, one for each number of editions.
    """

    name: str
    most: float
    seconds: list[float] = field(default_factory=list[float])

    def exponent(self, sizes: Sequence[int]) -> float:
        """Return the exponent from the fewest editions to the most; 0 if there is only one number."""
        if len(self.seconds) < 2:
            return 0.0
        times = self.seconds[-1] / self.seconds[0]
        return math.log(times) / math.log(sizes[-1] / sizes[0])


def report_growth(corpus: Path | None, folder: Path, sizes: Sequence[int], runs: int) -> None:
    """Print the costs of commands on bases of some numbers of invented editions, with the exponents.

    Args:
        corpus: The folder of the real editions; without it, the sample rulebook is used.
        folder: The folder in which editions and bases are made.
        sizes: Numbers of editions, each at least three.
        runs: How often each command runs; whole bases are built once.
    """
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    originals = sorted(corpus.joinpath("official").iterdir() if corpus else _sample_files())
    costs: dict[str, Cost] = {}
    for size in sizes:
        for name, most, seconds in _costs(originals, folder, size, runs):
            costs.setdefault(name, Cost(name, most)).seconds.append(seconds)
    head = "".join([f"{size:>9,}" for size in sizes])
    sys.stdout.write(f"\n{'growth (seconds of the processor)':44}{head} exponent  asked for\n")
    for cost in costs.values():
        shown = "".join([f"{seconds:9.3f}" for seconds in cost.seconds])
        exponent = cost.exponent(sizes)
        sys.stdout.write(f"{cost.name:44}{shown} {exponent:8.2f}  at most {cost.most}\n")


def _sample_files() -> list[Path]:
    folder = Path(str(files("variorum_kb").joinpath("sample")))
    return list(folder.glob("*.txt"))


def _costs(
    originals: Sequence[Path], folder: Path, size: int, runs: int
) -> list[tuple[str, float, float]]:
    """Return name, highest exponent and cost of each command on a base of some number of editions."""
    made = write_editions(originals, folder / "made-up", size + 1)
    base, grown = folder / f"base-{size}", folder / f"base-{size}-and-one"
    whole = cost_of("build", "--kb", base, *made[:-1])

    def one_more() -> float:
        shutil.rmtree(grown, ignore_errors=True)
        shutil.copytree(base, grown, copy_function=os.link)
        cost_of("build", "--kb", grown)  # makes the search indexes of the copy
        return cost_of("build", "--kb", grown, made[-1])

    def asked(*words: str) -> Callable[[], float]:
        return lambda: cost_of(*words, "--kb", base)

    older, newer = (_date_of(base, place) for place in (-2, -1))
    number = "101.1"
    commands: dict[str, Callable[[], float]] = {
        "one more edition": one_more,
        "nothing new": lambda: cost_of("build", "--kb", base, *made[-2:-1]),
        f"cr {number} --on latest": asked(number, "--on", "latest"),
        "cr diff of the last two": asked("diff", older, newer),
        "cr changes of the last": asked("changes", newer),
        "cr crosswalk of the last two": asked("crosswalk", older, newer),
        "cr lint of the last": asked("lint", "latest"),
        "cr toc --on latest": asked("toc", "--on", "latest"),
        "cr search card --on latest": asked("search", "card", "--on", "latest"),
        f"cr refs {number} --on latest": asked("refs", number, "--on", "latest"),
    }
    costs = [("a whole build", _WHOLE, whole)]
    for name, run in commands.items():
        run()
        costs.append((name, _ANSWER, statistics.median([run() for _ in range(runs)])))
    return costs


def _date_of(base: Path, place: int) -> str:
    """Return the date of an edition by its place, counted from the last edition."""
    from variorum_kb.answers.knowledge_base import KnowledgeBase  # noqa: PLC0415 - not part of the others

    with KnowledgeBase.open(base) as opened:
        return opened.labels[place]


def cost_of(*words: object) -> float:
    """Return the processor time of a command and its children.

    Raises:
        SystemExit: The command fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([_CR, *map(str, words)], capture_output=True, check=False, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"cr {' '.join(map(str, words))[:200]}: {done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
