"""`cr build`, `read`, `demo` and `completion`: what is done now and then."""

import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import click
from click.shell_completion import get_completion_class
from msgspec import json

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.whole import exported, ledger_of
from variorum.build.build import Builder, Event
from variorum.build.load import read_document
from variorum.cli import command as opts
from variorum.cli.layout import print_json, print_note, print_page
from variorum.cli.rules import end_answers
from variorum.cli.start import explained
from variorum.cli.words import set_identified
from variorum.documents.find import find_files, load
from variorum.errors import (
    FINDINGS,
    INPUT_OUTPUT,
    LayoutError,
    NoBaseError,
    NotReadableError,
    NotWritableError,
    VariorumError,
)
from variorum.facts import is_known, issues_of, known_editions
from variorum.model import Edition, Kind
from variorum.paths import base_folder
from variorum.reading.doubts import doubts_of
from variorum.records.edition import LedgerCounts
from variorum.rows import BULLETIN, BY_FACTS, COPY, ONE_SOURCE
from variorum.search.index import SearchIndexes
from variorum.store.writer import rows_of
from variorum.terminal import bold, has_bar, unescaped
from variorum.text import counted
from variorum.witnesses.read import DocumentReader

# What `cr build` says beside how many documents it added.
_COUNTED = {
    "again": "known documents compared again: {}",
    "one source": "new editions with one source alone: {}; cr editions marks them",
    "copies": "copies of known editions: {}; cr editions --copies lists them",
    "skipped": "files in folders skipped: {}; neither editions nor other witnesses",
}
_LEDGER = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"
_LEDGER_HEADS = ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")


# Build --------------------------------------------------------------------------------------------


@opts.command("[PATHS]...", type_=opts.named_path, is_alone=True)
def build(o: SimpleNamespace) -> None:
    """Add documents to the knowledge base and bring it up to date.

    PATHS are files, folders and ZIPs of editions and other witnesses: originals in Word, RTF and
    PDF, excerpts, rulings pages, wiki pages, bulletins and articles. Documents that the base has are
    not read again. Other files in folders and ZIPs are skipped. A document that cannot be read
    completely is refused with the reason; the rest are added, and the exit code is 1. Without PATHS,
    the base is rebuilt from its own documents where needed.

    cr build ~/rules               all editions in a folder
    cr build rules.zip new.txt     those in a ZIP, and one more
    cr build                       rebuild after an upgrade of this program

    --verbose --kb
    """
    folder = base_folder(o.kb)
    builder = Builder(folder, opts.now_words())
    counts = _watch_build(builder.build(o.words), len(find_files(o.words)))
    try:
        with KnowledgeBase.open(builder.folder, today=opts.today()) as base:
            if base.editions:
                SearchIndexes(base).make_missing()
    except NotWritableError as error:
        print_note(f"the search index is not up to date: {error}")
    except NoBaseError:
        pass  # no edition was added
    taken, known = counts["taken"], counts["known"]
    click.echo(f"{folder}: {taken:,} new, {known:,} known, {counts['refused']:,} refused")
    for name, line in _COUNTED.items():
        if counts[name]:
            click.echo(line.format(f"{counts[name]:,}"))
    if counts["unreadable"] or counts["refused"]:
        opts.end(INPUT_OUTPUT if counts["unreadable"] else FINDINGS)


def _watch_build(events: Iterable[Event], total: int) -> Counter[str]:
    """Count events, and show a bar on a terminal, else a line each."""
    counts: Counter[str] = Counter()
    problems: list[str] = []
    label, file = "building", unescaped(sys.stderr)
    bar = click.progressbar(length=max(total, 1), label=label, file=file, hidden=not has_bar())
    with bar:
        for event in events:
            bar.update(1)
            line = _line(event, counts)
            if event.kind == "refused":
                problems.append(line)
            elif line and not has_bar():
                click.echo(line, err=True)
    for problem in problems:
        click.echo(problem, err=True)
    return counts


def _line(event: Event, counts: Counter[str]) -> str:
    """Count an event and return its line."""
    name, text, witness, error = event.document.name, event.text, event.witness, event.error
    if text and event.kind == "taken":
        counts["taken"] += 1
        odd = "" if text.row.condition == "sound" else f", {text.row.condition}"
        return f"{text.day}  {name}: {text.row.rules} rules{odd}"
    if text:
        doubts = text.row.doubts.split("\n")
        counts["one source"] += ONE_SOURCE in doubts
        told = ", ".join([doubt for doubt in doubts if doubt != ONE_SOURCE])
        return f"{text.row.label}: {told}" if told else ""
    if witness:
        is_copy = witness.kind == COPY
        is_again = event.kind == "heard again"
        counts["again" if is_again else "copies" if is_copy else "taken"] += 1
        if is_copy:
            return f"{name}: {witness.evidence[0]}"
        verb = "announcements are confirmed" if witness.kind == BULLETIN else "passages agree"
        agree = f", {witness.matched} of {witness.of} {verb}" if witness.of else ""
        return f"{name}: {witness.kind}{agree}"
    counts[event.kind] += 1
    if error and event.kind == "refused":
        counts["unreadable"] += error.exit_code == INPUT_OUTPUT
        return f"cr: {explained(error)}"
    return f"skipped: {error}" if error else ""


# Read ---------------------------------------------------------------------------------------------


@opts.command("[FILES]...", complete=opts.complete_edition, is_alone=True)
def read(o: SimpleNamespace) -> opts.Answer | None:
    """Show what documents are, what they hold and what is odd about them.

    FILES may be editions in text, Word, RTF or PDF. A folder means all files in it. Every line belongs
    to a rule or to known furniture (title, contents, banners). An edition that cannot be read completely
    is refused with the reason, and the exit code is 1. Any other document is shown as by cr identify:
    what it quotes, announces or discusses.

    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read page.html                    what it quotes
    cr read --ledger MagicCompRules.txt  the role of every line
    cr read --json MagicCompRules.txt    everything as JSON (docs/json.md)
    cr read --ledger --json editions/    the ledgers of all files in a folder
    cr read --ledger M10                 how many lines of an edition were read, and lost

    --ledger  Show the role of every line. Instead of FILES, name editions; without any, all are shown.
    --json --jsonl --kb
    """
    if o.ledger and not any(map(opts.is_file_name, o.words)):
        return _ledgers(o)
    if not o.words:
        raise click.UsageError("Missing argument 'FILES...'.")
    paths = [*map(opts.named_path, o.words)]
    documents = find_files(paths)
    if not documents:
        raise NotReadableError(f"{paths[0]}: no files in this folder")
    values: list[object] = []
    refused: list[VariorumError] = []
    with contextlib.ExitStack() as open_:
        base = cache(lambda: open_.enter_context(opts.open_asked(o.kb)))
        for path in documents:
            try:
                data = load(path)
                edition = read_document(data, str(path))
                if edition is None and o.ledger:
                    raise LayoutError("not an edition, so it has no ledger", str(path))
                origin = None if edition else DocumentReader(base()).identify(data, str(path))
            except VariorumError as error:
                refused.append(error)
                continue
            values.append(origin if edition is None else _as_json(edition, with_ledger=o.ledger))
            if not o.as_json:
                lines = _edition(edition, with_ledger=o.ledger) if edition else []
                lines = set_identified(origin) if origin else lines
                print_page([*([""] if values[1:] else []), bold(path.name), *lines])
    if o.as_json and values:
        print_json(values[0] if documents == paths and len(paths) == 1 else values, values)
    end_answers(values, refused, as_json=False)
    return None


def _ledgers(o: SimpleNamespace) -> opts.Answer:
    """Return how many lines and characters of editions were read, and how many were lost."""
    with opts.open_asked(o.kb) as base:
        chosen = [base.edition(designator) for designator in o.words] or base.editions
        ledgers = [ledger_of(base, entry) for entry in chosen]
    rows: list[tuple[object, ...]] = [_LEDGER_HEADS]
    for entry, one in zip(chosen, ledgers, strict=True):
        lines = (one.lines, sum(one.accounted.values()), one.blank, len(one.unaccounted))
        rows.append((entry.label, *lines, one.characters, one.characters_kept))
    return opts.Answer(ledgers, lambda: [_LEDGER.format(*row) for row in rows])


def _as_json(edition: Edition, *, with_ledger: bool) -> object:
    row, states = rows_of(edition)
    if with_ledger:
        return json.decode(row.ledger, type=LedgerCounts)
    issue = issues_of(edition.effective, [edition.sha256])[edition.sha256]
    attested = BY_FACTS if is_known(edition.effective, edition.sha256) else ""
    doubts = "\n".join(doubts_of(edition))
    row = row._replace(issue=issue, attested=attested, doubts=doubts)
    return exported(row._asdict(), states)


def _edition(edition: Edition, *, with_ledger: bool) -> Iterator[str]:
    """Yield what an edition is, what it holds and what is odd about it."""
    counts, ledger, ends = edition.counts(), edition.ledger, edition.line_ends
    facts = known_editions().get(edition.effective)
    name = edition.effective.isoformat()
    if facts is not None:
        issue = issues_of(edition.effective, [edition.sha256])[edition.sha256]
        name += f".{issue}" if len(facts.issues) > 1 else ""
        name += f", {facts.set_name} ({facts.set_code})"
    endings = (("CRLF", ends.crlf), ("CR", ends.cr), ("LF", ends.lf))
    chapters = sum(each.kind is Kind.CHAPTER for each in edition.provisions)
    nouns = {"sections": "section", "rules": "rule", "examples": "example"}
    holds = [(chapters, "chapter"), *((counts[key], noun) for key, noun in nouns.items())]
    holds.append((counts["glossary"], "glossary entry"))
    lines = sum(number for _, number in ledger.accounted)
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    said = [
        ("edition", name),
        ("layout", edition.layout),
        ("encoding", f"{edition.decoding.encoding} ({edition.decoding.reason})"),
        # An original has no line ends.
        ("line ends", ", ".join(f"{number:,} {end}" for end, number in endings if number)),
        ("holds", ", ".join([counted(number, noun) for number, noun in holds])),
        (
            "ledger",
            f"{ledger.lines:,} lines = {lines:,} accounted for + {ledger.blank:,} blank; {kept}",
        ),
        ("condition", edition.condition.value),
        ("attested", ", ".join(doubts_of(edition)) or "by the table of facts"),
    ]
    yield from [f"  {label:<11}{fact}" for label, fact in said if fact]
    yield from [f"  {'':<11}{note}" for note in edition.notes]
    odd = [*edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        odd += provision.irregularities
    kinds = Counter(each.kind.value for each in odd)
    yield from [f"  {'irregular':<11}{kind}: {count:,}" for kind, count in kinds.items()]
    if with_ledger:
        yield from [f"  {role.value:<11}{count:>8,} lines" for role, count in ledger.accounted]


# Demo and completion ------------------------------------------------------------------------------


_PROGRAM = """\
# CR 511.2: nobody calls the toss, nobody wins it.
# A player who leaves takes all their cards along (CR 600.4a); see also rule 100.1.
"""
_REAL = (
    (
        "The real rules, by the numbers that come with the program: the coin's rules moved",
        "where 511",
    ),
    ("So did the rule about leaving the game", "where 600.4"),
)
_TOUR = (
    ("A number that no rule has today, in the sample rulebook", "511.2"),
    ("What changed in a section, although every number moved", "diff 2008-06-20 current 511"),
    ("Citations that are out of date, repaired", "audit rules.py --as-of 2008-06-20 --diff"),
    ("Nine editions, each in its own layout", "editions"),
    ("The rules for flipping a coin, through nine editions", "history 705"),
    ("Every line is accounted for", "read --ledger"),
)


@opts.command(is_alone=True)
def demo(o: SimpleNamespace) -> None:
    """Take a short tour of the shipped numbers of the real rules, and of the sample rulebook.

    The sample rulebook has nine editions of the rules of Harborlight, an invented card game, with
    the layouts and the misprints of the real editions.

    cr demo
    cr demo --site demo-site    also build its website

    --site FOLDER  Also build the website of the sample rulebook.
    """
    from variorum.build.numbers import numbers_folder
    from variorum.cli.start import run

    tour = [(heading, line, ["--sample"]) for heading, line in _TOUR]
    numbers = ["--kb", str(numbers_folder())]
    tour = [*((heading, line, numbers) for heading, line in _REAL), *tour]
    if o.site is not None:
        site = f"site {o.site.absolute()}"
        tour.append(("The website of the sample rulebook", site, ["--sample"]))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("rules.py").write_text(_PROGRAM, "utf-8")
        for place, (heading, line, options) in enumerate(tour):
            sample = "--sample " if options == ["--sample"] else ""
            click.echo("\n" * bool(place) + f"{bold(heading)}\n$ cr {sample}{line}")
            run(["--no-pager", *options, *line.split()])


@opts.command("[bash|fish|zsh]", is_alone=True)
def completion(o: SimpleNamespace) -> None:
    """Print a script that makes a shell complete commands, options, rule numbers and terms.

    eval "$(cr completion bash)"    in ~/.bashrc
    eval "$(cr completion zsh)"     in ~/.zshrc, after compinit
    cr completion fish | source     in ~/.config/fish/config.fish
    """
    kind = get_completion_class(" ".join(o.words))
    if kind is None:
        raise click.UsageError("name a shell: bash, fish or zsh")
    click.echo(
        kind(click.get_current_context().find_root().command, {}, "cr", "_CR_COMPLETE").source()
    )
