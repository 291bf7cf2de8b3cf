"""The quarantine's record of a document that is fetched again."""

from pathlib import Path

import pytest

from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import Quarantine
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
