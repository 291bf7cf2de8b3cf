"""Shared parts of the tests of whole syncs: sources on a mirror, runs, and their results."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tests.crawler.mirror import LONG_AGO, Mirror, Page
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main

NOW = "2030-01-02T03:04:05+00:00"

# The editions of the sample rulebook, oldest first.
SAMPLE: dict[str, bytes] = {
    path.name: path.read_bytes()
    for path in sorted(
        files("variorum_kb").joinpath("sample").iterdir(), key=lambda item: item.name
    )
    if path.name.endswith(".txt")
}
NAMES = list(SAMPLE)
NEWEST = NAMES[-1]


def good(body: bytes) -> Page:
    """Return a document as a good server serves it."""
    mark = hashlib.sha256(body).hexdigest()[:16]
    return Page(body, etag=f'"{mark}"', last_modified=LONG_AGO)


def serve(mirror: Mirror, names: Iterable[str] = NAMES) -> None:
    """Serve editions of the sample rulebook."""
    for name in names:
        mirror.serve(f"/{name}", good(SAMPLE[name]))


def at(mirror: Mirror, *names: str) -> list[str]:
    """Return the addresses of files."""
    return [mirror.url(f"/{name}") for name in names]


def known(name: str, *documents: Sequence[str]) -> str:
    """Return a source of known addresses; each document has one or more."""
    lines = [
        f"[[source.document]]\naddresses = {json.dumps(list(document))}" for document in documents
    ]
    return "\n".join([source(name, "addresses"), *lines])


def source(name: str, kind: str, **settings: object) -> str:
    """Return a source, with settings that JSON and TOML write alike."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    return "\n".join(["[[source]]", f'name = "{name}"', f'kind = "{kind}"', *lines])


def write_sources(folder: Path, *sources: str) -> Path:
    """Write a file of sources that replaces ours."""
    path = folder / "sources.toml"
    path.write_text("\n".join(["replace = true", *sources]), "utf-8")
    return path


class Place:
    """A base, and its file of sources."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kb = folder / "kb"
        self.sources = folder / "sources.toml"

    def offer(self, *sources: str) -> None:
        """Set the present offers."""
        write_sources(self.folder, *sources)

    def offer_known(self, mirror: Mirror, names: Iterable[str] = NAMES) -> None:
        """Give a source the addresses of sample editions."""
        self.offer(known("mirror", *(at(mirror, name) for name in names)))

    def run(self, *options: str) -> Result:
        """Run `cr sync`."""
        command = ["sync", "--kb", str(self.kb), "--sources", str(self.sources), *HASTE, *options]
        return CliRunner().invoke(main, command)

    def sync(self, *options: str, code: int = 0) -> dict[str, Any]:
        """Run `cr sync --json`; return its output."""
        result = self.run("--json", *options)
        assert result.exit_code == code, result.output
        report: dict[str, Any] = json.loads(result.stdout)
        return report

    def snapshot(self) -> Mapping[str, bytes]:
        """Return all files of the base."""
        paths = sorted(self.kb.rglob("*"))
        return {
            str(path.relative_to(self.kb)): path.read_bytes() for path in paths if path.is_file()
        }

    def contents(self) -> bytes:
        """Return the bytes of the base."""
        return (self.kb / "kb.sqlite").read_bytes()


HASTE = ("--pause", "0", "--timeout", "5", "--retries", "0", "--jobs", "1")


def built(folder: Path, documents: Mapping[str, bytes]) -> bytes:
    """Return the bytes of the base that `cr build` makes from a folder of files."""
    (folder / "files").mkdir(parents=True)
    for name, data in documents.items():
        (folder / "files" / name).write_bytes(data)
    list(Builder(folder / "built", NOW, jobs=1).build([folder / "files"]))
    return (folder / "built" / "kb.sqlite").read_bytes()


def do_nothing(*_: object) -> None:
    """Replace a slow step that does not matter here."""
