"""`cr accept`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.small_bases import build, edition, hash_of, write
from variorum_kb.cli.main import main

FIRST, COPY = edition(rule="A gull rests."), edition(rule="A gull never rests.")


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """Return a base of an edition and a copy that differs."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.txt": FIRST, "two.txt": COPY}))
    return tmp_path / "kb"


def accept(kb: Path, *words: str) -> str:
    """Run the command; return its output."""
    return CliRunner().invoke(main, ["accept", *words, "--kb", str(kb)]).output


def test_accept_and_revoke(kb: Path) -> None:
    """An accepted document is an edition attested by a person, until the decision is revoked."""
    sha256 = hash_of(COPY)

    accepted = json.loads(accept(kb, sha256, "--json"))
    revoked = json.loads(accept(kb, sha256, "--revoke", "--json"))

    assert accepted == {"sha256": sha256, "edition": "2020-06-05", "attested": "person"}
    assert revoked == {"sha256": sha256, "edition": None, "attested": None}
