"""`cr demo`: a short tour of what the project knows, on the sample rulebook."""

import importlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.message import cited_of, message_of
from variorum_kb.audit.run import Auditor
from variorum_kb.audit.settings import Settings
from variorum_kb.build.build import Builder, load_sample
from variorum_kb.build.outcomes import Refused
from variorum_kb.cli.arguments import NamedPath
from variorum_kb.cli.pages.moves import move_lines
from variorum_kb.cli.pages.provisions import edition_line, set_matches, wrap
from variorum_kb.cli.pages.search import set_hits
from variorum_kb.cli.table import COMMANDS
from variorum_kb.model import Edition, Irregular, Kind, Provision
from variorum_kb.rows import named
from variorum_kb.search.answer import Search, Wish
from variorum_kb.system.terminal import BOLD, PLAIN
from variorum_kb.text.counts import balance, characters_kept

_WIDTH = 80
_PROGRAM = """\
# CR 511.2: nobody calls the toss, nobody wins it.
# Who is out takes all cards along (CR 600.4a), see also rules 100.1 and 704.5l.
"""
_COLUMNS = ("edition", "layout", "encoding", "rules", "examples", "glossary", "odd")
_ROW = "  {:10}  {:8}  {:9}  {:>5}  {:>8}  {:>8}  {:>4}"


@click.command()
@click.option(
    "--site",
    "out",
    type=NamedPath(),
    metavar="FOLDER",
    help="Also build the website of the sample rulebook.",
)
@click.pass_context
def demo(ctx: click.Context, out: Path | None) -> None:
    """Take a short tour of the sample rulebook.

    The sample rulebook has nine editions of the rules of Harborlight, an invented card game, with
    the layouts and the misprints of the real editions.

    \b
    cr demo
    cr demo --site demo-site    also build its website
    """  # noqa: D301 - click reads \b
    editions = list(load_sample())
    with tempfile.TemporaryDirectory() as folder, _base(Path(folder)) as base:
        for number, (heading, lines) in enumerate(_stops(editions, base)):
            if number:
                click.echo()
            click.echo(f"{BOLD}{heading}{PLAIN}")
            for line in lines:
                click.echo(line)
        if out is not None:
            click.echo(f"\n{BOLD}The website of all this{PLAIN}")
            site = importlib.import_module(COMMANDS["site"][0]).site
            ctx.invoke(site, out=out, kb=Path(folder), base_url="")


def _base(folder: Path) -> KnowledgeBase:
    """Build a knowledge base of the sample rulebook."""
    for event in Builder(folder, now="", jobs=1).build_sample():
        if isinstance(event, Refused):
            raise event.error
    return KnowledgeBase.open(folder)


def _stops(editions: Sequence[Edition], base: KnowledgeBase) -> Iterator[tuple[str, Iterator[str]]]:
    yield "Nine editions of one rulebook, read from nine ways to set it down", _table(editions)
    yield "One set of rules on its way through the numbers", _coin(editions)
    yield "cr 705.2: a rule as it is today", _show(base, "705.2", "current")
    yield "cr 511.2 --on 2008-06-20: as it was that day", _show(base, "511.2", "2008-06-20")
    yield "cr 511.2: a number that nothing has any more", _show(base, "511.2", "current")
    yield "cr search winning a toss: in any words, of any year", _search(base)
    yield "cr audit --as-of 2008-06-20: citations that the rules outgrew", _audit(base)
    yield "Misprints stay as printed; what was meant lies beside them", _misprints(editions)
    yield "Every line is accounted for", _balance(editions)


def _table(editions: Sequence[Edition]) -> Iterator[str]:
    yield _ROW.format(*_COLUMNS)
    for edition in editions:
        counts = edition.counts()
        yield _ROW.format(
            edition.effective.isoformat(),
            edition.layout,
            edition.decoding.encoding,
            counts["rules"],
            counts["examples"],
            counts["glossary"],
            counts["irregularities"],
        )


def _coin(editions: Sequence[Edition]) -> Iterator[str]:
    """Tell where each edition has its rules about flipping a coin."""
    for edition in editions:
        places = [
            named("", one.heading) if one.kind is Kind.GLOSSARY else f"{one.number}. {one.heading}"
            for one in (*edition.provisions, *edition.glossary)
            if _is_about_coins(one)
        ]
        yield f"  {edition.effective.isoformat()}  {' and '.join(places)}"


def _show(base: KnowledgeBase, question: str, on: str) -> Iterator[str]:
    """Set what `cr show` answers."""
    matches = base.show(question, on)
    for line in move_lines(one.move for one in matches if one.move is not None):
        yield from wrap(line, _WIDTH)
    edition = matches[0].edition
    page = set_matches(
        [(one.state, []) for one in matches],
        [(one.address, one.heading) for one in matches[0].path()],
        edition_line(edition.label, edition.set_name, edition.set_code, edition.doubts),
        width=_WIDTH,
        is_coloured=False,
    )
    yield from page.splitlines()


def _search(base: KnowledgeBase) -> Iterator[str]:
    """Set what `cr search` answers."""
    found = Search(base).search(Wish("winning a toss", limit=2))
    label = base.edition().label
    page = set_hits(found, edition_line(label, "", ""), label, width=_WIDTH, is_coloured=False)
    yield from page.splitlines()


def _audit(base: KnowledgeBase) -> Iterator[str]:
    """Set what `cr audit` says of three lines of a program."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.py"
        file.write_text(_PROGRAM, "utf-8")
        report = Auditor(base, Settings(as_of="2008-06-20")).audit(file)
        for one in report.found:
            place = f"rules.py:{one.finding['line']}:{one.finding['column']}"
            said = f"{place}: {cited_of(one.finding)}: {message_of(one.finding)}"
            yield from wrap(said, _WIDTH)


def _is_about_coins(provision: Provision) -> bool:
    return {"coin"} <= set(provision.heading.casefold().split()) and "flip" in (
        provision.heading.casefold()
    )


def _misprints(editions: Sequence[Edition]) -> Iterator[str]:
    for edition in editions:
        for provision in edition.provisions:
            for one in provision.irregularities:
                if one.kind in {Irregular.MISNUMBERED, Irregular.MALFORMED_NUMBER}:
                    date = edition.effective.isoformat()
                    yield f"  {date}  {one.printed:8} is {one.meant:7} ({one.evidence})"


def _balance(editions: Sequence[Edition]) -> Iterator[str]:
    ledgers = [edition.ledger for edition in editions]
    lines = sum(ledger.lines for ledger in ledgers)
    blank = sum(ledger.blank for ledger in ledgers)
    found = sum(ledger.characters for ledger in ledgers)
    kept = sum(ledger.characters_kept for ledger in ledgers)
    yield f"  {balance(lines, lines - blank, blank)}"
    yield f"  {characters_kept(kept, found)}"
