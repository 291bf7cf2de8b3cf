"""`cr accept`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.small_bases import (
    DAYS,
    NOW,
    TRUNCATED,
    TRUNCATED_SAYS,
    build,
    edition,
    hash_of,
    write,
)
from variorum_crawler.received import Received
from variorum_crawler.trust.quarantine import Quarantine
from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main
from variorum_kb.documents.archive import Archive
from variorum_kb.documents.find import Document
from variorum_kb.model import Sha256

FIRST, COPY = edition(rule="A gull rests."), edition(rule="A gull never rests.")
SHA256, ADDRESS = hash_of(COPY), "https://example.org/a.txt"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """Return a base of an edition and a copy that differs."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.txt": FIRST, "two.txt": COPY}))
    return tmp_path / "kb"


def accept(kb: Path, *words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["accept", *words, "--kb", str(kb)])


def put_aside(kb: Path, data: bytes, sha256: str = "") -> str:
    """Put a document in quarantine; return its hash."""
    received = Received("a.txt", ADDRESS, Sha256(sha256 or hash_of(data)))
    Quarantine(kb).put(received, "odd", data)
    return received.sha256


def test_accept_and_revoke(kb: Path) -> None:
    """An accepted document is an edition attested by a person, until the decision is revoked."""
    accepted = json.loads(accept(kb, SHA256, "--json").output)
    revoked = json.loads(accept(kb, SHA256, "--revoke", "--json").output)

    assert accepted == {"sha256": SHA256, "edition": "2020-06-05", "attested": "person"}
    assert revoked == {"sha256": SHA256, "edition": None, "attested": None}


def test_as_text(kb: Path) -> None:
    """Four digits of a hash are enough; a line says what the document is now."""
    first, copy = hash_of(FIRST)[:12], SHA256[:12]

    assert accept(kb, f" {SHA256[:4].upper()} ").output == (
        f"{copy}: 2020-06-05, attested by person\n"
    )
    assert accept(kb, SHA256, "--revoke").output == f"{copy}: no edition of the base any more\n"
    accept(kb, first)
    assert accept(kb, first, "--revoke").output == f"{first}: 2020-06-05, one source\n"


def test_list(kb: Path) -> None:
    """Without a hash, all decisions are listed: those of a person, and agreements."""
    accept(kb, SHA256)
    for address in ("https://example.com/a", "https://example.org/a"):
        list(Builder(kb, NOW, 1).take_in([Document("a.txt", address, FIRST, is_named=True)]))

    decisions = {
        decision["sha256"]: decision for decision in json.loads(accept(kb, "--json").output)
    }

    assert {sha256: decision["by"] for sha256, decision in decisions.items()} == {
        hash_of(FIRST): "agreement",
        SHA256: "person",
    }
    lines = {
        hash_of(FIRST): "agreement of example.com, example.org",
        SHA256: "person",
    }
    assert accept(kb).output.splitlines() == [
        *(
            f"{sha256[:12]}  {decisions[sha256]['made']}  {lines[sha256]}"
            for sha256 in sorted(lines)
        ),
        "2 decisions",
    ]


def test_from_quarantine(kb: Path) -> None:
    """An accepted document leaves the quarantine, and the archive says where it came from."""
    sha256 = put_aside(kb, edition(DAYS[1]))

    result = accept(kb, sha256)

    assert result.output == f"{sha256[:12]}: 2021-07-06, attested by person\n"
    assert len(Quarantine(kb)) == 0
    assert [source.address for source in Archive(kb / "documents").sources(sha256)] == [ADDRESS]


def test_error_refused(kb: Path) -> None:
    """A document that cannot be read stays in quarantine."""
    sha256 = put_aside(kb, TRUNCATED)

    result = accept(kb, sha256)

    assert result.stderr == f"cr: {ADDRESS}:{TRUNCATED_SAYS}\n"
    assert result.exit_code == 1
    assert sha256 in Quarantine(kb)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([SHA256[:3]], "no hash in the archive or the quarantine begins like this"),
        (["zzzz"], "no hash in the archive or the quarantine begins like this"),
        ([SHA256[:10]], "2 hashes begin like this; give more digits"),
        ([SHA256[:10] + "x"], "its bytes in quarantine are missing or damaged"),
        ([SHA256, "--revoke"], "has not been accepted"),
    ],
)
def test_error_hash(kb: Path, words: list[str], message: str) -> None:
    """A hash that names no document, or several, is refused, as is an impossible decision."""
    put_aside(kb, b"", SHA256[:10] + "x" * 54)

    result = accept(kb, *words)

    about = words[0][:12] if "quarantine are" not in message else SHA256[:10] + "xx"
    assert result.stderr == f"cr: {about}: {message}\n"
    assert result.exit_code == 1
