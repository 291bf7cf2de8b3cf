"""From documents to a knowledge base."""

import hashlib
import itertools
from pathlib import Path

import pytest

from tests.support.edition_files import load_edition
from tests.support.small_bases import (
    DAYS,
    NOW,
    TRUNCATED,
    TRUNCATED_SAYS,
    accept,
    build,
    contents,
    edition,
    errors,
    hash_of,
    kinds,
    rows,
    write,
)
from variorum_kb.build.build import Builder
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem
from variorum_kb.build.outcomes import Doubted, Taken
from variorum_kb.documents.archive import Archive, Provenance
from variorum_kb.errors import LayoutError, NotReadableError
from variorum_kb.facts.editions import EditionFacts, known_editions


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    """Return the files of five editions."""
    return write(tmp_path, {f"{day[-4:]}.txt": edition(day, rule=day) for day in DAYS})


def test_load_edition(tmp_path: Path) -> None:
    """An edition is read from its file."""
    (path,) = write(tmp_path, {"a.txt": edition()})

    assert load_edition(path).effective.isoformat() == "2020-06-05"


def test_error_missing_file(tmp_path: Path) -> None:
    """For a file that cannot be opened, the error names it."""
    with pytest.raises(NotReadableError) as caught:
        load_edition(tmp_path / "none.txt")

    assert str(caught.value) == f"{tmp_path / 'none.txt'}: No such file or directory"


def test_error_carries_the_path(tmp_path: Path) -> None:
    """For a refused document, the error has its path."""
    (path,) = write(tmp_path, {"a.txt": b"no rules"})

    with pytest.raises(LayoutError) as caught:
        load_edition(path)

    assert str(caught.value).startswith(f"{path}: no known layout")


# Events --------------------------------------------------------------------------------------


def test_taken(tmp_path: Path, documents: list[Path]) -> None:
    """A new document is added to the archive and the base, and reported."""
    events = build(tmp_path / "kb", documents[:1])

    event, doubted = events
    assert isinstance(event, Taken)
    assert doubted == Doubted("2020-06-05", ("one source",))
    assert (event.effective, event.rules, event.condition) == ("2020-06-05", 8, "sound")
    assert (event.document.name, event.document.address) == ("2020.txt", str(documents[0]))
    archive = Archive(tmp_path / "kb" / "documents")
    (sha256,) = archive
    assert archive.load(sha256) == documents[0].read_bytes()
    assert archive.sources(sha256) == (Provenance("2020.txt", str(documents[0]), NOW),)
    assert rows(tmp_path / "kb", "label, sha256") == [("2020-06-05", sha256)]


def test_known(tmp_path: Path, documents: list[Path]) -> None:
    """A known document is not read again; its new source is recorded."""
    build(tmp_path / "kb", documents)
    before = (tmp_path / "kb" / "kb.sqlite").stat()
    (copy,) = write(tmp_path, {"copy.txt": documents[0].read_bytes()})

    events = build(tmp_path / "kb", [*documents, copy])

    assert kinds(events) == {"AlreadyKnown": 6}
    assert (tmp_path / "kb" / "kb.sqlite").stat().st_ino == before.st_ino
    archive = Archive(tmp_path / "kb" / "documents")
    sha256 = hashlib.sha256(copy.read_bytes()).hexdigest()
    assert [source.name for source in archive.sources(sha256)] == ["2020.txt", "copy.txt"]


@pytest.mark.parametrize("jobs", [1, 3])
def test_twins(tmp_path: Path, documents: list[Path], jobs: int) -> None:
    """If several files have the same bytes, the first is added and the others count as known."""
    data = documents[0].read_bytes()
    copies = write(tmp_path, {f"copy{number}.txt": data for number in range(3)})

    events = build(tmp_path / "kb", [documents[0], *copies, *documents[1:]], jobs)

    assert kinds(events) == {"Taken": 5, "AlreadyKnown": 3}
    sha256 = hashlib.sha256(data).hexdigest()
    sources = Archive(tmp_path / "kb" / "documents").sources(sha256)
    assert [source.name for source in sources] == [
        "2020.txt",
        "copy0.txt",
        "copy1.txt",
        "copy2.txt",
    ]


@pytest.mark.parametrize("jobs", [1, 3])
def test_error_refused_twins(tmp_path: Path, jobs: int) -> None:
    """Each copy of a refused document is reported by its own name."""
    paths = write(tmp_path, {"a.txt": TRUNCATED, "b.txt": TRUNCATED})

    events = build(tmp_path / "kb", paths, jobs)

    assert errors(events) == [f"{path}:{TRUNCATED_SAYS}" for path in paths]


def test_order_of_events(tmp_path: Path, documents: list[Path]) -> None:
    """Events are in the order of the documents, with any number of processes."""
    alone = build(tmp_path / "alone", documents, jobs=1)
    together = build(tmp_path / "together", documents, jobs=3)

    assert alone == together
    assert contents(tmp_path / "alone") == contents(tmp_path / "together")


def test_error_refused(tmp_path: Path, documents: list[Path]) -> None:
    """A document that cannot be read completely is refused and not kept; the others are built in."""
    (bad,) = write(tmp_path, {"bad.txt": TRUNCATED})

    events = build(tmp_path / "kb", [bad, *documents, tmp_path / "none.txt"])

    assert kinds(events) == {"Taken": 5, "Refused": 2}
    assert sorted(errors(events)) == [
        f"{bad}:{TRUNCATED_SAYS}",
        f"{tmp_path / 'none.txt'}: No such file or directory",
    ]
    archive = Archive(tmp_path / "kb" / "documents")
    assert len(archive) == 5
    assert not archive.path(hashlib.sha256(TRUNCATED).hexdigest()).exists()


def test_foreign_files(tmp_path: Path, documents: list[Path]) -> None:
    """Files in a folder that are not editions are passed over; a file that the user names is refused."""
    write(tmp_path, {"notes.md": b"# Notes", "picture.png": b"\x89PNG\r\n\x1a\n\x00\x01"})

    in_folder = build(tmp_path / "a", [tmp_path])
    named = build(tmp_path / "b", [tmp_path / "notes.md", documents[0]])

    assert kinds(in_folder) == {"Taken": 5, "PassedOver": 2}
    assert kinds(named) == {"Taken": 1, "Refused": 1}


def test_truncated_in_a_folder(tmp_path: Path) -> None:
    """Half an edition is refused even in a folder, since it is damaged."""
    write(tmp_path / "rules", {"bad.txt": TRUNCATED})

    assert kinds(build(tmp_path / "kb", [tmp_path / "rules"])) == {"Refused": 1}


def test_nothing_makes_nothing(tmp_path: Path) -> None:
    """If no document is built in, no base is made."""
    events = build(tmp_path / "kb", [tmp_path / "none.txt"])

    assert kinds(events) == {"Refused": 1}
    assert [path.name for path in (tmp_path / "kb").iterdir()] == ["lock"]


def test_sample(tmp_path: Path) -> None:
    """The sample rulebook makes a base of nine editions."""
    events = list(Builder(tmp_path / "kb", NOW, jobs=1).build_sample())

    assert kinds(events) == {"Taken": 9}
    assert not [report for report in verify(tmp_path / "kb") if isinstance(report, Problem)]


def test_relative_paths(
    tmp_path: Path, documents: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative paths are recorded as absolute paths, so they are valid from any folder."""
    monkeypatch.chdir(tmp_path)

    build(Path("kb"), [Path("2020.txt")])
    events = build(Path("kb"), [documents[0]])

    assert kinds(events) == {"AlreadyKnown": 1}
    archive = Archive(tmp_path / "kb" / "documents")
    (sha256,) = archive
    assert archive.sources(sha256) == (Provenance("2020.txt", str(documents[0]), NOW),)


# Equal bytes -----------------------------------------------------------------------------------


def test_any_order(tmp_path: Path, documents: list[Path]) -> None:
    """The order of the documents does not matter."""
    build(tmp_path / "kb", documents)

    for number, order in enumerate(itertools.islice(itertools.permutations(documents), 0, 120, 17)):
        build(tmp_path / f"{number}", order)
        assert contents(tmp_path / f"{number}") == contents(tmp_path / "kb")


@pytest.mark.parametrize("split", [(1,), (4,), (2, 3), (1, 2, 3, 4)])
def test_any_split(tmp_path: Path, documents: list[Path], split: tuple[int, ...]) -> None:
    """The number of builds does not matter."""
    build(tmp_path / "kb", documents)

    for start, end in itertools.pairwise((0, *split, 5)):
        build(tmp_path / "steps", reversed(documents[start:end]))

    assert contents(tmp_path / "steps") == contents(tmp_path / "kb")


def test_provenance_is_elsewhere(tmp_path: Path, documents: list[Path]) -> None:
    """The name, source and time of a document do not affect the base."""
    (copy,) = write(tmp_path, {"elsewhere/copy": documents[0].read_bytes()})

    list(Builder(tmp_path / "a", NOW, jobs=1).build([documents[0]]))
    list(Builder(tmp_path / "b", "2040-01-01", jobs=1).build([copy]))

    assert contents(tmp_path / "a") == contents(tmp_path / "b")


# Dates and issues ----------------------------------------------------------------------------


def test_several_issues(tmp_path: Path) -> None:
    """Attested documents of one date are its issues, in the order of the facts, else of their hashes."""
    data = {f"{name}.txt": edition(designer=name) for name in ("Ada", "Bob", "Cyd")}
    paths = write(tmp_path, data)
    accept(tmp_path / "kb", *data.values())

    build(tmp_path / "kb", paths[1:])
    build(tmp_path / "kb", paths[:1])

    assert rows(tmp_path / "kb", "label, issue, sha256, is_chosen") == [
        (f"2020-06-05.{number}", number, sha256, int(number == 3))
        for number, sha256 in enumerate(sorted(map(hash_of, data.values())), start=1)
    ]


def test_one_issue_has_no_suffix(tmp_path: Path, documents: list[Path]) -> None:
    """A single issue has its date as label until there is another."""
    second = edition(designer="Ada")
    build(tmp_path / "kb", documents[:1])
    alone = rows(tmp_path / "kb", "label")
    accept(tmp_path / "kb", second, documents[0].read_bytes())

    build(tmp_path / "kb", write(tmp_path, {"other.txt": second}))

    assert alone == [("2020-06-05",)]
    assert rows(tmp_path / "kb", "label") == [("2020-06-05.1",), ("2020-06-05.2",)]


def test_facts_order_issues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known issues are in the order of the facts, accepted ones after them; a date has its set."""
    data = {name: edition(designer=name) for name in ("Ada", "Bob", "Cyd")}
    hashes = {name: hash_of(value) for name, value in data.items()}
    day = load_edition(write(tmp_path, data)[0]).effective
    issues = ("f" * 64, *sorted((hashes["Ada"], hashes["Bob"]), reverse=True))
    facts = {day: EditionFacts(day, "HBR", "Harbor", issues)}
    known_editions.cache_clear()
    for place in (
        "variorum_kb.facts.editions.known_editions",
        "variorum_kb.build.issues_and_copies.known_editions",
    ):
        monkeypatch.setattr(place, lambda: facts)
    accept(tmp_path / "kb", data["Cyd"])

    build(tmp_path / "kb", [tmp_path / name for name in data])

    assert rows(tmp_path / "kb", "label, sha256, set_code, set_name, attested") == [
        ("2020-06-05.2", issues[1], "HBR", "Harbor", "facts"),
        ("2020-06-05.3", issues[2], "HBR", "Harbor", "facts"),
        ("2020-06-05.4", hashes["Cyd"], "HBR", "Harbor", "person"),
    ]


def test_unknown_date(tmp_path: Path, documents: list[Path]) -> None:
    """An edition that the facts do not know is built in, without a set."""
    build(tmp_path / "kb", documents[:1])

    assert rows(tmp_path / "kb", "issue, set_code, set_name") == [(1, "", "")]
