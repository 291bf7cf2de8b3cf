"""Splits a question into its words without names, its asking sentences and its cards."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from variorum.cards.card import Card, CardRuling
from variorum.cards.finder import find_cards
from variorum.cards.store import Cards
from variorum.text import placed_words, plain_words
from variorum.words import ASKING, EVERYDAY, SILENT, stem_of, topic_of

# A name inside a sentence: words in capitals, with small words between them.
_NAME = re.compile(
    r"[A-Z][\w'’-]*(?:(?:,? (?:of|the|to|in|and|for|from|with|a|on) (?:the )?|,? |-)[A-Z][\w'’-]*)*"
)
_SENTENCE_ENDS = '.?!:"“('
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_MOST_RULINGS = 4
# A question with more words tells a story; one with no more than a few does not, even if it names a card.
_LONG, _SHORT = 22, 4
# So many words tell whether a question is about the rules by the larger part of them.
_MANY = 8
_SILENT = ASKING | SILENT
_EVERYDAY = frozenset(map(topic_of, EVERYDAY))


class KnownTerms(Protocol):
    """The terms of an edition and the weights of its stems."""

    def is_term(self, stems: Sequence[str]) -> bool:
        """Return whether stems are a heading, a headword or a single word of the rules."""
        ...

    def tells(self, stem: str) -> float:
        """Return the weight of a stem, higher for rarer stems."""
        ...


class CardMention(NamedTuple):
    """A card that a question names.

    Attributes:
        start: Where its name begins.
        stop: Where its name ends.
        card: The card.
        others: Names of other cards that may be meant.
        is_misspelt: Whether the question misspells the name.
    """

    start: int
    stop: int
    card: Card
    others: tuple[str, ...]
    is_misspelt: bool


class Story(NamedTuple):
    """The parts of a question.

    Attributes:
        said: The stems of its words without names, each with its first word.
        asked: The stems of the asking sentences.
        sequence: The stems of all its words in their order.
        cards: The cards that it names, each once.
        printed: The stems of the cards' rules texts, each with its first word.
        rulings: The rulings on the cards most like the question, each with its likeness.
    """

    said: dict[str, str]
    asked: dict[str, str]
    sequence: tuple[str, ...]
    cards: tuple[Card, ...]
    printed: dict[str, str]
    rulings: tuple[tuple[float, CardRuling, Card], ...]


def is_story(question: str, cards: Cards | None) -> bool:
    """Return whether a question tells of an event: in several sentences, at length, or of cards."""
    words = plain_words(question)
    if len(words) > _LONG or len(_SENTENCE.findall(question.strip())) > 0:
        return True
    return cards is not None and len(words) > _SHORT and bool(find_cards(question, cards))


def is_foreign(question: str, knows: Callable[[str], bool]) -> bool:
    """Return whether a question is about nothing in the rules: they lack its words, but for everyday ones.

    Names do not count, since they may be of cards and players.

    Args:
        question: The question.
        knows: Returns whether the rules or the vocabulary have a stem.
    """
    known, unknown = 0, 0
    for place, word in enumerate(placed_words(question)):
        stem = stem_of(word.word)
        is_name = place > 0 and question[word.start].isupper()
        if word.word in _SILENT or is_name or not word.word[0].isalpha():
            continue
        if not knows(stem):
            unknown += 1
        elif topic_of(word.word) not in _EVERYDAY:
            known += 1
    return unknown > 0 and (not known or (unknown + known >= _MANY and known < unknown))


def understood(text: str, mentions: Sequence[CardMention], terms: KnownTerms) -> Story:
    """Return the parts of a question.

    Args:
        text: The question.
        mentions: The cards that it names, in order.
        terms: The terms of the edition.
    """
    bare = _without_names(
        _without(text, [(mention.start, mention.stop) for mention in mentions]), terms
    )
    sentences = [sentence for sentence in _SENTENCE.split(bare) if sentence.strip()]
    asking = [sentence for sentence in sentences if "?" in sentence] or sentences[-1:]
    cards = tuple({mention.card.name: mention.card for mention in mentions}.values())
    stems = stems_of(bare)
    return Story(
        stems,
        stems_of(*asking),
        tuple([stem_of(word) for word in plain_words(bare)]),
        cards,
        stems_of(*[card.rules_text for card in cards]),
        _telling_rulings(cards, stems, terms),
    )


def stems_of(*texts: str) -> dict[str, str]:
    """Return the stems of texts in order, each with its first word."""
    words: dict[str, str] = {}
    for text in texts:
        for word in plain_words(text):
            words.setdefault(stem_of(word), word)
    return words


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, stop in spans:
        text = f"{text[:start]}{' ' * (stop - start)}{text[stop:]}"
    return text


def _without_names(text: str, terms: KnownTerms) -> str:
    """Return a text without the names of players and unknown cards."""
    spans: list[tuple[int, int]] = []
    for match in _NAME.finditer(text):
        before = text[: match.start()].rstrip()
        start, words = match.start(), placed_words(match[0])
        if not before or before[-1] in _SENTENCE_ENDS:
            # The first word of a sentence has a capital even if it is no name.
            first = words[0].word
            if len(words) > 1 or terms.is_term([stem_of(first)]):
                start += words[0].stop if terms.is_term([stem_of(first)]) else 0
                words = words[1:] if start > match.start() else words
        stems = [stem_of(word.word) for word in words]
        if stems and not terms.is_term(stems):
            spans.append((start, match.end()))
    return _without(text, spans)


def _telling_rulings(
    cards: Sequence[Card], words: Iterable[str], terms: KnownTerms
) -> tuple[tuple[float, CardRuling, Card], ...]:
    """Return the rulings most like a question, relative to their length."""
    asked = set(words)
    likest: dict[str, tuple[float, CardRuling, Card]] = {}
    for card in cards:
        for ruling in card.rulings:
            if ruling.text not in likest:
                stems = {stem_of(word) for word in plain_words(ruling.text)}
                shared = sum([terms.tells(stem) for stem in sorted(stems & asked)])
                total = sum([terms.tells(stem) for stem in sorted(stems)])
                likest[ruling.text] = (shared / (total + 5) ** 0.5, ruling, card)
    ranked = sorted(likest.values(), key=lambda ranked_ruling: -ranked_ruling[0])
    return tuple(ranked[:_MOST_RULINGS])


def signs_of(story: Story) -> list[str]:
    """Return the signs of a question: its words by place, and the features of its cards.

    Signs are "said dies" for a word of the question, "asked how" for a word of an asking sentence,
    "printed exile" for a word of a card, "type Saga" for a card's type and "keyword Morph" for a
    card's keyword.
    """
    signs = [f"said {stem}" for stem in story.said]
    signs += [f"asked {stem}" for stem in story.asked]
    signs += [f"printed {stem}" for stem in story.printed]
    for card in story.cards:
        signs += [f"type {word}" for word in card.types]
        signs += [f"keyword {word}" for word in card.keywords]
        signs.append(f"layout {card.layout}")
        signs += ["cost X" for face in card.faces if "{X}" in face.cost]
        signs += ["cost none" for face in card.faces if not face.cost]
    return list(dict.fromkeys(signs))
