"""Measures of building the website, compared with a program that only copies as many files."""

import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

Run = Callable[[], tuple[float, float]]
_CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
_COPY = "import shutil, sys; shutil.copytree(sys.argv[1], sys.argv[2])"
# The platform reports only the memory of the largest process.
_MEASURE = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(json.dumps([code, seconds, peak]))
"""


def siting(corpus: Path, folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of building the site of all editions; MB is the largest process's memory.

    Args:
        corpus: The folder of the real editions.
        folder: The folder in which bases and sites are made; its `base` has all editions.
    """
    base, site = folder / "base", folder / "site"
    _measured("site", site, "--kb", base)()
    fewer, behind = folder / "all-but-one-base", folder / "site-behind"
    files = sorted((corpus / "official").iterdir())
    _measured("build", *files[:-1], "--kb", fewer)()
    _measured("site", behind, "--kb", fewer)()
    copy = _fresh(folder, lambda new: _timed(sys.executable, "-c", _COPY, site, new / "site")())
    yield "the site copied (baseline)", copy, ""
    anew = _fresh(folder, lambda new: _measured("site", new / "site", "--kb", base)())
    yield "site of all editions", anew, "45 s, 800 MB"
    yield "the same, nothing new", _measured("site", site, "--kb", base), "10 s"
    yield "one more edition", _fresh(folder, lambda new: _one_more(behind, new, base)), ""


def growing(corpus: Path, folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of sites of growing numbers of editions; MB is their size.

    Args:
        corpus: The folder of the real editions.
        folder: The folder in which bases and sites are made.
    """
    files = sorted((corpus / "official").iterdir())
    for count in (len(files) // 4, len(files) // 2, 3 * len(files) // 4, len(files)):
        base = folder / f"base-{count}"
        _measured("build", *files[:count], "--kb", base)()
        name = f"site of the first {count} editions (MB: of its files)"
        yield name, _sized(folder / f"site-{count}", base), "linear"


def _sized(site: Path, base: Path) -> Run:
    def run() -> tuple[float, float]:
        seconds, _ = _measured("site", site, "--kb", base)()
        size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
        return seconds, size / 1e6

    return run


def _fresh(folder: Path, run: Callable[[Path], tuple[float, float]]) -> Run:
    """Return a measure that uses a new folder each time."""

    def measured() -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=folder) as name:
            return run(Path(name))

    return measured


def _one_more(behind: Path, new: Path, base: Path) -> tuple[float, float]:
    _timed(sys.executable, "-c", _COPY, behind, new / "site")()
    return _measured("site", new / "site", "--kb", base)()


def _measured(*arguments: str | Path) -> Run:
    return _timed(str(_CR), *arguments)


def _timed(*command: str | Path) -> Run:
    def run() -> tuple[float, float]:
        whole = [sys.executable, "-c", _MEASURE, *map(str, command)]
        done = subprocess.run(whole, check=True, capture_output=True, text=True)
        code, seconds, megabytes = json.loads(done.stdout)
        if code:
            raise SystemExit(f"{' '.join(whole[3:])}: exit code {code}")
        return seconds, megabytes

    return run
