"""All JSON output of commands, whole or in lines, fits its schema."""

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from tests.support.sample_cards import write_cards
from tests.support.schemas import assert_fits
from tests.support.witness_base import hear
from variorum_kb.cards.store import take_in
from variorum_kb.cli.command_table import COMMANDS
from variorum_kb.cli.main import main

DOCUMENTS = Path(__file__).parents[1] / "sources" / "documents"
EDITION = "EDITION"


class Form(NamedTuple):
    """A command, the schema of its JSON, and the part of the schema for its lines.

    Attributes:
        arguments: The command's name and its arguments.
        schema: The name of the schema.
        lines: The definitions for lines, each of which fits one of them; "" if a line has the whole
            schema, none if the command has no lines.
    """

    arguments: str
    schema: str
    lines: tuple[str, ...] = ()


FORMS = [
    Form("accept", "accept", ("Decision",)),
    Form("archive list", "archive", ("KeptDocument",)),
    Form("archive verify", "archive_check", ("Damage",)),
    Form("ask may a boat sail", "ask", ("RulePassage",)),
    Form("audit --as-of first cited.py", "audit", ("AuditFinding",)),
    Form("blame 705", "blame"),
    Form("blame 702.4 --on 2015-04-17", "blame"),
    Form("card Marrow", "card", ("GoverningRule",)),
    Form("cards AtomicCards.json.gz", "cards"),
    Form("changes 2006-03-01", "diff", ("Change",)),
    Form("changes 2006-03-01 511", "diff", ("Change",)),
    Form("check", "check", ("Problem",)),
    Form("crosswalk 2008-06-20 2010-01-22 --glossary", "crosswalk", ("CrosswalkRow",)),
    Form("crosswalk latest first --glossary", "crosswalk", ("CrosswalkRow",)),
    Form("diff 2008-06-20 2010-01-22", "diff", ("Change",)),
    Form("diff 2008-06-20 2010-01-22 705", "diff", ("Change",)),
    Form("diff latest first 705", "diff", ("Change",)),
    Form("doctor", "doctor", ("Examined",)),
    Form("editions", "editions", ("ListedEdition",)),
    Form("editions --copies", "witnesses", ("Witness",)),
    Form("export 2008-06-20", "edition", ("Provision", "Entry")),
    Form("export --crosswalk", "number_table"),
    Form("watch 705", "watch"),
    Form("glossary", "glossary", ("EntryMatch",)),
    Form("glossary boat", "glossary", ("ExplainedEntry",)),
    Form("history 705.1", "history", ("Step",)),
    Form("history 705 --full", "history", ("Step",)),
    Form("history drift --on 2006-03-01", "history", ("Step",)),
    Form("identify excerpt-of-2010.txt", "identify", ("Candidate",)),
    Form("ledger", "ledgers", ("Ledger",)),
    Form("lint 2008-06-20", "lint", ("LintFinding",)),
    Form("lint --all", "lint", ("Lint",)),
    Form("preview draft.txt", "preview"),
    Form("read excerpt-of-2010.txt", "witness"),
    Form("read --ledger excerpt-of-2010.txt", "witness_ledger"),
    Form(f"read {EDITION}", "edition"),
    Form(f"read --ledger {EDITION}", "ledger"),
    Form(f"read {EDITION} excerpt-of-2010.txt", "documents"),
    Form(f"read --ledger {EDITION} excerpt-of-2010.txt", "ledgers"),
    Form("refs 704", "refs", ("RefLine",)),
    Form("refs --dangling 2008-06-20", "dangling", ("Misfit",)),
    Form("resolve leaves the game", "resolve", ("Source",)),
    Form("search flipped coins", "search", ("Hit",)),
    Form("search flipped coins --ever", "search", ("Hit",)),
    Form("search 511", "search", ("Hit",)),
    Form("show 705", "show", ("NumberedMatch",)),
    Form("show boat --terms --commentary", "show", ("ShownEntry",)),
    Form("show 511.2", "show", ("NumberedMatch",)),
    Form("since 2018-01-01", "diff", ("Change",)),
    Form("sync --sources sources.toml --only here --retries 0", "sync"),
    Form("toc", "toc", ("Heading",)),
    Form("toc 705", "toc", ("Heading",)),
    Form("where 511.2", "where", ("Where",)),
    Form("why 705.1", "why", ("Step",)),
    Form("witnesses", "witnesses", ("Witness",)),
    Form("witnesses 705.1", "witnesses", ("Attestation",)),
]
# The sample rulebook has no problems, dangling citations or decisions.
MAY_BE_EMPTY = {"accept", "archive_check", "check", "dangling"}


def takers(option: str) -> Iterator[str]:
    """Yield the commands that have an option."""
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        below = command.commands if isinstance(command, click.Group) else {"": command}
        for last, value in below.items():
            if any(option in parameter.opts for parameter in value.params):
                yield f"{name} {last}".strip()


def calls(form: Form, command: str) -> bool:
    """Return whether a form belongs to a command."""
    return f"{form.arguments} ".startswith(f"{command} ")


@pytest.mark.parametrize("command", list(takers("--json")))
def test_every_command_has_a_form(command: str) -> None:
    """Each command that prints JSON is in the table."""
    assert any(calls(form, command) for form in FORMS)


def test_every_command_has_lines() -> None:
    """The commands with `--jsonl` are those with lines in the table; docs/json.md names them."""
    commands = set(takers("--json"))
    with_lines = {
        command for command in commands for form in FORMS if form.lines and calls(form, command)
    }
    page = (Path(__file__).parents[3] / "docs" / "json.md").read_text("utf-8")
    table = page.partition("\n## JSON lines")[2].partition("\n## ")[0]

    assert set(takers("--jsonl")) == with_lines
    assert {command for command in commands if f"`cr {command}" in table} == with_lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a base with witnesses, and with files that commands read."""
    folder = tmp_path_factory.mktemp("forms")
    hear(folder)
    for name in ("excerpt-of-2010.txt",):
        (folder / name).write_bytes((DOCUMENTS / name).read_bytes())
    write_cards(folder)
    take_in([folder / "AtomicCards.json.gz"], folder / "kb")
    (folder / "cited.py").write_text("# CR 300.1 and CR 705.1\n", "utf-8")
    sample = sorted(Path(str(files("variorum_kb").joinpath("sample"))).rglob("*.txt"))
    (folder / EDITION).write_bytes(sample[0].read_bytes())
    (folder / "draft.txt").write_bytes(sample[-1].read_bytes())
    (folder / "sources.toml").write_text(
        '[[source]]\nname = "here"\nkind = "addresses"\n'
        '[[source.document]]\naddresses = ["http://127.0.0.1:9/rules.txt"]\n',
        "utf-8",
    )
    return folder


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.arguments)
def test_forms(folder: Path, monkeypatch: pytest.MonkeyPatch, form: Form) -> None:
    """A command's JSON fits its schema; each line fits a definition of the schema."""
    monkeypatch.setenv("VARIORUM_KB", str(folder / "kb"))
    monkeypatch.chdir(folder)
    asked = form.arguments.split(" ")

    whole = CliRunner().invoke(main, [*asked, "--json"])

    assert whole.exit_code in {0, 1}, whole.output
    assert_fits(json.loads(whole.stdout), form.schema)
    if not form.lines:
        return
    lines = CliRunner().invoke(main, [*asked, "--jsonl"])
    assert lines.exit_code == whole.exit_code
    loads = [json.loads(line) for line in lines.stdout.split("\n")[:-1]]
    of_lines = ("ref_line",) if form.lines == ("RefLine",) else (form.schema, *form.lines)
    for line in loads:
        assert_fits(line, *of_lines)
    assert loads or form.schema in MAY_BE_EMPTY or "--copies" in asked
    if isinstance(json.loads(whole.stdout), list):
        assert loads == json.loads(whole.stdout)
