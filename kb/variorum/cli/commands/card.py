"""`cr card`: a card, the rules that govern it, and its rulings."""

from pathlib import Path

import click

from variorum.cards.finder import likeliest
from variorum.cards.governing import card_json
from variorum.cards.store import Cards
from variorum.cli.commands.cards import no_cards
from variorum.cli.options import kb_option, lines_option, on_option, open_asked
from variorum.cli.pages.card import set_card
from variorum.cli.pages.provisions import edition_line
from variorum.cli.printing import print_json, print_note, print_page
from variorum.errors import NotFoundError
from variorum.terminal import page_width


@click.command()
@click.argument("name", nargs=-1, required=True)
@on_option
@lines_option
@kb_option
def card(name: tuple[str, ...], *, on: str | None, as_json: bool, kb: Path | None) -> None:
    """Show the card NAME, the rules that govern it with the reason for each, and its rulings.

    A part of a name is enough. A number in a ruling is read as on the day of the ruling; the
    number that the rule has today is shown beside it. Add cards first, with cr cards.

    \b
    cr card Kruphix
    cr card birthing pod --on 2012-05-01
    """  # noqa: D301 - click reads \b
    words = " ".join(name)
    with open_asked(kb) as base:
        edition = base.edition(on or "current")
        cards = Cards.open(base.folder)
        if cards is None:
            raise NotFoundError(no_cards(base.folder))
        with cards:
            ids = cards.find(words)
            near = (
                [cards.card(card_id).name for card_id in likeliest(words, cards)] if not ids else []
            )
            if len(near) == 1:
                ids = cards.find(near[0])
            if not ids:
                raise NotFoundError(_unknown(words, near), near=near)
            answer = card_json(base, edition, cards.card(ids[0]))
            others = [cards.card(card_id).name for card_id in ids[1:]]
    if as_json:
        print_json(answer, answer.rules)
        return
    if others:
        print_note(f"{words!r} is shown as {answer.name}; others: {', '.join(others)}")
    line = edition_line(edition)
    print_page(set_card(answer, line, width=page_width()))


def _unknown(words: str, near: list[str]) -> str:
    meant = (
        f"; did you mean {', '.join(near)}?"
        if near
        else "; the cards that you added may be older than this one"
    )
    return f"{words}: no such card{meant}"
