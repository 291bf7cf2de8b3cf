"""Every change of a base's file is detected, and no look-up answers from a changed file."""

import random
import sqlite3
import subprocess
import sys
import sysconfig
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.small_bases import build, change, edition, write
from variorum_crawler.setup_check import Level, examine
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem
from variorum_kb.cli.main import main
from variorum_kb.errors import BaseError, DamagedBaseError
from variorum_kb.store.reader import Reader
from variorum_kb.store.verified import is_sealed, is_whole

CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
FLIPS = 100
REMEDY = "; cr build builds it anew from the documents kept"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of three editions; tests must not change it."""
    folder = tmp_path_factory.mktemp("sound")
    days = ("June 5, 2020", "July 6, 2021", "August 7, 2022")
    documents = {f"{day}.txt": edition(day, rule=f"A keeper hums on {day}.") for day in days}
    build(folder / "kb", write(folder, documents))
    return folder / "kb"


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """Return a copy of the base."""
    for path in sound.rglob("*"):
        if path.is_file():
            write(tmp_path / "kb", {path.relative_to(sound).as_posix(): path.read_bytes()})
    return tmp_path / "kb"


def file_of(folder: Path) -> str:
    return str(folder / "kb.sqlite")


def problems(folder: Path) -> list[str]:
    return [str(report) for report in verify(folder) if isinstance(report, Problem)]


def cr(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--kb", str(folder)])


def with_flip(data: bytes, place: int) -> bytes:
    """Return bytes with one bit flipped."""
    flipped = data[place // 8] ^ 1 << place % 8
    return data[: place // 8] + bytes([flipped]) + data[place // 8 + 1 :]


# Bits ----------------------------------------------------------------------------------------


def test_a_base_is_sealed(sound: Path) -> None:
    """A new file passes the check, whether or not the result is remembered."""
    assert is_sealed(file_of(sound))
    assert is_whole(file_of(sound))
    assert is_whole(file_of(sound))
    assert problems(sound) == []


def test_error_flipped_bits(folder: Path) -> None:
    """Every flipped bit is found: in pages in use, in the header and in the digests."""
    data = (folder / "kb.sqlite").read_bytes()
    chance = random.Random(60)
    digests = data.index(b"SHA-256 of this file")
    places = [
        *range(0, 100 * 8, 8),
        *range(digests * 8, (digests + 100) * 8, 8),
        *(chance.randrange(len(data) * 8) for _ in range(FLIPS)),
    ]
    missed: list[int] = []

    for place in places:
        (folder / "kb.sqlite").write_bytes(with_flip(data, place))
        if is_sealed(file_of(folder)) or is_whole(file_of(folder)):
            missed.append(place)

    assert missed == []


@pytest.mark.slow
def test_error_flipped_bits_are_told(folder: Path) -> None:
    """Each is a problem for `cr check` and `cr doctor`, and no look-up answers."""
    data = (folder / "kb.sqlite").read_bytes()
    chance = random.Random(61)
    missed: list[tuple[int, str]] = []

    for place in [chance.randrange(len(data) * 8) for _ in range(20)]:
        (folder / "kb.sqlite").write_bytes(with_flip(data, place))
        shown = cr(folder, "show", "100.1")
        missed += [] if problems(folder) else [(place, "check")]
        missed += [] if shown.exit_code and not shown.stdout else [(place, "show")]
        levels = {checked.level for checked in examine(folder, None, {}, date(2023, 1, 1))}
        missed += [] if Level.PROBLEM in levels else [(place, "doctor")]

    assert missed == []


@pytest.mark.parametrize(("stop", "more"), [(-8192, b""), (None, b"\0"), (300, b""), (0, b"")])
def test_error_length(folder: Path, stop: int | None, more: bytes) -> None:
    """A file that is too short or too long is damaged."""
    path = folder / "kb.sqlite"
    path.write_bytes(path.read_bytes()[:stop] + more)

    assert not is_sealed(str(path))
    assert problems(folder) != []


# Tables --------------------------------------------------------------------------------------

TABLES: dict[str, str] = {
    "UPDATE reading SET body = replace(body, 'keeper', 'porter')": "reading does",
    "UPDATE meta SET value = '9' WHERE name = 'finder'": "meta does",
    "UPDATE edition SET credits = '[]' WHERE id = 0": "edition does",
    "UPDATE provision SET number = '100.9' WHERE number = '100.2'": "provision does",
    "UPDATE span SET last = 1 WHERE last = 2 AND first = 0": "span does",
    "DELETE FROM attestation WHERE reading = 2": "attestation does",
    "UPDATE lookup SET word = '100.9' WHERE word = '100.2'": "lookup does",
    "UPDATE citation SET start = start + 1": "citation does",
    "INSERT INTO cited VALUES (3, 0, 7, '101.1')": "cited does",
    "UPDATE link SET confidence = 0.25 WHERE rowid = 1": "link does",
    "UPDATE link SET kinds = kinds | 256 WHERE rowid = 1": "link does",
    "UPDATE evidence SET reasons = 'because' WHERE id = 0": "evidence does",
    "DELETE FROM lookup;DELETE FROM cited": "cited, lookup do",
    "UPDATE digest SET value = '' WHERE name = 'span'": "span does",
}


@pytest.mark.parametrize("statement", TABLES)
def test_error_table(folder: Path, statement: str) -> None:
    """A table changed through SQL is named; the next build repairs it."""
    before = (folder / "kb.sqlite").read_bytes()
    change(folder, *statement.split(";"))

    result = problems(folder)
    build(folder)

    assert f"kb.sqlite: damaged: {TABLES[statement]} not hold what was written{REMEDY}" in result
    assert (folder / "kb.sqlite").read_bytes() == before
    assert problems(folder) == []


def test_error_broken_pointers(folder: Path) -> None:
    """Rows that point to missing rows are found, by table."""
    change(folder, "DELETE FROM reading WHERE id = 3")

    result = problems(folder)
    build(folder)

    assert result == [
        f"kb.sqlite: damaged: rows of the table {table} point to none of the table reading{REMEDY}"
        for table in ("attestation", "provision")
    ]
    assert problems(folder) == []


def test_error_broken_index(folder: Path) -> None:
    """Rows that an index lacks are found."""
    path = folder / "kb.sqlite"
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))

    result = problems(folder)

    assert f"kb.sqlite: damaged: row 12 missing from index provision_parent{REMEDY}" in result


def test_error_swapped_words(folder: Path) -> None:
    """If two provisions swap their words, the problem names one and counts the other."""
    change(
        folder,
        "CREATE TEMP TABLE was AS SELECT number, reading FROM provision",
        "UPDATE provision SET reading = (SELECT reading FROM was WHERE was.number = "
        "iif(provision.number = '100.1a', '100.1b', '100.1a')) WHERE number IN ('100.1a', '100.1b')",
    )

    assert any(
        "provision no longer has the words that were written for 100.1a and 1 more" in problem
        for problem in problems(folder)
    )


# Look-ups ------------------------------------------------------------------------------------


def test_error_look_up(folder: Path) -> None:
    """A look-up in a changed base prints one line, no rule, and exits with 3, on either path."""
    change(folder, "UPDATE reading SET body = replace(body, 'keeper', 'porter')")

    slow = cr(folder, "show", "100.1")
    quick = subprocess.run(
        [CR, "100.1", "--kb", folder], capture_output=True, text=True, check=False
    )

    line = (
        f"cr: {folder / 'kb.sqlite'}: damaged: it is not as it was written; "
        "run cr build to build it anew\n"
    )
    assert (slow.exit_code, slow.stdout, slow.stderr) == (3, "", line)
    assert (quick.returncode, quick.stdout, quick.stderr) == (3, "", line)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reading SET body = replace(body, 'keeper', 'porter')",
        "UPDATE provision SET reading = reading - 1 WHERE number LIKE '100.1%'",
        "UPDATE provision SET checksum = checksum + 1",
        "UPDATE provision SET address = address || 'x'",
        "UPDATE reading SET body = CAST(body AS BLOB)",
        "UPDATE provision SET heading = CAST(heading AS BLOB)",
    ],
)
def test_error_words(folder: Path, statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that were lost on the disk are noticed before they are printed."""
    change(folder, statement)
    monkeypatch.setattr("variorum_kb.store.reader.is_whole", bool)

    with KnowledgeBase.open(folder) as base:
        with pytest.raises(DamagedBaseError, match="the words that were written"):
            base.show("100.1")
        with pytest.raises(DamagedBaseError, match="the words that were written"):
            list(base.provisions())


# Remembered results ----------------------------------------------------------------------------


def test_remembered(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is read once, and again when it changes; no result is stored for a very new file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("variorum_kb.store.verified.cache_folder", lambda: str(tmp_path / "cache"))
    read: list[str] = []

    def reading(file: str) -> bool:
        read.append(file)
        return is_sealed(file)

    monkeypatch.setattr("variorum_kb.store.verified.is_sealed", reading)
    monkeypatch.setattr("variorum_kb.store.verified._TICK", 10**18)
    file = file_of(folder)

    assert is_whole(file)
    assert not (tmp_path / "cache").exists()
    monkeypatch.setattr("variorum_kb.store.verified._TICK", -1)
    assert [is_whole(file) for _ in range(3)] == [True] * 3
    assert len(read) == 2
    change(folder, "UPDATE reading SET body = 'x' WHERE id = 2")
    assert not is_whole(file)
    assert not is_whole(file)
    assert len(read) == 4


def test_error_change_that_no_time_shows(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that adds an edition refuses a file that changed while its times stayed; the next rebuilds it."""
    monkeypatch.setattr("variorum_kb.store.verified.cache_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr("variorum_kb.store.verified._TICK", -1)
    expected = Path(file_of(folder)).read_bytes()
    change(folder, "UPDATE reading SET body = replace(body, 'keeper', 'porter')")
    with monkeypatch.context() as before_the_change:
        before_the_change.setattr("variorum_kb.store.verified.is_sealed", bool)
        assert is_whole(file_of(folder))
    later = write(tmp_path, {"later.txt": edition("August 8, 2023", rule="A keeper yawns.")})

    assert build(folder) == []
    with pytest.raises(DamagedBaseError, match="not as it was written"):
        build(folder, later)
    build(folder)

    assert Path(file_of(folder)).read_bytes() == expected


def test_nothing_can_be_remembered(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the cache cannot be written, every look-up reads the file."""
    (tmp_path / "cache").write_bytes(b"a file, no folder")
    monkeypatch.setattr("variorum_kb.store.verified.cache_folder", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr("variorum_kb.store.verified._TICK", -1)

    assert is_whole(file_of(folder))
    change(folder, "UPDATE reading SET body = 'x' WHERE id = 2")
    assert not is_whole(file_of(folder))


# Crafted files -------------------------------------------------------------------------------

CRAFTED: dict[str, list[str]] = {
    "trigger": [
        "CREATE TRIGGER tell AFTER UPDATE ON reading BEGIN DELETE FROM reading; END",
    ],
    "view": [
        "ALTER TABLE reading RENAME TO words",
        "CREATE VIEW reading AS SELECT id, 'Nobody may hum.' AS body FROM words",
    ],
    "endless view": [
        "DROP TABLE meta",
        "CREATE VIEW meta AS WITH RECURSIVE n AS (SELECT 1 AS name UNION ALL SELECT * FROM n) "  # noqa: ISC004
        "SELECT name, name AS value FROM n",
    ],
    "renamed table": ["ALTER TABLE span RENAME TO spans"],
    "no table": ["DROP TABLE lookup"],
    "no digests": ["DROP TABLE digest"],
    "wrong types": ["UPDATE provision SET reading = 'three', kind = x'00', number = 5"],
    "numbers for words": ["UPDATE reading SET body = 5"],
    "no words": [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'body TEXT NOT NULL', 'body TEXT')",
        "PRAGMA writable_schema = RESET",
        "UPDATE reading SET body = NULL",
    ],
    "large": ["UPDATE reading SET body = CAST(zeroblob(50000000) AS TEXT) WHERE id = 3"],
    "generated column": ["ALTER TABLE reading ADD COLUMN more AS (upper(body))"],
    "another application": ["PRAGMA application_id = 7"],
    "newer layout": ["PRAGMA user_version = 99"],
    "log of changes": ["PRAGMA journal_mode = WAL"],
    "broken schema": [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE nonsense' WHERE name = 'reading'",
    ],
}


@pytest.mark.parametrize("name", CRAFTED)
def test_error_crafted(folder: Path, name: str) -> None:
    """For a crafted file, every command prints one line, no traceback and no rule."""
    change(folder, *CRAFTED[name])

    results = [cr(folder, *asked) for asked in (["show", "100.1"], ["history", "100.1"], ["toc"])]
    results += [cr(folder, *asked) for asked in (["export"], ["changes", "first..latest"])]
    checked, doctor = cr(folder, "check"), cr(folder, "doctor")

    for result in results:
        assert result.exit_code in {1, 3}
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert isinstance(result.exception, SystemExit)
    assert checked.exit_code == doctor.exit_code == 1
    assert isinstance(checked.exception, SystemExit)
    assert isinstance(doctor.exception, SystemExit)


@pytest.mark.parametrize("suffix", ["-wal", "-journal", "-shm"])
def test_logs_beside_the_file_are_left_alone(folder: Path, suffix: str) -> None:
    """Journal files beside the base, as SQLite would write them, change nothing."""
    parent = folder.parent / "other"
    parent.mkdir()
    with closing(sqlite3.connect(parent / "kb.sqlite")) as connection:
        connection.execute("PRAGMA journal_mode = WAL" if suffix != "-journal" else "BEGIN")
        connection.execute("CREATE TABLE more (id)")
        (folder / f"kb.sqlite{suffix}").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" * 512)

    result = cr(folder, "show", "100.1")

    assert (result.exit_code, result.stderr) == (0, "")
    assert problems(folder) == []


def test_error_unreadable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a file that cannot be read, one line says so."""

    def refuse(_: str) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("variorum_kb.store.reader.is_whole", refuse)

    with pytest.raises(BaseError) as caught:
        Reader(folder / "kb.sqlite")

    assert str(caught.value) == f"{folder / 'kb.sqlite'}: cannot be opened: Permission denied"
