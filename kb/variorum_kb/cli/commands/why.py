"""`cr why`: the evidence for a step."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum_kb.cli.completions import complete_question
from variorum_kb.cli.options import (
    bearer_option,
    edition_option,
    kb_option,
    lines_option,
    open_asked,
)
from variorum_kb.cli.pages.steps import step_words
from variorum_kb.cli.pages.witnesses import announced_lines
from variorum_kb.cli.printing import print_json, print_page
from variorum_kb.errors import NotFoundError
from variorum_kb.system.terminal import bold
from variorum_kb.text.counts import percent

if TYPE_CHECKING:
    from variorum_kb.forms.lineage import StepJson


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@bearer_option
@edition_option("--at", words="Show only the step into this edition, with its evidence.")
@lines_option
@kb_option
def why(
    question: tuple[str, ...], *, on: str | None, at: str | None, as_json: bool, kb: Path | None
) -> None:
    """Show the evidence for where a rule came from and where it went.

    Each step is a line: what happened, and the confidence in it. With --at, show the evidence for and
    against one step.

    \b
    cr why 705.1
    cr why 705.1 --at M10
    """  # noqa: D301 - click reads \b
    asked = " ".join(question)
    with open_asked(kb) as base:
        subject = base.subject(asked, on)
        whys = subject.why()
        if at is not None:
            whys = _into(whys, base.edition(at).label, subject.name)
    if as_json:
        print_json(whys)
        return
    shown = [step for step in whys if at is not None or step["kinds"] != ["kept"]]
    if not shown:
        click.echo(f"{asked}: unchanged since the first edition")
        return
    lines = [line for step in shown for line in _lines(step, is_short=at is None)]
    if at is None:
        last = shown[-1]["to_edition"]
        lines += ["", f"  cr why {shlex.join(question)} --at {last} shows the evidence of one step"]
    print_page("\n".join(lines) + "\n")


def _into(whys: "list[StepJson]", label: str, name: str) -> "list[StepJson]":
    """Return the steps into an edition.

    Raises:
        NotFoundError: There is no such step.
    """
    steps = [step for step in whys if step["to_edition"] == label]
    if not steps:
        labels = list(dict.fromkeys(step["to_edition"] for step in whys))
        raise NotFoundError(f"{name}: unchanged in {label}", near=labels)
    return steps


def _lines(step: "StepJson", *, is_short: bool) -> Iterator[str]:
    old = step["from"] or "nothing"
    new = ", ".join(step["to"]) or "nothing"
    kinds = ", ".join(step_words(step["kinds"], step["from"], next(iter(step["to"]), None)))
    yield bold(f"{old} ({step['from_edition']}) → {new} ({step['to_edition']})")
    read = step["read"]
    how = f"decided: {read['reason']}" if read else f"{percent(step['confidence'])} confidence"
    yield f"  {kinds}; {how}"
    if is_short:
        return
    for reason in step["evidence"]:
        yield f"  - {reason}"
    for line in announced_lines(step["announced"]):
        yield f"  - {line}"
