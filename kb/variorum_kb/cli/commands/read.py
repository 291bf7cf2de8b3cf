"""`cr read`: what a document is, what it holds, and proof that no line was lost."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click

from variorum_kb.answers.exports.export import ledger_of
from variorum_kb.build.build import find_documents
from variorum_kb.build.load import (
    Readable,
    account_json,
    describe,
    document_json,
    doubts_about,
    load_document,
)
from variorum_kb.cli.arguments import NamedPath, is_file_name
from variorum_kb.cli.completions import complete_edition
from variorum_kb.cli.failures import explained
from variorum_kb.cli.options import kb_option, lines_option, open_asked
from variorum_kb.cli.pages.document import cells, facts
from variorum_kb.cli.printing import print_json, print_note, print_page
from variorum_kb.errors import NotReadableError, VariorumError
from variorum_kb.exit_codes import FINDINGS
from variorum_kb.facts.editions import issue_of, known_editions
from variorum_kb.model import Edition, Irregular, Irregularity, Kind
from variorum_kb.system.terminal import bold, has_bar, unescaped
from variorum_kb.text.counts import balance, characters_kept, counted

_SHOWN_EACH = 4
_LEDGER = "{:12}  {:>6}  {:>9}  {:>5}  {:>11}  {:>10}  {:>10}"


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

    FILES may be editions in text, Word, RTF or PDF, and other documents: excerpts, rulings pages,
    wiki pages, hyperlinked editions, articles, bulletins. A folder means all files in it. Every
    line belongs to a rule or to known furniture (title, contents, banners). A document that cannot
    be read completely is refused with the reason, and the exit code is 1.

    \b
    cr read MagicCompRules.txt           what it is and what is odd about it
    cr read page.html                    what it quotes, and what it says about itself
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
    readings = _readings(documents, refused, odd)
    if as_json:
        _print_json(readings, account_json if with_ledger else document_json, is_alone=is_alone)
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
    documents = find_documents(files)
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
            account["lines"],
            sum(account["accounted"].values()),
            account["blank"],
            len(account["unaccounted"]),
            account["characters"],
            account["characters_kept"],
        )
        for label, account in ledgers
    ]
    print_page("".join([f"{_LEDGER.format(*row)}\n" for row in rows]))


def _worst(refused: Sequence[VariorumError]) -> VariorumError:
    """Return the first error with the highest exit code."""
    return max(refused, key=lambda error: error.exit_code)


def _is_odd(document: Readable) -> bool:
    """Return whether a document was repaired or is lossy."""
    if isinstance(document, Edition):
        return bool(document.notes)
    about, _ = describe(document)
    return bool(about["notes"])


def _readings(
    documents: Sequence[Path], refused: list[VariorumError], odd: list[Path]
) -> Iterator[tuple[Path, Readable]]:
    """Yield the readable documents; append the errors of unreadable ones, and the paths of odd ones."""
    is_shown = len(documents) > 1 and has_bar()
    with click.progressbar(
        documents, label="reading", file=unescaped(sys.stderr), hidden=not is_shown
    ) as bar:
        for path in bar:
            try:
                document = load_document(path)
            except VariorumError as error:
                refused.append(error)
                continue
            odd += [path] if _is_odd(document) else []
            yield path, document


def _print_json(
    readings: Iterable[tuple[Path, Readable]],
    convert: Callable[[Readable], object],
    *,
    is_alone: bool,
) -> None:
    """Print one value, or a list of values for several documents."""
    values = [convert(document) for _, document in readings]
    if values:
        print_json(values[0] if is_alone else values, values)


def _print_one(readings: Iterable[tuple[Path, Readable]], *, with_ledger: bool) -> None:
    for path, document in readings:
        click.echo(bold(path.name))
        for line in (*_page(document), *(_ledger(document) if with_ledger else ())):
            click.echo(line)


def _page(document: Readable) -> Iterator[str]:
    rows = _facts(document) if isinstance(document, Edition) else facts(*describe(document))
    yield from (f"  {label:<11}{value}" for label, value in rows)


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
    kept = characters_kept(ledger.characters_kept, ledger.characters)
    yield "ledger", f"{balance(ledger.lines, lines, ledger.blank)}; {kept}"
    yield "condition", edition.condition.value
    doubts = doubts_about(edition)
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
        name += f".{issue_of(edition.effective, edition.sha256)}"
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


def _ledger(document: Readable) -> Iterator[str]:
    yield f"  {'lines of':<11}"
    for role, number in document.ledger.accounted:
        yield f"  {'':<11}{role.value:<13}{number:>6}"
    hyphens = document.ledger.hyphens if isinstance(document, Edition) else ()
    if hyphens:
        yield f"  {'hyphens':<11}line ends joined without a space: {', '.join(map(str, hyphens))}"


def _print_table(
    readings: Iterable[tuple[Path, Readable]], total: int, *, with_ledger: bool
) -> None:
    width = len(str(total))
    for number, (path, document) in enumerate(readings, start=1):
        if number == 1:
            click.echo(_HEADER.format("", *_COLUMNS, width=width))
        click.echo(_HEADER.format(number, *_cells(document), path.name, width=width))
        if with_ledger:
            ledger = document.ledger
            roles = ", ".join(f"{role.value} {number:,}" for role, number in ledger.accounted)
            click.echo(
                f"{'':>{width}} {counted(ledger.lines, 'line')}: {roles}, blank {ledger.blank:,}"
            )


def _cells(document: Readable) -> list[object]:
    if not isinstance(document, Edition):
        return cells(*describe(document))
    counts, ledger = document.counts(), document.ledger
    return [
        document.effective.isoformat(),
        document.layout,
        document.decoding.encoding,
        counts["sections"],
        counts["rules"],
        counts["examples"],
        counts["glossary"],
        counts["irregularities"],
        f"{ledger.characters_kept}/{ledger.characters}",
        document.condition.value,
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
