"""`cr ask`, `cr card` and `cr kb cards`: the rules that answer a question or govern a card."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.governing import card_json
from variorum.cards.store import CARDS, Cards, key_of, take_in
from variorum.cli import command as opts
from variorum.cli.layout import edition_line, entry, para, print_note
from variorum.cli.wording import REMOVED
from variorum.errors import NotFoundError
from variorum.paths import base_folder
from variorum.records.search import CardWithRules, Passages, Reason, RulingOnCard
from variorum.search.ask import MOST_PASSAGES, Inquiry, QuestionAnswers
from variorum.terminal import bold
from variorum.text import shortened

_PASSAGE = 320
_REASONS = {
    "keyword": "{card} has {said}",
    "action": "{card} says {said}",
    "heading": "the question says {said}",
    "words": "words of the question: {words}",
    "printed": "words of {card}: {words}",
    "ruling": "a ruling on {card}: {words}",
    "learnt": "judges often cite it in answers about: {words}",
}


@opts.command(
    "QUESTION...",
    limit={"type": click.IntRange(1, 1000), "default": MOST_PASSAGES, "show_default": True},
)
def ask(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the rules that answer QUESTION, asked in plain words.

    Ask as you would ask a judge: with cards, names and what happened. Each passage says why it is
    there. If you add cards with cr kb cards, their text also counts. See docs/judge.md.

    cr ask "Two creatures die at the same time. Do both abilities trigger?"
    cr ask can I respond to morph

    --on
    --limit N   Show at most this many passages.
    --json --jsonl
    """
    text = " ".join(o.words).strip()
    if not text:
        raise click.UsageError("give a question")
    return passages(base, Cards.open(base.folder), Inquiry(text, o.on, o.limit))


def passages(base: KnowledgeBase, cards: Cards | None, inquiry: Inquiry) -> opts.Answer:
    """Return the passages that answer a question, and close the cards."""
    with QuestionAnswers(base, cards) as engine:
        answer = engine.ask(inquiry)
    if not answer.passages:
        raise NotFoundError("the rules have nothing about this question")
    line = edition_line(base.edition(inquiry.on or "current"))
    return opts.Answer(answer, lambda: _passages(answer, line), answer.passages)


def _passages(answer: Passages, line: str) -> Iterator[str]:
    cards = [card for card in answer.cards if card.name != card.written]
    for card in cards:
        others = f" (or {', '.join(card.others)})" if card.others else ""
        yield f"{card.written}: {card.name}{others}"
    yield from [""] if cards else []
    for passage in answer.passages:
        opening = "  ".join(filter(None, (passage.number, passage.heading)))
        yield entry(opening, " › ".join(passage.path), 0)
        yield f"    why: {'; '.join([_reason(why) for why in passage.why])}"
        if passage.text and passage.text != passage.heading:
            yield from para(shortened(passage.text, _PASSAGE), 4)
        for subrule in passage.subrules:
            yield from para(f"{subrule.number}  {shortened(subrule.text, _PASSAGE)}", 4)
        yield ""
    yield f"  {line}"
    if not answer.has_cards:
        yield "  no cards added; cr kb cards FILE adds cards, and their text also counts"


def _reason(evidence: Reason) -> str:
    words = ", ".join(evidence.words)
    return _REASONS[evidence.kind].format(card=evidence.card, words=words, said=words.lower())


@opts.command("NAME...")
def card(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the card NAME, the rules that govern it with the reason for each, and its rulings.

    A part of a name is enough. A number in a ruling is read as on the day of the ruling; the
    number that the rule has today is shown beside it. Add cards first, with cr kb cards.

    cr card Kruphix
    cr card birthing pod --on 2012-05-01

    --on --json --jsonl
    """
    name, edition = " ".join(o.words), base.edition(o.on or "current")
    with _open(base.folder) as cards:
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
    return opts.Answer(answer, lambda: _card(answer, edition_line(edition)), answer.rules)


def _card(card: CardWithRules, line: str) -> Iterator[str]:
    for face in card.faces:
        yield f"{bold(face.name)}  {face.cost}".rstrip()
        yield f"{face.type_line}  {face.size}".rstrip()
        yield from [*para(face.text, 4), ""]
    for rule in card.rules:
        yield entry(f"{rule.number}  {rule.heading}".rstrip(), f"({rule.reason}: {rule.words})")
    yield from [""] if card.rules else []
    yield from [line for ruling in card.rulings for line in _ruling(ruling)]
    yield from [*([""] if card.rulings else []), f"  {line}"]


def _ruling(ruling: RulingOnCard) -> Iterator[str]:
    yield f"  {ruling.date}  {ruling.text}"
    for cited in ruling.citations:
        if cited.edition is None:
            yield f"      {cited.number}: not in the rules of that day"
            continue
        now = f"{'still' if cited.now == cited.number else 'now'} {cited.now}"
        yield f"      {cited.number} of {cited.edition}: {now if cited.now else REMOVED}"


def _open(folder: Path) -> Cards:
    cards = Cards.open(folder)
    if cards is None:
        need = "add MTGJSON's AtomicCards or Scryfall's bulk file with cr kb cards FILE"
        raise NotFoundError(f"no cards in {folder}; {need}")
    return cards


@opts.command("[FILES]...", type_=opts.named_path, is_alone=True)
def cards(o: SimpleNamespace) -> opts.Answer:
    """Add the cards in FILES for cr ask and cr card; without FILES, say which cards there are.

    FILES are MTGJSON's AtomicCards or Scryfall's bulk data (cards and their rulings), compressed or
    not. They replace the cards that were there. Cards are kept in a file beside the knowledge base and
    are never part of it.

    cr kb cards AtomicCards.json.gz
    cr kb cards oracle-cards.json rulings.json

    --json --kb
    """
    folder = base_folder(o.kb)
    if o.words:
        counts = take_in(o.words, folder)
    else:
        with _open(folder) as known:
            counts = known.counts
    newest = f", the newest of {counts.newest}" if counts.newest else ""
    said = f"{folder / CARDS}: {counts.cards:,} cards, {counts.rulings:,} rulings{newest}"
    return opts.Answer(counts._asdict(), lambda: [said])
