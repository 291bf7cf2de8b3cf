"""`cr editions`, `export`, `crosswalk`, `lint` and `kb schema`: whole editions."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

import click
from msgspec import structs

from variorum.answers.crosswalk import crosswalk_rows, number_table
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.lint import KINDS, lint_editions, said_of
from variorum.answers.questions import with_part
from variorum.answers.stored import export_edition, listed
from variorum.cli import command as opts
from variorum.cli import wording
from variorum.errors import NotFoundError
from variorum.facts import days_besides
from variorum.records import schemas
from variorum.records.edition import LintFinding, LintKind
from variorum.records.lineage import CrosswalkRow
from variorum.rows import ACTED_ON, COPY, ORIGINAL, EditionRow
from variorum.rule_numbers import is_below
from variorum.terminal import HANG, bold
from variorum.text import counted, doubt, doubted, shortened
from variorum.text import listed as named_list

_HASH = 12
# The number of a rule or subrule that one provision has; what marks a number as renumbered in a script.
_SUBRULE, _DONE = re.compile(r"\d+\.\w+").fullmatch, "\ue000"
_HEADS = ("edition", "set", "rules", "examples", "glossary", "")
_ASK = """
  in force from {1}

  cr toc --on {0}           its chapters and sections
  cr changes {0}            what it changed
  cr diff {0} current       what changed since
  cr export {0}             all of it
  cr kb documents {0}       the documents that it is read from"""
# How many misprints of a kind are named; the others are counted. More numbers make a digest.
_NAMED, _PAGES, _TITLE = 12, 60, 48
# What happened to a number, if it is only counted; the first that is so counts.
_SORTS = ("new", "gone", "uncertain", "split", "merged", "renumbered")


@opts.command("[EDITION]")
def editions(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """List all editions, or those with EDITION in their date, set code or set name.

    cr editions alara             sets with this in their name
    cr editions 2009              of a year

    The last column has warnings: "one source" (confirm the edition with cr kb accept), "lossy"
    (characters were lost) or missing rules. cr 2014-03-01 shows the edition in force that day.

    --copies  List copies instead: other texts of the same dates.
    --json --jsonl
    """
    name, names = " ".join(o.words), opts.file_names(base)
    opts.refuse_together(("EDITION", name), ("--copies", o.copies))
    copied = [it for it in base.witnesses.all if it.kind.startswith((COPY, ORIGINAL))]
    if o.copies:
        rows = [
            (it.dated or "", it.sha256[:_HASH], "; ".join(it.evidence), names.get(it.sha256, ""))
            for it in copied
        ]
        return opts.Answer(copied, wording.table(rows) or ["no copies"])
    entries = with_part(base.editions, name) or [base.edition(name)]
    record = [listed(it, base.editions, names.get(it.sha256, "")) for it in entries]
    known = days_besides({it.effective for it in base.editions})
    lacking = with_part([EditionRow(-1, day, "", label=day) for day in known], name)
    said = [f"{counted(len(copied), 'other text')} of these dates; cr editions --copies lists them"]
    said *= bool(copied and not name)
    days = named_list([it.label for it in lacking], _NAMED)
    said += [f"known, but not in this base: {days}"] * bool(lacking)
    return opts.Answer(record, [*_table(entries), *[""] * bool(said), *said])


def one_edition(base: KnowledgeBase, chosen: EditionRow) -> opts.Answer:
    """Return the answer about one edition: when it was in force, what it holds, and what to type next."""
    record = listed(chosen, base.editions, opts.file_names(base).get(chosen.sha256, ""))
    days = " until ".join(filter(None, [record.effective, record.until]))
    return opts.Answer([record], [*_table([chosen]), _ASK.format(chosen.label, days)])


def _table(entries: Iterable[EditionRow]) -> list[str]:
    rows: list[tuple[object, ...]] = [_HEADS]
    for it in entries:
        doubts = ", ".join([*it.doubts.splitlines(), *["repaired"] * (it.condition == "repaired")])
        about = "; ".join(filter(None, [it.set_name, doubts]))
        counts = it.rules, it.examples, it.glossary
        rows.append((it.label, it.set_code, *counts, about and HANG + about))
    return wording.table(rows)


@opts.command("[EDITION]")
def export(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Print a whole EDITION (by default the current one) as text or JSON.

    cr export M10 --json                 a whole edition as JSON
    cr export --jsonl                    each rule on a line, for scripts

    --crosswalk  Instead of an edition, print a table of every number ever used: which rules had it,
                 when, and their numbers in EDITION; as JSON.
    --json --jsonl
    """
    edition = base.edition(" ".join(o.words) or "current")
    if o.crosswalk:
        o.as_json = True
        table = number_table(base, edition)
        bearers = [row for rows in table.numbers.values() for row in rows]
        return opts.Answer(table, (), bearers)
    whole = export_edition(base, edition)
    ends = {"Index": ["\n".join(whole.index)], "Credits": ["\n".join(whole.credits)]}
    parts: dict[str, list[str]] = {"": [*whole.introduction], "Glossary": [], **ends}
    for it in base.provisions(edition):
        lines = filter(None, (it.heading, *it.paragraphs))
        said = f"{it.address if it.number else ''} " + "\n".join(lines)
        parts["" if it.number else "Glossary"].append(said.strip())
    blocks = [f"Comprehensive Rules effective {edition.label}"]
    for title, part in parts.items():
        blocks += filter(None, (title, *part)) if any(part) else []
    return opts.Answer(whole, ["\n\n".join(blocks)], (*whole.provisions, *whole.glossary))


@opts.command("A [B] [NUMBER]", apart=("--csv --sed --json",))
def crosswalk(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Match the numbers of edition A with those of edition B, later or earlier; a digest of many.

    cr crosswalk 2009-05-01 M10 410   what was renumbered, split, merged or removed in a section
    cr crosswalk M10 current --csv    for a spreadsheet
    cr crosswalk M10 current --sed    for sed -E -f; leaves ranges and doubtful numbers alone

    --all       List all numbers instead of a digest, also those that stayed the same.
    --glossary  Also list glossary entries.
    --csv       Print all rows as comma-separated values.
    --sed       Print the changes that are certain, as a script for sed -E.
    --json --jsonl
    """
    (first, second), rest = opts.take_pair(base, o.words)
    below, rows = " ".join(rest), crosswalk_rows(base, first, second, glossary=o.glossary)
    if below:
        rows = [it for it in rows if any(is_below(each or "", below) for each in (it.old, *it.new))]
    if not rows:
        raise NotFoundError(f"{below}: not a number of {first.label} or {second.label}")
    for edition in [it for it in (first, second) if it.doubts and base.has_words]:
        wording.print_note(wording.edition_line(edition))
    if o.csv:
        lines: list[tuple[object, ...]] = [("old", "new", "kinds", "confidence", "read")]
        for it in rows:
            lists = it.new, it.kinds, [step.edition for step in it.read]
            new, kinds, read = map(";".join, lists)
            lines.append((it.old or "", new, kinds, it.confidence, read))
        csv.writer(out := io.StringIO(), lineterminator="\n").writerows(lines)
        return opts.Answer(rows, out.getvalue().splitlines())
    if o.sed:
        return opts.Answer(rows, _sed(rows, first.label, second.label))
    # A provision that certainly kept its number is dull.
    told = [it for it in rows if [it.old] != it.new or "merged" in it.kinds or doubt(it.confidence)]
    if len(told) > _PAGES and not (o.all or below):
        return opts.Answer(rows, _moves(base, (first, second), rows))
    lines = [(first.label, second.label, "")]
    for it in rows if o.all else told:
        kinds = wording.step_words(it.kinds, it.old, next(iter(it.new), None)) or "kept"
        said = doubted(f"{kinds}{', decided' * bool(it.read)}", it.confidence)
        lines.append((it.old or "—", ", ".join(it.new) or "—", said))
    left_out = len(rows) + 1 - len(lines)
    unchanged = ["", f"  {counted(left_out, 'number')} unchanged"] if left_out else []
    return opts.Answer(rows, wording.table(lines) + unchanged)


def _moves(base: KnowledgeBase, ends: opts.Ends, rows: Sequence[CrosswalkRow]) -> Iterator[str]:
    sorts = Counter(next((it for it in _SORTS if it in row.kinds), "unchanged") for row in rows)
    said = [
        f"{count:,} {wording.REMOVED if it == 'gone' else it}" for it, count in sorts.most_common()
    ]
    (first, second), moved = ends, defaultdict[str, list[str]](list)
    yield bold(f"From the edition of {first.label} to that of {second.label}")
    yield f"  {len(rows):,} numbers: {', '.join(said)}"
    for row in rows:
        name, there = (row.new[0], second) if row.new else (row.old or "", first)
        is_section = not any("." in it for it in (name, row.old or "")) and [row.old] != row.new
        if head := base.at_address(name, there.place) if is_section else None:
            title = "New" if not row.old else "Removed" if not row.new else "Moved"
            told = shortened(f"{f'{row.old} → ' * (title == 'Moved')}{name} {head.heading}", _TITLE)
            moved[title].append(doubted(told, row.confidence))
    for title, names in moved.items():
        yield f"{bold(f'{title} sections')}: {'; '.join(names)}"
    typed = f"cr crosswalk {first.label} {second.label} 702"
    yield f"\n  all numbers: --all or --csv; those of a section: {typed}"


def _sed(rows: Iterable[CrosswalkRow], first: str, second: str) -> Iterator[str]:
    """Yield a sed script without sections, which may mean anything, and ranges, of which an end may move."""
    yield f"# Numbers of {first} as they are in {second}: sed -E -f THIS FILE..."
    for row in rows:
        old, new = row.old or "", next(iter(row.new), "")
        # A copy only repeats the first; of a rule that merged into another, perhaps only a part is there.
        is_sure = row.confidence >= ACTED_ON and not {"split", "merged", "uncertain"} & {*row.kinds}
        if old == new or not (is_sure and _SUBRULE(old) and _SUBRULE(new)):
            continue
        before, after = f"(^|[^-0-9A-Za-z.{_DONE}]|CR|rules?)", f"([^-0-9A-Za-z{_DONE}]|$)"
        command = f"s/{before}{re.escape(old)}{after}/\\1{_DONE}{new}{_DONE}\\2/g"
        yield from (command, command)  # adjacent citations share the character between them
    yield f"s/{_DONE}//g"


@opts.command("[EDITION]")
def lint(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the known errors of an edition: dead citations, wrong titles, gaps, misprints.

    cr lint                       the current edition
    cr lint M10 --kind stale      citations that were not updated

    --kind KIND  Only findings of this kind: dangling, title, stale, gap, double, misprint. May be
                 repeated.
    --all        Count the findings of every edition.
    --json --jsonl
    """
    opts.refuse_together(("EDITION", o.words), ("--all", o.all))
    chosen = base.editions if o.all else (base.edition(" ".join(o.words) or "current"),)
    kinds: list[LintKind] = [kind for kind in KINDS if kind in (o.kind or KINDS)]
    answers = [
        structs.replace(it, findings=[each for each in it.findings if each.kind in kinds])
        for it in lint_editions(base, chosen)
    ]
    if o.all:
        counts = [[it.edition, *map(it.counts.__getitem__, kinds)] for it in answers]
        return opts.Answer(answers, wording.table([["edition", *kinds], *counts]), answers)
    (answer,) = answers
    page = [bold(f"Known errors in {answer.edition}")]
    for kind in kinds:
        group = [it for it in answer.findings if it.kind == kind]
        told = [(it.address or "(document)", said_of(it)) for it in group]
        places = _misprints(group) if kind == "misprint" else told
        lines = [wording.entry(*it) for it in places]
        page += wording.titled(f"{KINDS[kind]}: {len(group):,}", lines)
    page += [*["  nothing found"] * (not page[1:]), "", f"  {wording.edition_line(chosen[0])}"]
    return opts.Answer(answer, page, answer.findings)


def _misprints(findings: Iterable[LintFinding]) -> Iterator[tuple[str, str]]:
    kinds: dict[str, list[str]] = {}
    for it in findings:
        is_number = "number" in it.misprint and it.means
        place = f"{it.printed} for {it.means}" if is_number else it.address
        kinds.setdefault(it.misprint, []).append(place)
    for kind, places in kinds.items():
        named = named_list([*dict.fromkeys(filter(None, places))], _NAMED)
        yield kind, ": ".join(filter(None, (counted(len(places), "time"), named)))


@opts.command(click.Argument(["name"], required=False), is_alone=True)
def schema(o: SimpleNamespace) -> opts.Answer:
    """Print the JSON Schema of an answer, or list all schemas.

    cr kb schema              the names, and what prints such JSON
    cr kb schema history      the schema of cr history --json
    """
    if o.name is None:
        return opts.Answer(None, [f"{form:<14} {it[0]}" for form, it in schemas.FORMATS.items()])
    if o.name not in schemas.FORMATS:
        raise click.UsageError(f"no schema is named {o.name!r}; cr kb schema lists them")
    o.as_json = True
    return opts.Answer(schemas.schema(o.name), ())
