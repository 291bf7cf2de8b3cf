"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from enum import Enum
from typing import NamedTuple

from variorum_kb.history.word_diffs.diff import Piece, word_diff
from variorum_kb.quoting.claims import ClaimJudge, DayClaim
from variorum_kb.quoting.edition_days import NEAR, EditionDays, places_of
from variorum_kb.quoting.match import Laid, Matcher
from variorum_kb.quoting.page import PageOfWords
from variorum_kb.quoting.passages import Bearer, QuotedPassage, passages_of
from variorum_kb.quoting.printed_texts import PrintedTexts, Printing, shared_start
from variorum_kb.text.days import find_days

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
_DIGITS = re.compile(r"\d{4}|\d/\d")


class PageKind(Enum):
    """What a page is, by how much of it is rules; the values are the words we show."""

    EDITION = "edition"
    EXCERPT = "excerpt"
    COMMENTARY = "commentary"
    NOTHING = "nothing"


class QuoteVerdict(Enum):
    """What the editions say of a passage; the values are the words we show.

    Attributes:
        AGREES: The page's edition has its words, under the number it prints.
        ELSEWHERE: Only other editions do, or it has them under another number.
        DIFFERS: No edition has its words.
    """

    AGREES = "agrees"
    ELSEWHERE = "agrees elsewhere"
    DIFFERS = "differs"


class Judged(NamedTuple):
    """A passage, and what the editions say of it.

    Attributes:
        passage: The passage.
        verdict: The verdict of the page's edition; without one, of all editions.
        printing: What it is compared with: a printing of the page's edition, if that has one.
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
        kind: What the page is.
        passages: In its order.
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
    longest = max([text.end - text.start for text in laid], default=0)
    if longest < _FEWEST_WORDS or len(laid) < _OF_OTHER_RULES * matcher.count_unlaid():
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
        self._claims = ClaimJudge(known, days)

    def judge(self) -> Identified:
        commentary = tuple(self._commentary())
        lines = [*self._lines_with_days(commentary)]
        stated = [day for day, _ in lines]
        counts = self._count()
        ties = self._choose(counts, stated)
        kind = self._kind(ties)
        if kind is PageKind.COMMENTARY and not self._is_dated(counts, ties, stated):
            ties = ()
        edition = self._by_day(ties, stated) if ties else None
        judged: list[Judged] = []
        for passage in self._passages:
            before = judged[-1].printing if judged else None
            judged.append(self._judge(passage, edition, before))
        ordered = sorted([(-agree, place) for place, (agree, _) in enumerate(counts) if agree])
        in_force = [StatedDay(day, line, self._days.in_force(day) in ties) for day, line in lines]
        return Identified(
            kind,
            tuple(judged),
            edition,
            ties,
            tuple([(place, -agree) for agree, place in ordered]),
            tuple(in_force),
            commentary,
        )

    def _commentary(self) -> Iterator[tuple[int, int]]:
        end = 0
        for text in self._laid:
            if text.lead > end:
                yield end, text.lead
            end = max(text.end, end)
        if end < len(self._page.words):
            yield end, len(self._page.words)

    def _lines_with_days(self, parts: Sequence[tuple[int, int]]) -> Iterator[tuple[date, str]]:
        """Yield the days that the commentary states, each with its line."""
        count = 0
        for start, end in parts:
            for line in _BRACKETED.sub("", self._page.around(start, end)).split("\n"):
                for day in find_days(line) if _DIGITS.search(line) else ():
                    count += 1
                    if count > _MOST_DAYS:
                        return
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

    def _count(self) -> list[tuple[int, int]]:
        """Return for each edition with how many passages it agrees, and of how many it has the words."""
        agree, words = [0] * len(self._days.days), [0] * len(self._days.days)
        for passage in self._passages:
            for place in places_of(passage.editions):
                agree[place] += 1
            for place in places_of(passage.by_words):
                words[place] += 1
        return list(zip(agree, words, strict=True))

    def _choose(self, counts: Sequence[tuple[int, int]], stated: Sequence[date]) -> tuple[int, ...]:
        """Return the editions that fit best; none if none agrees with a passage."""
        best = max([agree for agree, _ in counts], default=0)
        if not best and any(words for _, words in counts):
            return self._choose([(words, words) for _, words in counts], stated)
        if not best:
            return ()
        until = range(self._days.in_force(max(stated)) + 1) if stated else range(0)
        most = max([counts[place][0] for place in until], default=0)
        ties = _most(until if most >= _NEARLY * best else range(len(counts)), counts.__getitem__)
        return tuple(_most(_most(ties, self._alike), self._count_whole))

    def _alike(self, place: int) -> float:
        """Return how like the passages whose words an edition lacks are to its own."""
        likest = [
            max([b.likeness for b in passage.bearers if self._is_in(b, place)], default=0.0)
            for passage in self._passages
            if not passage.by_words >> place & 1
        ]
        return round(sum(likest), 3)

    def _count_whole(self, place: int) -> int:
        """Return how many passages have all examples, if the page quotes examples."""
        if all(len(passage.laid) == 1 for passage in self._passages):
            return 0
        return sum(
            any(bearer.is_whole and self._is_in(bearer, place) for bearer in passage.bearers)
            for passage in self._passages
        )

    def _is_in(self, bearer: Bearer, place: int) -> bool:
        return bool(self._known.printings[bearer.printing].editions >> place & 1)

    def _is_dated(
        self, counts: Sequence[tuple[int, int]], ties: Sequence[int], stated: Sequence[date]
    ) -> bool:
        """Return whether the quotations of a commentary tell its edition."""
        if not ties or 2 * counts[ties[0]][0] <= len(self._passages):
            return False
        return not stated or (self._days.days[ties[0]] - max(stated)).days <= NEAR

    def _by_day(self, ties: Sequence[int], stated: Sequence[date]) -> int:
        """Return the edition in force on a stated day, else the nearest to it, else the last."""
        named = [self._days.in_force(day) for day in sorted(stated, reverse=True)]
        before = [place for place in ties if named and place <= named[0]]
        return (
            next((place for place in named if place in ties), (before or ties[:1])[-1])
            if named
            else ties[-1]
        )

    # Passages ------------------------------------------------------------------------------------

    def _judge(
        self, passage: QuotedPassage, edition: int | None, before: Printing | None
    ) -> Judged:
        bearer = self._compared_with(passage, edition, before)
        printing = self._known.printings[bearer.printing]
        verdict = QuoteVerdict.ELSEWHERE if passage.by_words else QuoteVerdict.DIFFERS
        if passage.editions if edition is None else passage.editions >> edition & 1:
            verdict = QuoteVerdict.AGREES
        supplied = ""
        if not passage.number and not (passage.heading and not printing.number):
            supplied = "number" if printing.number else "headword"
        words = "\n".join([self._page.quoted(laid.start, laid.end) for laid in passage.laid])
        pieces = word_diff("\n".join(printing.paragraphs), " ".join(words.split(" ")))
        claims = [
            self._claims.judge(self._page.behind(laid.end, 100), laid, passage.number, edition)
            for laid in passage.laid
        ]
        return Judged(
            passage,
            verdict,
            printing,
            supplied,
            bearer.likeness,
            () if verdict is QuoteVerdict.AGREES else tuple(pieces),
            tuple([claim for claim in claims if claim]),
        )

    def _compared_with(
        self, passage: QuotedPassage, edition: int | None, before: Printing | None
    ) -> Bearer:
        """Return the likeliest bearer, in the page's edition if possible; of twins the nearest."""
        here = [b for b in passage.bearers if edition is not None and self._is_in(b, edition)]
        return max(
            here or passage.bearers,
            key=lambda bearer: (
                bearer.likeness,
                bearer.has_name,
                before is not None and _nearness(self._known.printings[bearer.printing], before),
            ),
        )


def _nearness(printing: Printing, before: Printing) -> int:
    """Return how many signs two numbers share at the beginning; entries are near each other."""
    if not printing.number:
        return not before.number
    return shared_start(printing.number, before.number)


def _most(places: Sequence[int], value: Callable[[int], float | tuple[int, int]]) -> list[int]:
    """Return the places with the highest value."""
    values = [value(place) for place in places] if len(places) > 1 else [0] * len(places)
    return [place for place, own in zip(places, values, strict=True) if own == max(values)]
