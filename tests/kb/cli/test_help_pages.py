"""Help pages: groups, examples first, narrow terminals."""

import importlib
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner

from variorum_kb.cli.command_table import COMMANDS, GROUPS
from variorum_kb.cli.help_pages import parse_help, walk_commands
from variorum_kb.cli.help_topics import TOPICS
from variorum_kb.cli.main import main

NAMES = [
    name
    for command, module in COMMANDS.items()
    for name, _ in walk_commands(getattr(importlib.import_module(module), command), command)
]
NARROW = 50


def page_of(monkeypatch: pytest.MonkeyPatch, name: str, columns: int) -> str:
    """Return a help page as a terminal of some width shows it."""
    monkeypatch.setenv("COLUMNS", str(columns))
    result = CliRunner().invoke(main, [*name.split(), "--help"], prog_name="cr")

    assert result.exit_code == 0
    return result.output


def test_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """`cr --help` lists every command once, in groups, before the options."""
    lines = page_of(monkeypatch, "", 80).splitlines()
    titles = [lines.index(f"{title}:") for title in GROUPS]
    ends = [*titles[1:], lines.index("Options:")]

    listed = {
        title: [line.split()[0] for line in lines[start + 1 : end] if line.strip()]
        for title, start, end in zip(GROUPS, titles, ends, strict=True)
    }

    assert listed == {title: list(group) for title, group in GROUPS.items()}
    assert sorted(name for names in listed.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("name", ["", *NAMES])
def test_examples_come_first(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Every help page has an example after the summary, before details and options."""
    page = page_of(monkeypatch, name, 80)
    usage, summary, examples, *_ = page.split("\n\n")

    assert usage.startswith(f"Usage: cr {name}".rstrip())
    assert summary.rstrip().endswith(".")
    assert examples.startswith(
        ("  Example:\n    cr ", "  Examples:\n    cr ", "  Examples:\n    eval")
    )
    assert all(len(line) <= 80 for line in page.splitlines())


@pytest.mark.parametrize("name", ["", *NAMES])
def test_narrow(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """At 50 columns, a help page has the same words, unbroken, and no longer lines.

    A command, or an option with its value, stays on one line.
    """
    narrow = page_of(monkeypatch, name, NARROW)

    assert narrow.split() == page_of(monkeypatch, name, 80).split()
    long = [line.strip() for line in narrow.splitlines() if len(line) > NARROW]
    assert [line for line in long if not line.startswith(("cr ", "eval ", "--"))] == []


@pytest.mark.parametrize(("name", "columns"), [("audit", 200), ("audit", 69), ("show", 70)])
def test_page(
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
    name: str,
    columns: int,
) -> None:
    """A page fills the terminal up to 80 columns; on a narrow one, meanings stand below."""
    command = main.get_command(click.Context(main), name)
    # click keeps the help option of the context in which a command ran first: `-h` is missing if
    # another test ran it without `main`.
    monkeypatch.setattr(command, "_help_option", None)

    golden(f"cli/help-{name}-{columns}.txt", page_of(monkeypatch, name, columns))


@pytest.mark.parametrize("topic", TOPICS)
def test_topic(
    monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, object], None], topic: str
) -> None:
    """The page of each topic is unchanged; that about JSON ends with the names of the schemas."""
    monkeypatch.setenv("COLUMNS", "80")

    page = CliRunner().invoke(main, ["help", topic]).output

    assert ("\n  show.schema.json\n" in page) == (topic == "json")
    golden(f"cli/help-{topic}.txt", page.partition("Schemas:")[0])


def test_parts() -> None:
    """A docstring is a summary, examples and paragraphs, each in its place."""
    help_text = parse_help(
        """Show
        a rule.

        More
        of it.

        \b
        cr 1     the first
        cr 2
        """
    )

    assert help_text.summary == "Show a rule."
    assert help_text.examples == (("cr 1", "the first"), ("cr 2", ""))
    assert help_text.paragraphs == ("More of it.",)


def test_commands_below_a_command() -> None:
    """Subcommands are found under their full names."""
    group = click.Group("a", commands=[click.Command("b"), click.Group("c")])

    assert [name for name, _ in walk_commands(group, "cr a")] == ["cr a", "cr a b", "cr a c"]
