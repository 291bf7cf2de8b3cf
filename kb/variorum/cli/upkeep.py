"""`cr build`, `read`, `demo` and `completion`: what is done now and then."""

import contextlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from variorum.cli.failures import explained
from variorum.cli.layout import print_json, print_note
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
from variorum.model import Edition, Irregular, Irregularity, Kind
from variorum.paths import base_folder
from variorum.reading.doubts import doubts_of
from variorum.records.document import DocumentOrigin
from variorum.records.edition import LedgerCounts
from variorum.rows import BULLETIN, BY_FACTS, COPY, ONE_SOURCE
from variorum.search.index import SearchIndexes
from variorum.store.edition_rows import rows_of
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
_SHOWN_EACH = 4
_FILES = opts.words("[PATH]...")
_STRICT = opts.flag("--strict", "Also fail if a document was repaired or is lossy.")


# Build --------------------------------------------------------------------------------------------


@opts.command(
    click.Argument(["paths"], nargs=-1, type=opts.NamedPath()),
    _STRICT,
    opts.TIMING,
    opts.KB,
    is_alone=True,
)
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
    """
    folder = base_folder(o.kb)
    builder = Builder(folder, opts.now_words())
    counts = _watch_build(builder.build(o.paths), len(find_files(o.paths)))
    _finish(builder)
    taken, known = counts["taken"], counts["known"]
    click.echo(f"{folder}: {taken:,} new, {known:,} known, {counts['refused']:,} refused")
    for name, line in _COUNTED.items():
        if counts[name]:
            click.echo(line.format(f"{counts[name]:,}"))
    if counts["unreadable"] or counts["refused"] or (o.strict and counts["odd"]):
        opts.end(INPUT_OUTPUT if counts["unreadable"] else FINDINGS)


def _finish(builder: Builder) -> None:
    """Update the search indexes."""
    try:
        with KnowledgeBase.open(builder.folder, today=opts.today()) as base:
            if base.editions:
                SearchIndexes(base).make_missing(_announce)
    except NotWritableError as error:
        print_note(f"the search index is not up to date: {error}")
    except NoBaseError:
        pass  # no edition was added


def _announce(about: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"indexing {about}", err=True)


def _watch_build(events: Iterable[Event], total: int) -> Counter[str]:
    """Consume the events, showing a progress bar on a terminal, else a line each on stderr.

    Args:
        events: What happens to each document.
        total: The number of documents.
    """
    counts: Counter[str] = Counter()
    problems: list[str] = []
    is_terminal = has_bar()
    with click.progressbar(
        length=max(total, 1), label="building", file=unescaped(sys.stderr), hidden=not is_terminal
    ) as bar:
        for event in events:
            bar.update(1)
            line = _line(event, counts)
            if event.kind == "refused":
                problems.append(line)
            elif line and not is_terminal:
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
        counts["odd"] += bool(odd)
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


# What is read of a document: an edition, or what the editions say of another document.
_Read = Edition | DocumentOrigin
_LEDGER = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"
_LEDGER_HEADS = ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")


@opts.command(
    click.Argument(
        ["files"],
        nargs=-1,
        metavar="FILES...",
        type=opts.NamedPath(),
        shell_complete=opts.complete_edition,
    ),
    opts.flag(
        "with_ledger",
        "Show the role of every line. Instead of FILES, name editions; without any, all are shown.",
        "--ledger",
    ),
    _STRICT,
    opts.JSON,
    opts.JSONL,
    opts.KB,
    is_alone=True,
)
def read(o: SimpleNamespace) -> opts.Answer | None:  # noqa: C901 - three forms of output
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
    """
    if o.with_ledger and not any(map(opts.is_file_name, o.files)):
        return _ledgers(o)
    if not o.files:
        raise click.UsageError("Missing argument 'FILES...'.")
    documents = find_files(o.files)
    if not documents:
        raise NotReadableError(f"{o.files[0]}: no files in this folder")
    is_alone = documents == [*o.files]
    refused: list[VariorumError] = []
    odd: list[Path] = []
    readings = _readings(documents, refused, odd, o)
    if o.as_json:
        values = [_as_json(each, with_ledger=o.with_ledger) for _, each in readings]
        if values:
            print_json(values[0] if is_alone and len(documents) == 1 else values, values)
    else:
        for line in _pages(readings, o):
            click.echo(line)
    worst = max(refused, key=lambda error: error.exit_code, default=None)
    is_lost = o.as_json and len(refused) == len(documents)
    for error in refused:
        if not (is_lost and error is worst):
            print_note(explained(error))
    if is_lost and worst:
        raise worst
    if len(documents) > 1 and not o.as_json:
        click.echo(f"{len(documents) - len(refused):,} read, {len(refused):,} refused", err=True)
    if worst or (o.strict and odd):
        opts.end(worst.exit_code if worst else FINDINGS)
    return None


def _ledgers(o: SimpleNamespace) -> opts.Answer:
    """Return how many lines and characters of editions were read, and how many were lost."""
    with opts.open_asked(o.kb) as base:
        chosen = [base.edition(str(designator)) for designator in o.files] or base.editions
        ledgers = [ledger_of(base, entry) for entry in chosen]
    rows: list[tuple[object, ...]] = [_LEDGER_HEADS]
    for entry, one in zip(chosen, ledgers, strict=True):
        lines = (one.lines, sum(one.accounted.values()), one.blank, len(one.unaccounted))
        rows.append((entry.label, *lines, one.characters, one.characters_kept))
    return opts.Answer(ledgers, lambda: [_LEDGER.format(*row) for row in rows])


def _readings(
    documents: Sequence[Path], refused: list[VariorumError], odd: list[Path], o: SimpleNamespace
) -> Iterator[tuple[Path, _Read]]:
    """Yield the readable documents; append the errors of unreadable ones, and the paths of odd ones.

    The base is opened for the first document that is no edition.
    """
    is_shown = len(documents) > 1 and has_bar()
    bar = click.progressbar(
        documents, label="reading", file=unescaped(sys.stderr), hidden=not is_shown
    )
    with contextlib.ExitStack() as open_, bar:
        base = cache(lambda: open_.enter_context(opts.open_asked(o.kb)))
        for path in bar:
            try:
                data = load(path)
                edition = read_document(data, str(path))
                if edition is None and o.with_ledger:
                    raise LayoutError("not an edition, so it has no ledger", str(path))
                document: _Read = edition or DocumentReader(base()).identify(data, str(path))
            except VariorumError as error:
                refused.append(error)
                continue
            odd += [path] if edition and edition.notes else []
            yield path, document


def _as_json(document: _Read, *, with_ledger: bool) -> object:
    if not isinstance(document, Edition):
        return document
    row, states = rows_of(document)
    if with_ledger:
        return json.decode(row.ledger, type=LedgerCounts)
    issue = issues_of(document.effective, [document.sha256])[document.sha256]
    attested = BY_FACTS if is_known(document.effective, document.sha256) else ""
    doubts = "\n".join(doubts_of(document))
    row = row._replace(issue=issue, attested=attested, doubts=doubts)
    return exported(row._asdict(), states)


def _pages(readings: Iterable[tuple[Path, _Read]], o: SimpleNamespace) -> Iterator[str]:
    for place, (path, document) in enumerate(readings):
        yield from [""] if place else []
        yield bold(path.name)
        if not isinstance(document, Edition):
            yield from set_identified(document)
            continue
        yield from (f"  {label:<11}{said}" for label, said in _facts(document))
        if o.with_ledger:
            yield f"  {'lines of':<11}"
            ledger = document.ledger
            yield from [f"  {'':<11}{role.value:<13}{count:>6}" for role, count in ledger.accounted]
            if ledger.hyphens:
                joined = ", ".join(map(str, ledger.hyphens))
                yield f"  {'hyphens':<11}line ends joined without a space: {joined}"


def _facts(edition: Edition) -> Iterator[tuple[str, str]]:
    counts, ledger, ends = edition.counts(), edition.ledger, edition.line_ends
    facts = known_editions().get(edition.effective)
    name = edition.effective.isoformat()
    if facts is not None:
        if len(facts.issues) > 1:
            name += f".{issues_of(edition.effective, [edition.sha256])[edition.sha256]}"
        name += f", {facts.set_name} ({facts.set_code})"
    yield "edition", name
    yield "layout", edition.layout
    yield "encoding", f"{edition.decoding.encoding} ({edition.decoding.reason})"
    endings = (("CRLF", ends.crlf), ("CR", ends.cr), ("LF", ends.lf))
    if any(number for _, number in endings):  # an original has no line ends
        yield "line ends", ", ".join(f"{number:,} {name}" for name, number in endings if number)
    holds = (
        (sum(each.kind is Kind.CHAPTER for each in edition.provisions), "chapter"),
        (counts["sections"], "section"),
        (counts["rules"], "rule"),
        (counts["examples"], "example"),
        (counts["glossary"], "glossary entry"),
    )
    yield "holds", ", ".join([counted(number, noun) for number, noun in holds])
    lines = sum(number for _, number in ledger.accounted)
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    yield (
        "ledger",
        f"{ledger.lines:,} lines = {lines:,} accounted for + {ledger.blank:,} blank; {kept}",
    )
    yield "condition", edition.condition.value
    yield "attested", ", ".join(doubts_of(edition)) or "by the table of facts"
    yield from (("", note) for note in edition.notes)
    located = [("", each) for each in edition.irregularities]
    for provision in (*edition.provisions, *edition.glossary):
        located += [(provision.address, each) for each in provision.irregularities]
    if located:
        yield "irregular", f"{len(located):,}"
    for kind in Irregular:
        of_kind = [_irregular(*each) for each in located if each[1].kind is kind]
        more = len(of_kind) - _SHOWN_EACH
        said = [*of_kind[:_SHOWN_EACH], *([f"and {more} more"] if more > 0 else [])]
        if of_kind:
            yield "", f"{kind.value}: {'; '.join(said)}"


def _irregular(address: str, irregularity: Irregularity) -> str:
    if irregularity.meant:
        return f"{address} {irregularity.printed!r} for {irregularity.meant!r}".strip()
    return " ".join(filter(None, (address, irregularity.evidence and f"({irregularity.evidence})")))


# Demo and completion ------------------------------------------------------------------------------

_PROGRAM = """\
# CR 511.2: nobody calls the toss, nobody wins it.
# A player who leaves takes all their cards along (CR 600.4a); see also rule 100.1.
"""
_TOUR = (
    ("A number that no rule has today", "511.2"),
    ("What changed in a section, although every number moved", "diff 2008-06-20 current 511"),
    ("Citations that are out of date, repaired", "audit rules.py --as-of 2008-06-20 --diff"),
    ("Nine editions, each in its own layout", "editions"),
    ("The rules for flipping a coin, through nine editions", "history 705"),
    ("Every line is accounted for", "read --ledger"),
)


@opts.command(
    opts.value(
        "--site", "FOLDER", "Also build the website of the sample rulebook.", type=opts.NamedPath()
    ),
    is_alone=True,
)
def demo(o: SimpleNamespace) -> None:
    """Take a short tour of the sample rulebook.

    The sample rulebook has nine editions of the rules of Harborlight, an invented card game, with
    the layouts and the misprints of the real editions.

    cr demo
    cr demo --site demo-site    also build its website
    """
    tour = [*_TOUR]
    if o.site is not None:
        tour.append(("The website of the sample rulebook", f"site {o.site.absolute()}"))
    main = click.get_current_context().find_root().command
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("rules.py").write_text(_PROGRAM, "utf-8")
        for place, (heading, line) in enumerate(tour):
            click.echo("\n" * bool(place) + f"{bold(heading)}\n$ cr --sample {line}")
            with contextlib.suppress(SystemExit):  # 1 is no error here
                main.main(["--no-pager", "--sample", *line.split()])


@opts.command(
    click.Argument(["shell"], type=click.Choice(("bash", "fish", "zsh")), required=False),
    is_alone=True,
)
def completion(o: SimpleNamespace) -> None:
    """Print a script that makes a shell complete commands, options, rule numbers and terms.

    eval "$(cr completion bash)"    in ~/.bashrc
    eval "$(cr completion zsh)"     in ~/.zshrc, after compinit
    cr completion fish | source     in ~/.config/fish/config.fish
    """
    kind = get_completion_class(o.shell or "")
    if kind is None:
        raise click.UsageError("name a shell: bash, fish or zsh")
    main = click.get_current_context().find_root().command
    click.echo(kind(main, {}, "cr", "_CR_COMPLETE").source())
