"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from enum import Enum
from itertools import takewhile
from typing import NamedTuple

from variorum.history.word_diffs.diff import Piece, word_diff
from variorum.quoting.claims import NEAR, DayClaim, EditionDays, claim_behind, places_of
from variorum.quoting.match import Laid, Matcher
from variorum.quoting.page import PageOfWords
from variorum.quoting.passages import QuotedPassage, passages_of
from variorum.quoting.printed_texts import PrintedTexts, Printing
from variorum.text.days import find_days

# A document of which less is rules is commentary that quotes some.
_RULES = 0.2
# A page with so much of an edition is that edition, or a copy of it.
_EDITION = 0.8
# A page quotes no later edition than the day it states, if one by then has nearly as many passages.
_NEARLY = 0.9
# Where all that is laid is shorter than this, it is laid by chance.
_FEWEST_WORDS = 8
# Of the rules of another game, no more than this share resembles one of ours.
_OF_OTHER_RULES = 0.05
_MOST_DAYS = 200
_BRACKETED = re.compile(r"\[[^\[\]\n]{0,60}\]")
_SIGNS = ".,:;!?)”’\"'"


class PageKind(Enum):
    """What a page is, by how much of it is rules; the values are the words we show."""

    EDITION = "edition"
    EXCERPT = "excerpt"
    COMMENTARY = "commentary"
    NOTHING = "nothing"


class QuoteVerdict(Enum):
    """What the editions say of a passage; the values are the words we show.

    The page's edition has its words, under the number it prints; only others do, or it has them
    under another number; no edition has them.
    """

    AGREES = "agrees"
    ELSEWHERE = "agrees elsewhere"
    DIFFERS = "differs"


class Judged(NamedTuple):
    """A passage, and what the editions say of it.

    Attributes:
        printing: What it is compared with: of the page's edition, if that has one.
        supplied: What the page does not print and an edition supplies: "number", "headword" or "".
        likeness: Of its words to that printing.
        pieces: The word diff from that printing; empty if it agrees.
        claims: The days behind its paragraphs.
    """

    passage: QuotedPassage
    verdict: QuoteVerdict
    printing: Printing
    supplied: str
    likeness: float
    pieces: tuple[Piece, ...]
    claims: tuple[DayClaim, ...]


class StatedDay(NamedTuple):
    """A day that a page states, the line that does, and whether the edition in force then fits."""

    day: date
    line: str
    fits: bool


class Identified(NamedTuple):
    """What the editions say of a whole page.

    Attributes:
        edition: The place of the edition that it quotes; None if none can be told.
        ties: All editions that its words and numbers fit as well, oldest first.
        counts: With how many passages each edition agrees, the most first; others with none.
        stated: The days that it states outside its passages.
        commentary: The first word, and behind the last, of each part that is no passage.
    """

    kind: PageKind
    passages: tuple[Judged, ...]
    edition: int | None
    ties: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    stated: tuple[StatedDay, ...]
    commentary: tuple[tuple[int, int], ...]


def identify(page: PageOfWords, known: PrintedTexts, days: EditionDays) -> Identified:
    """Return which editions a page quotes, and which of its passages agree with them."""
    matcher = Matcher(page, known)
    laid = matcher.lay()
    if not _are_rules(laid, page):  # all games have a section "General"
        laid = [text for text in laid if text.options and text.end - text.start >= _FEWEST_WORDS]
    if len(laid) < _OF_OTHER_RULES * matcher.count_unlaid():
        laid = []
    return _PageJudge(page, known, days, laid).judge()


def _are_rules(laid: Sequence[Laid], page: PageOfWords) -> bool:
    return sum([text.end - text.lead for text in laid]) >= _RULES * len(page.words)


class _PageJudge:
    """Judges the passages of one page."""

    def __init__(
        self, page: PageOfWords, known: PrintedTexts, days: EditionDays, laid: Sequence[Laid]
    ) -> None:
        self._page, self._known, self._days, self._laid = page, known, days, laid
        self._passages = passages_of(laid, known)
        # With how many passages each edition agrees, and of how many it has the words.
        self._counts = [(0, 0)] * len(days.days)
        for passage in self._passages:
            for place in places_of(passage.by_words):
                agree, words = self._counts[place]
                self._counts[place] = agree + (passage.editions >> place & 1), words + 1
        if not any(agree for agree, _ in self._counts):  # all under other numbers
            self._counts = [(words, words) for _, words in self._counts]

    def judge(self) -> Identified:
        commentary = tuple(self._commentary())
        lines = [*self._lines_with_days(commentary)][:_MOST_DAYS]
        stated = [day for day, _ in lines]
        ties = self._choose(stated)
        kind = self._kind(ties)
        if kind is PageKind.COMMENTARY and not self._is_dated(ties, stated):
            ties = ()
        edition = self._by_day(ties, stated) if ties else None
        judged: list[Judged] = []
        for passage in self._passages:
            judged.append(self._judge(passage, edition, judged[-1:]))
        counts = [(place, agree) for place, (agree, _) in enumerate(self._counts) if agree]
        return Identified(
            kind,
            tuple(judged),
            edition,
            ties,
            tuple(sorted(counts, key=lambda count: -count[1])),
            tuple([StatedDay(day, line, self._days.in_force(day) in ties) for day, line in lines]),
            commentary,
        )

    def _commentary(self) -> Iterator[tuple[int, int]]:
        end = 0
        for lead, until in [
            *[(text.lead, text.end) for text in self._laid],
            2 * (len(self._page.words),),
        ]:
            if lead > end:
                yield end, lead
            end = max(until, end)

    def _lines_with_days(self, parts: Sequence[tuple[int, int]]) -> Iterator[tuple[date, str]]:
        """Yield the days that the commentary states, each with its line."""
        for start, end in parts:
            for line in _BRACKETED.sub("", self._page.around(start, end)).split("\n"):
                for day in find_days(line):
                    yield day, line.strip()

    def _kind(self, ties: Sequence[int]) -> PageKind:
        if not self._laid:
            return PageKind.NOTHING
        if ties:
            printed = sum([printing.editions >> ties[-1] & 1 for printing in self._known.printings])
            quoted = {passage.bearers[0].printing for passage in self._passages}
            if len(quoted) >= _EDITION * printed:
                return PageKind.EDITION
        is_excerpt = _are_rules(self._laid, self._page)
        return PageKind.EXCERPT if is_excerpt else PageKind.COMMENTARY

    # Votes ---------------------------------------------------------------------------------------

    def _choose(self, stated: Sequence[date]) -> tuple[int, ...]:
        """Return the editions that fit best; none if none has the words of a passage."""
        counts = self._counts
        best = max([agree for agree, _ in counts], default=0)
        if not best:
            return ()
        until = range(self._days.in_force(max(stated)) + 1) if stated else range(0)
        most = max([counts[place][0] for place in until], default=0)
        ties = _most(until if most >= _NEARLY * best else range(len(counts)), counts.__getitem__)
        return tuple(_most(ties, self._alike))

    def _alike(self, place: int) -> float:
        """Return how like the passages whose words an edition lacks are to its own."""
        likest = [
            max([b.likeness for b in passage.bearers if b.editions >> place & 1], default=0.0)
            for passage in self._passages
            if not passage.by_words >> place & 1
        ]
        return round(sum(likest), 3)

    def _is_dated(self, ties: Sequence[int], stated: Sequence[date]) -> bool:
        """Return whether the quotations of a commentary tell its edition."""
        if not ties or 2 * self._counts[ties[0]][0] <= len(self._passages):
            return False
        return not stated or (self._days.days[ties[0]] - max(stated)).days <= NEAR

    def _by_day(self, ties: Sequence[int], stated: Sequence[date]) -> int:
        """Return the edition in force on a stated day, else the nearest to it, else the last."""
        if not stated:
            return ties[-1]
        named = [self._days.in_force(day) for day in sorted(stated, reverse=True)]
        before = [place for place in ties if place <= named[0]] or ties[:1]
        return next((place for place in named if place in ties), before[-1])

    # Passages ------------------------------------------------------------------------------------

    def _judge(
        self, passage: QuotedPassage, edition: int | None, before: Sequence[Judged]
    ) -> Judged:
        # The likeliest printing, of the page's edition if possible; of twins the nearest.
        here = [b for b in passage.bearers if edition is not None and b.editions >> edition & 1]
        bearer = max(
            here or passage.bearers,
            key=lambda bearer: (
                bearer.likeness,
                bearer.has_name,
                before and _nearness(self._known.printings[bearer.printing], before[0].printing),
            ),
        )
        printing = self._known.printings[bearer.printing]
        verdict = QuoteVerdict.ELSEWHERE if passage.by_words else QuoteVerdict.DIFFERS
        if passage.editions if edition is None else passage.editions >> edition & 1:
            verdict = QuoteVerdict.AGREES
        supplied = ""
        if not passage.number and not (passage.heading and not printing.number):
            supplied = "number" if printing.number else "headword"
        pieces: list[Piece] = []
        if verdict is not QuoteVerdict.AGREES:
            printed = "\n".join(printing.paragraphs) or printing.heading
            pieces = word_diff(printed, self._shown(passage.laid, printed))
        claims = [
            claim_behind(
                self._page.around(laid.end, laid.end + 20),
                self._printings(laid),
                passage.number,
                edition,
                self._days,
            )
            for laid in passage.laid
        ]
        return Judged(
            passage,
            verdict,
            printing,
            supplied,
            bearer.likeness,
            tuple(pieces) if any(sign != "=" for sign, _ in pieces) else (),
            tuple([claim for claim in claims if claim]),
        )

    def _shown(self, laid: Sequence[Laid], printed: str) -> str:
        """Return the words of a passage, with the signs that end it as in the printed text."""
        words = "\n".join([self._page.quoted(text.start, text.end) for text in laid])
        behind = self._page.around(laid[-1].end, laid[-1].end)
        ending = printed[len(printed.rstrip(_SIGNS)) :]
        if not behind.startswith(ending):
            ending = behind[: len(behind) - len(behind.lstrip(_SIGNS))]
        return words + ending

    def _printings(self, laid: Laid) -> list[Printing]:
        """Return the printings that have some words of the page."""
        texts = [option.text for option in laid.options if option.likeness == 1.0]
        places = [place for text in texts for place in self._known.places[text]]
        return [self._known.printings[place.printing] for place in places]


def _nearness(printing: Printing, before: Printing) -> int:
    """Return how many signs two numbers share at the beginning; entries are near each other."""
    if not printing.number:
        return not before.number
    pairs = zip(printing.number, before.number, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _most(places: Sequence[int], value: Callable[[int], float | tuple[int, int]]) -> list[int]:
    """Return the places with the highest value."""
    values = [value(place) for place in places] if len(places) > 1 else [0] * len(places)
    return [place for place, own in zip(places, values, strict=True) if own == max(values)]
