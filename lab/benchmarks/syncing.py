"""Measures of `cr sync` from a mirror on loopback, compared with `cr build` of the same files."""

import hashlib
import json
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.crawler.mirror import LONG_AGO, Mirror, Page

Run = Callable[[], tuple[float, float]]
_CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")


def syncing(corpus: Path, folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of syncing all editions; each checks its result.

    Args:
        corpus: The folder of the real editions.
        folder: The folder in which bases are made; its `base` has all editions, built from files.
    """
    files = sorted((corpus / "official").iterdir())
    expected = (folder / "base" / "kb.sqlite").read_bytes()

    def building() -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=folder) as new:
            return _timed("build", "--kb", new, str(corpus / "official"))[0], 0.0

    def from_nothing() -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=folder) as new, _serving(files) as mirror:
            seconds, report = _sync(mirror, files, Path(new))
            _check(report["editions"] == len(files), "not all editions are there")
            _check((Path(new, "kb") / "kb.sqlite").read_bytes() == expected, "it differs")
        return seconds, 0.0

    def again() -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=folder) as new, _serving(files) as mirror:
            _sync(mirror, files, Path(new))
            before = _snapshot(Path(new))
            mirror.requests.clear()
            seconds, report = _sync(mirror, files, Path(new))
            _check(_snapshot(Path(new)) == before, "a byte changed")
            _check(report["conditional"] == report["unchanged"] == len(files), "it asked for more")
        return seconds, 0.0

    yield "cr build of all editions (baseline)", building, ""
    yield "cr sync of them from nothing", from_nothing, "30 s"
    yield "the same again", again, ""


def _serving(files: list[Path]) -> Mirror:
    mirror = Mirror()
    for file in files:
        data = file.read_bytes()
        mark = hashlib.sha256(data).hexdigest()[:16]
        mirror.serve(f"/{file.name}", Page(data, etag=f'"{mark}"', last_modified=LONG_AGO))
    return mirror


def _sync(mirror: Mirror, files: list[Path], folder: Path) -> tuple[float, dict[str, Any]]:
    lines = ["replace = true", "[[source]]", 'name = "mirror"', 'kind = "addresses"']
    for file in files:
        lines += ["[[source.document]]", f'addresses = ["{mirror.url(f"/{file.name}")}"]']
    sources = folder / "sources.toml"
    sources.write_text("\n".join(lines), "utf-8")
    asked = ("--sources", str(sources), "--pause", "0", "--json")
    seconds, output = _timed("sync", "--kb", str(folder / "kb"), *asked)
    return seconds, json.loads(output)


def _timed(*arguments: str) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run((str(_CR), *arguments), check=True, capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout


def _snapshot(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _check(is_so: bool, problem: str) -> None:
    if not is_so:
        raise SystemExit(problem)
