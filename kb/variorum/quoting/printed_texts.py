"""All texts that ever stood in some editions, by their words."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from variorum.quoting.page import words_of

# So many words in a row are a seed.
SEED = 4
Words = tuple[str, ...]


class Printing(NamedTuple):
    """A provision in one of its states, and the editions that print it so.

    Attributes:
        number: As printed; "" in the glossary.
        heading: Its heading or headword; "" without one.
        paragraphs: Paragraphs and examples in printed order, without the label of examples.
        editions: A bit for the place of each edition.
        line: What its states in all editions have in common, whatever their number.
    """

    number: str
    heading: str
    paragraphs: tuple[str, ...]
    editions: int
    line: int


class TextPlace(NamedTuple):
    """Where a text stands: paragraphs of a printing, of which another edition may make one."""

    printing: int
    first: int
    last: int


class PrintedTexts:
    """All distinct texts of some printings; a text is named by its index."""

    def __init__(self, printings: Sequence[Printing]) -> None:
        self.printings = printings
        distinct = list(
            dict.fromkeys(text for printing in printings for text in printing.paragraphs)
        )
        split = dict(zip(distinct, _split(distinct), strict=True))
        texts = {words: text for text, words in enumerate(dict.fromkeys(split.values()))}
        self.words = list(texts)
        self.places: list[list[TextPlace]] = [[] for _ in texts]
        self.by_number: dict[str, list[int]] = defaultdict(list)
        for index, printing in enumerate(printings):
            self.by_number[printing.number].append(index)
            joined: Words = ()
            for place, paragraph in enumerate(printing.paragraphs):
                words = split[paragraph]
                self.places[texts[words]].append(TextPlace(index, place, place))
                joined += words
                if place and joined in texts:
                    self.places[texts[joined]].append(TextPlace(index, 0, place))

    def has(self, printing: int, edition: int) -> bool:
        """Return whether an edition has a printing."""
        return bool(self.printings[printing].editions >> edition & 1)

    @cached_property
    def headings(self) -> list[Words]:
        """Return the words of the heading of each printing."""
        return _split([printing.heading for printing in self.printings])

    def beginning(self, words: Words) -> Iterator[int]:
        """Yield the texts that begin with some words or with the first of them, the longest first."""
        for size in range(len(words), 0, -1):
            yield from self._beginning.get(words[:size], ())

    @cached_property
    def _beginning(self) -> dict[Words, list[int]]:
        texts: dict[Words, list[int]] = defaultdict(list)
        for text in sorted(range(len(self.words)), key=lambda text: -len(self.words[text])):
            texts[self.words[text][:SEED]].append(text)
        return texts

    def containing(self, words: Words) -> list[int]:
        """Return the texts that have some words in a row."""
        wanted = f" {' '.join(words)} "
        return [text for text, joined in enumerate(self._joined) if wanted in joined]

    @cached_property
    def _joined(self) -> list[str]:
        return [f" {' '.join(words)} " for words in self.words]

    def had_number(self, text: int, number: str) -> bool:
        """Return whether a text ever stood under a number."""
        return any(self.printings[place.printing].number == number for place in self.places[text])


def _split(texts: Sequence[str]) -> list[Words]:
    """Return the words of each text; equal words are one object, which saves memory."""
    same: dict[str, str] = {}
    return [tuple([same.setdefault(word, word) for word in words_of(text)]) for text in texts]
