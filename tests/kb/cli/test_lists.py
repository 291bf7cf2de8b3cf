"""The commands that print lists: editions, toc, glossary, ledger, export, completion, and `cr`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.schemas import assert_fits
from tests.support.small_bases import build, edition, write
from variorum_kb.cli.main import main


def test_editions_as_json(cr: Callable[..., Result]) -> None:
    """Editions as JSON are the export's edition objects, with set and file."""
    answer = json.loads(cr("editions", "--json").output)

    assert_fits(answer, "editions")
    exported = [json.loads(cr("export", item["effective"], "--json").output) for item in answer]
    names = ("set_code", "set_name", "file", "label", "until", "previous", "next")
    assert [item["edition"] for item in exported] == [
        {key: value for key, value in item.items() if key not in names} for item in answer
    ]
    assert [item["file"] for item in answer] == [f"{item['effective']}.txt" for item in answer]


def test_export_as_json(cr: Callable[..., Result], tmp_path: Path) -> None:
    """`--json`, `--format json` and a file have the same bytes."""
    asked, file = ("export", "2008-06-20"), tmp_path / "rules.json"
    cr(*asked, "--json", "-o", str(file))

    as_json, by_format = cr(*asked, "--json"), cr(*asked, "--format", "json")

    assert as_json.stdout_bytes == by_format.stdout_bytes == file.read_bytes()


def test_export_as_text(cr: Callable[..., Result]) -> None:
    """An export as text has all words of the edition."""
    whole = json.loads(cr("export", "2003-02-10", "--json").output)

    words = cr("export", "2003-02-10").output

    for provision in whole["provisions"]:
        assert all(paragraph in words for paragraph in provision["text"].split("\n"))
    for item in whole["glossary"]:
        assert f"\n{item['term']}\n" in words


def test_ledger_as_json(cr: Callable[..., Result]) -> None:
    """Ledgers as JSON are a list, one for each edition."""
    answer = json.loads(cr("ledger", "--json").output)

    assert len(answer) == 9
    for item in answer:
        assert_fits(item, "ledger")
        assert item["lines"] == item["blank"] + sum(item["accounted"].values())


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_completion(cr: Callable[..., Result], shell: str) -> None:
    """The script names the variable that asks for completions."""
    result = cr("completion", shell)

    assert result.exit_code == 0
    assert "_CR_COMPLETE" in result.output


def test_editions_on_a_narrow_terminal(
    cr: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 50 columns, no line is too long, and every edition is named."""
    names = [load["set_name"] for load in json.loads(cr("editions", "--json").stdout)]
    monkeypatch.setattr("variorum_kb.cli.commands.editions.page_width", lambda: 50)

    lines = cr("editions").stdout.splitlines()

    assert max(map(len, lines)) <= 50
    shown = set(" ".join(lines).replace(";", " ").split())
    assert {word for name in names for word in name.split()} <= shown


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (0, ["1 other text of these dates; cr editions --copies lists them"]),
        (40, ["1 other text of these dates; cr editions", "--copies lists them"]),
    ],
)
def test_editions_with_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: int, expected: list[str]
) -> None:
    """Below the editions is the number of other texts, wrapped to the terminal's width."""
    build(tmp_path / "kb", write(tmp_path, {"a.txt": edition()}))
    build(tmp_path / "kb", write(tmp_path, {"b.txt": edition().replace(b"\n", b"\r\n")}))
    monkeypatch.setattr("variorum_kb.cli.commands.editions.page_width", lambda: width)

    lines = CliRunner().invoke(main, ["editions", "--kb", str(tmp_path / "kb")]).stdout.splitlines()

    assert lines[lines.index("") + 1 :] == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cr 705.", ["705.1", "705.2", "705.3"]),
        ("cr edi", ["editions"]),
        ("cr show 705.", ["705.1", "705.2", "705.3"]),
        ("cr show 705.1 --on 2008", ["2008-06-20"]),
    ],
)
def test_completions(
    sample_base: Path, monkeypatch: pytest.MonkeyPatch, words: str, expected: list[str]
) -> None:
    """Commands, numbers, terms and designators are completed."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))
    monkeypatch.setenv("_CR_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))

    result = CliRunner().invoke(main, [], prog_name="cr")

    assert [line.partition(",")[2] for line in result.output.splitlines()] == expected


def test_alone(cr: Callable[..., Result]) -> None:
    """`cr` alone shows the help and the contents of the base."""
    result = cr()

    assert result.exit_code == 0
    assert result.output.startswith("Usage: ")
    assert result.output.endswith(
        "\nThe knowledge base holds 9 editions, 1999-05-14 to 2025-05-30.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "items"),
    [
        (("lint",), "findings"),
        (("since", "first"), "changes"),
        (("diff", "first", "latest"), "changes"),
        (("refs", "601.3"), "cites cited_by"),
    ],
)
def test_limit(cr: Callable[..., Result], arguments: tuple[str, ...], items: str) -> None:
    """--limit shortens a list, and a note on stderr says so."""

    def listed(*more: str) -> tuple[list[object], str]:
        done = cr(*arguments, "--json", *more)
        answer = json.loads(done.stdout)
        return [
            item for name in items.split() for item in answer[name]
        ] if items else answer, done.stderr

    every, _ = listed()
    some, note = listed("--limit", "1")

    assert len(every) > 1
    assert some == every[:1]
    assert note == f"cr: 1 of {len(every):,} listed; --limit allows more\n"


def test_largest_changes_first(cr: Callable[..., Result]) -> None:
    """`--sort size` lists the same changes, largest first."""
    arguments = ("diff", "2008-06-20", "2010-01-22", "--json")
    by_size = json.loads(cr(*arguments, "--sort", "size").stdout)["changes"]
    by_number = json.loads(cr(*arguments).stdout)["changes"]

    key = json.dumps
    assert sorted(by_size, key=key) == sorted(by_number, key=key)
    assert by_size != by_number
    page = cr("diff", "2008-06-20", "2010-01-22", "--sort", "size", "--limit", "1").stdout
    assert by_size[0]["new"] in page
    refused = cr("diff", "2008-06-20", "2010-01-22", "705", "--sort", "size")
    assert (refused.exit_code, "--sort" in refused.stderr) == (2, True)


@pytest.mark.parametrize("asked", [(), ("--glossary",), ("217",)])
def test_changes_of_a_kind(cr: Callable[..., Result], asked: tuple[str, ...]) -> None:
    """`--kind` lists added, removed, moved or reworded provisions; together they are all changes."""
    arguments = ("diff", "2008-06-20", "2010-01-22", *asked, "--json")
    every = json.loads(cr(*arguments).stdout)["changes"]

    def of(*kinds: str) -> list[dict[str, Any]]:
        options = [word for kind in kinds for word in ("--kind", kind)]
        changes: list[dict[str, Any]] = json.loads(cr(*arguments, *options).stdout)["changes"]
        return changes

    assert of("removed") == [item for item in every if item["new"] is None]
    assert [item for item in of("added") if item["old"] is None] == [
        item for item in every if item["old"] is None
    ]
    moves = {"renumbered", "split", "merged", "copied"}
    parts = [item for item in of("added") if item["old"] is not None]
    assert all(moves & {*item["kinds"]} for item in [*of("moved"), *parts])
    assert all(item["old"] and item["new"] and item["class"] for item in of("reworded"))
    assert of("added", "removed", "moved", "reworded") == every
    page = cr(*arguments[:-1], "--kind", "removed").stdout
    assert ("nothing removed" in page) == (not of("removed"))
    assert cr(*arguments[:-1], "--kind", "removed", "--summary").exit_code == 2
