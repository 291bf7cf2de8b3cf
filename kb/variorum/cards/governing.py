"""The rules of an edition that govern a card, and the meaning of numbers in its rulings."""

import re
from collections.abc import Iterator
from datetime import date

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.subject import Subject
from variorum.cards.card import Card, CardRuling
from variorum.cards.traits import Trait, may_name_action, traits_of
from variorum.citations import find_references
from variorum.errors import NotFoundError
from variorum.records.ask import (
    CardFace,
    CardWithRules,
    GoverningRule,
    RulingCitation,
    RulingOnCard,
)
from variorum.text import fold_key, plain_words
from variorum.words import stem_of

_ACTIONS = "Keyword Actions"


class Titles:
    """The headings and headwords of an edition."""

    def __init__(self, base: KnowledgeBase, edition: EditionEntry) -> None:
        self._base, self._edition = base, edition
        self._rules: dict[str, Subject] = {}
        self._sections: dict[str, Subject] = {}
        self._entries: dict[str, Subject] = {}
        self.actions: list[Subject] = []
        is_action = False
        for subject in base.provisions(edition):
            key = fold_key(subject.heading) if subject.heading else ""
            if subject.kind == "section":
                is_action = subject.heading == _ACTIONS
                self._sections.setdefault(key, subject)
            elif subject.kind == "glossary":
                self._entries.setdefault(key, subject)
            elif subject.kind == "rule" and key:
                self._rules.setdefault(key, subject)
                self.actions += [subject] if is_action else []

    def find(self, title: str, reason: str) -> Subject | None:
        """Return the rule or section that a heading or a glossary entry leads to.

        A type leads to a section if one is about it, else to a rule; anything else leads to a rule
        if one is about it, else to a section.
        """
        key = fold_key(title)
        tables = (
            (self._sections, self._rules) if reason == "type" else (self._rules, self._sections)
        )
        for table in tables:
            if key in table:
                return table[key]
        entry = self._entries.get(key)
        return None if entry is None else self._leads_to(entry)

    def _leads_to(self, entry: Subject) -> Subject | None:
        for number in [reference.first for reference in find_references(entry.text)]:
            try:
                return self._base.show(number, self._edition)[0]
            except NotFoundError:
                continue
        return None


def card_json(base: KnowledgeBase, edition: EditionEntry, card: Card) -> CardWithRules:
    """Return a card, the rules of an edition that govern it and its rulings."""
    return CardWithRules(
        name=card.name,
        layout=card.layout,
        keywords=list(card.keywords),
        faces=[CardFace(*face) for face in card.faces],
        edition=edition.label,
        rules=governing_rules(Titles(base, edition), card),
        rulings=[_ruling_json(base, ruling) for ruling in card.rulings],
    )


def governing_rules(titles: Titles, card: Card) -> list[GoverningRule]:
    """Return the rules that govern a card, each once, with the first reason."""
    rules: dict[str, GoverningRule] = {}
    for trait in [*traits_of(card), *_actions(titles, card)]:
        subjects = [titles.find(title, trait.reason) for title in trait.titles]
        subject = next((candidate for candidate in subjects if candidate is not None), None)
        if subject is not None and subject.number not in rules:
            heading = subject.heading or _above(subject)
            rules[subject.number] = GoverningRule(
                subject.number, heading, trait.reason, trait.words
            )
    return list(rules.values())


def _above(subject: Subject) -> str:
    """Return the nearest heading above a rule."""
    return next((ancestor.heading for ancestor in reversed(subject.path()) if ancestor.heading), "")


def _actions(titles: Titles, card: Card) -> Iterator[Trait]:
    """Yield the keyword actions that a card's text tells players to take."""
    text = card.rules_text
    stems = " ".join([stem_of(word) for word in plain_words(text)])
    for action in titles.actions:
        wanted = " ".join([stem_of(word) for word in plain_words(action.heading)])
        if re.search(rf"(?<!\S){re.escape(wanted)}(?!\S)", stems) and may_name_action(
            action.heading, text
        ):
            yield Trait("action", action.heading.lower(), (action.heading,))


def _ruling_json(base: KnowledgeBase, ruling: CardRuling) -> RulingOnCard:
    return RulingOnCard(
        date=ruling.date,
        text=ruling.text,
        citations=[
            _citation(base, ruling, number)
            for number in dict.fromkeys(
                [reference.first for reference in find_references(ruling.text)]
            )
        ],
    )


def _citation(base: KnowledgeBase, ruling: CardRuling, number: str) -> RulingCitation:
    """Return what a number in a ruling means: as of the ruling's day, and today."""
    subject = _named_on(base, ruling.date, number)
    if subject is None:
        return RulingCitation(number=number, edition=None, now=None)
    now = subject.today.number if subject.today else None
    return RulingCitation(number=number, edition=subject.edition.label, now=now)


def _named_on(base: KnowledgeBase, day: str, number: str) -> Subject | None:
    """Return what a number named on a day; None if it named nothing, or no edition is so old."""
    try:
        before = [
            edition for edition in base.editions if edition.effective <= date.fromisoformat(day)
        ]
        return base.show(number, before[-1])[0] if before else None
    except (NotFoundError, ValueError):
        return None
