"""Building in documents other than editions."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.support.original_files import SAMPLE, docx, paragraph, rtf
from tests.support.small_bases import DAYS, build, contents, edition, errors, kinds, rows, write
from variorum_kb.build.outcomes import Heard, Taken
from variorum_kb.build.part_versions import current_meta
from variorum_kb.documents.archive import Archive
from variorum_kb.stored_rows import PassageRow, WitnessRow
from variorum_kb.versions import version_of

# Documents about the sample rulebook.
_PAGES = Path(__file__).parents[1] / "sources/documents"
_RULE = "Every bell that rings twice is heard by the whole town before the second lamp is lit."


def text(day: str = DAYS[0], rule: str = _RULE) -> bytes:
    """Return a text edition with one more rule."""
    return edition(day, rule=rule)


def lines(day: str = DAYS[0], rule: str = _RULE) -> list[str]:
    """Return the lines of an edition."""
    return text(day, rule).decode("cp1252").splitlines()


def word(day: str = DAYS[0], rule: str = _RULE) -> bytes:
    """Return an edition as a Word document."""
    return docx("".join([paragraph(line) for line in lines(day, rule)]))


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table of witnesses, by the names of their columns."""
    columns = {"witness": WitnessRow.columns, "passage": PassageRow.columns}[name]
    connection = sqlite3.connect(folder / "kb.sqlite")
    try:
        fetchall = connection.execute(f"SELECT {', '.join(columns)} FROM {name}").fetchall()  # noqa: S608
    finally:
        connection.close()
    return [dict(zip(columns, row, strict=True)) for row in fetchall]


def test_original_of_a_text(tmp_path: Path) -> None:
    """An original beside the text of its date is a witness that agrees."""
    paths = write(tmp_path / "in", {"one.docx": word(), "one.txt": text()})

    events = build(tmp_path / "kb", paths)

    assert kinds(events) == {"Taken": 1, "Heard": 1}
    (heard,) = [event for event in events if isinstance(event, Heard)]
    assert (heard.document.name, heard.layout) == ("one.docx", "original in docx")
    assert heard.matched == heard.total > 10
    assert rows(tmp_path / "kb", "layout") != [("docx",)]
    (witness,) = table(tmp_path / "kb", "witness")
    assert (witness["stated"], witness["first"], witness["last"]) == ("2020-06-05", 0, 0)
    assert table(tmp_path / "kb", "passage") == []
    assert len(list(Archive(tmp_path / "kb" / "documents"))) == 2


def test_original_that_differs(tmp_path: Path) -> None:
    """An original with other words says which."""
    second = _RULE.replace("second lamp", "third lantern")
    build(tmp_path / "kb", write(tmp_path / "in", {"one.docx": word(rule=second), "o.txt": text()}))

    (passage,) = table(tmp_path / "kb", "passage")

    assert (passage["kind"], passage["number"], passage["verdict"]) == ("rule", "100.3", "differs")
    assert (passage["words"], passage["edition"]) == (second, 0)
    assert 0.8 < passage["likeness"] < 1.0
    pieces = json.loads(passage["pieces"])
    assert "".join([part for mark, part in pieces if mark != "+"]) == _RULE
    assert "".join([part for mark, part in pieces if mark != "-"]) == second


def test_original_with_more_and_less(tmp_path: Path) -> None:
    """Provisions of only the text, or only the original, are listed."""
    more = f"{_RULE}\n\n100.4. A bell without a tongue is silent."
    build(tmp_path / "kb", write(tmp_path / "in", {"one.docx": word(rule=more), "o.txt": text()}))
    less = word(DAYS[1])
    more_text = text(DAYS[1], more)
    build(tmp_path / "kb", write(tmp_path / "in", {"two.docx": less, "two.txt": more_text}))

    result = table(tmp_path / "kb", "passage")

    message = {(item["number"], item["provision"] is None, item["evidence"]) for item in result}
    assert message == {
        ("100.4", True, "the text of 2020-06-05 has no such provision"),
        ("100.4", False, "the original lacks what the text of 2021-07-06 has"),
    }


def test_original_alone_is_an_edition(tmp_path: Path) -> None:
    """Without a text, the original is the edition; of several originals, the best one."""
    paths = write(tmp_path / "in", {"one.rtf": rtf(lines()), "two.docx": word()})

    events = build(tmp_path / "kb", paths)

    taken = [event.document.name for event in events if isinstance(event, Taken)]
    assert taken == ["two.docx"]
    assert rows(tmp_path / "kb", "layout") == [("docx",)]
    assert [item["layout"] for item in table(tmp_path / "kb", "witness")] == ["original in rtf"]
    assert build(tmp_path / "kb") == []


def test_text_comes_later(tmp_path: Path) -> None:
    """A text replaces an original, as if both had been added at once."""
    path, two = write(tmp_path / "in", {"one.docx": word(), "one.txt": text()})
    build(tmp_path / "kb", [path])

    events = build(tmp_path / "kb", [two])

    assert kinds(events) == {"Taken": 1, "Heard": 1}
    build(tmp_path / "other", [two, path])
    assert contents(tmp_path / "kb") == contents(tmp_path / "other")


def test_text_is_lost(tmp_path: Path) -> None:
    """If the text is removed, its original is the edition again."""
    path, two = write(tmp_path / "in", {"one.docx": word(), "one.txt": text()})
    build(tmp_path / "kb", [path, two])
    manifest = tmp_path / "kb/documents/manifest.json"
    kept = json.loads(manifest.read_bytes())
    kept["documents"] = [
        entry for entry in kept["documents"] if entry["sources"][0]["name"] == "one.docx"
    ]
    manifest.write_text(json.dumps(kept), "utf-8")

    events = build(tmp_path / "kb")

    assert kinds(events) == {"Taken": 1, "Refused": 1}
    assert rows(tmp_path / "kb", "layout") == [("docx",)]
    assert table(tmp_path / "kb", "witness") == []
    assert json.loads(manifest.read_bytes()) == kept


def test_witness_is_lost(tmp_path: Path) -> None:
    """A witness whose document is removed leaves the base."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.docx": word(), "one.txt": text()}))
    manifest = tmp_path / "kb/documents/manifest.json"
    kept = json.loads(manifest.read_bytes())
    kept["documents"] = [
        entry for entry in kept["documents"] if entry["sources"][0]["name"] == "one.txt"
    ]
    manifest.write_text(json.dumps(kept), "utf-8")

    events = build(tmp_path / "kb")

    (message,) = errors(events)
    assert message.endswith(": no longer kept, so the witness leaves the base")
    assert table(tmp_path / "kb", "witness") == []


@pytest.mark.parametrize("place", [0, 1, 2])
def test_another_edition_comes(tmp_path: Path, place: int) -> None:
    """Adding any edition to a base with witnesses gives the same result as building all at once."""
    second = _RULE.replace("second lamp", "third lantern")
    documents = {f"{day}.txt": text(day) for day in DAYS[:3]}
    documents |= {f"{day}.docx": word(day, second) for day in DAYS[:3]}
    late = f"{DAYS[place]}.txt"
    paths = write(tmp_path / "in", documents)
    build(tmp_path / "kb", [path for path in paths if path.name != late])

    build(tmp_path / "kb", paths)

    build(tmp_path / "other", paths[::-1])
    assert contents(tmp_path / "kb") == contents(tmp_path / "other")
    assert len(table(tmp_path / "kb", "passage")) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "layouts"), [(-1, {"article", "fragment"}), (1, {"article", "bulletin", "fragment"})]
)
def test_pages_are_compared_again(tmp_path: Path, place: int, layouts: set[str]) -> None:
    """Pages and bulletins compared again give the same base as building all at once."""
    pages = sorted(_PAGES.glob("*-of-2017.txt")) + sorted(_PAGES.glob("bulletin-of-*.md"))
    editions = sorted(SAMPLE.glob("*.txt"))
    late = editions[place]
    build(tmp_path / "kb", [path for path in (*editions, *pages) if path != late])

    events = build(tmp_path / "kb", [late])

    assert layouts <= {event.layout for event in events if isinstance(event, Heard)}
    build(tmp_path / "other", [*editions, *pages])
    assert contents(tmp_path / "kb") == contents(tmp_path / "other")


def test_nothing_new(tmp_path: Path) -> None:
    """Known documents are neither read nor written again."""
    paths = write(tmp_path / "in", {"one.docx": word(), "one.txt": text()})
    build(tmp_path / "kb", paths)
    before = (tmp_path / "kb/kb.sqlite").stat().st_ino

    events = build(tmp_path / "kb", paths)

    assert kinds(events) == {"AlreadyKnown": 2}
    assert (tmp_path / "kb/kb.sqlite").stat().st_ino == before


def test_another_program_compares_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the program's comparison changes, stored witnesses are compared again."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.docx": word(), "one.txt": text()}))
    before = table(tmp_path / "kb", "witness")

    def version(part: str) -> str:
        return "99" if part == "attest" else version_of(part)

    monkeypatch.setattr("variorum_kb.build.part_versions.version_of", version)

    events = build(tmp_path / "kb")

    assert kinds(events) == {"Heard": 1}
    assert [event.is_new for event in events if isinstance(event, Heard)] == [False]
    after = table(tmp_path / "kb", "witness")
    assert current_meta()["attest"] == "99"
    assert [item["sha256"] for item in after] == [item["sha256"] for item in before]
    assert after[0]["rests_on"] != before[0]["rests_on"]


def test_twins(tmp_path: Path) -> None:
    """The same bytes under two names are one witness with both names."""
    paths = write(tmp_path / "in", {"a.docx": word(), "b.docx": word(), "one.txt": text()})

    build(tmp_path / "kb", paths)

    (witness,) = table(tmp_path / "kb", "witness")
    archive = Archive(tmp_path / "kb/documents")
    names = [source.name for source in archive.sources(witness["sha256"])]
    assert names == ["a.docx", "b.docx"]


def test_error_no_edition_to_compare(tmp_path: Path) -> None:
    """Without an edition, no witness can be compared, and none is kept."""
    excerpt = f"100.1. {_RULE}\n\n100.2. {_RULE}\n\n100.2a {_RULE}\n\n100.3. {_RULE}\n"
    (path,) = write(tmp_path / "in", {"excerpt.txt": excerpt.encode()})

    events = build(tmp_path / "kb", [path])

    reason = "not an edition, and the base has none to compare it with; add editions first"
    assert errors(events) == [f"{path}: {reason}"]
    assert not (tmp_path / "kb/kb.sqlite").exists()
    assert list(Archive(tmp_path / "kb/documents")) == []
