"""The editions that a document can come from, with excerpts of the sample rulebook."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.excerpts import excerpt
from tests.support.schemas import assert_fits
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.identify import identify
from variorum_kb.cli.main import main
from variorum_kb.errors import LayoutError
from variorum_kb.forms.identify import IdentifyJson


def found_in(base: KnowledgeBase, text: str) -> IdentifyJson:
    """Identify a text; check that the answer fits the schema."""
    result = identify(base, text.encode(), "a.txt")
    assert_fits(result, "identify")
    return result


def test_excerpt(base: KnowledgeBase) -> None:
    """An excerpt comes from the editions with exactly its words, the best first."""
    answer = found_in(
        base, excerpt(base, "2008-06-20", ["511", "511.1", "511.2", "511.3", "600.4a"])
    )

    assert answer["layout"] == "excerpt"
    assert answer["agrees"]
    assert (answer["from"], answer["to"]) == ("2006-03-01", "2008-06-20")
    assert answer["candidates"][0] == {"edition": "2006-03-01", "doubts": [], "matched": 5, "of": 5}
    counts = [candidate["matched"] for candidate in answer["candidates"]]
    assert counts == sorted(counts, reverse=True)


def test_other_spelling(base: KnowledgeBase) -> None:
    """Other quotes, dashes, line breaks and capitals make no difference."""
    text = excerpt(base, "2008-06-20", ["511.1", "511.2", "511.3", "600.4a"])
    second = text.replace("’", "'").replace("“", '"').replace("”", '"').replace("\n\n", "\r\n\r\n")

    assert found_in(base, second)["agrees"]


def test_altered_words(base: KnowledgeBase) -> None:
    """Altered words are shown, and no edition agrees."""
    text = excerpt(base, "2008-06-20", ["511.1", "511.2", "511.3", "600.4a"])
    altered = text.replace("flip", "throw").replace("leaves", "quits")

    answer = found_in(base, altered)

    assert altered != text
    assert not answer["agrees"]
    assert {difference["number"] for difference in answer["differences"]} >= {"511.1"}
    assert any("throw" in words for _, words in _pieces(answer))


def test_fragment(base: KnowledgeBase) -> None:
    """If a fragment begins in mid-rule, missing numbers and headwords are supplied and marked."""
    whole = excerpt(base, "2008-06-20", ["511.1", "511.2", "511.3", "600.4a"])
    cut = re.sub(r"^511\.1\. (?:\S+ ){6}", "", whole)

    answer = found_in(base, cut)

    assert answer["agrees"]
    assert answer["provisions"][0]["number"] == "511.1"
    assert answer["provisions"][0]["supplied"] == ["number"]
    assert answer["provisions"][1]["supplied"] == []


def test_another_game(base: KnowledgeBase) -> None:
    """The rules of another game match nothing."""
    text = "101.1. The dealer shuffles twice.\n\n101.2. Trumps are named before the first trick.\n"

    answer = found_in(base, text)

    assert (answer["candidates"], answer["from"], answer["agrees"]) == ([], None, False)


def test_edition(base: KnowledgeBase) -> None:
    """A whole edition is also identified."""
    sample = resources.files("variorum_kb") / "sample" / "2017-11-10.txt"

    result = identify(base, sample.read_bytes(), sample.name)

    assert (result["layout"], result["from"], result["to"]) == (
        "edition",
        "2017-11-10",
        "2017-11-10",
    )
    assert result["agrees"]
    assert "2017-11-10" not in {difference["edition"] for difference in result["differences"]}


def _pieces(value: IdentifyJson) -> list[tuple[str, str]]:
    pieces: list[Any] = [
        piece for difference in value["differences"] for piece in difference["pieces"]
    ]
    return [(str(piece[0]), " ".join(map(str, piece[1:]))) for piece in pieces]


def _run(sample_base: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["identify", "--kb", str(sample_base), *arguments])


def test_command(base: KnowledgeBase, sample_base: Path, tmp_path: Path) -> None:
    """The command prints the span, and how the next best edition differs."""
    file = tmp_path / "a.txt"
    file.write_text(excerpt(base, "2010-01-22", ["705.1", "705.2", "705.3"]), "utf-8")

    result = _run(sample_base, str(file))

    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:2] == ["excerpt: 3 provisions", "  2010-01-22        3 of 3"]
    assert "It agrees word for word with 2010-01-22 alone." in lines
    assert "What differs in 2015-04-17:" in lines
    assert lines[-1].startswith("  705.3: ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"PK\x03\x04\0\0\0\0", ""),
        (b"A note that I bought milk, and eggs, and bread, and that it rained.\n", ""),
    ],
)
def test_error_nothing_quoted(sample_base: Path, tmp_path: Path, data: bytes, message: str) -> None:
    """For a text that quotes no rules, one line says so."""
    file = tmp_path / "a.txt"
    file.write_bytes(data)

    result = _run(sample_base, str(file))

    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert result.output.startswith(f"cr: {file}")
    assert message in result.output


def test_error_no_file(sample_base: Path, tmp_path: Path) -> None:
    """A file that is not there is named."""
    file = tmp_path / "none.txt"

    assert _run(sample_base, str(file)).output == f"cr: {file}: No such file or directory\n"


def test_glossary_without_a_heading(base: KnowledgeBase) -> None:
    """Short lines that are headwords are read as the headwords of the texts below them."""
    entries = [
        provision for provision in base.provisions("2010-01-22") if provision.kind == "glossary"
    ][3:7]
    text = "\n\n".join(f"{entry.heading}\n\n{entry.text}" for entry in entries)

    answer = found_in(base, f"{text}\n")

    assert answer["agrees"]
    assert [provision["headword"] for provision in answer["provisions"]] == [
        entry.heading for entry in entries
    ]
    assert [provision["supplied"] for provision in answer["provisions"]] == [[]] * len(entries)


def test_other_rules_under_a_known_heading(base: KnowledgeBase) -> None:
    """A common heading, or a number alone, makes no edition a candidate."""
    answer = found_in(
        base,
        "600. General\n\n600.1. Every penguin slides down the iceberg when a whistle is blown "
        "twice.\n\n600.2. Fish are counted by weight and swallowed in pairs.\n",
    )

    assert (answer["candidates"], answer["from"], answer["to"]) == ([], None, None)


def test_error_number_alone(base: KnowledgeBase) -> None:
    """A number without words is not enough."""
    with pytest.raises(LayoutError) as caught:
        identify(base, b"600.1\n", "a.txt")

    assert str(caught.value) == "a.txt: excerpt: it quotes no text long enough to look for"


def test_many_differences(base: KnowledgeBase) -> None:
    """Twelve differences from the best edition are listed, and twelve from the next best."""
    numbers = [
        provision.number
        for provision in base.provisions("2010-01-22")
        if provision.kind == "rule" and len(provision.text) > 60
    ][:16]
    rules = excerpt(base, "2010-01-22", numbers).strip().split("\n\n")
    text = "\n\n".join([*rules[:3], *(f"{rule} Whales sing." for rule in rules[3:])])

    differences = found_in(base, text)["differences"]

    assert len(differences) == 24
    assert {difference["edition"] for difference in differences[:12]} == {"2010-01-22"}
    likeness = [difference["likeness"] for difference in differences]
    assert likeness == [round(share, 3) for share in likeness]
    assert likeness != [round(share, 2) for share in likeness]
