"""`cr read` of documents other than editions."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.kb.sources.reading.pages import EXCERPT, PAGES, WIKI
from tests.support.document_kinds import KINDS, LAYOUTS, document
from tests.support.original_files import docx, paragraph
from tests.support.schemas import assert_fits
from variorum_kb.cli.main import main


def cr(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["read", *map(str, arguments)])


def write(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name


def test_excerpt(tmp_path: Path) -> None:
    """An excerpt is described by its contents, and every line is accounted for."""
    result = cr(write(tmp_path, "a.txt", EXCERPT.encode()), "--ledger")

    assert result.exit_code == 0
    assert result.output == (
        "a.txt\n"
        "  layout     excerpt (6 paragraphs begin with a number)\n"
        "  encoding   utf-8 (no mark, and 2 valid UTF-8 sequences)\n"
        "  markup     plain text\n"
        "  line ends  15 LF\n"
        "  holds      3 headings, 3 rules, 2 examples\n"
        "  ledger     15 lines = 8 accounted for + 7 blank; 294 of 294 characters kept\n"
        "  condition  sound\n"
        "  lines of   \n"
        "             heading           3\n"
        "             rule              5\n"
    )


def test_matter(tmp_path: Path) -> None:
    """The title, source and days in a document are shown, with the line of each day."""
    result = cr(write(tmp_path, "a.txt", WIKI.encode()))

    message = "Revision as of 08:15, 3 May 2017 by 10.1.2.3 (talk)"
    assert result.output.splitlines()[5:10] == [
        "  title      Turning a lamp",
        "  source     MTG Wiki",
        f"  dated      2017-05-03 ({message}, line 4)",
        "  quotes     2024-05-04 (May 4, 2024—Harbor Lights 3, line 11)",
        "  holds      1 heading, 2 rules, 1 glossary definition, 1 passage of prose",
    ]


def test_bulletin(tmp_path: Path) -> None:
    """A bulletin is described by its announcements."""
    result = cr(write(tmp_path, "a.md", document("bulletin.md")))

    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert lines[1].startswith("  layout     bulletin (")
    assert "  title      January 2010 Update Bulletin" in lines
    assert "  dated      2010-01-20 (Posted on January 20, 2010, line 5)" in lines
    assert any(line.endswith(" announcements, 5 entries") for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", LAYOUTS)
def test_json(tmp_path: Path, name: str) -> None:
    """Each kind of document has its documented layout, and fits the schemas."""
    path = write(tmp_path, name, document(name))

    answer = json.loads(cr(path, "--json").output)
    ledger = json.loads(cr(path, "--json", "--ledger").output)

    assert_fits(answer, "witness")
    assert_fits(ledger, "witness_ledger")
    assert answer["document"]["layout"] == ledger["layout"] == LAYOUTS[name]
    assert answer["passages"] or answer["announcements"]
    assert ledger["unaccounted"] == []
    assert ledger["characters"] == ledger["characters_kept"]
    assert sum(ledger["accounted"].values()) + ledger["blank"] == ledger["lines"]


@pytest.mark.parametrize("name", PAGES)
def test_offsets(tmp_path: Path, name: str) -> None:
    """Offsets count code points, and are within the words that they refer to."""
    path = write(tmp_path, "a.txt", PAGES[name].encode())

    answer = json.loads(cr(path, "--json").output)

    assert_fits(answer, "witness")
    for passage in answer["passages"]:
        assert all(
            0 <= item["start"] < item["end"] <= len(_text(passage)) for item in _quoted(passage)
        )
        for part in passage["paragraphs"]:
            length = len(part["text"])
            assert all(0 <= claim["start"] < claim["end"] <= length for claim in part["claims"])


def _quoted(passage: dict[str, Any]) -> list[dict[str, int]]:
    dicts: list[dict[str, int]] = passage["quotations"]
    return dicts


def _text(passage: dict[str, Any]) -> str:
    return "\n".join(item["text"] for item in passage["paragraphs"] if not item["marker"])


def test_table(tmp_path: Path) -> None:
    """Editions and other documents are in one table, a line each."""
    for name in KINDS:
        write(tmp_path, name, document(name))

    result = cr(tmp_path, "--ledger")

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert result.stderr == f"{len(KINDS)} read, 0 refused\n"
    assert len(lines) == 1 + 2 * len(KINDS)
    rows = {line.split()[-1]: line for line in lines[1::2]}
    assert rows.keys() == set(KINDS)
    for name, layout in LAYOUTS.items():
        assert f" {layout} " in rows[name]
    assert rows["edition.txt"].split()[1:3] == ["2008-06-20", "plain"]
    assert rows["rulings.txt"].split()[1:4] == ["2008-06-22", "rulings", "page"]


def test_several_as_json(tmp_path: Path) -> None:
    """Several documents are a list, each in the form of its kind."""
    edition = write(tmp_path, "edition.txt", document("edition.txt"))
    excerpt = write(tmp_path, "excerpt.txt", document("excerpt.txt"))

    answer = json.loads(cr(edition, excerpt, "--json").output)

    assert [next(iter(item)) for item in answer] == ["edition", "document"]


def test_strict(tmp_path: Path) -> None:
    """With --strict, a repaired or lossy document gives exit code 1."""
    path = write(
        tmp_path, "a.txt", EXCERPT.replace("lamp", "l\N{REPLACEMENT CHARACTER}mp").encode()
    )

    assert cr(path).exit_code == 0
    assert "  condition  lossy\n" in cr(path).output
    assert "characters lost: U+FFFD stands for them\n" in cr(path).output
    assert cr(path, "--strict").exit_code == 1


def test_no_commands_to_terminals(tmp_path: Path) -> None:
    """A page's title is shortened and without control characters."""
    title = f"Turning \x1b[2J\x07a lamp {'very ' * 500}slowly"
    path = write(tmp_path, "a.txt", WIKI.replace("Turning a lamp\n", f"{title}\n", 1).encode())

    result = cr(path)

    assert "\x1b" not in result.output
    assert max(map(len, result.output.splitlines())) < 200


def test_error_no_rules(tmp_path: Path) -> None:
    """A document that is neither an edition nor about rules is refused with one line."""
    path = write(tmp_path, "a.txt", b"milk\neggs\nbread\n")

    result = cr(path)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"cr: {path}: no sentence that could quote rules or be about them\n"


def test_error_broken_off(tmp_path: Path) -> None:
    """A truncated edition is no excerpt; the message says what is missing."""
    data = document("edition.txt")
    path = write(tmp_path, "a.txt", data[: len(data) // 2])

    assert cr(path).stderr == f"cr: {path}:332: ends without a glossary\n"


def test_error_no_edition_in_word(tmp_path: Path) -> None:
    """A Word document without an edition is refused; the message says what is missing."""
    path = write(tmp_path, "a.docx", docx(paragraph("A note that it rained.")))

    assert cr(path).stderr == (
        f"cr: {path}: no known layout: no line begins with the number of a rule\n"
    )
