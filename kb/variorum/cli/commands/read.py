"""`cr read`: what a document is, what it holds, and proof that no line was lost."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import click

from variorum.answers.export import ledger_of
from variorum.build.identify import identify
from variorum.build.load import read_document
from variorum.cli.arguments import NamedPath, is_file_name
from variorum.cli.completions import complete_edition
from variorum.cli.failures import explained
from variorum.cli.options import kb_option, lines_option, open_asked
from variorum.cli.pages.identify import set_identified
from variorum.cli.printing import print_json, print_note, print_page
from variorum.documents.find import find_files, load
from variorum.errors import FINDINGS, LayoutError, NotReadableError, VariorumError
from variorum.facts import issues_of, known_editions
from variorum.model import Edition, Irregular, Irregularity, Kind
from variorum.reading.as_json import export_json, ledger_json
from variorum.reading.doubts import doubts_of
from variorum.records.identify import DocumentOrigin
from variorum.terminal import bold, has_bar, page_width, unescaped
from variorum.text import counted

_SHOWN_EACH = 4
_LEDGER = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"


# What is read of a document: an edition, or what the editions say of another document.
_Read = Edition | DocumentOrigin


@click.command()
@click.argument(
    "files", metavar="FILES...", nargs=-1, type=NamedPath(), shell_complete=complete_edition
)
@click.option(
    "--ledger",
    "with_ledger",
    is_flag=True,
    help="Show the role of every line. Instead of FILES, name editions; without any, all are shown.",
)
@click.option("--strict", is_flag=True, help="Also fail if a document was repaired or is lossy.")
@lines_option
@kb_option
def read(
    files: tuple[Path, ...], *, with_ledger: bool, strict: bool, as_json: bool, kb: Path | None
) -> None:
    """Show what documents are, what they hold and what is odd about them.

    FILES may be editions in text, Word, RTF or PDF. A folder means all files in it. Every line belongs
    to a rule or to known furniture (title, contents, banners). An edition that cannot be read completely
    is refused with the reason, and the exit code is 1. Any other document is shown as by cr identify:
    what it quotes, announces or discusses.

    \b
    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read page.html                    what it quotes
    cr read --ledger MagicCompRules.txt  the role of every line
    cr read --json MagicCompRules.txt    everything as JSON (docs/json.md)
    cr read --ledger --json editions/    the ledgers of all files in a folder
    cr read --ledger M10                 how many lines of an edition were read, and lost
    """  # noqa: D301 - click reads \b
    if with_ledger and not any(map(is_file_name, files)):
        _show_ledgers(files, kb, as_json=as_json)
        return
    documents = _found(files)
    refused: list[VariorumError] = []
    odd: list[Path] = []
    is_alone = len(documents) == 1 and documents == list(files)
    readings = _readings(documents, refused, odd, kb, with_ledger=with_ledger)
    if as_json:
        _print_json(readings, with_ledger=with_ledger, is_alone=is_alone)
    elif is_alone:
        _print_one(readings, with_ledger=with_ledger)
    else:
        _print_table(readings, len(documents), with_ledger=with_ledger)
    failure = _worst(refused) if as_json and len(refused) == len(documents) else None
    for error in refused:
        if error is not failure:
            print_note(explained(error))
    if failure is not None:
        raise failure
    if len(documents) > 1 and not as_json:
        click.echo(f"{len(documents) - len(refused):,} read, {len(refused):,} refused", err=True)
    if refused or (strict and odd):
        raise click.exceptions.Exit(_worst(refused).exit_code if refused else FINDINGS)


def _found(files: Sequence[Path]) -> list[Path]:
    """Return the documents in files and folders; fail if there are none."""
    if not files:
        raise click.UsageError("Missing argument 'FILES...'.")
    documents = find_files(files)
    if not documents:
        raise NotReadableError(f"{files[0]}: no files in this folder")
    return documents


def _show_ledgers(designators: Iterable[Path], kb: Path | None, *, as_json: bool) -> None:
    """Print how many lines and characters of editions were read, and how many were lost."""
    with open_asked(kb) as base:
        editions = [base.edition(str(designator)) for designator in designators] or base.editions
        ledgers = [(edition.label, ledger_of(base, edition)) for edition in editions]
    if as_json:
        print_json([account for _, account in ledgers])
        return
    rows: list[tuple[object, ...]] = [
        ("edition", "lines", "accounted", "blank", "unaccounted", "chars", "kept")
    ]
    rows += [
        (
            label,
            account.lines,
            sum(account.accounted.values()),
            account.blank,
            len(account.unaccounted),
            account.characters,
            account.characters_kept,
        )
        for label, account in ledgers
    ]
    print_page("".join([f"{_LEDGER.format(*row)}\n" for row in rows]))


def _worst(refused: Sequence[VariorumError]) -> VariorumError:
    """Return the first error with the highest exit code."""
    return max(refused, key=lambda error: error.exit_code)


def _readings(
    documents: Sequence[Path],
    refused: list[VariorumError],
    odd: list[Path],
    kb: Path | None,
    *,
    with_ledger: bool,
) -> Iterator[tuple[Path, _Read]]:
    """Yield the readable documents; append the errors of unreadable ones, and the paths of odd ones.

    The base is opened for the first document that is no edition.
    """
    is_shown = len(documents) > 1 and has_bar()
    bar = click.progressbar(
        documents, label="reading", file=unescaped(sys.stderr), hidden=not is_shown
    )
    with ExitStack() as open_, bar:
        open_base = cache(lambda: open_.enter_context(open_asked(kb)))
        for path in bar:
            try:
                data = load(path)
                edition = read_document(data, str(path))
                if edition is None and with_ledger:
                    raise LayoutError("not an edition, so it has no ledger", str(path))
                read: _Read = edition or identify(open_base(), data, str(path))
            except VariorumError as error:
                refused.append(error)
                continue
            odd += [path] if edition and edition.notes else []
            yield path, read


def _print_json(
    readings: Iterable[tuple[Path, _Read]], *, with_ledger: bool, is_alone: bool
) -> None:
    """Print one value, or a list of values for several documents."""
    values = [_json(read, with_ledger=with_ledger) for _, read in readings]
    if values:
        print_json(values[0] if is_alone else values, values)


def _json(read: _Read, *, with_ledger: bool) -> object:
    if not isinstance(read, Edition):
        return read
    issue = issues_of(read.effective, [read.sha256])[read.sha256]
    return ledger_json(read) if with_ledger else export_json(read, issue)


def _print_one(readings: Iterable[tuple[Path, _Read]], *, with_ledger: bool) -> None:
    for path, read in readings:
        click.echo(bold(path.name))
        if not isinstance(read, Edition):
            click.echo(set_identified(read, page_width()), nl=False)
            continue
        rows = (f"  {label:<11}{value}" for label, value in _facts(read))
        for line in (*rows, *(_ledger(read) if with_ledger else ())):
            click.echo(line)


def _facts(edition: Edition) -> Iterator[tuple[str, str]]:
    counts, ledger, ends = edition.counts(), edition.ledger, edition.line_ends
    yield "edition", _name(edition)
    yield "layout", edition.layout
    yield "encoding", f"{edition.decoding.encoding} ({edition.decoding.reason})"
    endings = (("CRLF", ends.crlf), ("CR", ends.cr), ("LF", ends.lf))
    if any(number for _, number in endings):  # an original has no line ends
        yield "line ends", ", ".join(f"{number:,} {name}" for name, number in endings if number)
    chapters = sum(provision.kind is Kind.CHAPTER for provision in edition.provisions)
    holds = (
        (chapters, "chapter"),
        (counts["sections"], "section"),
        (counts["rules"], "rule"),
        (counts["examples"], "example"),
        (counts["glossary"], "glossary entry"),
    )
    yield "holds", ", ".join([counted(number, noun) for number, noun in holds])
    lines = sum(number for _, number in ledger.accounted)
    kept = f"{ledger.characters_kept:,} of {ledger.characters:,} characters kept"
    balance = f"{ledger.lines:,} lines = {lines:,} accounted for + {ledger.blank:,} blank"
    yield "ledger", f"{balance}; {kept}"
    yield "condition", edition.condition.value
    doubts = doubts_of(edition)
    yield "attested", ", ".join(doubts) if doubts else "by the table of facts"
    yield from (("", note) for note in edition.notes)
    yield from _irregularities(edition)


def _name(edition: Edition) -> str:
    """Return the date of an edition, with its issue and set if known."""
    facts = known_editions().get(edition.effective)
    name = edition.effective.isoformat()
    if facts is None:
        return name
    if len(facts.issues) > 1:
        name += f".{issues_of(edition.effective, [edition.sha256])[edition.sha256]}"
    return f"{name}, {facts.set_name} ({facts.set_code})"


def _irregularities(edition: Edition) -> Iterator[tuple[str, str]]:
    located = list(_located(edition))
    if not located:
        return
    yield "irregular", f"{len(located):,}"
    for kind in Irregular:
        of_kind = [
            _irregularity_words(address, irregularity)
            for address, irregularity in located
            if irregularity.kind is kind
        ]
        if not of_kind:
            continue
        shown = "; ".join(of_kind[:_SHOWN_EACH])
        more = len(of_kind) - _SHOWN_EACH
        yield "", f"{kind.value}: {shown}" + (f"; and {more} more" if more > 0 else "")


def _located(edition: Edition) -> Iterator[tuple[str, Irregularity]]:
    yield from (("", irregularity) for irregularity in edition.irregularities)
    for provision in (*edition.provisions, *edition.glossary):
        yield from ((provision.address, irregularity) for irregularity in provision.irregularities)


def _irregularity_words(address: str, irregularity: Irregularity) -> str:
    if irregularity.meant:
        return f"{address} {irregularity.printed!r} for {irregularity.meant!r}".strip()
    return " ".join(filter(None, (address, irregularity.evidence and f"({irregularity.evidence})")))


def _ledger(edition: Edition) -> Iterator[str]:
    yield f"  {'lines of':<11}"
    for role, number in edition.ledger.accounted:
        yield f"  {'':<11}{role.value:<13}{number:>6}"
    if edition.ledger.hyphens:
        joined = ", ".join(map(str, edition.ledger.hyphens))
        yield f"  {'hyphens':<11}line ends joined without a space: {joined}"


def _print_table(readings: Iterable[tuple[Path, _Read]], total: int, *, with_ledger: bool) -> None:
    width = len(str(total))
    for number, (path, read) in enumerate(readings, start=1):
        if number == 1:
            click.echo(_HEADER.format("", *_COLUMNS, width=width))
        click.echo(_HEADER.format(number, *_cells(read), path.name, width=width))
        if with_ledger and isinstance(read, Edition):
            ledger = read.ledger
            roles = ", ".join(f"{role.value} {number:,}" for role, number in ledger.accounted)
            click.echo(
                f"{'':>{width}} {counted(ledger.lines, 'line')}: {roles}, blank {ledger.blank:,}"
            )


def _cells(read: _Read) -> list[object]:
    if not isinstance(read, Edition):
        passages = len(read.passages)
        return [read.edition or "", read.kind, "", "", passages, "", "", "", "", ""]
    counts, ledger = read.counts(), read.ledger
    return [
        read.effective.isoformat(),
        read.layout,
        read.decoding.encoding,
        counts["sections"],
        counts["rules"],
        counts["examples"],
        counts["glossary"],
        counts["irregularities"],
        f"{ledger.characters_kept}/{ledger.characters}",
        read.condition.value,
    ]


_COLUMNS = [
    "effective",
    "layout",
    "encoding",
    "sections",
    "rules",
    "examples",
    "glossary",
    "odd",
    "characters",
    "condition",
    "file",
]
_HEADER = "{:>{width}} {:10} {:19} {:9} {:>8} {:>5} {:>8} {:>8} {:>4} {:>15} {:9} {}"
