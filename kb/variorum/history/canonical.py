"""Makes canonical text: a reading folded for comparison, and never shown.

Two readings with the same canonical text differ only in quotes, dashes, case, punctuation,
underscores, lost characters or cited numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from variorum.citations import Reference, find_references
from variorum.rows import State, full_text, split_body
from variorum.text import SLOT, sentences_of_rules, words_of

_FIRST = 0x10000


class WordCodes:
    """Gives each word a character, so that a list of words is a string to compare fast."""

    def __init__(self) -> None:
        self._signs = _Signs()

    def encode(self, words: Iterable[str]) -> str:
        """Return a string of one character for each word."""
        signs = self._signs
        return "".join([signs[word] for word in words])

    def decode(self, signs: str) -> list[str]:
        """Return the words of an encoded string."""
        words = self._signs.words
        return [words[sign] for sign in signs]


class _Signs(dict[str, str]):
    """The characters of words; a new word gets the next character.

    Attributes:
        words: The words of the characters.
    """

    __slots__ = ("words",)

    def __init__(self) -> None:
        super().__init__({SLOT: SLOT})
        self.words = {SLOT: SLOT}

    def __missing__(self, word: str) -> str:
        """Return the character of a new word."""
        sign = self[word] = chr(_FIRST + len(self))
        self.words[sign] = word
        return sign


class Canon(NamedTuple):
    """The canonical text of a state.

    Attributes:
        heading: The words of the heading, encoded.
        text: The words of the text, encoded, with a slot for each citation.
        examples: The words of the examples, encoded.
        citations: The citations of heading, text and examples, in the order of their slots.
    """

    heading: str
    text: str
    examples: str
    citations: tuple[Reference, ...]

    @property
    def whole(self) -> str:
        """Return all words."""
        return self.heading + self.text + self.examples


class Folder:
    """Folds states, each text once."""

    def __init__(self) -> None:
        self.vocabulary = WordCodes()
        self._known: dict[tuple[str, str], Canon] = {}
        self._words: dict[int, tuple[str, Counter[str]]] = {}
        self._sentences: dict[str, list[str]] = {}

    def canon(self, state: State) -> Canon:
        """Return the canonical text of a state."""
        known = self._known.get((state.heading, state.body))
        if known is None:
            known = self._known[state.heading, state.body] = self._fold(state)
        return known

    def words(self, canon: Canon) -> tuple[str, Counter[str]]:
        """Return all words of a canonical text, and the number of occurrences of each."""
        known = self._words.get(id(canon))
        if known is None:
            words = canon.whole
            known = self._words[id(canon)] = words, Counter(words)
        return known

    def sentences(self, state: State) -> list[str]:
        """Return the words of each sentence in a state's text, without heading and examples."""
        known = self._sentences.get(state.body)
        if known is None:
            known = self._sentences[state.body] = self._divide(state)
        return known

    def _divide(self, state: State) -> list[str]:
        paragraphs = [text for marker, text in split_body(state.body) if not marker]
        sentences = [sentence for text in paragraphs for sentence in sentences_of_rules(text)]
        return [signs for signs, _ in map(self._part, sentences) if signs]

    def _fold(self, state: State) -> Canon:
        heading, in_heading = self._part(state.heading)
        body = full_text(state.body)
        folded, in_body = self._part(body)
        marked = state.body.count("\x1e")
        if not marked:
            return Canon(heading, folded, "", (*in_heading, *in_body))
        text, _ = self._part("\n".join(body.split("\n")[:-marked]))
        return Canon(heading, text, folded[len(text) :], (*in_heading, *in_body))

    def _part(self, text: str) -> tuple[str, tuple[Reference, ...]]:
        references = tuple(find_references(text)) if _DIGIT.search(text) else ()
        copied = 0
        parts: list[str] = []
        for reference in references:
            parts += [text[copied : reference.start], SLOT]
            copied = reference.end
        parts.append(text[copied:])
        return self.vocabulary.encode(words_of("".join(parts))), references


_DIGIT = re.compile(r"\d")
