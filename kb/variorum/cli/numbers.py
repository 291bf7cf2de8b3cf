"""`cr where` and `cr crosswalk`: numbers of one edition in another."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

import click

from variorum.answers.crosswalk import crosswalk_rows, destination_of
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import Asked, asked_for
from variorum.answers.subject import Subject
from variorum.cli import command as opts
from variorum.cli.layout import print_note
from variorum.cli.rules import answered
from variorum.cli.wording import confidence, fact, other_lines, step_words, then_and_now
from variorum.errors import NotFoundError
from variorum.records.lineage import CrosswalkRow, Destination
from variorum.rows import ACTED_ON, headword_of
from variorum.terminal import OURS
from variorum.text import counted

_WIDEST = 28
# No text contains this character. It marks finished numbers, so that none is renumbered twice.
_DONE = OURS


@opts.command(
    "QUESTION...",
    click.Option(
        ["--on", "--from", "from_"],
        metavar="EDITION",
        shell_complete=opts.complete_edition,
        help="The edition that the number is from. Default: all editions that printed it.",
    ),
    complete=opts.complete_question,
    to={"default": "current"},
)
def where(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the number that a rule of one edition has in another, later or earlier.

    cr where 600.4a 410.8
    cr where 511 --from 2008-02-01
    cr where 705.1 --from latest --to 2008-02-01
    cr where - --from 2008-02-01 --jsonl < numbers.txt

    --to EDITION  The edition to find it in. Default: the current one.
    --json --jsonl
    """
    target = base.edition(o.to)
    start = None if o.from_ is None else base.edition(o.from_)

    def find(asked: Asked) -> Sequence[Subject]:
        return (base.subject(asked),) if start is None else base.find(asked, start)

    records, lines = list[Destination](), list[str]()
    answers, failed = answered(base, o.words, find)
    for asked, subject in ((asked, each) for asked, some in answers for each in some):
        row = destination_of(subject, target, asked_for(asked.question))
        records.append(row)
        lines.append(fact(subject, target, row))
        lines += [f"  {step.edition}, decided: {step.reason}" for step in row.read]
        if start is not None or asked.edition:
            now = then_and_now(base, asked, [subject], is_said=True)
            lines += [f"  {said}" for said in now]
        lines += other_lines(base, row.asked, row.others, target)
    is_lost = bool(records) and not any(row.new for row in records)
    if o.as_json and is_lost:
        about = f"{records[0].asked} of {records[0].edition}"
        said = f"{about}: nothing in the edition of {target.label} continues it"
        raise NotFoundError(said, answer=records)
    return opts.Answer(records, lines, code=int(is_lost), failed=failed)


# Crosswalk ----------------------------------------------------------------------------------------


@opts.command(
    "A [B]",
    complete=opts.complete_edition,
    all={"name": "with_kept"},
    apart=("--csv --sed --json",),
)
def crosswalk(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer | None:
    """Match the numbers of edition A with those of edition B, later or earlier.

    cr crosswalk 2009-05-01 M10       what was renumbered, split, merged or removed
    cr crosswalk M10 current --csv    for a spreadsheet
    cr crosswalk M10 current --sed    for sed -E -f; leaves ranges and doubtful numbers alone

    --all       Also list numbers that stayed the same.
    --glossary  Also list glossary entries.
    --csv       Print all rows as comma-separated values.
    --sed       Print the changes that are certain, as a script for sed -E.
    --json --jsonl
    """
    from variorum.cli.changes import take_pair

    (first, second), rest = take_pair(base, o.words)
    if rest:
        raise click.UsageError(f"{' '.join(rest)}: name two editions; cr where takes a number")
    rows = crosswalk_rows(base, first, second, glossary=o.glossary)
    for edition in (first, second):
        if edition.doubts:
            print_note(f"edition of {edition.label}: {', '.join(edition.doubts)}")
    if o.csv or o.sed:
        text = _csv(rows) if o.csv else _sed(rows, first.label, second.label)
        click.echo(text, nl=False)
        return None
    # A provision that certainly kept its number is dull.
    shown = [
        row
        for row in rows
        if o.with_kept or [row.old] != row.new or {"uncertain", "merged"} & {*row.kinds}
    ]
    return opts.Answer(rows, _table(shown, first.label, second.label, len(rows) - len(shown)))


def _csv(rows: Sequence[CrosswalkRow]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["old", "new", "kinds", "confidence", "read"])
    for row in rows:
        lists = row.new, row.kinds, [step.edition for step in row.read]
        new, kinds, read = map(";".join, lists)
        writer.writerow([row.old or "", new, kinds, row.confidence, read])
    return out.getvalue()


def _sed(rows: Iterable[CrosswalkRow], first: str, second: str) -> str:
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
        and not {"uncertain", "split"} & {*row.kinds}
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
        before, after = f"(^|[^-0-9A-Za-z.{_DONE}]|CR|rules?)", f"([^-0-9A-Za-z{_DONE}]|$)"
        # Adjacent citations share the character between them, so each line runs twice.
        lines += [f"s/{before}{escaped}{after}/\\1{_DONE}{new}{_DONE}\\2/g"] * 2
    return "\n".join([*lines, f"s/{_DONE}//g", ""])


def _table(rows: Sequence[CrosswalkRow], first: str, second: str, left_out: int) -> Iterator[str]:
    widest = max([len(row.old or "") for row in rows], default=0)
    width = min(max(widest, len(first)), _WIDEST)
    yield f"{first:<{width}}  {second}"
    for row in rows:
        kinds = step_words(row.kinds, row.old, next(iter(row.new), None)) or "kept"
        sure = f"{', decided' if row.read else ''}{confidence(row.confidence)}"
        yield f"{row.old or '—':<{width}}  {', '.join(row.new) or '—':<10}  {kinds}{sure}"
    yield from ["", f"  {counted(left_out, 'number')} unchanged"] if left_out else []
