"""`cr history`: the history of a provision, the edition of each word, or the evidence for its steps."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.cli.completions import complete_question
from variorum.cli.options import (
    bearer_option,
    edition_option,
    kb_option,
    lines_option,
    only_option,
    open_asked,
    refuse_together,
)
from variorum.cli.pages.blame import set_blame
from variorum.cli.pages.history import set_history
from variorum.cli.pages.steps import step_words
from variorum.cli.pages.witnesses import announced_lines, file_names, list_attestations
from variorum.cli.printing import are_lines_wanted, print_json, print_page
from variorum.errors import NotFoundError
from variorum.terminal import bold, page_width
from variorum.text import percent

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject
    from variorum.records.lineage import Step


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@click.option(
    "--full",
    "is_full",
    is_flag=True,
    help="Show today's text in full, and each change to a subrule word by word.",
)
@click.option("--words", "of_words", is_flag=True, help="Show when each word was added.")
@click.option(
    "--evidence", "of_evidence", is_flag=True, help="Show each step, and the confidence in it."
)
@click.option(
    "--witnesses",
    "of_witnesses",
    is_flag=True,
    help="Show what other documents quote of it or say about it.",
)
@edition_option(
    "--at", words="With --evidence: show only the step into this edition, with its evidence."
)
@only_option
@bearer_option
@lines_option
@kb_option
def history(
    question: tuple[str, ...],
    *,
    on: str | None,
    at: str | None,
    is_full: bool,
    of_words: bool,
    of_evidence: bool,
    of_witnesses: bool,
    is_alone: bool,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Show the history of a rule: its numbers, each rewording, splits, merges and copies.

    For a section or a rule with subrules, show what each edition changed in it and below it.

    With --words, show when each word of a rule and its subrules was added, through all renumberings.
    With --witnesses, show other documents that quote it, whether they agree, and the articles about it.
    With --evidence, show where a rule came from and where it went, and how sure that is.

    \b
    cr history 704.5j                 the rule with this number today, or the last to have it
    cr history 511 --on 2008-02-01    the rule that had it on that day
    cr history 702.19 --full          a keyword with its subrules, every word
    cr history 800.4a --words         when each word was added
    cr history 705 --words            a section with its rules
    cr history 600.4a --witnesses     other documents that quote or discuss it
    cr history 705.1 --evidence
    cr history 705.1 --evidence --at M10
    """  # noqa: D301 - click reads \b
    refuse_together(("--full", is_full), ("--words", of_words), ("--evidence", of_evidence))
    refuse_together(("--evidence", of_evidence), ("--only", is_alone))
    for other in (("--full", is_full), ("--words", of_words), ("--evidence", of_evidence)):
        refuse_together(("--witnesses", of_witnesses), other)
    refuse_together(("--words", of_words), ("--jsonl", are_lines_wanted()))
    if at is not None and not of_evidence:
        raise click.UsageError("--at needs --evidence")
    asked = " ".join(question)
    with open_asked(kb) as base:
        subject = base.subject(asked, on)
        if of_evidence:
            label = None if at is None else base.edition(at).label
            _show_evidence(subject.why(), label, subject.name, question, as_json=as_json)
            return
        if of_witnesses:
            _show_witnesses(base, subject, as_json=as_json)
            return
        if of_words:
            blamed = subject.blame(is_alone=is_alone)
            if as_json:
                print_json(blamed)
            else:
                print_page(set_blame(blamed, width=page_width()))
            return
        answer = subject.history(is_alone=is_alone, is_full=is_full)
    if as_json:
        print_json(answer, answer.steps)
        return
    print_page(set_history(answer, width=page_width(), is_full=is_full))


def _show_witnesses(base: "KnowledgeBase", subject: "Subject", *, as_json: bool) -> None:
    """Print what other documents quote of a provision or say about it."""
    attestations = base.witnesses.quoted(subject.lineage)
    if as_json:
        print_json(attestations)
        return
    lines = list(list_attestations(attestations, file_names(base), page_width()))
    none = "no other document quotes or discusses it; cr build adds rulings, articles or originals"
    print_page("\n".join(lines or [f"  {none}"]) + "\n")


def _show_evidence(
    steps: "list[Step]",
    label: str | None,
    name: str,
    question: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Print the steps of a provision, or those into one edition with their evidence.

    Raises:
        NotFoundError: There is no step into this edition.
    """
    shown = [step for step in steps if label in {None, step.to_edition}]
    if label is not None and not shown:
        labels = list(dict.fromkeys(step.to_edition for step in steps))
        raise NotFoundError(f"{name}: unchanged in {label}", near=labels)
    if as_json:
        print_json(shown)
        return
    if label is not None:
        print_page("\n".join([line for step in shown for line in _lines(step)]) + "\n")
        return
    shown = [step for step in shown if step.kinds != ["kept"]]
    if not shown:
        click.echo(f"{' '.join(question)}: unchanged since the first edition")
        return
    lines = [line for step in shown for line in list(_lines(step))[:2]]
    typed = f"cr history {shlex.join(question)} --evidence --at {shown[-1].to_edition}"
    print_page("\n".join([*lines, "", f"  {typed} shows the evidence of one step"]) + "\n")


def _lines(step: "Step") -> Iterator[str]:
    old = step.from_ or "nothing"
    new = ", ".join(step.to) or "nothing"
    kinds = ", ".join(step_words(step.kinds, step.from_, next(iter(step.to), None)))
    yield bold(f"{old} ({step.from_edition}) → {new} ({step.to_edition})")
    read = step.read
    how = f"decided: {read.reason}" if read else f"{percent(step.confidence)} confidence"
    yield f"  {kinds}; {how}"
    for reason in [*step.evidence, *announced_lines(step.announced)]:
        yield f"  - {reason}"
