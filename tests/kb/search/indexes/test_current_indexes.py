"""The indexes of a base: built if missing, outdated or damaged, else kept."""

import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.kb.search.small_indexes import (
    ask,
    documents,
    flip,
    keep,
    manifest_of,
    names,
    scopes,
    state_of,
)
from tests.support.search_requests import TODAY
from tests.support.small_bases import build, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.cli.main import main
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.cache import cache_of, open_cache
from variorum_kb.search.indexes.current_indexes import BaseIndexes
from variorum_kb.search.indexes.index_builder import Maker
from variorum_kb.search.search_options import SearchOptions
from variorum_kb.system.lock import locked

pytestmark = pytest.mark.slow

CURRENT = "the search index of the edition of 2022-08-07"
EVER = "the search index of all editions"
BUSY = "another process is building or checking this knowledge base; wait until it is done"


@pytest.fixture(scope="module")
def without_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of three editions; tests must not change it."""
    folder = tmp_path_factory.mktemp("three")
    build(folder / "kb", write(folder, documents(3)))
    return folder / "kb"


@pytest.fixture(scope="module")
def with_index(without_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return such a base with its indexes; tests must not change it."""
    folder = tmp_path_factory.mktemp("indexed") / "kb"
    shutil.copytree(without_index, folder)
    keep(folder)
    # The cache itself may be pruned, since the tests have very many bases.
    shutil.copytree(cache_of(folder), folder.parent / "cache")
    return folder


@pytest.fixture
def fresh(without_index: Path, tmp_path: Path) -> Path:
    """Return a base of three editions without indexes."""
    return Path(shutil.copytree(without_index, tmp_path / "fresh"))


@pytest.fixture
def indexed(with_index: Path, tmp_path: Path) -> Path:
    """Return a base of three editions with its indexes."""
    copied = Path(shutil.copytree(with_index, tmp_path / "indexed"))
    shutil.copytree(with_index.parent / "cache", cache_of(copied))
    return copied


# Missing, kept, outdated ---------------------------------------------------------------------


@pytest.mark.parametrize(("ever", "about"), [(False, CURRENT), (True, EVER)])
def test_missing(fresh: Path, ever: bool, about: str) -> None:
    """A missing index is built, with a note."""
    answer, texts = ask(fresh, ever=ever)

    assert answer["hits"]
    assert texts == [f"{about} is missing; rebuilding it"]
    assert scopes(fresh) == (["ever"] if ever else ["on"])


@pytest.mark.parametrize("ever", [False, True])
def test_kept(indexed: Path, ever: bool) -> None:
    """An up-to-date index is used without a note."""
    before = state_of(indexed)

    answer, texts = ask(indexed, ever=ever)

    assert answer["hits"]
    assert texts == []
    assert state_of(indexed) == before


def test_made_again_gives_the_same(fresh: Path, indexed: Path) -> None:
    """An index built on demand answers like one made by `cr build`."""
    for ever in (False, True):
        assert ask(fresh, ever=ever)[0] == ask(indexed, ever=ever)[0]


def another_version(_: str) -> str:
    """Return a version that no part of this program has."""
    return "10000"


CHANGES: dict[str, object] = {
    "version_of": another_version,
    "table_checksum": lambda: 10_000,
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("ever", [False, True])
def test_outdated(indexed: Path, monkeypatch: pytest.MonkeyPatch, name: str, ever: bool) -> None:
    """An index of another program or another vocabulary is built again."""
    expected, _ = ask(indexed, ever=ever)
    monkeypatch.setattr(f"variorum_kb.search.indexes.current_indexes.{name}", CHANGES[name])

    answer, texts = ask(indexed, ever=ever)

    assert answer == expected
    assert texts == [f"{EVER if ever else CURRENT} is outdated; rebuilding it"]
    assert ask(indexed, ever=ever)[1] == []


def test_another_edition(indexed: Path, tmp_path: Path) -> None:
    """If the base gets more editions, both indexes are outdated."""
    build(indexed, write(tmp_path, documents(4)))

    _, now = ask(indexed)
    answer, ever = ask(indexed, "bells", ever=True)

    assert now == ["the search index of the edition of 2023-09-08 is outdated; rebuilding it"]
    assert ever == [f"{EVER} is outdated; rebuilding it"]
    assert [hit["stood"] for hit in answer["hits"]] == [[["2023-09-08", "2023-09-08"]]]


def test_another_day(indexed: Path) -> None:
    """If another edition is in force, it needs its own index; the index of all readings stays."""
    before = date(2021, 8, 1)

    _, texts = ask(indexed, today=before)
    _, ever = ask(indexed, ever=True, today=before)

    assert texts == ["the search index of the edition of 2021-07-06 is outdated; rebuilding it"]
    assert ever == []


# Damaged -------------------------------------------------------------------------------------


def truncate(file: Path) -> None:
    """Cut the last byte off a file, or add one to an empty file."""
    file.write_bytes(file.read_bytes()[:-1] or b"x")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "flipped": flip,
    "truncated": truncate,
    "deleted": Path.unlink,
}
FILES = ["manifest.json", "words.json", "vocabulary.json", "places.bin"]
PART = ["manifest.json", "marks.bin", "*.seg", "*.toc", "*LOCK"]
CASES = [
    *[(False, f"on-*/{file}") for file in FILES],
    *[(True, f"ever-*/{item}") for item in [*FILES, "keys.bin", "lines.bin"]],
    *[(False, f"part-on-*/{text}") for text in PART],
    *[(True, f"part-ever-*/{member}") for member in PART],
]


# The index of all editions is read by the same functions, so one kind of damage is enough there.
@pytest.mark.parametrize(
    ("ever", "pattern", "damage"),
    [(*case, damage) for case in CASES for damage in DAMAGES if damage == "flipped" or not case[0]],
)
def test_damaged(indexed: Path, ever: bool, pattern: str, damage: str) -> None:
    """If a file of an index is damaged in any way, the index is built again, and answers as before."""
    expected, _ = ask(indexed, ever=ever)
    (file,) = cache_of(indexed).glob(pattern)
    if file.name == "manifest.json" and damage == "flipped":
        file.write_bytes(b"\xff" + file.read_bytes()[1:])
    else:
        DAMAGES[damage](file)

    answer, texts = ask(indexed, ever=ever)

    assert answer == expected
    assert texts == [f"{EVER if ever else CURRENT} is damaged; rebuilding it"]
    assert ask(indexed, ever=ever) == (expected, [])


@pytest.mark.parametrize(
    "data", [b"[]", b"null", b"{}", b'{"files": 1}', b'{"files": {"a": 1}}', b""]
)
def test_manifest_of_another_form(indexed: Path, data: bytes) -> None:
    """A manifest of another form is ignored."""
    expected, _ = ask(indexed)
    (file,) = cache_of(indexed).glob("on-*/manifest.json")
    file.write_bytes(data)

    assert ask(indexed) == (expected, [f"{CURRENT} is damaged; rebuilding it"])


@pytest.mark.parametrize("name", [b'"rests_on"', b'"parts"', b'"files"'])
def test_manifest_with_one_byte_flipped(
    indexed: Path, monkeypatch: pytest.MonkeyPatch, name: bytes
) -> None:
    """A manifest with one changed byte causes no exception, now or later."""
    expected, _ = ask(indexed)
    (file,) = cache_of(indexed).glob("on-*/manifest.json")
    file.write_bytes(file.read_bytes().replace(name, name.upper()))

    answer, _ = ask(indexed)
    monkeypatch.setattr("variorum_kb.search.indexes.current_indexes.version_of", another_version)
    later, _ = ask(indexed)

    assert answer == later == expected


def test_half_written(indexed: Path) -> None:
    """Files of a process that died are removed when the next index is built."""
    new = cache_of(indexed) / "new"
    new.mkdir()
    (new / "half.seg").write_bytes(b"half")
    flip(next(cache_of(indexed).glob("on-*/words.json")))

    answer, texts = ask(indexed)

    assert answer["hits"]
    assert texts == [f"{CURRENT} is damaged; rebuilding it"]
    assert not new.exists()


# No permission to write -------------------------------------------------------------------------


@pytest.mark.parametrize("ever", [False, True])
def test_busy(fresh: Path, indexed: Path, ever: bool) -> None:
    """While another process writes the indexes, one is built only for this search, with a note."""
    expected, _ = ask(indexed, ever=ever)

    with locked(open_cache(fresh)):
        answer, texts = ask(fresh, ever=ever)

    assert answer == expected
    assert texts == [
        f"{EVER if ever else CURRENT} is missing; rebuilding it",
        f"the search index cannot be kept: {cache_of(fresh)}: {BUSY}",
    ]
    assert names(fresh) == []


def test_read_only(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the cache cannot be written, search still works."""
    make = Path.mkdir

    def refuse(path: Path, *arguments: Any, **options: Any) -> None:
        if path == cache_of(fresh):
            raise OSError(30, "Read-only file system")
        make(path, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", refuse)

    answer, texts = ask(fresh)

    assert answer["hits"]
    label = f"{cache_of(fresh)}: cannot be written: Read-only file system"
    assert texts[1:] == [f"the search index cannot be kept: {label}"]
    assert not cache_of(fresh).exists()


def test_disk_is_full(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old index stays, and one is built elsewhere."""
    expected, _ = ask(indexed)
    before = state_of(indexed)
    monkeypatch.setattr("variorum_kb.search.indexes.current_indexes.version_of", another_version)

    def full(*_: object) -> None:
        monkeypatch.undo()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("variorum_kb.search.indexes.index_builder.write", full)

    answer, texts = ask(indexed)

    new = cache_of(indexed) / "new"
    assert answer == expected
    assert texts[1] == (
        f"the search index cannot be kept: {new.parent}: cannot be written: No space left on device"
    )
    shutil.rmtree(new)
    assert state_of(indexed) == before


def test_one_time_index_goes(fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index for one search is removed after the search."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))

    with (
        locked(open_cache(fresh)),
        Search(KnowledgeBase.open(fresh, today=TODAY)) as search,
    ):
        search.search(SearchOptions("keeper"))
        during = len(list((tmp_path / "temporary").iterdir()))

    assert during == 1
    assert list((tmp_path / "temporary").iterdir()) == []


def test_another_process_was_faster(indexed: Path) -> None:
    """If another process built the index while this one waited for the lock, it is used."""
    before = state_of(indexed)
    with KnowledgeBase.open(indexed, today=TODAY) as base:
        wanted = BaseIndexes(base).wanted()[0]

        made = Maker(base, cache_of(indexed)).make(wanted)

    assert made == manifest_of(cache_of(indexed) / wanted.name)["parts"]
    assert state_of(indexed) == before


# Up to date -----------------------------------------------------------------------------------


def test_build_keeps_in_step(tmp_path: Path) -> None:
    """A build makes both indexes, keeps them if nothing changes, and removes the old ones."""
    paths = [str(path) for path in write(tmp_path, documents(3))]
    folder = tmp_path / "kb"

    first = CliRunner().invoke(main, ["build", "--kb", str(folder), *paths[:2]])
    made, state = names(folder), state_of(folder)
    second = CliRunner().invoke(main, ["build", "--kb", str(folder), *paths[:2]])
    kept = state_of(folder)
    third = CliRunner().invoke(main, ["build", "--kb", str(folder), *paths])

    assert [result.exit_code for result in (first, second, third)] == [0, 0, 0]
    assert scopes(folder) == ["ever", "on"]
    assert kept == state
    assert not set(names(folder)) & set(made)
    assert ask(folder)[1] == ask(folder, ever=True)[1] == []


def test_build_says_that_the_index_is_busy(tmp_path: Path) -> None:
    """If the indexes are locked, a build succeeds without them; a line says why."""
    (path,) = write(tmp_path, documents(1))
    folder = tmp_path / "kb"

    with locked(open_cache(folder)):
        result = CliRunner().invoke(main, ["build", "--kb", str(folder), str(path)])

    assert result.exit_code == 0
    assert result.stdout.startswith(f"{folder}: 1 new, 0 known, 0 refused\n")
    assert result.stderr.splitlines()[-1] == (
        f"cr: the search index is not up to date: {cache_of(folder)}: {BUSY}"
    )


def test_build_of_nothing(tmp_path: Path) -> None:
    """If no base is made, no index is built."""
    folder = tmp_path / "kb"

    result = CliRunner().invoke(main, ["build", "--kb", str(folder)])

    assert result.exit_code == 0
    assert not (cache_of(folder)).exists()


def test_no_edition_in_force(fresh: Path) -> None:
    """Before the first edition, only the index of all readings is kept."""
    announced = keep(fresh, date(2019, 1, 1))

    assert announced == ["all editions"]
    assert scopes(fresh) == ["ever"]
    assert keep(fresh, date(2019, 1, 1)) == []


def test_tidy(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indexes that are no longer needed are removed when the next one is built."""
    (cache_of(indexed) / "on-00000000").mkdir()
    (cache_of(indexed) / "new").mkdir()
    monkeypatch.setattr("variorum_kb.search.indexes.current_indexes.version_of", another_version)

    announced = keep(indexed)

    assert announced == ["all editions", "the edition of 2022-08-07"]
    assert scopes(indexed) == ["ever", "on"]


def test_the_other_way_round(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are the same on machines with another byte order."""
    ask(fresh, ever=True)
    (file,) = cache_of(fresh).glob("ever-*/lines.bin")
    before = file.read_bytes()
    with (
        KnowledgeBase.open(fresh, today=TODAY) as base,
        closing(BaseIndexes(base)) as indexes,
    ):
        kept = indexes.ever
        native = kept.lines()
        monkeypatch.setattr("sys.byteorder", "big")
        swapped = kept.lines()
        monkeypatch.undo()

    swapped.byteswap()
    assert swapped == native
    assert before == native.tobytes()


def test_kept_apart(indexed: Path, tmp_path: Path) -> None:
    """A copy of a base gets its own indexes, in its own folder."""
    copied = tmp_path / "elsewhere"
    shutil.copytree(indexed, copied)
    texts: list[str] = []

    with Search(KnowledgeBase.open(copied, today=TODAY), texts.append) as search:
        result = search.search(SearchOptions("keeper"))

    assert result["hits"]
    assert texts == [f"{CURRENT} is missing; rebuilding it"]
    assert scopes(copied) == ["on"]
