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
from variorum.cli.layout import are_lines_wanted, edition_line, entry, para, wrap
from variorum.cli.witnesses import file_names
from variorum.errors import FINDINGS
from variorum.files import write_file
from variorum.records import schemas
from variorum.records.answer import json_text
from variorum.records.document import Witness
from variorum.records.edition import Edition, LintFinding, LintKind, LintReport
from variorum.rows import COPY
from variorum.terminal import bold, page_width
from variorum.text import counted

_HASH = 12
_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"
# A narrower terminal shows no counts of examples and terms, and the set's name last.
_NARROW = 110
_NARROW_ROW = "{:12}  {:4}  {:>5}  "
_ASK = (
    ("cr toc --on {}", "its chapters and sections"),
    ("cr changes {}", "what it changed"),
    ("cr diff {} current", "what changed since"),
    ("cr search WORDS --on {}", "search it"),
    ("cr export {}", "all of it"),
)
# How many misprints of a kind are named; the others are counted.
_NAMED = 12


@opts.command(
    opts.words("[NAME]", opts.complete_edition),
    opts.edition(
        "--on", "Show the edition in force on a day, or that of a month, a year or a set."
    ),
    opts.flag("--copies", "List copies instead: other texts of the same dates."),
    opts.value(
        "--sort",
        "ORDER",
        "date (the default), newest, or the highest count first: rules, examples, glossary.",
        type=click.Choice(("date", "newest", "rules", "examples", "glossary")),
    ),
    opts.LIMIT,
    opts.JSON,
    opts.JSONL,
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
    cr editions --sort newest --limit 5
    cr editions --json
    """
    name = " ".join(o.words)
    given = [("NAME", bool(name)), ("--on", o.on is not None), ("--copies", o.copies)]
    both = [option for option, is_there in given if is_there]
    if len(both) > 1:
        raise click.UsageError(f"{' and '.join(both)} cannot be used together; give one of them")
    if o.on is not None:
        return one_edition(base, base.edition(o.on))
    copied = [witness for witness in base.witnesses.all() if witness.kind == COPY]
    if o.copies:
        names = file_names(base)
        some = opts.limited(copied, o.limit)
        return opts.Answer(some, lambda: [_copy(copy, names) for copy in some] or ["no copies"])
    entries = base.editions_named(name)
    if o.sort == "newest":
        entries = entries[::-1]
    elif o.sort not in {None, "date"}:
        entries = sorted(entries, key=lambda each: -int(getattr(each.summary, o.sort)))
    entries = opts.limited(entries, o.limit)
    return opts.Answer(_listed(base, entries), lambda: _table(entries, 0 if name else len(copied)))


def one_edition(base: KnowledgeBase, chosen: EditionEntry) -> opts.Answer:
    """Return the answer about one edition: its facts, when it was in force, and what to type next."""
    (record,) = records = _listed(base, [chosen])

    def page() -> Iterator[str]:
        code = f" ({record.set_code})" if record.set_code else ""
        yield f"{bold(f'Edition of {record.label}')}  {record.set_name}{code}".rstrip()
        for said in _facts(record):
            yield from para(said, 2)
        asked = [
            (typed.format(record.label), said)
            for typed, said in _ASK
            if not (record.previous is None and typed.startswith("cr changes"))
            and not (record.next is None and typed.startswith("cr diff"))
        ]
        widest = max(len(typed) for typed, _ in asked)
        yield from ["", *(f"  {typed:<{widest}}  {said}" for typed, said in asked)]

    return opts.Answer(records, page)


def _facts(record: Edition) -> Iterator[str]:
    yield f"in force from {record.effective}" + (f" until {record.until}" if record.until else "")
    counts = (
        (record.sections, "section"),
        (record.rules, "rule"),
        (record.examples, "example"),
        (record.glossary, "glossary entry"),
        (record.irregularities, "irregularity"),
    )
    yield f"{', '.join([counted(number, noun) for number, noun in counts])} in print"
    if record.doubts:
        yield ", ".join(record.doubts)
    beside = (("previous", record.previous), ("next", record.next))
    yield ", ".join([f"{which}: {label}" for which, label in beside if label])


def _listed(base: KnowledgeBase, entries: Iterable[EditionEntry]) -> list[Edition]:
    names = file_names(base)
    return [listed(each, base.editions, names.get(each.sha256, "")) for each in entries]


def _table(entries: Iterable[EditionEntry], copies: int) -> Iterator[str]:
    width = page_width()
    is_narrow = bool(width) and width < _NARROW
    head = ("edition", "set", "", "rules", "examples", "glossary", "")
    yield (
        _NARROW_ROW.format("edition", "set", "rules") if is_narrow else _ROW.format(*head)
    ).rstrip()
    for each in entries:
        summary = each.summary
        if is_narrow:
            row = _NARROW_ROW.format(each.label, each.set_code, f"{summary.rules:,}")
            said = "; ".join(filter(None, [each.set_name, *each.doubts]))
            first, *rest = wrap(said, width - len(row))
            yield from [row + first, *(" " * len(row) + line for line in rest)]
            continue
        counts = [f"{count:,}" for count in (summary.rules, summary.examples, summary.glossary)]
        notes = [*each.doubts, *(["repaired"] if summary.condition == "repaired" else [])]
        cells = (each.label, each.set_code, each.set_name, *counts, ", ".join(notes))
        yield _ROW.format(*cells).rstrip()
    if copies:
        said = f"{counted(copies, 'other text')} of these dates; cr editions --copies lists them"
        yield from ["", *para(said)]


def _copy(copy: Witness, names: dict[str, str]) -> str:
    """Return the line of a copy: date, hash, differences, file name."""
    name = names.get(copy.sha256, "")
    said = f"{copy.dated}  {copy.sha256[:_HASH]}  {'; '.join(copy.evidence)}"
    return said + (f"  ({name})" if name else "")


# Export -------------------------------------------------------------------------------------------


@opts.command(
    opts.words("[EDITION]", opts.complete_edition),
    opts.flag(
        "--crosswalk",
        "Instead of an edition, print a table of every number ever used: which rules had it, when, "
        "and their numbers in EDITION.",
    ),
    opts.value(
        "form",
        "FORM",
        "text (the default) or json. With --crosswalk: json (the default) or csv.",
        "--format",
        type=click.Choice(("text", "json", "csv")),
    ),
    opts.value("output", "FILE", "Write to FILE.", "-o", "--output", type=opts.NamedPath()),
    opts.JSON,
    opts.JSONL,
)
def export(base: KnowledgeBase, o: SimpleNamespace) -> None:
    """Print a whole EDITION (by default the current one) as text or JSON.

    cr export 2007-10-01
    cr export M10 --json
    cr export --jsonl                    each rule on a line, for scripts
    cr export --crosswalk --format csv
    cr export --crosswalk -o crosswalk.json
    """
    if o.as_json and o.form not in {None, "json"}:
        raise click.UsageError(
            f"--json and --format {o.form} cannot be used together; give one of them"
        )
    known = ("json", "csv") if o.crosswalk else ("text", "json")
    form = "json" if o.as_json else o.form or known[0]
    if form not in known:
        about = "the crosswalk" if o.crosswalk else "an edition"
        raise click.UsageError(f"--format {form}: for {about}, choose {', '.join(known)}")
    asked = " ".join(o.words) or "current"
    made = _numbers(base, asked, form) if o.crosswalk else _edition(base, asked, form)
    if o.output is not None:
        write_file(o.output, "".join(made).encode())
        return
    for part in made:
        click.echo(part, nl=False)


def _numbers(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    table = number_table(base, asked)
    if form == "csv":
        yield csv_of(table)
    else:
        items: Iterable[object] = bearers_of(table) if are_lines_wanted() else (table,)
        for item in items:
            yield json_text(item, is_compact=True) + "\n"


def _edition(base: KnowledgeBase, asked: str, form: str) -> Iterator[str]:
    entry = base.edition(asked)
    exported = export_edition(base, entry)
    if form == "json" and are_lines_wanted():
        yield from (f"{json_text(item)}\n" for item in (*exported.provisions, *exported.glossary))
        return
    if form == "json":
        yield json_text(exported, 1) + "\n"
        return
    yield f"Comprehensive Rules effective {entry.label}\n"
    yield from (f"\n{paragraph}\n" for paragraph in exported.introduction)
    in_glossary = False
    for provision in base.provisions(entry):
        if provision.kind == "glossary" and not in_glossary:
            in_glossary = True
            yield "\nGlossary\n"
        paragraphs = [f"{marker} {text}".strip() for marker, text in provision.paragraphs]
        number = provision.address if provision.number else ""
        head = provision.heading or not paragraphs
        first = provision.heading if head else paragraphs.pop(0)
        lines = [f"{number} {first}".strip(), *paragraphs]
        yield "".join(f"{line}\n" for line in ["", *lines])
    for title, parts in (("Index", exported.index), ("Credits", exported.credits)):
        if parts:
            yield f"\n{title}\n\n" + "".join(f"{part}\n" for part in parts)


# Lint and schema ----------------------------------------------------------------------------------


@opts.command(
    opts.words("[EDITION]", opts.complete_edition),
    opts.value(
        "kinds",
        "KIND",
        f"Only findings of this kind: {', '.join(KINDS)}. May be repeated.",
        "--kind",
        type=click.Choice([*KINDS]),
        multiple=True,
    ),
    opts.flag("is_all", "Count the findings of every edition.", "--all"),
    opts.EXIT_CODE,
    opts.LIMIT,
    opts.JSON,
    opts.JSONL,
    apart=("--all --limit",),
)
def lint(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the known errors of an edition.

    These are citations that lead nowhere, give another rule's title, or were not updated when
    their target moved; gaps and duplicates in the numbers; and misprints. See docs/edition.md.

    cr lint                       the current edition
    cr lint M10 --kind stale      citations that were not updated
    cr lint --all                 counts for every edition
    """
    if o.words and o.is_all:
        raise click.UsageError("name an edition or give --all, not both")
    chosen = base.editions if o.is_all else (base.edition(" ".join(o.words) or "current"),)
    answers: list[LintReport] = []
    for answer in lint_editions(base, chosen):
        found = [each for each in answer.findings if not o.kinds or each.kind in o.kinds]
        answers.append(structs.replace(answer, findings=list(opts.limited(found, o.limit))))
    kinds: list[LintKind] = [kind for kind in KINDS if kind in (o.kinds or KINDS)]
    code = FINDINGS if o.exit_code and any(answer.findings for answer in answers) else 0
    if o.is_all:
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
    is_any = any(count for count, _ in counts)
    yield from para(", ".join(said) if is_any else "nothing found", 2)
    for kind, group in groupby(answer.findings, key=lambda finding: finding.kind):
        yield from ["", bold(KINDS[kind].heading)]
        some = [*group]
        places = ((each.address or "(document)", said_of(each)) for each in some)
        for name, about in _misprints(some) if kind == "misprint" else places:
            yield from entry(name, about)
    yield from ["", f"  {edition_line(chosen)}"]


def _lint_table(answers: Sequence[LintReport], kinds: Sequence[LintKind]) -> Iterator[str]:
    """Yield a row for each edition, and totals."""
    counts = [[answer.counts[kind] for kind in kinds] for answer in answers]
    sums = [sum(column) for column in zip(*counts, strict=True)] or [0] * len(kinds)
    heads: list[object] = [KINDS[kind].column for kind in kinds]
    names = ["edition", *(answer.edition for answer in answers), "all"]
    rows: list[Sequence[object]] = [heads, *counts, sums]
    for name, cells in zip(names, rows, strict=True):
        yield f"{name:<12}" + "".join(f"{cell!s:>11}" for cell in cells)


def _misprints(findings: Sequence[LintFinding]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of misprints in order of their first place, with some places of each."""
    kinds: dict[str, list[str]] = {}
    for each in findings:
        is_number = "number" in each.misprint and bool(each.means)
        where = f"{each.printed} for {each.means}" if is_number else each.address
        kinds.setdefault(each.misprint, []).append(where)
    for kind, places in kinds.items():
        # A place with several misprints is named once.
        named = list(dict.fromkeys(place for place in places if place))
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
