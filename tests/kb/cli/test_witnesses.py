"""`cr witnesses`, and witnesses in the output of other commands."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.schemas import assert_fits
from tests.support.small_bases import build, edition, kinds, write
from tests.support.witness_base import hear
from variorum_kb.cli.main import main
from variorum_kb.cli.pages.witnesses import list_witnesses

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


PAGES = """\
witnesses
witnesses 705.1
witnesses --of bulletin.md
witnesses --of article.txt
witnesses --of altered.txt
witnesses --of altered.txt --verdict differs
witnesses --of rulings.txt
witnesses --of EXCERPT.TXT
witnesses --of "harbour rules changes"
witnesses --verdict contradicted
witnesses --of nobody
witnesses --of excerpt.txt --verdict ruling
witnesses 705.1 --of excerpt.txt
changes 2017-11-10
history 705.1
why 705.1 --on 2017-11-10
show 705.1 --commentary
100.1 --commentary
"""


def test_lines(cr: Command, golden: Callable[[str, object], None]) -> None:
    """The lines of each command about other documents are unchanged."""
    results = [(line, cr(*shlex.split(line))) for line in PAGES.splitlines()]

    pages = [
        f"$ cr {line}\n{result.output}exit code {result.exit_code}\n" for line, result in results
    ]
    golden("cli/heard.txt", "\n".join(pages))


@pytest.mark.parametrize(("count", "last"), [(12, "  - 11"), (13, "  - and 1 more")])
def test_much_evidence(cr: Command, count: int, last: str) -> None:
    """Of much evidence, the first lines are listed, and the others are counted."""
    witness = load(cr("witnesses", "--json"))[0] | {"evidence": [*map(str, range(count))]}

    *_, before, end = list_witnesses([witness], {})

    assert (before, end) == (f"  - {10 + (count > 12)}", last)


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


def test_of_a_hash_or_title(cr: Command) -> None:
    """A witness can be named by the beginning of its hash, or by its title."""
    result = load(cr("witnesses", "--json"))
    (sha256,) = [item["sha256"] for item in result if item["layout"] == "bulletin"]

    by_hash = cr("witnesses", "--of", sha256[:8])
    by_title = cr("witnesses", "--of", "harbour rules changes")

    assert by_hash.stdout == by_title.stdout
    assert "777.7" in by_hash.stdout


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
    """A rule is shown with short quotations from articles about it."""
    answer = load(cr("show", "705.1", "--commentary", "--json"))
    assert_fits(answer, "show")
    assert all(len(item["words"].split()) <= 26 for item in answer[0]["commentary"])


def test_none(tmp_path: Path) -> None:
    """If a base has only editions, the command says so."""
    build(tmp_path / "kb", write(tmp_path / "in", {"one.txt": edition()}))

    result = CliRunner().invoke(main, ["witnesses", "--kb", str(tmp_path / "kb")])

    assert result.exit_code == 0
    assert (
        result.stdout
        == "No other witnesses yet. Add rulings, articles or originals with cr build.\n"
    )
