"""The command line of `cr sync`: codes, JSON, hooks, locks."""

import errno
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawler.mirror import Mirror, Page
from tests.crawler.syncing import NEWEST, Place, at, known, serve
from tests.support.schemas import assert_fits
from variorum_kb.errors import BaseBusyError, NotWritableError
from variorum_kb.search.indexes.current_indexes import BaseIndexes
from variorum_kb.system.lock import locked
from variorum_kb.watch.watch_list import RULE, Watched, save_watched

pytestmark = pytest.mark.usefixtures("no_indexes")

OTHER = "2022-02-11.txt"


def test_progress(place: Place, mirror: Mirror, bars: list[tuple[str, int, int]]) -> None:
    """The bar counts sources and the addresses of each, then documents read and built in."""
    serve(mirror, [NEWEST, OTHER])
    place.offer(
        known("one", at(mirror, NEWEST), at(mirror, OTHER)), known("two", at(mirror, OTHER))
    )

    place.sync()

    assert bars == [
        ("asking", 0, 2),
        ("asking one: 1", 0, 2),
        ("asking one: 2", 0, 2),
        ("asking one: 2", 1, 2),
        ("asking two: 1", 1, 2),
        *(("reading", number, 2) for number in range(3)),
        *(("building", number, 2) for number in range(3)),
    ]


def test_only(place: Place, mirror: Mirror) -> None:
    """With --only, no other source is asked."""
    serve(mirror, [NEWEST, OTHER])
    place.offer(known("one", at(mirror, NEWEST)), known("two", at(mirror, OTHER)))

    assert place.sync("--only", "two")["new"] == ["2022-02-11"]
    assert mirror.paths == [f"/{OTHER}"]


def test_error_only(place: Place, mirror: Mirror) -> None:
    """The message names an unknown source."""
    place.offer_known(mirror)

    result = place.run("--only", "nobody")

    assert result.stderr.endswith("Error: unknown source 'nobody'; known are mirror\n")
    assert result.exit_code == 2


def test_exit_code(place: Place, mirror: Mirror) -> None:
    """With --exit-code, a new edition gives exit code 10, even if a source failed."""
    serve(mirror, [NEWEST])
    place.offer(known("mirror", at(mirror, NEWEST)), known("dead", at(mirror, "gone.txt")))

    assert place.run("--exit-code").exit_code == 10
    assert place.run("--exit-code").exit_code == 1


def test_json_fits_its_schema(place: Place, mirror: Mirror) -> None:
    """The output of --json has the form in docs/json.md, even if sources fail."""
    serve(mirror, [NEWEST])
    mirror.serve("/page.txt", Page(b"<html><title>Sorry</title>"))
    place.offer(
        known("mirror", at(mirror, NEWEST), at(mirror, "page.txt")),
        known("dead", at(mirror, "gone.txt")),
    )

    report = place.sync(code=1)

    assert_fits(report, "sync")
    assert len(report["quarantined"]) == 1
    assert report["failed_sources"] == ["dead"]


def test_watched(place: Place, mirror: Mirror) -> None:
    """A sync shows once what changed in watched rules since the last reported edition."""
    serve(mirror, [OTHER, NEWEST])
    place.offer_known(mirror, [OTHER, NEWEST])
    place.sync()
    save_watched(place.kb, [Watched(RULE, "104.4", OTHER.removesuffix(".txt"))])

    first, once_more = place.run().stdout, place.run().stdout

    assert first == (
        f"{once_more}Watched, in the edition of 2025-05-30\n"
        "  104.4  How It Ends: If a sequence of actions has begun…, since 2022-02-11\n"
        "    104.4: … sequence: the player who makes that choice [-must, sooner or later,-] "
        "{+must before long+} choose otherwise.\n"
    )


def hook(folder: Path, script: str) -> str:
    """Return a command that runs a script."""
    (folder / "hook.py").write_text(script, "utf-8")
    return f'"{sys.executable}" "{folder / "hook.py"}" "a b; echo c"'


def test_hook(place: Place, mirror: Mirror) -> None:
    """A hook runs only for a new edition, without a shell, and receives its label."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    log = place.folder / "seen"
    command = hook(
        place.folder,
        "import os, sys\n"
        f"with open({str(log)!r}, 'a') as file:\n"
        "    print(sys.argv[1], os.environ['VARIORUM_NEW'], os.environ['VARIORUM_KB'], file=file)\n",
    )

    first, second = place.sync("--hook", command), place.sync("--hook", command)

    assert (first["hook"], second["hook"]) == ("done", "")
    assert log.read_text("utf-8") == f"a b; echo c 2025-05-30 {place.kb}\n"


def test_error_hook(place: Place, mirror: Mirror) -> None:
    """If a hook fails, the command reports it and exits 1; the base stays."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    command = hook(place.folder, "raise SystemExit(3)")

    result = place.run("--hook", command, "--exit-code")

    assert result.stderr == (
        f"cr: hook {command}: exit code 3; the knowledge base is up to date all the same\n"
    )
    assert result.exit_code == 1
    assert place.sync()["editions"] == 1


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("'a", "'a: not a command: No closing quotation"),
        (" ", "the hook is empty"),
    ],
)
def test_error_hook_usage(place: Place, mirror: Mirror, command: str, reason: str) -> None:
    """If the hook is not a command, this is wrong usage before any work."""
    place.offer_known(mirror)

    result = place.run("--hook", command)

    assert result.exit_code == 2
    assert reason in result.stderr
    assert mirror.requests == []


def test_error_interrupted(place: Place, mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C gives one line and the shells' exit code; the next run completes."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("variorum_crawler.sync.sync.Sync._build", interrupt)
        result = place.run()

    assert result.output == "cr: interrupted; the next cr sync fetches what is missing\n"
    assert result.exit_code == 130
    assert place.sync()["new"] == ["2025-05-30"]


def test_error_two_syncs(place: Place, mirror: Mirror) -> None:
    """While a sync runs, another one stops with a line that says so."""
    place.offer_known(mirror)

    with locked(place.kb / "crawl"):
        result = place.run()

    assert result.stderr == (f"cr: {place.kb}: another cr sync is running; wait until it is done\n")
    assert result.exit_code == 3
    assert mirror.requests == []


def test_error_not_writable(place: Place, mirror: Mirror) -> None:
    """If the folder cannot be written, one line says so."""
    place.offer_known(mirror)
    place.kb.mkdir()
    (place.kb / "crawl").write_bytes(b"x")

    result = place.run()

    assert result.stderr == f"cr: {place.kb / 'crawl'}: cannot be written: File exists\n"
    assert result.exit_code == 3


def test_error_full_disk(place: Place, mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk gives one line; once there is room, the next run completes."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.parent.name == "incoming":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    result = place.run()
    monkeypatch.setattr(Path, "write_bytes", write)

    assert result.stderr.endswith(": cannot be written: No space left on device\n")
    assert (result.exit_code, result.stderr.count("\n")) == (3, 1)
    assert place.sync()["new"] == ["2025-05-30"]


@pytest.mark.parametrize("kind", [BaseBusyError, NotWritableError])
def test_no_search_index(
    place: Place, mirror: Mirror, monkeypatch: pytest.MonkeyPatch, kind: Callable[[str], Exception]
) -> None:
    """A sync succeeds without a search index, and says why there is none."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])

    def fail(_: BaseIndexes) -> None:
        raise kind("no room")

    monkeypatch.setattr(BaseIndexes, "keep_in_step", fail)
    result = place.run()

    assert result.stderr == "cr: the search index is not up to date: no room\n"
    assert result.exit_code == 0


def test_build_meanwhile(place: Place, mirror: Mirror) -> None:
    """During a build, a sync says so; the next one completes."""
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    with locked(place.kb):
        busy = place.run()

    report = place.sync()

    assert busy.exit_code == 3
    assert busy.stderr == (
        f"cr: {place.kb}: another process is building or checking this knowledge base; "
        "wait until it is done\n"
    )
    assert report["new"] == ["2025-05-30"]
