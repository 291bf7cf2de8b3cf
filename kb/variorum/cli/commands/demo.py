"""`cr demo`: a short tour of the program, on the sample rulebook."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from variorum.build.build import Builder, load_sample
from variorum.build.outcomes import Refused
from variorum.cli.arguments import NamedPath
from variorum.model import Edition, Irregular, Kind, Provision
from variorum.rows import named
from variorum.terminal import bold

_PROGRAM = """\
# CR 511.2: nobody calls the toss, nobody wins it.
# A player who leaves takes all their cards along (CR 600.4a); see also rule 100.1.
"""
_COMMANDS = (
    ("A number that no rule has today", ("511.2",)),
    (
        "What changed in a section, although every number moved",
        ("diff", "2008-06-20", "current", "511"),
    ),
    (
        "Citations that are out of date, repaired",
        ("audit", "rules.py", "--as-of", "2008-06-20", "--diff"),
    ),
)
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
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        _build(base)
        Path(folder, "rules.py").write_text(_PROGRAM, "utf-8")
        with contextlib.chdir(folder):
            for heading, arguments in _COMMANDS:
                click.echo(f"{bold(heading)}\n$ cr {' '.join(arguments)}")
                _run(ctx, [*arguments, "--kb", str(base)])
                click.echo()
        _show_reading(list(load_sample()))
        if out is not None:
            click.echo("\n" + bold("The website of the sample rulebook"))
            _run(ctx, ["site", str(out), "--kb", str(base)])


def _build(folder: Path) -> None:
    """Build a knowledge base of the sample rulebook."""
    for event in Builder(folder, now="", jobs=1).build_sample():
        if isinstance(event, Refused):
            raise event.error


def _run(ctx: click.Context, arguments: Sequence[str]) -> None:
    """Run a command as `cr` does, without a pager; exit code 1 is not an error here."""
    with contextlib.suppress(SystemExit):
        ctx.find_root().command.main(["--no-pager", *arguments])


def _show_reading(editions: Sequence[Edition]) -> None:
    """Show how the editions were read."""
    parts = {
        "Nine editions, each in its own layout": _table(editions),
        "The rules for flipping a coin, through nine editions": _coin(editions),
        "Misprints are kept as printed; what was meant is recorded beside them": _misprints(
            editions
        ),
        "Every line is accounted for": _balance(editions),
    }
    for number, (heading, lines) in enumerate(parts.items()):
        click.echo("\n" * bool(number) + bold(heading))
        for line in lines:
            click.echo(line)


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
    """Yield the place of the rules about flipping a coin in each edition."""
    for edition in editions:
        places = [
            named("", provision.heading)
            if provision.kind is Kind.GLOSSARY
            else f"{provision.number}. {provision.heading}"
            for provision in (*edition.provisions, *edition.glossary)
            if _is_about_coins(provision)
        ]
        yield f"  {edition.effective.isoformat()}  {' and '.join(places)}"


def _is_about_coins(provision: Provision) -> bool:
    return {"coin"} <= set(provision.heading.casefold().split()) and "flip" in (
        provision.heading.casefold()
    )


def _misprints(editions: Sequence[Edition]) -> Iterator[str]:
    for edition in editions:
        for provision in edition.provisions:
            for odd in provision.irregularities:
                if odd.kind in {Irregular.MISNUMBERED, Irregular.MALFORMED_NUMBER}:
                    date = edition.effective.isoformat()
                    yield f"  {date}  {odd.printed:8} is {odd.meant:7} ({odd.evidence})"


def _balance(editions: Sequence[Edition]) -> Iterator[str]:
    ledgers = [edition.ledger for edition in editions]
    lines = sum(ledger.lines for ledger in ledgers)
    blank = sum(ledger.blank for ledger in ledgers)
    printed = sum(ledger.characters for ledger in ledgers)
    kept = sum(ledger.characters_kept for ledger in ledgers)
    yield f"  {lines:,} lines = {lines - blank:,} accounted for + {blank:,} blank"
    yield f"  {kept:,} of {printed:,} characters kept"
