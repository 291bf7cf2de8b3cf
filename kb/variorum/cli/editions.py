"""`cr editions`, `export`, `lint` and `schema`: whole editions."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.crosswalk import bearers_of, csv_of, number_table
from variorum.answers.editions import EditionEntry, listed
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import KINDS, lint_editions, said_of
from variorum.answers.whole import export_edition
from variorum.cli import command as opts
from variorum.cli.layout import are_lines_wanted, edition_line, entry
from variorum.cli.witnesses import file_names
from variorum.errors import FINDINGS
from variorum.files import write_file
from variorum.records import schemas
from variorum.records.answer import json_text
from variorum.records.edition import Edition, LintFinding, LintKind, LintReport
from variorum.rows import COPY
from variorum.terminal import HANG, bold
from variorum.text import counted

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


@opts.command(
    "[NAME]",
    complete=opts.complete_edition,
)
def editions(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List all editions, or those with NAME in their date, set code or set name.

    The last column has warnings: "one source" (confirm the edition with cr kb accept), "lossy"
    (characters were lost) or missing rules. A copy is another text with the date of an edition. It
    is never used for answers.

    cr editions
    cr editions alara             the sets of a block
    cr editions 2009              of a year
    cr editions --on 2014-03-01   the one in force that day, also cr 2014-03-01
    cr editions --copies          other texts of the same dates, and how they differ
    cr editions --json

    --on EDITION  Show the edition in force on a day, or that of a month, a year or a set.
    --copies      List copies instead: other texts of the same dates.
    --limit --json --jsonl
    """
    name, names = " ".join(o.words), file_names(base)
    opts.refuse_together(("NAME", name), ("--on", o.on is not None), ("--copies", o.copies))
    if o.on is not None:
        return one_edition(base, base.edition(o.on))
    copied = [witness for witness in base.witnesses.all() if witness.kind == COPY]
    if o.copies:
        some = opts.limited(copied, o.limit)
        lines = [
            f"{copy.dated}  {copy.sha256[:_HASH]}  {'; '.join(copy.evidence)}"
            + (f"  ({names[copy.sha256]})" if names.get(copy.sha256) else "")
            for copy in some
        ]
        return opts.Answer(some, lambda: lines or ["no copies"])
    entries = opts.limited(base.editions_named(name), o.limit)
    records = [listed(each, base.editions, names.get(each.sha256, "")) for each in entries]
    return opts.Answer(records, lambda: _table(entries, 0 if name else len(copied)))


def one_edition(base: KnowledgeBase, chosen: EditionEntry) -> opts.Answer:
    """Return the answer about one edition: its facts, when it was in force, and what to type next."""
    record = listed(chosen, base.editions, file_names(base).get(chosen.sha256, ""))
    return opts.Answer([record], lambda: _facts(record))


def _facts(record: Edition) -> Iterator[str]:
    code = f" ({record.set_code})" if record.set_code else ""
    yield f"{bold(f'Edition of {record.label}')}  {record.set_name}{code}".rstrip()
    until = f" until {record.until}" if record.until else ""
    yield f"  in force from {record.effective}{until}"
    counts = (
        (record.sections, "section"),
        (record.rules, "rule"),
        (record.examples, "example"),
        (record.glossary, "glossary entry"),
        (record.irregularities, "irregularity"),
    )
    yield f"  {', '.join([counted(number, noun) for number, noun in counts])} in print"
    yield from [f"  {', '.join(record.doubts)}"] if record.doubts else []
    beside = (("previous", record.previous), ("next", record.next))
    yield f"  {', '.join([f'{which}: {label}' for which, label in beside if label])}"
    asks = _ASK.format(record.label).split("\n")
    asks = [line for line in asks if record.previous or "cr changes" not in line]
    yield from ["", *(line for line in asks if record.next or "cr diff" not in line)]


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    yield _ROW.format("edition", "set", "rules", "examples", "glossary", "").rstrip()
    for each in entries:
        summary = each.summary
        counts = [f"{count:,}" for count in (summary.rules, summary.examples, summary.glossary)]
        notes = [*each.doubts, *(["repaired"] if summary.condition == "repaired" else [])]
        about = "; ".join(filter(None, [each.set_name, ", ".join(notes)]))
        cells = (each.label, each.set_code, *counts, f"{HANG}{about}")
        yield _ROW.format(*cells).rstrip()
    if copies:
        yield ""
        yield f"{counted(copies, 'other text')} of these dates; cr editions --copies lists them"


# Export -------------------------------------------------------------------------------------------


@opts.command(
    "[EDITION]",
    complete=opts.complete_edition,
    format={"type": click.Choice(("text", "json", "csv"))},
)
def export(base: KnowledgeBase, o: SimpleNamespace) -> None:
    """Print a whole EDITION (by default the current one) as text or JSON.

    cr export 2007-10-01
    cr export M10 --json
    cr export --jsonl                    each rule on a line, for scripts
    cr export --crosswalk --format csv
    cr export --crosswalk -o crosswalk.json

    --crosswalk        Instead of an edition, print a table of every number ever used: which rules
                       had it, when, and their numbers in EDITION.
    --format FORM      text (the default) or json. With --crosswalk: json (the default) or csv.
    -o, --output FILE  Write to FILE.
    --json --jsonl
    """
    asked = " ".join(o.words) or "current"
    about, known, made = "an edition", ("text", "json"), _edition
    if o.crosswalk:
        about, known, made = "the crosswalk", ("json", "csv"), _numbers
    form = o.format or ("json" if o.as_json else known[0])
    opts.refuse_together(("--json", o.as_json), (f"--format {form}", form != "json"))
    if form not in known:
        raise click.UsageError(f"--format {form}: for {about}, choose {', '.join(known)}")
    parts = made(base, asked, form)
    if o.output is not None:
        write_file(o.output, "".join(parts).encode())
        return
    for part in parts:
        click.echo(part, nl=False)


def _numbers(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    table = number_table(base, asked)
    if form == "csv":
        yield csv_of(table)
    else:
        items: Iterable[object] = bearers_of(table) if are_lines_wanted() else (table,)
        yield from (f"{json_text(item, is_compact=True)}\n" for item in items)


def _edition(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    edition = base.edition(asked)
    exported = export_edition(base, edition)
    if form == "json" and are_lines_wanted():
        yield from (f"{json_text(item)}\n" for item in (*exported.provisions, *exported.glossary))
        return
    if form == "json":
        yield f"{json_text(exported, 1)}\n"
        return
    yield f"Comprehensive Rules effective {edition.label}\n"
    yield from (f"\n{paragraph}\n" for paragraph in exported.introduction)
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
    for title, parts in (("Index", exported.index), ("Credits", exported.credits)):
        if parts:
            yield f"\n{title}\n\n" + "".join(f"{part}\n" for part in parts)


# Lint and schema ----------------------------------------------------------------------------------


@opts.command(
    "[EDITION]",
    complete=opts.complete_edition,
    kind={"name": "kinds", "type": click.Choice([*KINDS]), "multiple": True},
    apart=("--all --limit",),
)
def lint(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the known errors of an edition.

    These are citations that lead nowhere, give another rule's title, or were not updated when
    their target moved; gaps and duplicates in the numbers; and misprints. See docs/edition.md.

    cr lint                       the current edition
    cr lint M10 --kind stale      citations that were not updated
    cr lint --all                 counts for every edition

    --kind KIND  Only findings of this kind: dangling, title, stale, gap, double, misprint, verdict.
                 May be repeated.
    --all        Count the findings of every edition.
    --exit-code --limit --json --jsonl
    """
    if o.words and o.all:
        raise click.UsageError("name an edition or give --all, not both")
    chosen = base.editions if o.all else (base.edition(" ".join(o.words) or "current"),)
    answers: list[LintReport] = []
    for answer in lint_editions(base, chosen):
        found = [each for each in answer.findings if not o.kinds or each.kind in o.kinds]
        answers.append(structs.replace(answer, findings=list(opts.limited(found, o.limit))))
    kinds: list[LintKind] = [kind for kind in KINDS if kind in (o.kinds or KINDS)]
    code = FINDINGS if o.exit_code and any(answer.findings for answer in answers) else 0
    if o.all:
        return opts.Answer(answers, lambda: _lint_table(answers, kinds), answers, code)
    (answer,) = answers
    return opts.Answer(answer, lambda: _findings(answer, kinds, chosen[0]), answer.findings, code)


def _findings(answer: LintReport, kinds: Sequence[LintKind], chosen: EditionEntry) -> Iterator[str]:
    yield bold(f"Known errors in {answer.edition}")
    counts = [(answer.counts[kind], kind) for kind in kinds]
    said = [
        f"{count or 'no'} {KINDS[kind].singular if count == 1 else KINDS[kind].plural}"
        for count, kind in counts
    ]
    yield f"  {', '.join(said) if any(count for count, _ in counts) else 'nothing found'}"
    for kind, group in groupby(answer.findings, key=lambda finding: finding.kind):
        yield from ["", bold(KINDS[kind].heading)]
        some = [*group]
        places = ((each.address or "(document)", said_of(each)) for each in some)
        for name, about in _misprints(some) if kind == "misprint" else places:
            yield entry(name, about)
    yield from ["", f"  {edition_line(chosen)}"]


def _lint_table(answers: Sequence[LintReport], kinds: Sequence[LintKind]) -> Iterator[str]:
    """Yield a row for each edition, and totals."""
    rows: list[list[object]] = [["edition", *(KINDS[kind].column for kind in kinds)]]
    rows += [[answer.edition, *(answer.counts[kind] for kind in kinds)] for answer in answers]
    rows.append(["all", *(sum(answer.counts[kind] for answer in answers) for kind in kinds)])
    for row in rows:
        yield f"{row[0]!s:<12}" + "".join(f"{cell!s:>11}" for cell in row[1:])


def _misprints(findings: Sequence[LintFinding]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of misprints in order of their first place, with some places of each."""
    kinds: dict[str, list[str]] = {}
    for each in findings:
        is_number = "number" in each.misprint and bool(each.means)
        where = f"{each.printed} for {each.means}" if is_number else each.address
        kinds.setdefault(each.misprint, []).append(where)
    for kind, places in kinds.items():
        # A place with several misprints is named once.
        named = list(dict.fromkeys(filter(None, places)))
        more = [f"and {len(named) - _NAMED} more"] if len(named) > _NAMED else []
        said = ", ".join([*named[:_NAMED], *more])
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
