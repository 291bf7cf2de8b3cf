"""`cr where` and `cr crosswalk`: numbers of one edition in another."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.questions import parse_questions
from variorum.cli.commands.show import STANDARD_INPUT, end_answers
from variorum.cli.completions import complete_edition, complete_question
from variorum.cli.edition_arguments import take_pair
from variorum.cli.failures import NoAnswerError
from variorum.cli.options import (
    edition_option,
    kb_option,
    limited,
    lines_option,
    list_options,
    open_asked,
    refuse_together,
)
from variorum.cli.pages.where import how_sure, kinds_said, set_where
from variorum.cli.printing import print_json, print_note, print_page
from variorum.errors import NOT_FOUND, NotFoundError, TwoEditionsError, VariorumError
from variorum.files import LARGEST_SETTINGS, lines_of_standard_input
from variorum.model import ACTED_ON
from variorum.rows import headword_of
from variorum.terminal import OURS, page_width
from variorum.text import counted

if TYPE_CHECKING:
    from variorum.records.lineage import CrosswalkRow, Destination


@click.command()
@click.argument("question", nargs=-1, required=True, shell_complete=complete_question)
@edition_option(
    "--from",
    "--on",
    "start",
    words="The edition that the number is from. Default: the current edition, else the last "
    "that printed it.",
)
@edition_option(
    "--to", "stop", words="The edition to find it in. Default: the current one.", default="current"
)
@lines_option
@kb_option
def where(
    question: tuple[str, ...], *, start: str | None, stop: str, as_json: bool, kb: Path | None
) -> None:
    """Find the number that a rule of one edition has in another, later or earlier.

    You can give several numbers. With "-", each line of standard input is a question.

    \b
    cr where 600.4a
    cr where 600.4a 410.8
    cr where 511 --from 2008-02-01
    cr where 705.1 --from latest --to 2008-02-01
    cr where - --from 2008-02-01 --jsonl < numbers.txt
    """  # noqa: D301 - click reads \b
    answer: list[Destination] = []
    failed: list[VariorumError] = []
    with open_asked(kb) as base:
        target = base.edition(stop)
        edition = None if start is None else base.edition(start)
        for line in (
            lines_of_standard_input(LARGEST_SETTINGS)
            if question == STANDARD_INPUT
            else [" ".join(question)]
        ):
            for asked in parse_questions(line) if line.strip() else []:
                try:
                    answer += base.where(asked, edition, target)
                except (NotFoundError, TwoEditionsError) as error:
                    failed.append(error)
    lost = [row for row in answer if not row.new]
    if as_json and answer and len(lost) == len(answer):
        message = f"{lost[0].asked} of {lost[0].edition}: nothing in the edition of {target.label} continues it"
        raise NoAnswerError(message, answer)
    if answer and not as_json:
        print_page(set_where(answer, target, width=page_width()))
    end_answers(answer, failed, as_json=as_json)
    if lost and len(lost) == len(answer):
        raise click.exceptions.Exit(NOT_FOUND)


@click.command()
@click.argument("words", metavar="A [B]", nargs=-1, required=True, shell_complete=complete_edition)
@click.option("--all", "with_kept", is_flag=True, help="Also list numbers that stayed the same.")
@click.option("--glossary", is_flag=True, help="Also list glossary entries.")
@click.option("--csv", "as_csv", is_flag=True, help="Print all rows as comma-separated values.")
@click.option(
    "--sed",
    "as_sed",
    is_flag=True,
    help="Print the changes that are certain, as a script for sed -E.",
)
@list_options
def crosswalk(
    words: tuple[str, ...],
    *,
    with_kept: bool,
    glossary: bool,
    as_csv: bool,
    as_sed: bool,
    limit: int | None,
    as_json: bool,
    kb: Path | None,
) -> None:
    """Match the numbers of edition A with those of edition B.

    B may be the earlier edition.

    \b
    cr crosswalk 2009-05-01 M10       what was renumbered, split, merged or removed
    cr crosswalk M10 current --csv    for a spreadsheet
    cr crosswalk M10 current --sed    for sed -E -f; leaves ranges and doubtful numbers alone
    """  # noqa: D301 - click reads \b
    refuse_together(("--csv", as_csv), ("--sed", as_sed), ("--json", as_json))
    with open_asked(kb) as base:
        (first, second), rest = take_pair(base, words)
        if rest:
            raise click.UsageError(f"{' '.join(rest)}: name two editions; cr where takes a number")
        rows = crosswalk_rows(base, first, second, glossary=glossary)
    for edition in (first, second):
        if edition.doubts:
            print_note(f"edition of {edition.label}: {', '.join(edition.doubts)}")
    if as_json:
        print_json(limited(rows, limit))
    elif as_csv:
        click.echo(_csv(limited(rows, limit)), nl=False)
    elif as_sed:
        click.echo(_sed(rows, first.label, second.label), nl=False)
    else:
        shown = [row for row in rows if with_kept or not _is_dull(row)]
        kept = len(rows) - len(shown)
        print_page(_table(limited(shown, limit), first.label, second.label, kept))


def _is_dull(row: "CrosswalkRow") -> bool:
    """Return whether a provision certainly kept its number."""
    return [row.old] == row.new and not {"uncertain", "merged"} & set(row.kinds)


def _csv(rows: Sequence["CrosswalkRow"]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["old", "new", "kinds", "confidence", "read"])
    for row in rows:
        lists = row.new, row.kinds, [step.edition for step in row.read]
        new, kinds, read = map(";".join, lists)
        writer.writerow([row.old or "", new, kinds, row.confidence, read])
    return out.getvalue()


# No text contains this character. It marks finished numbers, so that none is renumbered twice.
_DONE = OURS


def _sed(rows: Sequence["CrosswalkRow"], first: str, second: str) -> str:
    """Return a sed script that renumbers citations of rules and subrules.

    It leaves out sections, whose numbers may mean anything, and ends of ranges, since the other end
    may have moved elsewhere.
    """
    sure = [
        (row.old, row.new[0])
        for row in rows
        if row.old is not None
        and row.new
        and row.old != row.new[0]
        and row.confidence >= ACTED_ON
        and not {"uncertain", "split"} & set(row.kinds)
        # A copy only repeats the first; a rule that merged into one other is there as a whole.
        and (len(row.new) == 1 or "merged" not in row.kinds)
        and all("." in number and "#" not in number for number in (row.old, row.new[0]))
        and not headword_of(row.new[0])
    ]
    lines = [
        f"# Numbers of {first} as they are in {second}: sed -E -f THIS FILE...",
        f"# {counted(len(sure), 'number')} that certainly moved; ranges and sections are left alone.",
    ]
    for old, new in sure:
        escaped = old.replace(".", "\\.")
        line = f"s/(^|[^-0-9A-Za-z.{_DONE}]|CR|rules?){escaped}([^-0-9A-Za-z{_DONE}]|$)/\\1{_DONE}{new}{_DONE}\\2/g"
        # Adjacent citations share the character between them, so each line runs twice.
        lines += [line, line]
    return "\n".join([*lines, f"s/{_DONE}//g", ""])


def _table(rows: Sequence["CrosswalkRow"], first: str, second: str, left_out: int) -> str:
    widest = max([len(row.old or "") for row in rows], default=0)
    width = min(max(widest, len(first)), 28)
    lines = [f"{first:<{width}}  {second}"]
    for row in rows:
        new = ", ".join(row.new) or "—"
        sure = ", ".join(how_sure(row))
        kinds = "  ".join([", ".join(kinds_said(row)), *([sure] if sure else [])])
        lines.append(f"{row.old or '—':<{width}}  {new:<10}  {kinds}")
    lines += ["", f"  {counted(left_out, 'number')} unchanged" if left_out else ""]
    return "\n".join(lines).rstrip() + "\n"
