"""`cr why`: the evidence for a step, and the runners-up."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.cli.commands.show import complete_question
from variorum_kb.cli.options import bearer_option, kb_option, lines_option, open_asked, print_json
from variorum_kb.cli.pager import print_page
from variorum_kb.cli.pages.diff import bold, percent
from variorum_kb.cli.pages.steps import step_words
from variorum_kb.cli.pages.witnesses import announced_lines
from variorum_kb.system.terminal import is_coloured

if TYPE_CHECKING:
    from variorum_kb.forms.lineage import WhyJson


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@bearer_option
@lines_option
@kb_option
def why(question: tuple[str, ...], *, on: str | None, as_json: bool, kb: Path | None) -> None:
    """Show the evidence for where a rule came from and where it went.

    \b
    cr why 705.1 --on M10
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    with open_asked(kb) as base:
        found = base.subject(asked, on).why()
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo(f"{asked}: unchanged since the first edition")
        return
    lines = [line for step in found for line in _lines(step, colour=is_coloured())]
    print_page("\n".join(lines) + "\n")


def _lines(step: "WhyJson", *, colour: bool) -> Iterator[str]:
    old = step["from"] or "nothing"
    new = ", ".join(step["to"]) or "nothing"
    kinds = ", ".join(step_words(step["kinds"], step["from"], next(iter(step["to"]), None)))
    yield bold(f"{old} ({step['from_edition']}) → {new} ({step['to_edition']})", is_coloured=colour)
    read = step["read"]
    how = f"read: {read['reason']}" if read else f"{percent(step['confidence'])} sure"
    yield f"  {kinds}; {how}"
    for reason in step["evidence"]:
        yield f"  - {reason}"
    for line in announced_lines(step["announced"]):
        yield f"  - {line}"
    others = [f"{one['number']} ({one['points']} points)" for one in step["runners_up"]]
    if others:
        yield f"  runners-up: {', '.join(others)}"
