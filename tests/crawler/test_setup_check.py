"""`cr doctor`."""

import json
import os
import shutil
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from tests.crawler.mirror import Mirror
from tests.crawler.syncing import NEWEST, SAMPLE, Place, at, good, known, serve
from tests.support.small_bases import write_otherwise
from variorum_crawler.setup_check import Checked, Level, examine
from variorum_crawler.sync.crawl_state import CRAWL
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main
from variorum_kb.documents.archive import Archive
from variorum_kb.errors import NotWritableError
from variorum_kb.system.lock import locked

TODAY = date(2025, 6, 10)


@pytest.fixture
def kb(sample_base: Path, tmp_path: Path) -> Path:
    """Return a copy of the sample rulebook's base, without the search indexes of other tests."""
    shutil.copytree(sample_base, tmp_path / "kb")
    return tmp_path / "kb"


def doctor(*arguments: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)])


def checks(kb: Path, sources: Path | None = None, **environment: str) -> dict[str, Checked]:
    """Return the results of the checks by subject."""
    return {checked.about: checked for checked in examine(kb, sources, environment, TODAY)}


def wrong(kb: Path, sources: Path | None = None, **environment: str) -> list[str]:
    """Return the problems, except those of a base that was never searched."""
    results = checks(kb, sources, **environment).values()
    return [
        str(checked)
        for checked in results
        if checked.level is not Level.OK and checked.about != "search"
    ]


def test_all_is_well(tmp_path: Path, mirror: Mirror) -> None:
    """After a sync, every check is good, including those of the search indexes."""
    place = Place(tmp_path)
    serve(mirror, [NEWEST])
    place.offer_known(mirror, [NEWEST])
    place.sync()

    results = checks(place.kb, place.sources)

    assert [str(checked) for checked in results.values() if checked.level is not Level.OK] == []
    assert results["knowledge base"].what == "1 edition, the newest of 2025-05-30"
    assert results["archive"].what == "1 document, all as they came"
    assert results["sources"].what == "mirror"
    assert results["last sync"].what.startswith(
        "succeeded; the last one that found anything new ended 2"
    )


def test_nothing_is_changed(kb: Path, mirror: Mirror) -> None:
    """Nothing is written, and no network access is made."""
    place = Place(kb.parent)
    before = place.snapshot()

    doctor("--kb", kb)

    assert place.snapshot() == before
    assert mirror.requests == []


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, the command says how to make one and exits 1."""
    result = doctor("--kb", tmp_path / "none")

    problem = f"{tmp_path / 'none' / 'kb.sqlite'}: there is none; cr sync makes one"
    assert f"problem  knowledge base: {problem}\n" in result.stdout
    assert f"ok       folder: {tmp_path / 'none'}, which will be made\n" in result.stdout
    assert result.stdout.endswith("\n1 problem, 0 warnings\n")
    assert result.exit_code == 1


def test_json(kb: Path) -> None:
    """As JSON, each check has its level and what to do."""
    (kb / "kb.sqlite").unlink()

    report = json.loads(doctor("--kb", kb, "--json").stdout)

    assert report["problems"] == 1
    assert [check for check in report["checks"] if check["level"] == "problem"] == [
        {
            "level": "problem",
            "about": "knowledge base",
            "what": f"{kb / 'kb.sqlite'}: there is none",
            "remedy": "cr sync makes one",
        }
    ]


def test_error_damaged_base(kb: Path) -> None:
    """A folder that is no base is a problem."""
    (kb / "kb.sqlite").write_bytes(b"x" * 5000)

    assert wrong(kb) == [
        (
            f"problem  knowledge base: {kb / 'kb.sqlite'}: not a knowledge base: "
            "file is not a database; cr build makes it anew from its documents"
        )
    ]


def test_error_rot(kb: Path) -> None:
    """Bit rot is a problem."""
    archive = Archive(kb / "documents")
    for sha256 in list(archive)[:2]:
        archive.path(sha256).write_bytes(b"x")

    assert wrong(kb) == [
        (
            f"problem  archive: {archive.path(next(iter(archive)))}: the bytes have changed: "
            "they no longer match their name, and 1 more; "
            "cr kb documents verify lists them; cr sync fetches them again where they are still published"
        )
    ]


def test_error_locks(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that cannot be opened is reported as a problem of permissions."""
    (kb / "lock").touch()

    def refuse(_: Path) -> None:
        raise NotWritableError("no permission")

    monkeypatch.setattr("variorum_crawler.setup_check.locked", refuse)

    assert str(checks(kb)["lock of build or check"]) == (
        "problem  lock of build or check: no permission; change its permissions"
    )


def test_warning_locks(kb: Path) -> None:
    """A lock in use is a warning."""
    (kb / "lock").touch()
    (kb / CRAWL).mkdir()
    (kb / CRAWL / "lock").touch()

    with locked(kb), locked(kb / CRAWL):
        problems = wrong(kb)

    assert problems == [
        (
            f"warning  lock of {who}: in use: a {who} is running; "
            "wait until it is done; the lock ends with its process"
        )
        for who in ("build or check", "sync")
    ]


ALONE = "; cr sync looks for a second source; cr kb accept HASH says that you trust it"
BETTER = "; look for a better text of this date"


@pytest.mark.parametrize(
    ("doubts", "shown"),
    [
        ({}, ["ok       editions: all attested, sound and whole"]),
        (
            {"2010-01-22": "one source"},
            [f"warning  editions: of one source: 2010-01-22{ALONE}"],
        ),
        (
            {"2008-06-20": "one source", "2010-01-22": "one source", "2015-04-17": "one source"},
            [f"warning  editions: of one source: 2015-04-17 and 2 more{ALONE}"],
        ),
        (
            {"2008-06-20": "one source", "2010-01-22": "one source\nlossy"},
            [
                f"warning  editions: of one source: 2008-06-20{ALONE}",
                f"warning  editions: 2010-01-22: one source, lossy{BETTER}",
            ],
        ),
    ],
)
def test_warning_doubts(kb: Path, doubts: dict[str, str], shown: list[str]) -> None:
    """Editions with one source are counted; editions with other doubts are listed."""
    write_otherwise(
        kb,
        "UPDATE edition SET doubts = ''",
        *(
            f"UPDATE edition SET doubts = '{lines}' WHERE label = '{day}'"  # noqa: S608
            for day, lines in doubts.items()
        ),
    )

    examined = examine(kb, None, {}, TODAY)

    assert [str(checked) for checked in examined if checked.about == "editions"] == shown


@pytest.mark.parametrize(
    ("today", "shown"),
    [
        (date(2025, 12, 16), "ok       newest edition: 2025-05-30"),
        (
            date(2025, 12, 17),
            "warning  newest edition: 2025-05-30, 201 days ago; is cr sync run regularly?",
        ),
    ],
)
def test_warning_old(kb: Path, today: date, shown: str) -> None:
    """If the newest edition is older than 200 days, the command warns."""
    results = {checked.about: checked for checked in examine(kb, None, {}, today)}

    assert str(results["newest edition"]) == shown


@pytest.mark.parametrize(
    ("free", "shown"),
    [
        (2**30, "ok       disk: 1.0 GB free"),
        (2**30 - 1, "warning  disk: 1.0 GB free; make room: all editions need half a gigabyte"),
        (200 * 2**20, "warning  disk: 0.2 GB free; make room: all editions need half a gigabyte"),
        (
            200 * 2**20 - 1,
            "problem  disk: 0.2 GB free; make room: all editions need half a gigabyte",
        ),
    ],
)
def test_room(kb: Path, monkeypatch: pytest.MonkeyPatch, free: int, shown: str) -> None:
    """Less than a gigabyte free is a warning, less than 200 MB a problem."""

    def usage(_: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", usage)

    assert str(checks(kb)["disk"]) == shown


def test_warning_quarantine_and_failures(tmp_path: Path, mirror: Mirror) -> None:
    """Documents in quarantine and failed sources are warnings."""
    place = Place(tmp_path)
    serve(mirror, [NEWEST])
    mirror.serve("/page.txt", good(b"<html>no</html>"))
    place.offer(
        known("mirror", at(mirror, NEWEST), at(mirror, "page.txt")),
        known("dead", at(mirror, "gone.txt")),
    )
    place.sync(code=1)

    results = checks(place.kb, place.sources)

    assert results["quarantine"].level is results["last sync"].level is Level.WARNING
    assert results["quarantine"].what.endswith(": a web page instead of a document")
    assert results["last sync"].what.endswith(": dead")


def test_warning_cut_short(kb: Path, mirror: Mirror) -> None:
    """A sync that was cut short is a warning."""
    place = Place(kb.parent)
    mirror.serve("/new.txt", good(SAMPLE[NEWEST] + b"\r\n"))
    place.offer(known("mirror", at(mirror, "new.txt")))
    with locked(kb):
        place.run()

    assert str(checks(kb)["last sync"]) == (
        "warning  last sync: was cut short; cr sync fetches what is missing"
    )


def test_warning_no_index(kb: Path) -> None:
    """Missing indexes are a warning."""
    assert checks(kb)["search"].level is Level.WARNING


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (1, "1 verdict cannot be applied: 100.1"),
        (5, "5 verdicts cannot be applied: 100.1, 100.2, 100.3, 100.4, 100.5"),
        (7, "7 verdicts cannot be applied: 100.1, 100.2, 100.3, 100.4, 100.5 and 2 more"),
    ],
)
def test_warning_unapplied_verdicts(
    kb: Path, monkeypatch: pytest.MonkeyPatch, count: int, shown: str
) -> None:
    """Verdicts that cannot be applied are a warning; five of them are named."""
    unapplied = [SimpleNamespace(about=f"100.{place}") for place in range(1, count + 1)]

    def found(_: object) -> list[SimpleNamespace]:
        return unapplied

    monkeypatch.setattr("variorum_crawler.setup_check.unapplied_verdicts", found)

    checked = checks(kb)["verdicts"]

    assert (checked.level, checked.what) == (Level.WARNING, shown)


def test_error_sources(kb: Path, tmp_path: Path) -> None:
    """An unreadable file of sources is a problem."""
    path = tmp_path / "sources.toml"
    path.write_text("[[source]", "utf-8")

    (problem,) = wrong(kb, path)

    assert problem.startswith(f"problem  sources: {path}: ")


@pytest.mark.parametrize(
    ("proxies", "shown"),
    [
        ({"PATH": "http://proxy:3128", "ALL_PROXY": ""}, "none"),
        (
            {"http_proxy": "http://me:secret@proxy:3128", "NO_PROXY": "localhost"},
            "NO_PROXY=localhost, http_proxy=http://…@proxy:3128",
        ),
        ({"HTTPS_PROXY": "me:a@b@proxy"}, "HTTPS_PROXY=…@proxy"),
        ({"all_proxy": "https://proxy:1"}, "all_proxy=https://proxy:1"),
    ],
)
def test_proxies(kb: Path, proxies: dict[str, str], shown: str) -> None:
    """Proxies are shown without their passwords."""
    assert checks(kb, None, **proxies)["proxies"] == Checked(Level.OK, "proxies", shown)


@pytest.mark.parametrize("proxy", ["http://", "socks5://h:1", "h:port", "http://h:0"])
def test_error_proxy(kb: Path, proxy: str) -> None:
    """A proxy that cannot be used is a problem."""
    assert wrong(kb, HTTPS_PROXY=proxy) == [
        (
            "problem  proxies: HTTPS_PROXY is no address such as http://proxy:3128; "
            "set HTTPS_PROXY anew, or unset it"
        )
    ]


def test_error_folder(tmp_path: Path) -> None:
    """A file in place of the folder is a problem."""
    (tmp_path / "kb").write_bytes(b"x")

    assert checks(tmp_path / "kb")["folder"] == Checked(
        Level.PROBLEM,
        "folder",
        f"{tmp_path / 'kb'} is a file",
        "name a folder with --kb or VARIORUM_KB",
    )


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_error_read_only(tmp_path: Path) -> None:
    """A folder that cannot be written is a problem."""
    tmp_path.chmod(0o500)

    assert checks(tmp_path)["folder"].what == f"{tmp_path} cannot be written"


def test_older_program(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A base that another version wrote is a warning."""
    monkeypatch.setattr("variorum_crawler.setup_check.current_meta", dict)

    assert wrong(kb) == [
        (
            "warning  knowledge base: 9 editions, built by another version of Variorum; "
            "cr build brings it up to date"
        )
    ]


def test_no_archive_is_no_problem(tmp_path: Path) -> None:
    """An archive without documents is "empty", which is no problem."""
    list(Builder(tmp_path, "2030-01-02T03:04:05+00:00", jobs=1).take_in([]))

    assert checks(tmp_path)["archive"].what == "empty"
