"""Makes canonical text: a reading folded for comparison, and never shown.

Two readings with the same canonical text differ only in quotes, dashes, case, punctuation,
underscores, lost characters or cited numbers.
"""

from collections import Counter
from functools import cache
from itertools import chain
from typing import NamedTuple

from variorum.citations import Reference, find_references
from variorum.rows import State, full_text, split_body
from variorum.text import SLOT, sentences_of, words_of

_FIRST = 0x10000


def code_of(word: str, codes: dict[str, str]) -> str:
    """Return the character for a word, so that a list of words is a string to compare fast."""
    return codes.get(word) or codes.setdefault(word, chr(_FIRST + len(codes)))


class Canon(NamedTuple):
    """The canonical text of a state: encoded words, with a slot for each citation.

    The body includes examples; citations are in the order of their slots. `bag` counts the words of the
    `whole`.
    """

    heading: str
    body: str
    citations: tuple[Reference, ...]
    whole: str
    bag: Counter[str]


class Folder:
    """Folds states, each text once."""

    def __init__(self) -> None:
        self._codes = {SLOT: SLOT}
        self._canon, self.sentences = cache(self._make_canon), cache(self._sentences)

    def canon(self, state: State) -> Canon:
        """Return the canonical text of a state."""
        return self._canon(state.heading, state.body)

    def _make_canon(self, heading: str, body: str) -> Canon:
        (above, in_heading), (words, in_body) = map(self._part, (heading, full_text(body)))
        whole = above + words
        return Canon(above, words, (*in_heading, *in_body), whole, Counter(whole))

    def _sentences(self, body: str) -> list[str]:
        """Return the encoded sentences of a body but for its examples."""
        paragraphs = [text for marker, text in split_body(body) if not marker]
        sentences = [self._part(it)[0] for text in paragraphs for it in sentences_of(text)]
        return [*filter(None, sentences)]

    def _part(self, text: str) -> tuple[str, list[Reference]]:
        references = [*find_references(text)]
        ends = [0, *chain(*[(it.start, it.end) for it in references]), len(text)]
        slotted = SLOT.join([text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)])
        return "".join([code_of(word, self._codes) for word in words_of(slotted)]), references
