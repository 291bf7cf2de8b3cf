"""Passages of a page: the texts laid over it, put together to provisions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.quoting.match import Laid
from variorum.quoting.page import words_of
from variorum.quoting.printed_texts import PrintedTexts, TextPlace

# A page may leave out so many paragraphs or examples between two that it quotes.
_SKIPPED = 5


class Bearer(NamedTuple):
    """A printing that a passage may quote.

    Attributes:
        printing: Its index.
        editions: A bit for each that has it.
        likeness: Of the passage's words to its own; 1 if they are the same.
        has_name: Whether it has the number or the headword that the page prints.
    """

    printing: int
    editions: int
    likeness: float
    has_name: bool


class QuotedPassage(NamedTuple):
    """A provision as a page quotes it: its text and the examples that follow, in the page's order.

    Its bearers are the printings that it may be, the likeliest first. Of its editions, a bit for
    each, some have the words, some have them under the page's number or headword.
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
    groups: list[list[Laid]] = []
    ends: set[tuple[int, int]] = set()
    for text in laid:
        places = [place for option in text.options for place in known.places[option.text]]
        following = [place for place in places if _follows(place, ends)]
        is_own = (
            text.number
            or text.heading
            or not (groups and (groups[-1][0].number or groups[-1][0].heading))
        )
        if is_own or not following:
            groups.append([])
            following = places
        groups[-1].append(text)
        ends = {(place.printing, place.last) for place in following}
    return [_passage(tuple(group), known) for group in groups]


def _follows(place: TextPlace, ends: set[tuple[int, int]]) -> bool:
    """Return whether a text stands behind one of some others, at most a few paragraphs later."""
    return any((place.printing, place.first - skipped) in ends for skipped in range(1, _SKIPPED))


def _passage(laid: tuple[Laid, ...], known: PrintedTexts) -> QuotedPassage:
    bearers = sorted(
        _bearers(laid, known),
        key=lambda bearer: (-bearer.likeness, not bearer.has_name),
    )
    by_words = by_name = 0
    for bearer in bearers:
        if bearer.likeness == 1.0:
            by_words |= bearer.editions
            by_name |= bearer.editions if bearer.has_name else 0
    return QuotedPassage(laid, tuple(bearers), by_words, by_name)


def _bearers(laid: tuple[Laid, ...], known: PrintedTexts) -> Iterator[Bearer]:
    first, heading = laid[0], tuple(words_of(laid[0].heading))
    if not first.options:
        for index in known.by_number[first.number]:
            if known.headings[index] == heading:
                yield Bearer(index, known.printings[index].editions, 1.0, True)
        return
    starts = {
        place.printing: place.first
        for option in reversed(first.options)
        for place in reversed(known.places[option.text])
    }
    total = sum([text.end - text.start for text in laid])
    for index, start in starts.items():
        printing = known.printings[index]
        matched, here = 0.0, start
        for text in laid:
            standing = [
                (option.likeness, place.last)
                for option in text.options
                for place in known.places[option.text]
                if place.printing == index and place.first == here
            ]
            likeness, last = max(standing, default=(0.0, here))
            matched += (text.end - text.start) * likeness
            here = last + 1
        is_named = (
            printing.number == first.number
            if printing.number
            else bool(heading) and known.headings[index] == heading
        )
        yield Bearer(index, printing.editions, matched / total, is_named)
