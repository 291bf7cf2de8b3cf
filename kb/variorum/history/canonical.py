"""Makes canonical text: a reading folded for comparison, and never shown.

Two readings with the same canonical text differ only in quotes, dashes, case, punctuation,
underscores, lost characters or cited numbers.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

from variorum.citations import Reference, find_references
from variorum.rows import State, full_text, split_body
from variorum.text import SLOT, sentences_of, words_of

_FIRST = 0x10000
_DIGIT = re.compile(r"\d")


class WordCodes(dict[str, str]):
    """Gives each word a character, so that a list of words is a string to compare fast."""

    def __init__(self) -> None:
        super().__init__({SLOT: SLOT})

    def __missing__(self, word: str) -> str:
        """Return the character of a new word."""
        return self.setdefault(word, chr(_FIRST + len(self)))

    def encode(self, words: Iterable[str]) -> str:
        """Return a string of one character for each word."""
        return "".join([self[word] for word in words])


@dataclass(frozen=True, eq=False)
class Canon:
    """The canonical text of a state: encoded words, with a slot for each citation.

    The body includes examples; citations are in the order of their slots. `bag` counts the words.
    """

    heading: str
    body: str
    citations: tuple[Reference, ...]
    bag = cached_property(lambda self: Counter[str](self.whole))

    @property
    def whole(self) -> str:
        return self.heading + self.body


class Folder:
    """Folds states, each text once."""

    def __init__(self) -> None:
        self._codes = WordCodes()
        self._canon, self.sentences = cache(self._make_canon), cache(self._sentences)

    def canon(self, state: State) -> Canon:
        """Return the canonical text of a state."""
        return self._canon(state.heading, state.body)

    def _make_canon(self, heading: str, body: str) -> Canon:
        (above, in_heading), (words, in_body) = map(self._part, (heading, full_text(body)))
        return Canon(above, words, (*in_heading, *in_body))

    def _sentences(self, body: str) -> list[str]:
        paragraphs = [text for marker, text in split_body(body) if not marker]
        sentences = [sentence for text in paragraphs for sentence in sentences_of(text)]
        return [signs for signs, _ in map(self._part, sentences) if signs]

    def _part(self, text: str) -> tuple[str, tuple[Reference, ...]]:
        references = tuple(find_references(text)) if _DIGIT.search(text) else ()
        starts = [0, *[it.end for it in references]]
        ends = [*[it.start for it in references], len(text)]
        slotted = SLOT.join([text[a:b] for a, b in zip(starts, ends, strict=True)])
        return self._codes.encode(words_of(slotted)), references
