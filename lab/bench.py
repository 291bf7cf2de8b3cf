"""Measure the twelve figures of docs/measurements.md on the real editions; `make bench` runs this.

Each figure is the median of several runs, in processor time of the command and its children. Machines
are shared and noisy, so short commands take turns with `python -c pass`, and are given as a multiple of
it. VARIORUM_CORPUS names the folder of the editions.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

CR = str(Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr"))
SEED, AS_OF, CITATIONS = 20261120, "2014-07-18", 100_000
WORDS = "walks the queue before anything else happens here and asks for more while nobody looks"


def processor(*command: str, peak: list[float] | None = None) -> float:
    """Run a command, which may exit with 1; return its seconds of processor time, with its children's.

    `peak` takes the MB of the largest process of all measured so far.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in {0, 1} or b"Traceback" in done.stderr:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
    if peak is not None:
        peak.append(after.ru_maxrss / 1024)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(runs: int, *arguments: str) -> str:
    """Return the median processor time of a call of `cr`, in multiples of `python -c pass`."""
    calls = [[CR, *arguments], [sys.executable, "-c", "pass"]] * runs
    taken = [processor(*call) for call in calls]
    return f"{statistics.median(taken[::2]) / statistics.median(taken[1::2]):.1f} x"


def seconds(runs: int, measure: Callable[[], float]) -> str:
    """Return the median of a measure in seconds."""
    return f"{statistics.median(measure() for _ in range(runs)):.2f} s"


def size(folder: Path) -> str:
    """Return the size of a folder's files in MB."""
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{total / 1e6:.1f} MB"


def citing(folder: Path, base: str) -> Path:
    """Write programs with made-up citations of an edition's rules; return their folder."""
    told = subprocess.run(
        [CR, "export", AS_OF, "--json", "--kb", base], check=True, capture_output=True
    ).stdout
    numbers = [rule["number"] for rule in json.loads(told)["provisions"] if "." in rule["number"]]
    chance = random.Random(SEED)
    (folder / "cited").mkdir()
    for place in range(CITATIONS // 20):
        lines = [f"// CR {chance.choice(numbers)}: {WORDS}" for _ in range(20)]
        (folder / "cited" / f"{place}.rs").write_text("\n".join(lines), "utf-8")
    return folder / "cited"


def rows(corpus: Path, folder: Path, runs: int) -> Iterator[tuple[str, str]]:
    """Yield each figure: what is measured, and the result."""
    editions = sorted(map(str, (corpus / "official").iterdir()))
    base, site = str(folder / "base"), str(folder / "site")
    # A base of all editions but the newest, with its website.
    fewer, kept = folder / "fewer", folder / "kept"
    peak: list[float] = []

    def build() -> float:
        for made in (base, os.environ["VARIORUM_CACHE"]):
            shutil.rmtree(made, ignore_errors=True)
        return processor(CR, "build", *editions, "--kb", base, peak=peak)

    def one_more(*then: str) -> float:
        shutil.rmtree(fewer, ignore_errors=True)
        shutil.copytree(kept, fewer)
        cache = os.environ["VARIORUM_CACHE"]
        os.environ["VARIORUM_CACHE"] = str(fewer / "cache")
        taken = processor(CR, "build", editions[-1], "--kb", str(fewer / "base"))
        taken += processor(CR, *then, "--kb", str(fewer / "base")) if then else 0.0
        os.environ["VARIORUM_CACHE"] = cache
        return taken

    def whole_site() -> float:
        shutil.rmtree(site, ignore_errors=True)
        return processor(CR, "site", site, "--kb", base)

    few = max(1, runs // 5)
    yield "`cr build` of all editions", seconds(few, build)
    yield "memory of that, largest process", f"{max(peak):.0f} MB"
    processor(CR, "build", *editions[:-1], "--kb", str(fewer / "base"))
    processor(CR, "site", str(fewer / "site"), "--kb", str(fewer / "base"))
    fewer.rename(kept)
    yield "`cr build` of one more edition", seconds(few, one_more)
    yield "`cr 704.5k`", ratio(runs, "704.5k", "--kb", base)
    yield "`cr history 704.5k`", ratio(runs, "history", "704.5k", "--kb", base)
    yield "`cr diff 2003-07-01 current`", ratio(few, "diff", "2003-07-01", "current", "--kb", base)
    cold = ["search", "winning a flip", "--kb", base]
    processor(CR, *cold)
    yield "`cr search`, with its index there", ratio(runs, *cold)
    yield "a search in an open base, median", warm_search(base)
    yield "`cr site` of all editions", seconds(few, whole_site)
    with_site = seconds(few, lambda: one_more("site", str(fewer / "site")))
    yield "one more edition, with the site", with_site
    audit = [CR, "audit", str(citing(folder, base)), "--as-of", AS_OF, "--jobs", "1", "--kb", base]
    yield f"`cr audit` of {CITATIONS:,} citations", seconds(few, lambda: processor(*audit))
    database = (Path(base) / "kb.sqlite").stat().st_size / 1e6
    yield "sizes of base and site", f"{database:.1f} MB, {size(Path(site))}"


def warm_search(base: str) -> str:
    """Return the median time of a search in an open base."""
    program = (
        "import statistics, sys, time, variorum\n"
        "base = variorum.open(sys.argv[1])\n"
        "asked = ['draw step', 'commander dies', 'flip a coin', 'deathtouch trample', 'hand size']\n"
        "def timed(words):\n"
        "    start = time.process_time()\n"
        "    base.search(words)\n"
        "    return time.process_time() - start\n"
        "taken = [timed(words) for _ in range(20) for words in asked]\n"
        "print(f'{statistics.median(taken[5:]) * 1000:.1f} ms')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, base], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11, help="how often a short call is measured")
    runs = parser.parse_args(arguments).runs
    corpus = os.environ.get("VARIORUM_CORPUS")
    if not corpus:
        raise SystemExit("VARIORUM_CORPUS names no folder of editions")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VARIORUM_CACHE"] = str(Path(folder) / "cache")
        for what, figure in rows(Path(corpus), Path(folder), runs):
            print(f"| {what} | {figure} |", flush=True)  # noqa: T201 - this is its output


if __name__ == "__main__":
    main()
