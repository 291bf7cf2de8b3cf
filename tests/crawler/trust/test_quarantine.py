"""The quarantine's record of a document that is fetched again."""

from pathlib import Path

import pytest

from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.errors import ArchiveError
from variorum_kb.model import sha256_of


@pytest.mark.parametrize(("judge", "reason"), [("1", "cut short"), ("2", "not a rulebook")])
def test_reason_of_a_document_that_comes_again(tmp_path: Path, judge: str, reason: str) -> None:
    """The first reason stays until another judge version gives its own."""
    data = b"rules"
    sha256 = sha256_of(data)
    first, second = (Received("rules.txt", f"https://{at}.example/", sha256) for at in ("a", "b"))
    Quarantine(tmp_path, "1", "2026-01-01").put(first, "cut short", data)

    entry, is_new = Quarantine(tmp_path, judge, "2026-01-02").put(second, "not a rulebook", data)

    assert (entry.reason, entry.since, is_new) == (reason, "2026-01-01", False)
    assert [received.address for received in entry.received] == [first.address, second.address]
    assert Quarantine(tmp_path, judge, "2026-01-03").load(sha256) == data


def test_released(tmp_path: Path) -> None:
    """A released document leaves no trace; another one stays."""
    quarantine = Quarantine(tmp_path, "1", "2026-01-01")
    kept, released = (Received("a.txt", "/a", sha256_of(data)) for data in (b"kept", b"released"))
    for received, data in ((kept, b"kept"), (released, b"released")):
        assert quarantine.put(received, "cut short", data)[1]

    for _ in range(2):
        quarantine.release(released.sha256)

    again = Quarantine(tmp_path)
    assert [entry.sha256 for entry in again] == [kept.sha256]
    assert (kept.sha256 in again, released.sha256 in again) == (True, False)
    assert sorted(path.name for path in again.folder.iterdir()) == [kept.sha256, "quarantine.json"]


@pytest.mark.parametrize(
    ("documents", "error"),
    [
        ("[{}]", "KeyError('sha256')"),
        ("[1]", "TypeError(\"'int' object is not subscriptable\")"),
        (
            '[{"sha256": "", "sources": [{"name": "", "address": "", "headers": []}]}]',
            "AttributeError(\"'list' object has no attribute 'items'\")",
        ),
    ],
)
def test_error_list(tmp_path: Path, documents: str, error: str) -> None:
    """A list that cannot be understood is an error that says what to do."""
    path = tmp_path / "quarantine" / "quarantine.json"
    path.parent.mkdir()
    path.write_text(f'{{"documents": {documents}}}')

    with pytest.raises(ArchiveError) as caught:
        Quarantine(tmp_path)

    assert str(caught.value) == (
        f"{path}: not a list of documents: {error}; remove it, and cr sync begins another"
    )


def test_damaged_document_comes_again(tmp_path: Path) -> None:
    """A damaged file in quarantine is replaced when its document is fetched again."""
    data = b"rules"
    received = Received("rules.txt", "https://a.example/", sha256_of(data))
    quarantine = Quarantine(tmp_path, "1", "2026-01-01")
    quarantine.put(received, "cut short", data)
    (quarantine.folder / received.sha256).write_bytes(b"rot")

    assert quarantine.load(received.sha256) is None
    quarantine.put(received, "cut short", data)

    assert quarantine.load(received.sha256) == data
