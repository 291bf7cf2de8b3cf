"""`cr editions`, `export`, `lint` and `kb schema`: whole editions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.crosswalk import csv_of, number_table
from variorum.answers.editions import EditionEntry, listed
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import KINDS, lint_editions, said_of
from variorum.answers.whole import export_edition
from variorum.cli import command as opts
from variorum.cli.layout import edition_line, entry, titled
from variorum.cli.witnesses import file_names
from variorum.records import schemas
from variorum.records.answer import json_text
from variorum.records.edition import LintFinding, LintKind, LintReport
from variorum.rows import COPY
from variorum.terminal import HANG, bold
from variorum.text import counted
from variorum.text import listed as named_list

_HASH = 12
_ROW = "{:12}  {:4}  {:>5}  {:>8}  {:>8}  {}"
_ASK = """\
  cr toc --on {0}           its chapters and sections
  cr changes {0}            what it changed
  cr diff {0} current       what changed since
  cr search WORDS --on {0}  search it
  cr export {0}             all of it"""
# How many misprints of a kind are named; the others are counted.
_NAMED = 12


@opts.command("[NAME]", complete=opts.complete_edition)
def editions(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List all editions, or those with NAME in their date, set code or set name.

    cr editions alara             sets with this in their name
    cr editions 2009              of a year
    cr editions --copies          other texts of the same dates, and how they differ

    The last column has warnings: "one source" (confirm the edition with cr kb accept), "lossy"
    (characters were lost) or missing rules. cr 2014-03-01 shows the edition in force that day.

    --copies  List copies instead: other texts of the same dates.
    --json --jsonl
    """
    name, names = " ".join(o.words), file_names(base)
    opts.refuse_together(("NAME", name), ("--copies", o.copies))
    copied = [witness for witness in base.witnesses.all() if witness.kind == COPY]
    if o.copies:
        lines = [
            f"{copy.dated}  {copy.sha256[:_HASH]}  {'; '.join(copy.evidence)}"
            + (f"  ({names[copy.sha256]})" if names.get(copy.sha256) else "")
            for copy in copied
        ]
        return opts.Answer(copied, lines or ["no copies"])
    entries = base.editions_named(name)
    records = [listed(each, base.editions, names.get(each.sha256, "")) for each in entries]
    return opts.Answer(records, _table(entries, 0 if name else len(copied)))


def one_edition(base: KnowledgeBase, chosen: EditionEntry) -> opts.Answer:
    """Return the answer about one edition: when it was in force, what it holds, and what to type next."""
    record = listed(chosen, base.editions, file_names(base).get(chosen.sha256, ""))
    until = f" until {record.until}" if record.until else ""
    force = ["", f"  in force from {record.effective}{until}", ""]
    return opts.Answer(
        [record], [*_table([chosen], 0), *force, *_ASK.format(chosen.label).split("\n")]
    )


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    yield _ROW.format("edition", "set", "rules", "examples", "glossary", "").rstrip()
    for each in entries:
        summary = each.summary
        counts = [f"{count:,}" for count in (summary.rules, summary.examples, summary.glossary)]
        notes = [*each.doubts, *(["repaired"] if summary.condition == "repaired" else [])]
        about = "; ".join(filter(None, [each.set_name, ", ".join(notes)]))
        yield _ROW.format(each.label, each.set_code, *counts, about and HANG + about).rstrip()
    if copies:
        yield ""
        yield f"{counted(copies, 'other text')} of these dates; cr editions --copies lists them"


# Export -------------------------------------------------------------------------------------------


@opts.command(
    "[EDITION]",
    complete=opts.complete_edition,
    apart=("--csv --json",),
    needs={"--csv": "--crosswalk"},
)
def export(base: KnowledgeBase, o: SimpleNamespace) -> None:
    """Print a whole EDITION (by default the current one) as text or JSON.

    cr export M10 --json                 a whole edition as JSON
    cr export --jsonl                    each rule on a line, for scripts
    cr export --crosswalk --csv

    --crosswalk  Instead of an edition, print a table of every number ever used: which rules had it,
                 when, and their numbers in EDITION; as JSON.
    --csv        With --crosswalk: print comma-separated values.
    --json --jsonl
    """
    edition = base.edition(" ".join(o.words) or "current")
    parts = _edition(base, edition)
    if o.crosswalk:
        table = number_table(base, edition)
        rows = [row for bearers in table.numbers.values() for row in bearers]
        items: Iterable[object] = rows if o.as_lines else (table,)
        lines = (f"{json_text(item, is_compact=True)}\n" for item in items)
        parts = iter([csv_of(rows)]) if o.csv else lines
    elif o.as_json:
        whole = export_edition(base, edition)
        parts = iter([f"{json_text(whole, 1)}\n"])
        if o.as_lines:
            parts = (f"{json_text(item)}\n" for item in (*whole.provisions, *whole.glossary))
    for part in parts:
        click.echo(part, nl=False)


def _edition(base: KnowledgeBase, edition: EditionEntry) -> Iterator[str]:
    whole = export_edition(base, edition)
    yield f"Comprehensive Rules effective {edition.label}\n"
    yield from (f"\n{paragraph}\n" for paragraph in whole.introduction)
    in_glossary = False
    for provision in base.provisions(edition):
        if provision.kind == "glossary" and not in_glossary:
            in_glossary = True
            yield "\nGlossary\n"
        paragraphs = [f"{marker} {text}".strip() for marker, text in provision.paragraphs]
        head = provision.heading or not paragraphs
        first = provision.heading if head else paragraphs.pop(0)
        number = provision.address if provision.number else ""
        yield "\n".join(["", f"{number} {first}".strip(), *paragraphs, ""])
    for title, parts in (("Index", whole.index), ("Credits", whole.credits)):
        if parts:
            yield f"\n{title}\n\n" + "".join(f"{part}\n" for part in parts)


# Lint and schema ----------------------------------------------------------------------------------


@opts.command(
    "[EDITION]",
    complete=opts.complete_edition,
    kind={"name": "kinds", "type": click.Choice([*KINDS]), "multiple": True},
)
def lint(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the known errors of an edition: dead citations, wrong titles, gaps, misprints.

    cr lint                       the current edition
    cr lint M10 --kind stale      citations that were not updated
    cr lint --all                 counts for every edition

    --kind KIND  Only findings of this kind: dangling, title, stale, gap, double, misprint. May be
                 repeated.
    --all        Count the findings of every edition.
    --json --jsonl
    """
    opts.refuse_together(("EDITION", o.words), ("--all", o.all))
    chosen = base.editions if o.all else (base.edition(" ".join(o.words) or "current"),)
    kinds: list[LintKind] = [kind for kind in KINDS if kind in (o.kinds or KINDS)]
    answers: list[LintReport] = []
    for answer in lint_editions(base, chosen):
        found = [each for each in answer.findings if each.kind in kinds]
        answers.append(structs.replace(answer, findings=found))
    if o.all:
        return opts.Answer(answers, _lint_table(answers, kinds), answers)
    return opts.Answer(answers[0], _findings(answers[0], kinds, chosen[0]), answers[0].findings)


def _findings(answer: LintReport, kinds: Sequence[LintKind], chosen: EditionEntry) -> Iterator[str]:
    yield bold(f"Known errors in {answer.edition}")
    counts = [(answer.counts[kind], KINDS[kind]) for kind in kinds]
    said = [f"{count or 'no'} {of.singular if count == 1 else of.plural}" for count, of in counts]
    yield f"  {', '.join(said) if any(count for count, _ in counts) else 'nothing found'}"
    for kind, some in groupby(answer.findings, key=lambda finding: finding.kind):
        places = (_misprints if kind == "misprint" else _places)(some)
        yield from titled(KINDS[kind].heading, [entry(*place) for place in places])
    yield from ["", f"  {edition_line(chosen)}"]


def _places(findings: Iterable[LintFinding]) -> Iterator[tuple[str, str]]:
    return ((finding.address or "(document)", said_of(finding)) for finding in findings)


def _lint_table(answers: Sequence[LintReport], kinds: Sequence[LintKind]) -> Iterator[str]:
    """Yield a row for each edition, and totals."""
    rows: list[list[object]] = [["edition", *(KINDS[kind].column for kind in kinds)]]
    rows += [[answer.edition, *(answer.counts[kind] for kind in kinds)] for answer in answers]
    rows.append(["all", *(sum(answer.counts[kind] for answer in answers) for kind in kinds)])
    for row in rows:
        yield f"{row[0]!s:<12}" + "".join(f"{cell!s:>11}" for cell in row[1:])


def _misprints(findings: Iterable[LintFinding]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of misprints in order of their first place, with some places of each."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for each in findings:
        is_number = "number" in each.misprint and bool(each.means)
        kinds[each.misprint].append(
            f"{each.printed} for {each.means}" if is_number else each.address
        )
    for kind, places in kinds.items():
        # A place with several misprints is named once.
        said = named_list(list(dict.fromkeys(filter(None, places))), _NAMED)
        times = "once" if len(places) == 1 else f"{len(places):,} times"
        yield kind, f"{times}{': ' if said else ''}{said}"


@opts.command(click.Argument(["name"], required=False), is_alone=True)
def schema(o: SimpleNamespace) -> None:
    """Print the JSON Schema of an answer, or list all schemas.

    cr kb schema              the names, and what prints such JSON
    cr kb schema history      the schema of cr history --json
    """
    if o.name is None:
        for form, (source, *_) in schemas.FORMATS.items():
            click.echo(f"{form:<14} {source}")
    elif o.name in schemas.FORMATS:
        click.echo(json_text(schemas.schema(o.name), indent=1))
    else:
        raise click.UsageError(f"no schema is named {o.name!r}; cr kb schema lists them")
