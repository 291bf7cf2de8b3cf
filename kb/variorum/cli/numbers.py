"""`cr where` and `cr crosswalk`: numbers of one edition in another."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

import click

from variorum.answers.crosswalk import crosswalk_rows
from variorum.answers.editions import EditionEntry
from variorum.answers.finding import since_when
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import Asked, asked_for
from variorum.answers.subject import Subject
from variorum.cli import command as opts
from variorum.cli.layout import para, print_note, print_page
from variorum.cli.rules import answered, end_answers
from variorum.cli.wording import shown_name, step_words, then_and_now
from variorum.errors import VariorumError
from variorum.records.lineage import CrosswalkRow, Destination
from variorum.rows import ACTED_ON, SHOWN_CERTAIN, headword_of
from variorum.terminal import OURS
from variorum.text import counted, percent, shortened

_SHORT, _WIDEST = 160, 28
# Kinds that the sentence about a number says.
_SAID = {"kept", "merged", "split", "uncertain", "gone", "new", "renumbered"}
# No text contains this character. It marks finished numbers, so that none is renumbered twice.
_DONE = OURS


@opts.command(
    "QUESTION...",
    click.Option(
        ["--on", "--from", "from_"],
        metavar="EDITION",
        shell_complete=opts.complete_edition,
        help="The edition that the number is from. Default: the current edition, else the last that "
        "printed it.",
    ),
    complete=opts.complete_question,
    to={"default": "current"},
)
def where(base: KnowledgeBase, o: SimpleNamespace) -> None:
    """Find the number that a rule of one edition has in another, later or earlier.

    Without --from, all rules that have had the number are told, the latest first. You can give
    several numbers. With "-", each line of standard input is a question.

    cr where 600.4a
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

    records, lines, all_failed = list[Destination](), list[str](), list[VariorumError]()
    for answers, failed in answered(base, o.words, find):
        all_failed += failed
        for asked, subject in ((asked, each) for asked, some in answers for each in some):
            row = subject.where(target, asked_for(asked.question))
            records.append(row)
            lines += _fact(subject, target, row)
            if start is not None or asked.edition:
                now = then_and_now(base, asked, [subject], is_said=True)
                lines += [f"  {said}" for said in now]
            for other in row.others:
                bearer = base.find(row.asked, other.to or base.labels[-1])[0]
                lines += _fact(bearer, target, bearer.where(target, row.asked))
                lines += para(shortened(other.text, _SHORT), 4) if other.text else []
    is_lost = bool(records) and not any(row.new for row in records)
    if o.as_json and is_lost:
        about = f"{records[0].asked} of {records[0].edition}"
        said = f"{about}: nothing in the edition of {target.label} continues it"
        raise opts.NoAnswerError(said, records)
    if records and not o.as_json:
        print_page(lines)
    end_answers(records, all_failed, as_json=o.as_json)
    if is_lost:
        opts.end()


def _fact(subject: Subject, target: EditionEntry, row: CrosswalkRow) -> list[str]:
    """Return the line about a number: since when and until when it meant a rule, and what that is."""
    base = subject.base
    first, last, since = since_when(subject, target)
    is_latest, is_earlier = last == base.labels[-1], subject.edition.place > target.place
    when = f"since {first}" if is_latest else first if first == last else f"{first} to {last}"
    new = [*map(shown_name, row.new)]
    there = "" if target == base.current else f" in {target.label}"
    if not new:
        how = f"did not exist yet{there}" if is_earlier else f"removed on {since}"
        how = f"perhaps {how}" if "uncertain" in row.kinds else how
    elif "uncertain" in row.kinds:
        how = f"perhaps {' or '.join(new)}{there}"
    elif row.new == [subject.name]:
        how = f"{new[0]}{there}, too" if is_earlier else f"still {new[0]}{there}"
    elif is_earlier:
        how = f"was {', '.join(new)}{there}"
    elif "merged" in row.kinds or "split" in row.kinds:
        verb = "merged" if "merged" in row.kinds else "split"
        how = f"{verb} into {', '.join(new)} on {since}"
    else:
        how = f"{', '.join(new)} since {since}"
    kinds = zip(row.kinds, _kinds(row), strict=True)
    said = [*(words for kind, words in kinds if kind not in _SAID), *_how_sure(row)]
    tail = f" ({', '.join(said)})" if said else ""
    line = f"{shown_name(subject.name)}, {when}: {how}{tail}"
    decided = "  the step to {} was decided by readers: {}"
    return [line, *(decided.format(step.edition, step.reason) for step in row.read)]


def _kinds(row: CrosswalkRow) -> list[str]:
    return step_words(row.kinds, row.old, next(iter(row.new), None))


def _how_sure(row: CrosswalkRow) -> list[str]:
    """Return "decided" if people decided a step, and the confidence if it is low."""
    low = [f"{percent(row.confidence)} confidence"] if row.confidence < SHOWN_CERTAIN else []
    return [*(["decided"] if row.read else []), *low]


# Crosswalk ----------------------------------------------------------------------------------------


@opts.command(
    "A [B]",
    complete=opts.complete_edition,
    all={"name": "with_kept"},
    apart=("--csv --sed --json",),
)
def crosswalk(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer | None:
    """Match the numbers of edition A with those of edition B.

    B may be the earlier edition.

    cr crosswalk 2009-05-01 M10       what was renumbered, split, merged or removed
    cr crosswalk M10 current --csv    for a spreadsheet
    cr crosswalk M10 current --sed    for sed -E -f; leaves ranges and doubtful numbers alone

    --all       Also list numbers that stayed the same.
    --glossary  Also list glossary entries.
    --csv       Print all rows as comma-separated values.
    --sed       Print the changes that are certain, as a script for sed -E.
    --limit --json --jsonl
    """
    from variorum.cli.changes import take_pair

    (first, second), rest = take_pair(base, o.words)
    if rest:
        raise click.UsageError(f"{' '.join(rest)}: name two editions; cr where takes a number")
    rows = crosswalk_rows(base, first, second, glossary=o.glossary)
    for entry in (first, second):
        if entry.doubts:
            print_note(f"edition of {entry.label}: {', '.join(entry.doubts)}")
    if o.csv:
        click.echo(_csv(opts.limited(rows, o.limit)), nl=False)
        return None
    if o.sed:
        click.echo(_sed(rows, first.label, second.label))
        return None
    if o.as_json:
        return opts.Answer(opts.limited(rows, o.limit), list)
    # A provision that certainly kept its number is dull.
    shown = [
        row
        for row in rows
        if o.with_kept or [row.old] != row.new or {"uncertain", "merged"} & {*row.kinds}
    ]
    table = opts.limited(shown, o.limit)
    left_out = len(rows) - len(shown)
    return opts.Answer(rows, lambda: _table(table, first.label, second.label, left_out))


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
    return "\n".join([*lines, f"s/{_DONE}//g"])


def _table(rows: Sequence[CrosswalkRow], first: str, second: str, left_out: int) -> Iterator[str]:
    widest = max([len(row.old or "") for row in rows], default=0)
    width = min(max(widest, len(first)), _WIDEST)
    yield f"{first:<{width}}  {second}"
    for row in rows:
        kinds = "  ".join(filter(None, [", ".join(_kinds(row)), ", ".join(_how_sure(row))]))
        yield f"{row.old or '—':<{width}}  {', '.join(row.new) or '—':<10}  {kinds}"
    yield from ["", f"  {counted(left_out, 'number')} unchanged"] if left_out else []
