"""Passages of a page: the texts laid over it, put together to provisions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum_kb.quoting.match import Laid
from variorum_kb.quoting.page import words_of
from variorum_kb.quoting.printed_texts import PrintedTexts, TextPlace

# A page may leave out so many paragraphs or examples between two that it quotes.
_SKIPPED = 5


class Bearer(NamedTuple):
    """A printing that a passage may quote.

    Attributes:
        printing: Its index.
        likeness: Of the passage's words to its own; 1 if they are the same.
        has_name: Whether it has the number or the headword that the page prints.
        is_whole: Whether the page has all of its paragraphs and examples.
    """

    printing: int
    likeness: float
    has_name: bool
    is_whole: bool


class QuotedPassage(NamedTuple):
    """A provision as a page quotes it: its text, and the examples that follow.

    Attributes:
        laid: The texts, in the order of the page.
        bearers: The printings that it may be; those with its words first.
        by_words: A bit for each edition that prints the words.
        by_name: A bit for each that prints them under the page's number or headword.
    """

    laid: tuple[Laid, ...]
    bearers: tuple[Bearer, ...]
    by_words: int
    by_name: int

    @property
    def number(self) -> str:
        """Return the number that the page prints; "" without one."""
        return self.laid[0].number

    @property
    def heading(self) -> str:
        """Return the heading or headword that the page prints; "" without one."""
        return self.laid[0].heading

    @property
    def editions(self) -> int:
        """Return a bit for each edition that agrees: with words and number, or words and headword."""
        return self.by_name if "." in self.number else self.by_name or self.by_words

    @property
    def is_part(self) -> bool:
        """Return whether it is only a part of a provision's text."""
        return any(laid.is_part for laid in self.laid)


def passages_of(laid: Sequence[Laid], known: PrintedTexts) -> list[QuotedPassage]:
    """Return the passages of a page in its order."""
    return [_passage(group, known) for group in _groups(laid, known)]


def _groups(laid: Sequence[Laid], known: PrintedTexts) -> Iterator[tuple[Laid, ...]]:
    """Put a text under a number or a headword with those that follow it in the same provision."""
    group: list[Laid] = []
    ends: set[tuple[int, int]] = set()
    for text in laid:
        places = [place for option in text.options for place in known.places[option.text]]
        is_own = (
            text.number or text.heading or not (group and (group[0].number or group[0].heading))
        )
        following = () if is_own else [place for place in places if _follows(place, ends)]
        if group and not following:
            yield tuple(group)
            group = []
        group.append(text)
        ends = {(place.printing, place.last) for place in following or places}
    if group:
        yield tuple(group)


def _follows(place: TextPlace, ends: set[tuple[int, int]]) -> bool:
    """Return whether a text stands behind one of some others, at most a few paragraphs later."""
    return any((place.printing, place.first - skipped) in ends for skipped in range(1, _SKIPPED))


def _passage(laid: tuple[Laid, ...], known: PrintedTexts) -> QuotedPassage:
    bearers = sorted(
        _bearers(laid, known),
        key=lambda bearer: (-bearer.likeness, not bearer.has_name, not bearer.is_whole),
    )
    by_words = by_name = 0
    for bearer in bearers:
        if bearer.likeness == 1.0:
            editions = known.printings[bearer.printing].editions
            by_words |= editions
            by_name |= editions if bearer.has_name else 0
    return QuotedPassage(laid, tuple(bearers), by_words, by_name)


def _bearers(laid: tuple[Laid, ...], known: PrintedTexts) -> Iterator[Bearer]:
    first, heading = laid[0], tuple(words_of(laid[0].heading))
    if not first.options:
        for printing in known.by_number[first.number]:
            if known.headings[printing] == heading:
                yield Bearer(printing, 1.0, has_name=True, is_whole=True)
        return
    starts = {
        place.printing: place.first
        for option in reversed(first.options)
        for place in reversed(known.places[option.text])
    }
    for printing, start in starts.items():
        likeness, is_whole = _likeness(laid, printing, start, known)
        number = known.printings[printing].number
        is_named = number == first.number if number else known.headings[printing] == heading
        yield Bearer(printing, likeness, is_named and bool(number or heading), is_whole)


def _likeness(
    laid: tuple[Laid, ...], printing: int, start: int, known: PrintedTexts
) -> tuple[float, bool]:
    """Return how like a passage is to a printing, and whether it has all of the printing's texts."""
    total = matched = 0.0
    here = start
    for text in laid:
        length = text.end - text.start
        total += length
        standing = [
            (option.likeness, place.last)
            for option in text.options
            for place in known.places[option.text]
            if place.printing == printing and place.first == here
        ]
        likeness, last = max(standing, default=(0.0, here))
        matched += length * likeness
        here = last + 1
    is_whole = start == 0 and here == len(known.printings[printing].paragraphs)
    return matched / total, is_whole
