"""`cr witnesses`, and witnesses in the output of other commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.schemas import assert_fits
from tests.support.small_bases import build, edition, kinds, write
from tests.support.witness_base import hear
from variorum_kb.cli.main import main

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a base with witnesses; tests must not change it."""
    folder = tmp_path_factory.mktemp("heard")
    assert kinds(hear(folder)) == {"Heard": 6}
    return folder / "kb"


@pytest.fixture
def cr(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return the command on that base."""
    monkeypatch.setenv("VARIORUM_KB", str(folder))
    return lambda *arguments: CliRunner().invoke(main, list(arguments))


def load(result: Result) -> Any:
    """Return a command's JSON output as a value."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


PAGES = [
    ["witnesses"],
    ["witnesses", "705.1"],
    ["witnesses", "--of", "bulletin.md"],
    ["witnesses", "--of", "article.txt"],
    ["witnesses", "--of", "altered.txt"],
    ["witnesses", "--of", "rulings.txt"],
    ["changes", "2017-11-10"],
    ["history", "705.1"],
    ["why", "705.1", "--on", "2017-11-10"],
]


@pytest.mark.parametrize("arguments", PAGES, ids=" ".join)
def test_lines(cr: Command, golden: Callable[[str, object], None], arguments: list[str]) -> None:
    """The lines of each command about other documents are unchanged."""
    result = cr(*arguments)

    assert result.exit_code == 0, result.output
    golden(f"cli/heard-{'-'.join(arguments).replace('--', '')}.txt", result.output)


def test_witness_by_its_path(cr: Command, folder: Path, tmp_path: Path) -> None:
    """A file names the witness with its bytes, under any name."""
    (excerpt, _) = [item for item in load(cr("witnesses", "--json")) if item["layout"] == "excerpt"]
    sha256 = excerpt["sha256"]
    path = tmp_path / "under another name"
    path.write_bytes((folder / "documents" / sha256[:2] / sha256).read_bytes())

    by_path, by_hash = (load(cr("witnesses", "--of", str(of), "--json")) for of in (path, sha256))

    assert by_path == by_hash
    assert by_path


def test_all_as_json(cr: Command) -> None:
    """The list fits its schema and has every document once."""
    result = load(cr("witnesses", "--json"))

    assert_fits(result, "witnesses")
    assert sorted(item["layout"] for item in result) == [
        "article",
        "bulletin",
        "excerpt",
        "excerpt",
        "original in docx",
        "rulings page",
    ]
    (bulletin,) = [item for item in result if item["layout"] == "bulletin"]
    assert (bulletin["dated"], bulletin["from"]) == ("2017-11-03", "2017-11-10")


def test_of_a_rule(cr: Command) -> None:
    """The witnesses of a rule are listed by edition, with their verdicts."""
    result = load(cr("witnesses", "705.1", "--json"))

    assert_fits(result, "witnesses")
    message = {(item["witness"]["layout"], item["verdict"]): item for item in result}
    assert message["excerpt", "agrees"]["edition"] == "2010-01-22"
    assert message["rulings page", "confirmed (number)"]["claimed"] == "2010-01-22"
    assert message["article", "commentary"]["stands"] == "705.1"
    assert message["original in docx", "agrees"]["edition"] == "2025-05-30"
    assert message["bulletin", "confirmed"]["edition"] == "2017-11-10"
    editions = [item["edition"] for item in result if item["edition"]]
    assert editions == sorted(editions)


def test_altered_words_are_shown(cr: Command) -> None:
    """A quotation that no edition has is shown with its differences."""
    result = load(cr("witnesses", "--of", "altered.txt", "--verdict", "differs", "--json"))

    (first,) = result
    assert first["number"] == "705.1"
    pieces = [(mark, words.strip()) for mark, words in first["pieces"] if mark != "="]
    assert pieces == [("-", "lands"), ("+", "falls")]
    page = cr("witnesses", "--of", "altered.txt", "--verdict", "differs").stdout
    assert "[-lands-] {+falls+}" in page


@pytest.mark.parametrize("word", ["excerpt.txt", "EXCERPT.TXT"])
def test_of_a_file(cr: Command, word: str) -> None:
    """A witness can be named by its file."""
    result = cr("witnesses", "--of", word)

    assert [line.split()[1] for line in result.stdout.splitlines() if ": agrees" in line] == [
        "705:",
        "705.1:",
        "705.2:",
        "705.3:",
    ]


def test_of_a_hash_or_title(cr: Command) -> None:
    """A witness can be named by the beginning of its hash, or by its title."""
    result = load(cr("witnesses", "--json"))
    (sha256,) = [item["sha256"] for item in result if item["layout"] == "bulletin"]

    by_hash = cr("witnesses", "--of", sha256[:8])
    by_title = cr("witnesses", "--of", "harbour rules changes")

    assert by_hash.stdout == by_title.stdout
    assert "777.7" in by_hash.stdout


def test_contradicted(cr: Command) -> None:
    """Statements that the editions contradict are found in all witnesses."""
    result = load(cr("witnesses", "--verdict", "contradicted", "--json"))

    rows = {(item["witness"]["layout"], item["number"] or item["becomes"]) for item in result}
    assert ("bulletin", "777.7") in rows
    assert ("bulletin", "901.2") in rows
    assert ("rulings page", "705.3") in rows


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ("history", ["history", "705.1"]),
        ("why", ["why", "705.1", "--on", "2017-11-10"]),
        ("diff", ["changes", "2017-11-10"]),
        ("diff", ["changes", "2015-04-17"]),
    ],
)
def test_announcements_fit_their_schemas(cr: Command, schema: str, arguments: list[str]) -> None:
    """In JSON, an announcement has its step, and fits the schema."""
    result = cr(*arguments, "--json")

    assert_fits(load(result), schema)
    assert ('"announced": [\n' in result.stdout) == (arguments[-1] != "2015-04-17")


def test_commentary(cr: Command) -> None:
    """A rule is shown with articles about it: short quotations with author and source."""
    result = cr("show", "705.1", "--commentary")

    assert "Questions From the Harbor by Otto Quill (article" in result.stdout
    assert "bread" not in result.stdout
    answer = load(cr("show", "705.1", "--commentary", "--json"))
    assert_fits(answer, "show")
    assert all(len(item["words"].split()) <= 26 for item in answer[0]["commentary"])


def test_no_commentary(cr: Command) -> None:
    """If no article is about a rule, the command says so."""
    assert "no ruling or article about it has been added" in cr("100.1", "--commentary").stdout


def test_none(tmp_path: Path) -> None:
    """If a base has only editions, the command says so."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.txt": edition()}))

    result = CliRunner().invoke(main, ["witnesses", "--kb", str(tmp_path / "kb")])

    assert result.exit_code == 0
    assert (
        result.stdout
        == "No other witnesses yet. Add rulings, articles or originals with cr build.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--of", "nobody"], "nobody: no such witness; cr witnesses lists all"),
        (
            ["--of", "excerpt.txt", "--verdict", "ruling"],
            "excerpt.txt: no other witness has a passage that is ruling",
        ),
    ],
)
def test_error_nothing_found(cr: Command, arguments: list[str], message: str) -> None:
    """If nothing is found, one line says so."""
    result = cr("witnesses", *arguments)

    assert (result.exit_code, result.stderr) == (1, f"cr: {message}\n")


def test_error_rule_and_witness(cr: Command) -> None:
    """Giving a rule and a witness at once is wrong usage."""
    result = cr("witnesses", "705.1", "--of", "excerpt.txt")

    assert result.exit_code == 2
    assert "name a rule or give --of, not both" in result.stderr
