"""The rules of an edition that govern a card by its traits, and the meaning of numbers in its rulings."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

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
from variorum.rows import EditionRow
from variorum.rule_numbers import is_below
from variorum.text import fold_key, plain_words
from variorum.words import stem_of

_TRAITS, _ACTIONS = Path(__file__).with_name("traits.tsv"), "Keyword Actions"
# "Counter" is an action only where a spell or ability is countered.
_COUNTERED = re.compile(r"(?i)\bcounter (?:target|that|it|the|all|any|each|up)\b|\bcountered\b")
# What a line begins with is a keyword if it has no more words.
_KEYWORD, _MOST_WORDS = re.compile(r"[—{]| from | \d| — "), 3
# A rule is shown with the first reason.
_REASONS = ["layout", "type", "size", "cost", "keyword", "ability", "counter", "token", "action"]


class Trait(NamedTuple):
    """What of a card rules govern, in its words, and the headings that they may have, the likeliest first."""

    reason: str
    words: str
    titles: tuple[str, ...]


@cache
def _patterns() -> list[tuple[str, str, re.Pattern[str], tuple[str, ...]]]:
    """Return the rows of the table: the reason, what is searched for a pattern, and the headings."""
    return [
        (row["reason"], row["of"], re.compile(row["pattern"]), tuple(row["titles"].split("; ")))
        for row in read_table(_TRAITS)
    ]


def titles_of_layout(layout: str) -> tuple[str, ...]:
    """Return what the rules may call the sections about a layout."""
    rows = [
        (pattern.search(layout), titles) for _, of, pattern, titles in _patterns() if of == "layout"
    ]
    return next((tuple(map(found.expand, titles)) for found, titles in rows if found), ())


def _traits_of(card: Card, actions: Iterable[str]) -> list[Trait]:
    text = card.rules_text
    begun = [part for line in text.splitlines() for part in line.split(",")]
    begun = [_KEYWORD.split(part.strip())[0].strip() for part in begun]
    listed = {keyword.lower() for keyword in card.keywords}
    more = [it for it in begun if len(it.split()) <= _MOST_WORDS and it.lower() not in listed]
    searched = {
        "layout": card.layout,
        "types": " ".join(card.types),
        "cost": " ".join([face.cost for face in card.faces]),
        "size": " ".join([face.size for face in card.faces]),
        "keywords": "\n".join([*card.keywords, *more]),
        "text": text,
    }
    traits: list[Trait] = []
    for reason, of, pattern, titles in _patterns():
        for match in pattern.finditer(searched[of]):
            words = " ".join(match[0].replace("_", " ").split()).strip(" :")
            traits.append(Trait(reason, words, tuple(map(match.expand, titles))))
    stems = f" {' '.join(map(stem_of, plain_words(text)))} "
    for action in actions:
        is_said = f" {' '.join(map(stem_of, plain_words(action)))} " in stems
        if is_said and (action != "Counter" or _COUNTERED.search(text)):
            traits.append(Trait("action", action.lower(), (action,)))
    return sorted(traits, key=lambda trait: _REASONS.index(trait.reason))


class _Titles:
    def __init__(self, base: KnowledgeBase, edition: EditionRow) -> None:
        self._base, self._edition = base, edition
        self._titled: dict[tuple[str, str], Subject] = {}
        for subject in base.provisions(edition):
            self._titled.setdefault((subject.kind, fold_key(subject.heading)), subject)
        section = self._titled.get(("section", fold_key(_ACTIONS)))
        rules = [it for (kind, _), it in self._titled.items() if kind == "rule" and it.heading]
        above = section.number if section else ""
        self.actions = [rule.heading for rule in rules if above and is_below(rule.number, above)]

    def find(self, title: str, reason: str) -> Subject | None:
        """Return the rule or section that a heading or a glossary entry leads to; of a type, the section."""
        key = fold_key(title)
        for kind in ("section", "rule") if reason == "type" else ("rule", "section"):
            if (kind, key) in self._titled:
                return self._titled[kind, key]
        entry = self._titled.get(("glossary", key))
        cited = find_references(entry.text) if entry else ()
        subjects = (_shown(self._base, number.first, self._edition) for number in cited)
        return next((subject for subject in subjects if subject), None)


def card_json(base: KnowledgeBase, edition: EditionRow, card: Card) -> CardWithRules:
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
    then = [edition for edition in base.editions if edition.effective <= ruling.date]
    citations: list[RulingCitation] = []
    for number in dict.fromkeys([cited.first for cited in find_references(ruling.text)]):
        named = _shown(base, number, then[-1]) if then else None
        today = named and named.heir()
        now, sure = today and today.number, named.destination().confidence if named else 1.0
        citations.append(RulingCitation(number, named and named.edition.label, now, round(sure, 4)))
    return RulingOnCard(date=ruling.date, text=ruling.text, citations=citations)


def _shown(base: KnowledgeBase, number: str, edition: EditionRow) -> Subject | None:
    try:
        return base.show(number, edition)[0]
    except NotFoundError:
        return None
