"""What a question tells: cards, events, and what is asked about them."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from variorum.cards.card import Card, CardRuling
from variorum.cards.finder import Mention
from variorum.search.index import Rules, stems_in
from variorum.search.vocabulary import Stems
from variorum.text import placed_words, plain_words
from variorum.words import ASKING, EVERYDAY, SILENT, stem_of, topic_of

# A name inside a sentence: words in capitals, with small words between them.
_NAME = re.compile(
    r"[A-Z][\w'’-]*(?:(?:,? (?:of|the|to|in|and|for|from|with|a|on) (?:the )?|,? |-)[A-Z][\w'’-]*)*"
)
_SENTENCE_ENDS, SENTENCE = '.?!:"“(', re.compile(r"(?<=[.?!])\s+")
_MOST_RULINGS = 4
# So many words tell whether a question is about the rules by the larger part of them.
_MANY = 8
SAYING_LITTLE, _EVERYDAY = ASKING | SILENT, frozenset(map(topic_of, EVERYDAY))

Words = dict[str, str]  # by their stems: the first word of each


class Story(NamedTuple):
    """The parts of a question.

    `said`, `asked` and `printed` are its words without names, those of the sentences that ask, and those of the
    cards' texts. `sequence` has the stems of its words in their order. `rulings` are those on the cards most like
    the question, each with its likeness.
    """

    said: Words
    asked: Words
    sequence: Stems
    cards: Sequence[Card]
    printed: Words
    rulings: Sequence[tuple[float, CardRuling, Card]]

    @property
    def signs(self) -> list[str]:
        """Return the signs of a question: "said dies" for a word, "keyword Morph" for a feature of a card."""
        kinds = {"said": self.said, "asked": self.asked, "printed": self.printed}
        signs = [f"{kind} {stem}" for kind, words in kinds.items() for stem in words]
        for card in self.cards:
            signs += [f"type {word}" for word in card.types]
            signs += [f"keyword {word}" for word in card.keywords]
            signs.append(f"layout {card.layout}")
            signs += ["cost X" for face in card.faces if "{X}" in face.cost]
            signs += ["cost none" for face in card.faces if not face.cost]
        return list(dict.fromkeys(signs))


def is_foreign(question: str, knows: Callable[[str], bool]) -> bool:
    """Return whether a question is about nothing in the rules: they lack its words, but for everyday ones.

    Names do not count, since they may be of cards and players; `knows` says whether the rules or the
    vocabulary have a stem.
    """
    known = unknown = 0
    for place, word in enumerate(placed_words(question)):
        is_name = place > 0 and question[word.start].isupper()
        if word.word in SAYING_LITTLE or is_name or not word.word[0].isalpha():
            continue
        if not knows(stem_of(word.word)):
            unknown += 1
        elif topic_of(word.word) not in _EVERYDAY:
            known += 1
    return unknown > 0 and (not known or (unknown + known >= _MANY and known < unknown))


def understood(text: str, mentions: Sequence[Mention], rules: Rules) -> Story:
    """Return the parts of a question that names some cards."""
    bare = _without(text, [(mention.start, mention.stop) for mention in mentions])
    bare = _without(bare, _names(bare, rules))
    sentences = [sentence for sentence in SENTENCE.split(bare) if sentence.strip()]
    asking = [sentence for sentence in sentences if "?" in sentence] or sentences[-1:]
    cards = list({mention.card.name: mention.card for mention in mentions}.values())
    said, printed = _words(bare), _words(*[card.rules_text for card in cards])
    # The rulings most like the question, relative to their length; one on several cards counts once.
    likest: dict[str, tuple[float, CardRuling, Card]] = {}
    for card in cards:
        for ruling in card.rulings:
            tells = {stem: rules.index.tells(stem) for stem in sorted(_words(ruling.text))}
            shared = sum([much for stem, much in tells.items() if stem in said])
            likeness = shared / (sum(tells.values()) + 5) ** 0.5
            likest.setdefault(ruling.text, (likeness, ruling, card))
    rulings = sorted(likest.values(), key=lambda ranked: -ranked[0])[:_MOST_RULINGS]
    return Story(said, _words(*asking), stems_in(bare), cards, printed, rulings)


def _words(*texts: str) -> Words:
    words = Words()
    for word in [word for text in texts for word in plain_words(text)]:
        words.setdefault(stem_of(word), word)
    return words


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, stop in spans:
        text = f"{text[:start]}{' ' * (stop - start)}{text[stop:]}"
    return text


def _names(text: str, rules: Rules) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for match in _NAME.finditer(text):
        before, start = text[: match.start()].rstrip(), match.start()
        words = placed_words(match[0])
        stems = tuple([stem_of(word.word) for word in words])
        # The first word of a sentence has a capital even if it is no name.
        if (not before or before[-1] in _SENTENCE_ENDS) and rules.is_term(stems[:1]):
            start, stems = start + words[0].stop, stems[1:]
        if stems and not rules.is_term(stems):
            spans.append((start, match.end()))
    return spans
