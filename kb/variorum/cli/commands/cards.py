"""`cr cards`: add the user's cards, or show which have been added."""

from pathlib import Path

import click

from variorum.cards.store import CARDS, CardCounts, Cards, take_in
from variorum.cli.arguments import NamedPath
from variorum.cli.options import json_option, kb_option
from variorum.cli.printing import print_json
from variorum.errors import NotFoundError
from variorum.paths import base_folder


@click.command()
@click.argument("files", nargs=-1, type=NamedPath())
@json_option
@kb_option
def cards(files: tuple[Path, ...], *, as_json: bool, kb: Path | None) -> None:
    """Add the cards in FILES for cr ask and cr card; without FILES, say which cards there are.

    FILES are MTGJSON's AtomicCards or Scryfall's bulk data (cards and their rulings), compressed or
    not. They replace the cards that were there. Cards are kept in a file beside the knowledge base and
    are never part of it.

    \b
    cr cards AtomicCards.json.gz
    cr cards oracle-cards.json rulings.json
    """  # noqa: D301 - click reads \b
    folder = base_folder(str(kb) if kb else None)
    counts = take_in(files, folder) if files else _known(folder)
    if as_json:
        print_json(counts._asdict())
        return
    newest = f", the newest of {counts.newest}" if counts.newest else ""
    click.echo(f"{folder / CARDS}: {counts.cards:,} cards, {counts.rulings:,} rulings{newest}")


def _known(folder: Path) -> CardCounts:
    """Return the counts of cards.

    Raises:
        NotFoundError: There are no cards.
    """
    known = Cards.open(folder)
    if known is None:
        raise NotFoundError(no_cards(folder))
    with known:
        return known.counts


def no_cards(folder: Path) -> str:
    """Return the error for a base without cards."""
    return f"no cards in {folder}; add MTGJSON's AtomicCards or Scryfall's bulk file with cr cards FILE"
