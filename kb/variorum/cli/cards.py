"""`cr ask`, `cr card` and `cr kb cards`: the rules that answer a question or govern a card."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.governing import card_json
from variorum.cards.store import CARDS, Cards, key_of, take_in
from variorum.cli.command import JSON, JSONL, KB, ON, Answer, NamedPath, command, flag, value, words
from variorum.cli.layout import REMOVED, edition_line, entry, para, print_note
from variorum.errors import NotFoundError
from variorum.paths import base_folder
from variorum.records.search import CardWithRules, Passages, Reason, RulingOnCard
from variorum.search.ask import MOST_PASSAGES, Inquiry, QuestionAnswers
from variorum.terminal import bold
from variorum.text import shortened

_PASSAGE = 320


@command(
    words("QUESTION...", required=True),
    ON,
    value(
        "--limit",
        "N",
        "Show at most this many passages.",
        type=click.IntRange(1, 1000),
        default=MOST_PASSAGES,
        show_default=True,
    ),
    flag("--no-cards", "Ignore the cards added with cr kb cards."),
    JSON,
    JSONL,
)
def ask(base: KnowledgeBase, o: SimpleNamespace) -> Answer:
    """Find the rules that answer QUESTION, asked in plain words.

    Ask as you would ask a judge: with cards, names and what happened. Each passage says why it is
    there. If you add cards with cr kb cards, their text also counts. See docs/judge.md.

    cr ask "Two creatures die at the same time. Do both abilities trigger?"
    cr ask can I respond to morph
    """
    text = " ".join(o.words).strip()
    if not text:
        raise click.UsageError("give a question")
    cards = None if o.no_cards else Cards.open(base.folder)
    return passages(base, cards, Inquiry(text, o.on, o.limit))


def passages(base: KnowledgeBase, cards: Cards | None, inquiry: Inquiry) -> Answer:
    """Return the passages that answer a question, and close the cards.

    Raises:
        NotFoundError: It is about nothing in the rules.
    """
    with QuestionAnswers(base, cards) as answers:
        answer = answers.ask(inquiry)
    if not answer.passages:
        raise NotFoundError("the rules have nothing about this question")
    line = edition_line(base.edition(inquiry.on or "current"))
    return Answer(answer, lambda: _passages(answer, line), answer.passages)


def _passages(answer: Passages, line: str) -> Iterator[str]:
    cards = [card for card in answer.cards if card.name != card.written]
    for card in cards:
        others = f" (or {', '.join(card.others)})" if card.others else ""
        yield from para(f"{card.written}: {card.name}{others}")
    yield from [""] if cards else []
    for passage in answer.passages:
        opening = "  ".join([part for part in (passage.number, passage.heading) if part])
        yield from entry(opening, " › ".join(passage.path), 0, 0)
        yield from para(f"why: {'; '.join([_reason(why) for why in passage.why])}", 4)
        if passage.text and passage.text != passage.heading:
            yield from para(shortened(passage.text, _PASSAGE), 4)
        for subrule in passage.subrules:
            yield from para(f"{subrule.number}  {shortened(subrule.text, _PASSAGE)}", 4)
        yield ""
    yield from para(line, 2)
    if not answer.has_cards:
        none = "no cards added; cr kb cards FILE adds cards, and their text also counts"
        yield from para(none, 2)


def _reason(evidence: Reason) -> str:
    """Return a reason in words."""
    said, card = ", ".join(evidence.words), evidence.card
    return {
        "keyword": f"{card} has {said.lower()}",
        "action": f"{card} says {said.lower()}",
        "heading": f"the question says {said.lower()}",
        "words": f"words of the question: {said}",
        "printed": f"words of {card}: {said}",
        "ruling": f"a ruling on {card}: {said}",
        "learnt": f"judges often cite it in answers about: {said}",
    }[evidence.kind]


@command(words("NAME...", required=True), ON, JSON, JSONL)
def card(base: KnowledgeBase, o: SimpleNamespace) -> Answer:
    """Show the card NAME, the rules that govern it with the reason for each, and its rulings.

    A part of a name is enough. A number in a ruling is read as on the day of the ruling; the
    number that the rule has today is shown beside it. Add cards first, with cr kb cards.

    cr card Kruphix
    cr card birthing pod --on 2012-05-01
    """
    name, edition = " ".join(o.words), base.edition(o.on or "current")
    cards = Cards.open(base.folder)
    if cards is None:
        raise NotFoundError(_no_cards(base.folder))
    with cards:
        ids, _ = cards.named(key_of(name))
        near = [] if ids else [cards.card(each).name for each in cards.likeliest(name)]
        ids = cards.named(key_of(near[0]))[0] if len(near) == 1 else ids
        if not ids:
            older = "the cards that you added may be older than this one"
            meant = f"did you mean {', '.join(near)}?" if near else older
            raise NotFoundError(f"{name}: no such card; {meant}", near=near)
        answer = card_json(base, edition, cards.card(ids[0]))
        others = [cards.card(each).name for each in ids[1:]]
    if others and not o.as_json:
        print_note(f"{name!r} is shown as {answer.name}; others: {', '.join(others)}")
    return Answer(answer, lambda: _card(answer, edition_line(edition)), answer.rules)


def _card(card: CardWithRules, line: str) -> Iterator[str]:
    for face in card.faces:
        yield f"{bold(face.name)}  {face.cost}".rstrip()
        yield f"{face.type_line}  {face.size}".rstrip()
        yield from (row for text in face.text.splitlines() for row in para(text, 4))
        yield ""
    for rule in card.rules:
        opening = f"{rule.number}  {rule.heading}".rstrip()
        yield from entry(opening, f"({rule.reason}: {rule.words})", 2, 0)
    yield from [""] if card.rules else []
    for ruling in card.rulings:
        yield from _ruling(ruling)
    yield from [""] if card.rulings else []
    yield from para(line, 2)


def _ruling(ruling: RulingOnCard) -> Iterator[str]:
    yield from para(f"{ruling.date}  {ruling.text}", 2)
    for cited in ruling.citations:
        if cited.edition is None:
            yield f"      {cited.number}: not in the rules of that day"
            continue
        now = f"{'still' if cited.now == cited.number else 'now'} {cited.now}"
        yield f"      {cited.number} of {cited.edition}: {now if cited.now else REMOVED}"


def _no_cards(folder: Path) -> str:
    """Return the error for a base without cards."""
    return f"no cards in {folder}; add MTGJSON's AtomicCards or Scryfall's bulk file with cr kb cards FILE"


@command(click.Argument(["files"], nargs=-1, type=NamedPath()), JSON, KB, is_alone=True)
def cards(o: SimpleNamespace) -> Answer:
    """Add the cards in FILES for cr ask and cr card; without FILES, say which cards there are.

    FILES are MTGJSON's AtomicCards or Scryfall's bulk data (cards and their rulings), compressed or
    not. They replace the cards that were there. Cards are kept in a file beside the knowledge base and
    are never part of it.

    cr kb cards AtomicCards.json.gz
    cr kb cards oracle-cards.json rulings.json
    """
    folder = base_folder(o.kb)
    if o.files:
        counts = take_in(o.files, folder)
    else:
        known = Cards.open(folder)
        if known is None:
            raise NotFoundError(_no_cards(folder))
        with known:
            counts = known.counts
    newest = f", the newest of {counts.newest}" if counts.newest else ""
    said = f"{folder / CARDS}: {counts.cards:,} cards, {counts.rulings:,} rulings{newest}"
    return Answer(counts._asdict(), lambda: [said])
