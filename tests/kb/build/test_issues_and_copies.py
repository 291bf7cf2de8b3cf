"""Which texts of a date are editions: attested ones, else the best; all others are copies."""

import itertools
import shutil
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support.small_bases import (
    DAYS,
    NOW,
    accept,
    build,
    contents,
    edition,
    hash_of,
    kinds,
    rows,
    write,
)
from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.between_editions.changes import diff_json
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem
from variorum_kb.build.outcomes import Copied, Doubted, Event
from variorum_kb.documents.archive import Archive, Provenance
from variorum_kb.documents.find import Document
from variorum_kb.stored_rows import BY_PERSON

SAMPLE = files("variorum_kb.sample")
LATEST = "2025-05-30"


def sample(day: str) -> bytes:
    """Return an edition of the sample rulebook."""
    return SAMPLE.joinpath(f"{day}.txt").read_bytes()


def told(folder: Path) -> object:
    """Return the output of history, changes and blame on a base."""
    with KnowledgeBase.open(folder) as base:
        numbers = ["1", *[match.address for match in base.provisions("latest")][::29]]
        subjects = [base.subject(number) for number in numbers[1:]]
        listed = [(subject.history(), subject.blame()) for subject in subjects]
        pairs = itertools.pairwise(base.editions)
        steps = [diff_json(find_changes(base, item, member)) for item, member in pairs]
        return listed, steps, [item.label for item in base.editions]


def copies(folder: Path) -> list[str]:
    """Return the descriptions of the copies in a base."""
    with KnowledgeBase.open(folder) as base:
        return [
            witness["evidence"][0]
            for witness in base.witnesses.all()
            if witness["layout"] == "copy"
        ]


def of(events: Sequence[Event], kind: type[Event]) -> list[Event]:
    """Return the events of a kind."""
    return [event for event in events if isinstance(event, kind)]


@pytest.fixture
def kb(sample_base: Path, tmp_path: Path) -> Path:
    """Return a base of the sample rulebook that tests may change."""
    return shutil.copytree(sample_base, tmp_path / "kb")


def test_sample_is_attested(sample_base: Path) -> None:
    """The sample rulebook is attested, because the program includes it."""
    assert set(rows(sample_base, "attested, doubts")) == {("facts", "")}


def altered(day: str, old: str, new: str) -> bytes:
    """Return a sample edition with other words."""
    data = sample(day).decode()
    assert old in data
    return data.replace(old, new, 1).encode()


# In mid-rule.
CUT = 20_000
DAMAGED = {
    "a word": (altered("2022-02-11", " may ", " must "), "1 word differs: "),
    "lost dashes": (sample("2022-02-11").decode().replace("—", "?").encode(), "lost dash"),
    "lost quotes": (sample("2022-02-11").decode().replace("’", " ").encode(), "lost quotation"),
    "cut": (sample("2022-02-11")[:CUT] + sample("2022-02-11")[CUT + 700 :], " missing: "),
    "line ends": (sample("2022-02-11").replace(b"\r\n", b"\n"), "the same words"),
}


def test_damaged_copy_changes_no_history(tmp_path: Path, sample_base: Path, kb: Path) -> None:
    """Damaged copies of a held edition are listed with their differences; no other answer changes."""
    events = build(kb, write(tmp_path, {name: data for name, (data, _) in DAMAGED.items()}))

    copied = {event.document.name: event.differs for event in events if isinstance(event, Copied)}
    assert copied.keys() == DAMAGED.keys()
    for name, (_, differs) in DAMAGED.items():
        assert copied[name].startswith("copy of 2022-02-11: ")
        assert differs in copied[name]
    assert sorted(copies(kb)) == sorted(copied.values())
    assert told(kb) == told(sample_base)
    assert [report for report in verify(kb, deep=True) if isinstance(report, Problem)] == []


def test_order_does_not_matter(tmp_path: Path) -> None:
    """The same documents give the same bytes, in any number and order of builds."""
    data = {f"{name}.txt": text for name, (text, _) in DAMAGED.items()}
    data |= {"2022.txt": sample("2022-02-11"), "2025.txt": sample(LATEST)}
    paths = write(tmp_path / "documents", data)
    build(tmp_path / "at once", paths)
    for path in paths:
        build(tmp_path / "one by one", [path])
    for path in reversed(paths):
        build(tmp_path / "backwards", [path])

    assert contents(tmp_path / "one by one") == contents(tmp_path / "at once")
    assert contents(tmp_path / "backwards") == contents(tmp_path / "at once")
    before = (tmp_path / "backwards" / "kb.sqlite").stat()
    assert kinds(build(tmp_path / "backwards")) == {}
    assert (tmp_path / "backwards" / "kb.sqlite").stat().st_ino == before.st_ino


def test_best_of_one_source(tmp_path: Path) -> None:
    """If no text of a date is attested, the one closest to adjacent editions is the edition."""
    neighbours = {"before.txt": edition(DAYS[0]), "after.txt": edition(DAYS[2])}
    right, wrong = edition(DAYS[1]), edition(DAYS[1]).replace(b"Two keepers", b"Ten keepers")
    texts = neighbours | {"right.txt": right, "wrong.txt": wrong}

    build(tmp_path / "kb", write(tmp_path, texts))

    assert rows(tmp_path / "kb", "label, sha256, attested, doubts")[1] == (
        "2021-07-06",
        hash_of(right),
        "",
        "one source",
    )
    assert copies(tmp_path / "kb") == ["copy of 2021-07-06: 1 word differs: 100.1"]


def test_lossy_text_is_replaced(tmp_path: Path) -> None:
    """A damaged text is the edition, with a mark, until a sound one is added; then it is a copy."""
    lossy = edition(DAYS[1]).replace(b"a boat.", "a \N{REPLACEMENT CHARACTER}oat.".encode())
    alone = build(tmp_path / "kb", write(tmp_path, {"lossy.txt": lossy}))

    (doubted,) = of(alone, Doubted)
    assert doubted == Doubted("2021-07-06", ("one source", "lossy"))

    build(tmp_path / "kb", write(tmp_path, {"sound.txt": edition(DAYS[1])}))
    assert rows(tmp_path / "kb", "sha256, doubts") == [(hash_of(edition(DAYS[1])), "one source")]
    assert len(copies(tmp_path / "kb")) == 1


def test_accepted_and_revoked(tmp_path: Path, kb: Path) -> None:
    """An accepted text is an issue of its date; after revoking, the base is as before."""
    second = altered(LATEST, " may ", " must ")
    build(kb, write(tmp_path, {"other.txt": second}))
    before = contents(kb)
    accept(kb, second)

    build(kb)

    latest = rows(kb, "label, attested, is_chosen")[-2:]
    assert latest == [(f"{LATEST}.1", "facts", 0), (f"{LATEST}.2", "person", 1)]
    archive = Archive(kb / "documents")
    assert archive.revoke(hash_of(second), BY_PERSON)
    archive.save_manifest()
    build(kb)
    assert contents(kb) == before


def served(data: bytes, *addresses: str) -> list[Document]:
    """Return a document as some addresses served it."""
    return [Document("rules.txt", address, data, is_named=True) for address in addresses]


@pytest.mark.parametrize(
    ("addresses", "attested"),
    [
        (("https://www.example.com/a", "https://media.example.com/b"), ""),
        (
            ("https://example.com/a", "https://web.archive.org/web/2026id_/https://example.com/a"),
            "",
        ),
        (("https://example.com/a", "/home/me/a"), ""),
        (("https://example.com/a", "https://example.org/a"), "agreement"),
        (("https://example.co.uk/a", "https://other.co.uk/a"), "agreement"),
        (("http://127.0.0.1:8001/a", "http://127.0.0.1:8002/a"), "agreement"),
    ],
)
def test_agreement(tmp_path: Path, addresses: tuple[str, ...], attested: str) -> None:
    """Two publishers that serve the same bytes attest them; one publisher does not."""
    for address in addresses:
        list(Builder(tmp_path / "kb", NOW, 1).take_in(served(edition(), address)))

    assert rows(tmp_path / "kb", "attested") == [(attested,)]


def test_agreement_in_words(tmp_path: Path) -> None:
    """The same words in other bytes agree, and are one issue."""
    documents = [
        *served(edition(), "https://example.com/a"),
        *served(edition().replace(b"\n", b"\r\n"), "https://example.org/a"),
    ]

    list(Builder(tmp_path / "kb", NOW, 1).take_in(documents))

    assert [row[0] for row in rows(tmp_path / "kb", "attested")] == ["agreement"]
    assert copies(tmp_path / "kb") == ["copy of 2020-06-05: the same words"]


def test_agreement_found_later(tmp_path: Path) -> None:
    """An archive made before two publishers counted as agreement now counts."""
    build(tmp_path / "kb", write(tmp_path, {"a.txt": edition()}))
    archive = Archive(tmp_path / "kb" / "documents")
    for address in ("https://example.com/a", "https://example.org/a"):
        archive.save(edition(), Provenance("a.txt", address, NOW))
    archive.save_manifest()

    build(tmp_path / "kb")

    assert rows(tmp_path / "kb", "attested, doubts") == [("agreement", "")]


def test_words_of_another_date(tmp_path: Path, sample_base: Path, kb: Path) -> None:
    """An attested text under a later date is not an edition, but a copy of the first."""
    redated = sample("2006-03-01").replace(b"March 1, 2006", b"March 1, 2026")
    assert redated != sample("2006-03-01")

    build(kb, write(tmp_path, {"redated.txt": redated}))

    assert told(kb) == told(sample_base)
    (message,) = copies(kb)
    assert message.startswith("copy of 2006-03-01, dated 2026-03-01: ")


def test_words_of_another_date_first(tmp_path: Path) -> None:
    """An edition under a later date becomes a copy when the attested text is added."""
    redated = sample("2006-03-01").replace(b"March 1, 2006", b"March 1, 2026")
    build(tmp_path / "kb", write(tmp_path, {"redated.txt": redated}))
    right = {f"{day}.txt": sample(day) for day in ("2006-03-01", LATEST)}

    build(tmp_path / "kb", write(tmp_path, right))

    assert rows(tmp_path / "kb", "label") == [("2006-03-01",), (LATEST,)]


@pytest.mark.parametrize("designers", [("Ann", "Bob"), ("Bob", "Ann")])
def test_equal_texts(tmp_path: Path, designers: tuple[str, str]) -> None:
    """Of texts of a date that differ only in the credits, the hash decides."""
    texts = {f"{place}.txt": edition(designer=name) for place, name in enumerate(designers)}

    build(tmp_path / "kb", write(tmp_path, texts))

    assert rows(tmp_path / "kb", "sha256") == [(min(map(hash_of, texts.values())),)]


def test_check_sees_decisions(tmp_path: Path) -> None:
    """The check reports a base that lacks a decision."""
    build(tmp_path / "kb", write(tmp_path, {"a.txt": edition()}))
    accept(tmp_path / "kb", edition())

    texts = [str(report) for report in verify(tmp_path / "kb") if isinstance(report, Problem)]

    assert any("by the known hashes and decisions it should be person" in text for text in texts)
