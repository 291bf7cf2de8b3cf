"""The rules of an edition that govern a card by its traits, and the meaning of numbers in its rulings."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.cards.card import Card, CardRuling
from variorum.citations import find_references
from variorum.errors import NotFoundError
from variorum.facts import read_table
from variorum.records.search import (
    CardFace,
    CardWithRules,
    GoverningRule,
    RulingCitation,
    RulingOnCard,
)
from variorum.text import fold_key, plain_words
from variorum.words import stem_of

_TRAITS, _ACTIONS = Path(__file__).with_name("traits.tsv"), "Keyword Actions"
# "Counter" is an action only where a spell or ability is countered.
_COUNTERED = re.compile(r"(?i)\bcounter (?:target|that|it|the|all|any|each|up)\b|\bcountered\b")
_OF_TYPES = {"Legendary": "Legend Rule", "World": "World Rule", "Planeswalker": "Loyalty"}
_MOST_WORDS = 3
# A rule is shown with the first reason.
_REASONS = ["layout", "type", "cost", "keyword", "ability", "counter", "token", "action"]


class Trait(NamedTuple):
    """What of a card rules govern, in its words, and the headings that they may have, the likeliest first."""

    reason: str
    words: str
    titles: tuple[str, ...]


@cache
def _patterns() -> list[tuple[Trait, str, re.Pattern[str]]]:
    """Return the traits of the table without words, each with where its pattern is searched."""
    return [
        (
            Trait(row["reason"], "", tuple(row["titles"].split("; "))),
            row["of"],
            re.compile(row["pattern"]),
        )
        for row in read_table(_TRAITS)
    ]


def titles_of_layout(layout: str) -> tuple[str, ...]:
    """Return what the rules may call the sections about a layout."""
    rows = (
        trait.titles for trait, of, name in _patterns() if of == "layout" and name.search(layout)
    )
    return next(rows, ())


def _traits_of(card: Card, actions: list[Subject]) -> list[Trait]:
    text, costs = card.rules_text, " ".join([face.cost for face in card.faces])
    searched = {"layout": card.layout, "cost": costs, "text": text}
    found: list[Trait] = []
    for trait, of, pattern in _patterns():
        for match in pattern.finditer(searched[of]):
            words = " ".join(match[0].replace("_", " ").split()).strip(" :")
            found.append(Trait(trait.reason, words, tuple(map(match.expand, trait.titles))))
    found += [*_types(card), *_keywords(card), *_actions(text, actions)]
    return sorted(found, key=lambda trait: _REASONS.index(trait.reason))


def _types(card: Card) -> Iterator[Trait]:
    for word in card.types:
        plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
        yield Trait("type", word, (plural, word))
        if word in _OF_TYPES:
            yield Trait("type", word, (_OF_TYPES[word],))


def _keywords(card: Card) -> Iterator[Trait]:
    """Yield the keywords that a card's source lists, and those that its lines begin with."""
    lines = [part for line in card.rules_text.splitlines() for part in line.split(",")]
    begun = [re.split(r"[—{]| from | \d| — ", line.strip())[0].strip() for line in lines]
    listed = {keyword.lower() for keyword in card.keywords}
    more = [
        word for word in begun if len(word.split()) <= _MOST_WORDS and word.lower() not in listed
    ]
    for word in filter(None, (*card.keywords, *more)):
        ending = re.search("cycling$|walk$", word.lower())
        titles = {"cycling": ["Cycling"], "walk": ["Landwalk"]}[ending[0]] if ending else []
        yield Trait("keyword", word, (word, *titles))


def _actions(text: str, actions: list[Subject]) -> Iterator[Trait]:
    stems = f" {' '.join(map(stem_of, plain_words(text)))} "
    for action in actions:
        is_said = f" {' '.join(map(stem_of, plain_words(action.heading)))} " in stems
        if is_said and (action.heading != "Counter" or _COUNTERED.search(text)):
            yield Trait("action", action.heading.lower(), (action.heading,))


class _Titles:
    """The headings and headwords of an edition."""

    def __init__(self, base: KnowledgeBase, edition: EditionEntry) -> None:
        self._base, self._edition = base, edition
        self._titled: dict[str, dict[str, Subject]] = {"rule": {}, "section": {}, "glossary": {}}
        self.actions: list[Subject] = []
        is_action = False
        for subject in base.provisions(edition):
            if subject.kind == "section":
                is_action = subject.heading == _ACTIONS
            if subject.heading and subject.kind in self._titled:
                self._titled[subject.kind].setdefault(fold_key(subject.heading), subject)
                self.actions += [subject] if is_action and subject.kind == "rule" else []

    def find(self, title: str, reason: str) -> Subject | None:
        """Return the rule or section that a heading or a glossary entry leads to; of a type, the section."""
        key = fold_key(title)
        for kind in ("section", "rule") if reason == "type" else ("rule", "section"):
            if key in self._titled[kind]:
                return self._titled[kind][key]
        entry = self._titled["glossary"].get(key)
        cited = find_references(entry.text) if entry else ()
        subjects = (_shown(self._base, number.first, self._edition) for number in cited)
        return next((subject for subject in subjects if subject), None)


def card_json(base: KnowledgeBase, edition: EditionEntry, card: Card) -> CardWithRules:
    """Return a card, the rules of an edition that govern it, each once, and its rulings."""
    titles = _Titles(base, edition)
    rules: dict[str, GoverningRule] = {}
    for trait in _traits_of(card, titles.actions):
        found = (titles.find(title, trait.reason) for title in trait.titles)
        if subject := next((each for each in found if each), None):
            headings = [subject.heading, *[above.heading for above in reversed(subject.path())]]
            heading = next(filter(None, headings), "")
            rule = GoverningRule(subject.number, heading, trait.reason, trait.words)
            rules.setdefault(subject.number, rule)
    return CardWithRules(
        name=card.name,
        layout=card.layout,
        keywords=list(card.keywords),
        faces=[CardFace(*face) for face in card.faces],
        edition=edition.label,
        rules=list(rules.values()),
        rulings=[_ruling(base, ruling) for ruling in card.rulings],
    )


def _ruling(base: KnowledgeBase, ruling: CardRuling) -> RulingOnCard:
    """Return a ruling with what its numbers meant on its day, and mean today."""
    day = date.fromisoformat(ruling.date) if ruling.date else date.min
    then = [edition for edition in base.editions if edition.effective <= day]
    citations: list[RulingCitation] = []
    for number in dict.fromkeys([cited.first for cited in find_references(ruling.text)]):
        named = _shown(base, number, then[-1]) if then else None
        now = named.today.number if named and named.today else None
        label = named.edition.label if named else None
        citations.append(RulingCitation(number=number, edition=label, now=now))
    return RulingOnCard(date=ruling.date, text=ruling.text, citations=citations)


def _shown(base: KnowledgeBase, number: str, edition: EditionEntry) -> Subject | None:
    try:
        return base.show(number, edition)[0]
    except NotFoundError:
        return None
