"""The texts of a part of an index in the form for ranking: a letter for each stem.

A text is a string, so adjacent words are found by searching in a string.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, Self

from variorum.search.indexes.number_files import load_array, save_array
from variorum.text import plain_words, sentence_spans
from variorum.words import stem_of

_TEXTS, _ENDS, _STEMS, _LETTERS = "texts.bin", "texts-ends.bin", "stems.txt", "letters.bin"
_KINDS = ("chapter", "section", "rule", "subrule", "glossary")
_ENCODING = "utf-16-le"
# The sign between the fields of a text, which no text contains.
_BETWEEN = "\0"
# Code points from here on are surrogates, which cannot be letters.
_HALVES, _COUNT_OF_HALVES = 0xD800, 0x800


class IndexedText(NamedTuple):
    """A text in the form for ranking: a letter for each stem.

    Attributes:
        kind: A value of model.Kind.
        heading: Its own heading or headword.
        above: The nearest heading above it.
        text: Its paragraphs, then its examples.
        own: How many letters of `text` are of the paragraphs.
        spans: The start and end of each sentence in the printed text.
        ends: The place after the last letter of each sentence.
        cited: How many provisions cite it.
        alphabet: The letters of its stems.
    """

    kind: str
    heading: str
    above: str
    text: str
    own: int
    spans: Sequence[tuple[int, int]]
    ends: Sequence[int]
    cited: int
    alphabet: "Alphabet"


class Alphabet:
    """Letters of stems."""

    def __init__(self, stems: Sequence[str], letters: str) -> None:
        """Prepare an alphabet from the stems in alphabetical order, and the letter of each."""
        self._stems = stems
        self._letters = letters
        self._known: dict[tuple[str, ...], str] = {}

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load an alphabet that `save` has written."""
        stems = (folder / _STEMS).read_bytes().decode().split("\n")
        return cls(stems, (folder / _LETTERS).read_bytes().decode(_ENCODING))

    def save(self, folder: Path) -> None:
        """Write the alphabet into a folder."""
        (folder / _STEMS).write_bytes("\n".join(self._stems).encode())
        (folder / _LETTERS).write_bytes(self._letters.encode(_ENCODING))

    def spelt(self, stems: tuple[str, ...]) -> str:
        """Return the letters of stems; unknown stems share a letter that no text has."""
        known = self._known.get(stems)
        if known is None:
            known = self._known[stems] = "".join(map(self._letter, stems))
        return known

    def _letter(self, stem: str) -> str:
        place = bisect_left(self._stems, stem)
        if place < len(self._stems) and self._stems[place] == stem:
            return self._letters[place]
        return _BETWEEN


class SpeltText(NamedTuple):
    """A stored text, its words, and how many words are of its paragraphs."""

    row: str
    words: list[str]
    own: int


class TextWriter:
    """Assigns letters to stems, and writes texts in these letters."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}
        self._by_word: dict[str, str] = {}
        self._rows: list[bytes] = []

    def spell(self, words: Iterable[str]) -> str:
        """Return the letters of the stems of words."""
        known = self._by_word
        letters: list[str] = []
        for word in words:
            letter = known.get(word)
            if letter is None:
                stem = stem_of(word)
                letter = self._letters.setdefault(stem, _letter_of(len(self._letters)))
                known[word] = letter
            letters.append(letter)
        return "".join(letters)

    def spelt(
        self, kind: str, headings: Sequence[Sequence[str]], text: str, length: int
    ) -> SpeltText:
        """Return a text in its stored form.

        Args:
            kind: A value of model.Kind.
            headings: The words of its own heading, and of the nearest heading above.
            text: Its paragraphs and examples.
            length: The length of its paragraphs.
        """
        words: list[str] = []
        numbers: list[int] = []
        own = 0
        for start, stop in sentence_spans(text):
            words += plain_words(text[start:stop])
            numbers += (start, stop, len(words))
            if start < length:
                own = len(words)
        spelt = [self.spell(heading) for heading in headings]
        counted = "".join(map(_letter_of, [_KINDS.index(kind), own, *numbers]))
        return SpeltText(_BETWEEN.join([*spelt, self.spell(words), counted]), words, own)

    def add(self, row: str) -> None:
        """Add a text in its stored form."""
        self._rows.append(row.encode(_ENCODING))

    def count(self) -> int:
        """Return how many texts were added."""
        return len(self._rows)

    def alphabet(self) -> Alphabet:
        """Return the letters of the stems so far."""
        stems = sorted(self._letters)
        return Alphabet(stems, "".join(map(self._letters.__getitem__, stems)))

    def save(self, folder: Path) -> None:
        """Write all texts into a folder."""
        save_array(folder / _ENDS, array("I", accumulate(map(len, self._rows))))
        (folder / _TEXTS).write_bytes(b"".join(self._rows))
        self.alphabet().save(folder)


class TextTable:
    """The texts of a part, read on demand."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def alphabet(self) -> Alphabet:
        """Return the letters of its stems."""
        return Alphabet.load(self._folder)

    @cached_property
    def _texts(self) -> bytes:
        return (self._folder / _TEXTS).read_bytes()

    @cached_property
    def _ends(self) -> "array[int]":
        return array("I", [0]) + load_array(self._folder / _ENDS)

    def text(self, place: int, cited: int) -> IndexedText:
        """Return a text by its place in the part, given how many provisions cite it."""
        row = self._texts[self._ends[place] : self._ends[place + 1]].decode(_ENCODING)
        return text_of_row(row, cited, self.alphabet)


def text_of_row(row: str, cited: int, alphabet: Alphabet) -> IndexedText:
    """Return a text from its stored form."""
    heading, above, text, counted = row.split(_BETWEEN)
    kind, own, *numbers = [_number_of(letter) for letter in counted]
    spans = list(zip(numbers[::3], numbers[1::3], strict=True))
    return IndexedText(
        _KINDS[kind], heading, above, text, own, spans, numbers[2::3], cited, alphabet
    )


def lone_text(text: str) -> IndexedText:
    """Return a text that is not in an index."""
    writer = TextWriter()
    row = writer.spelt(_KINDS[0], ((), ()), text, len(text)).row
    return text_of_row(row, 0, writer.alphabet())


def _letter_of(number: int) -> str:
    letter = number + 1
    return chr(letter if letter < _HALVES else letter + _COUNT_OF_HALVES)


def _number_of(letter: str) -> int:
    number = ord(letter) - 1
    return number if number < _HALVES else number - _COUNT_OF_HALVES
