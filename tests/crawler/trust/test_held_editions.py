"""The editions that a base holds, as the judge sees them."""

from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.small_bases import build, edition, write, write_otherwise
from variorum_crawler.trust.held_editions import candidate_of, load_held, seen_in
from variorum_kb.documents.archive import Archive, Provenance
from variorum_kb.errors import BaseError
from variorum_kb.rows import State
from variorum_kb.store.reader import Reader

STATE = State("rule", "100.1", "100.1", "Boats", "A boat floats.", "", "", "")


@pytest.fixture
def row(sample_base: Path) -> dict[str, Any]:
    """Return the columns of an edition."""
    with closing(Reader(sample_base / "kb.sqlite")) as reader:
        return {**reader.editions()[0], **reader.long_columns(0)}


def test_held(sample_base: Path) -> None:
    """All editions are loaded, oldest first; words only of the days asked for."""
    held = load_held(sample_base, {date(2010, 1, 22)})

    assert len(held) == 9
    assert [edition.label for edition in held] == sorted(edition.label for edition in held)
    assert [edition.label for edition in held if edition.candidate.words] == ["2010-01-22"]
    assert not any(edition.candidate.is_original or edition.candidate.is_weak for edition in held)
    assert {edition.candidate.effective.isoformat() for edition in held} == {
        edition.label for edition in held
    }


@pytest.mark.parametrize("column", ["introduction", "credits"])
def test_words_outside_provisions(row: dict[str, Any], column: str) -> None:
    """Introduction and credits are words of an edition."""
    other = {**row, column: "other words"}

    assert candidate_of(row, [STATE]).words != candidate_of(other, [STATE]).words


@pytest.mark.parametrize("column", ["kind", "number", "address", "heading", "body"])
def test_words_of_provisions(row: dict[str, Any], column: str) -> None:
    """So is everything printed of a provision, whatever characters it holds."""
    other = STATE.changed(**{column: "\udcff"})

    assert candidate_of(row, [STATE]).words != candidate_of(row, [other]).words


@pytest.mark.parametrize(
    ("attested", "doubts", "is_weak"),
    [
        ("", "", False),
        ("", "one source", False),
        ("", "one source\nlossy", True),
        ("person", "lossy", False),
    ],
)
def test_weak(row: dict[str, Any], attested: str, doubts: str, *, is_weak: bool) -> None:
    """A text that nothing attests and that lost something is weak."""
    assert candidate_of({**row, "attested": attested, "doubts": doubts}, []).is_weak is is_weak


@pytest.mark.parametrize(("column", "value"), [("effective", "June"), ("rules", "x")])
def test_error_damaged(tmp_path: Path, column: str, value: str) -> None:
    """A base with a cell that no program writes is damaged."""
    build(tmp_path / "kb", write(tmp_path, {"a.txt": edition()}))
    write_otherwise(tmp_path / "kb", f"UPDATE edition SET {column} = '{value}'")  # noqa: S608

    with pytest.raises(BaseError):
        load_held(tmp_path / "kb")


def test_seen(tmp_path: Path) -> None:
    """The last document of a web address is known, with the validators of its server."""
    archive = Archive(tmp_path)
    address, tag = "https://example.org/a", (("etag", '"1"'),)
    for added, data, headers in (("2030", b"z", tag), ("2029", b"a", ()), ("2031", b"b", tag)):
        where = f"{address}/{data.decode()}" if data == b"z" else address
        archive.save(data, Provenance("a.txt", where, added, headers))
    archive.save(b"c", Provenance("a.txt", "/home/me/a.txt", "2032"))

    seen = seen_in(archive)

    assert seen.keys() == {address, f"{address}/z"}
    assert archive.load(seen[address].sha256) == b"b"
    assert (seen[address].validators.etag, seen[address].validators.last_modified) == ('"1"', "")
