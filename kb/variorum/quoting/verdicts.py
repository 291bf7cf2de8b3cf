"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from enum import Enum
from functools import reduce
from itertools import islice, takewhile
from operator import or_
from typing import NamedTuple

from variorum.history.word_diffs.diff import Piece, word_diff
from variorum.quoting.editions import NEAR, EditionDays, places_of, runs_of
from variorum.quoting.match import Laid, Matcher
from variorum.quoting.page import Page, words_of
from variorum.quoting.printed_texts import PrintedTexts, Printing
from variorum.text import find_days

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
# From the end of a paragraph to the next one that a page quotes.
_SKIPPED = range(1, 5)
_MOST_DAYS = 200
_BRACKETED = re.compile(r"\[[^\[\]\n]{0,60}\]")
_SIGNS = ".,:;!?)”’\"'"
# A day behind words: "[CompRules 2007/02/01]". Other sources ("Mirage, Page 29") can't be checked.
_CLAIM = re.compile(r"[\s.)\"”]{0,20}\[([^\[\]\n]{0,60})\]")
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)


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


class ClaimVerdict(Enum):
    """What the editions say of a claim; the values are the words we show."""

    BY_WORDS = "confirmed (words)"
    BY_NUMBER = "confirmed (number)"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


class DayClaim(NamedTuple):
    """A day behind words, as printed, and what the editions say of it.

    The places are those of the edition of that day, of the one from which on the words stand, and
    of the one from which on they stand under the page's number; each may be unknown.
    """

    words: str
    day: date
    verdict: ClaimVerdict
    edition: int | None
    words_since: int | None
    number_since: int | None


class Passage(NamedTuple):
    """A provision as a page quotes it, and what the editions say of it.

    It begins at the word `start`. Number and heading are as the page prints them. It is compared
    with the printing at `state`: of the page's edition, if that has one. `supplied` is what the page
    does not print and an edition supplies: "number", "headword" or "". The editions that agree have
    a bit each; without any, those that have the words. `pieces` are empty if it agrees.
    """

    start: int
    number: str
    heading: str
    texts: tuple[str, ...]
    verdict: QuoteVerdict
    state: int
    printing: Printing
    supplied: str
    editions: int
    is_part: bool
    likeness: float
    pieces: tuple[Piece, ...]
    claims: tuple[DayClaim, ...]


class StatedDay(NamedTuple):
    """A day that a page states, the line that does, and whether the edition in force then fits."""

    day: date
    line: str
    fits: bool


class Identity(NamedTuple):
    """What the editions say of a whole page.

    `edition` is the place of the edition that it quotes, `ties` are all that fit as well, oldest
    first; `counts` tells with how many passages each edition agrees, the most first; `stated` are the
    days outside its passages; `commentary` has the two ends of each part that is no passage.
    """

    kind: PageKind
    passages: tuple[Passage, ...]
    edition: int | None
    ties: tuple[int, ...]
    counts: tuple[tuple[int, int], ...]
    stated: tuple[StatedDay, ...]
    commentary: tuple[tuple[int, int], ...]


def identify(page: Page, known: PrintedTexts, days: EditionDays) -> Identity:
    """Return which editions a page quotes, and which of its passages agree with them."""
    matcher = Matcher(page, known)
    laid = matcher.lay()
    if not _are_rules(laid, page):  # all games have a section "General"
        laid = [text for text in laid if text.options and text.end - text.start >= _FEWEST_WORDS]
    if len(laid) < _OF_OTHER_RULES * matcher.count_unlaid():
        laid = []
    return _PageJudge(page, known, days, laid).judge()


def _are_rules(laid: Sequence[Laid], page: Page) -> bool:
    return sum([text.end - text.lead for text in laid]) >= _RULES * len(page.words)


# Passages ----------------------------------------------------------------------------------------


class _Bearer(NamedTuple):
    """A printing that a passage may quote, how like it is, and whether it has its number or headword."""

    state: int
    printing: Printing
    likeness: float
    has_name: bool


class _Quoted(NamedTuple):
    """A provision as a page quotes it: its text and the examples that follow, in the page's order.

    Its bearers are the printings that it may be, the likeliest first. Of the editions, a bit for
    each, some have the words, and of these some agree: they have also the page's number or headword.
    """

    laid: tuple[Laid, ...]
    bearers: tuple[_Bearer, ...]
    by_words: int
    agreeing: int


def _quoted(laid: Sequence[Laid], known: PrintedTexts) -> Iterator[_Quoted]:
    """Yield the provisions that texts laid over a page make."""
    groups: list[list[Laid]] = []
    ends: set[tuple[int, int]] = set()
    is_named = False
    for text in laid:
        places = [place for option in text.options for place in known.places[option.text]]
        # A page may leave out some paragraphs or examples between two that it quotes.
        following = [
            place
            for place in places
            if any((place.printing, place.first - skipped) in ends for skipped in _SKIPPED)
        ]
        if text.number or text.heading or not is_named or not following:
            groups.append([])
            following = places
            is_named = bool(text.number or text.heading)
        groups[-1].append(text)
        ends = {(place.printing, place.last) for place in following}
    for group in groups:
        bearers = sorted(_bearers(group, known), key=lambda b: (-b.likeness, not b.has_name))
        having = [bearer for bearer in bearers if bearer.likeness == 1.0]
        by_words = _editions([bearer.printing for bearer in having])
        by_name = _editions([bearer.printing for bearer in having if bearer.has_name])
        agreeing = by_name if "." in group[0].number else by_name or by_words
        yield _Quoted(tuple(group), tuple(bearers), by_words, agreeing)


def _bearers(laid: Sequence[Laid], known: PrintedTexts) -> Iterator[_Bearer]:
    number, heading = laid[0].number, tuple(words_of(laid[0].heading))
    matched: dict[int, float] = {}
    if not laid[0].options:
        alike = [index for index in known.by_number[number] if known.headings[index] == heading]
        matched = dict.fromkeys(alike, 1.0)
    total = sum([text.end - text.start for text in laid])
    ends: dict[int, int] = {}
    for text in laid:
        standing = {
            place.printing: (place.last, option.likeness * (text.end - text.start) / total)
            for option in reversed(text.options)
            for place in reversed(known.places[option.text])
            if text is laid[0] or place.first - ends.get(place.printing, place.first) in _SKIPPED
        }
        for index, (last, share) in standing.items():
            ends[index], matched[index] = last, matched.get(index, 0.0) + share
    for state, likeness in matched.items():
        printing = known.printings[state]
        has_name = printing.number == number
        if not printing.number:
            has_name = bool(heading) and known.headings[state] == heading
        yield _Bearer(state, printing, round(likeness, 9), has_name)


def _editions(printings: Sequence[Printing]) -> int:
    return reduce(or_, [printing.editions for printing in printings], 0)


# Verdicts ----------------------------------------------------------------------------------------


class _PageJudge:
    """Judges the passages of one page."""

    def __init__(
        self, page: Page, known: PrintedTexts, days: EditionDays, laid: Sequence[Laid]
    ) -> None:
        self._page, self._known, self._days, self._laid = page, known, days, laid
        self._quoted = [*_quoted(laid, known)]
        # With how many passages each edition agrees, or of how many it has the words at least.
        self._counts: Counter[int] = Counter()
        for agreeing in (True, False):
            if not self._counts:  # all under other numbers
                for quoted in self._quoted:
                    self._counts.update(places_of(quoted.agreeing if agreeing else quoted.by_words))

    def judge(self) -> Identity:
        commentary = tuple(self._commentary())
        lines = [*islice(self._lines_with_days(commentary), _MOST_DAYS)]
        stated = sorted([day for day, _ in lines])
        ties = self._choose(stated)
        kind = self._kind(ties)
        if kind is PageKind.COMMENTARY and not self._is_dated(ties, stated):
            ties = ()
        edition = self._by_day(ties, stated) if ties else None
        passages: list[Passage] = []
        for quoted in self._quoted:
            passages.append(self._judge(quoted, edition, passages[-1:]))
        return Identity(
            kind,
            tuple(passages),
            edition,
            ties,
            tuple(sorted(self._counts.items(), key=lambda count: (-count[1], count[0]))),
            tuple([StatedDay(day, line, self._days.in_force(day) in ties) for day, line in lines]),
            commentary,
        )

    def _commentary(self) -> Iterator[tuple[int, int]]:
        end, whole = 0, len(self._page.words)
        for lead, until in [*[(text.lead, text.end) for text in self._laid], (whole, whole)]:
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
            if len({quoted.bearers[0].state for quoted in self._quoted}) >= _EDITION * printed:
                return PageKind.EDITION
        is_excerpt = _are_rules(self._laid, self._page)
        return PageKind.EXCERPT if is_excerpt else PageKind.COMMENTARY

    # Votes ---------------------------------------------------------------------------------------

    def _choose(self, stated: Sequence[date]) -> tuple[int, ...]:
        """Return the editions that fit best; none if none has the words of a passage."""
        counts = self._counts
        if not counts:
            return ()
        until = range(self._days.in_force(stated[-1]) + 1) if stated else range(0)
        if max([counts[place] for place in until], default=0) < _NEARLY * max(counts.values()):
            until = range(len(self._days.days))
        most = max([counts[place] for place in until])
        ties = [place for place in until if counts[place] == most]
        # Of these, those to which passages whose words they lack are the most like.
        alike = [self._alike(place) if ties[1:] else 0.0 for place in ties]
        return tuple([tie for tie, like in zip(ties, alike, strict=True) if like == max(alike)])

    def _alike(self, place: int) -> float:
        likest = [
            max([b.likeness for b in quoted.bearers if b.printing.editions >> place & 1], default=0)
            for quoted in self._quoted
            if not quoted.by_words >> place & 1
        ]
        return round(sum(likest), 3)

    def _is_dated(self, ties: Sequence[int], stated: Sequence[date]) -> bool:
        """Return whether the quotations of a commentary tell its edition."""
        if not ties or 2 * self._counts[ties[0]] <= len(self._quoted):
            return False
        return not stated or (self._days.days[ties[0]] - stated[-1]).days <= NEAR

    def _by_day(self, ties: Sequence[int], stated: Sequence[date]) -> int:
        """Return the edition in force on a stated day, else the nearest to it, else the last."""
        named = [self._days.in_force(day) for day in reversed(stated)] or [ties[-1]]
        before = [place for place in ties if place <= named[0]] or ties[:1]
        return next((place for place in named if place in ties), before[-1])

    # Passages ------------------------------------------------------------------------------------

    def _judge(self, quoted: _Quoted, edition: int | None, before: Sequence[Passage]) -> Passage:
        laid, page = quoted.laid, self._page
        # The likeliest printing, of the page's edition if possible; of twins the nearest.
        bearers = quoted.bearers
        if edition is not None:
            bearers = tuple([b for b in bearers if b.printing.editions >> edition & 1]) or bearers
        state, printing, likeness, _ = max(
            bearers,
            key=lambda bearer: (
                bearer.likeness,
                bearer.has_name,
                before and _nearness(bearer.printing, before[0].printing),
            ),
        )
        verdict = QuoteVerdict.ELSEWHERE if quoted.by_words else QuoteVerdict.DIFFERS
        if quoted.agreeing if edition is None else quoted.agreeing >> edition & 1:
            verdict = QuoteVerdict.AGREES
        supplied = ""
        if not laid[0].number and not (laid[0].heading and not printing.number):
            supplied = "number" if printing.number else "headword"
        texts = tuple([page.quoted(text.start, text.end) for text in laid])
        pieces: list[Piece] = []
        if verdict is not QuoteVerdict.AGREES:
            printed = "\n".join(printing.paragraphs) or printing.heading
            # The signs that end it are as in the printed text, if the page has these.
            ending = printed[len(printed.rstrip(_SIGNS)) :]
            behind = page.around(laid[-1].end, laid[-1].end)
            if not behind.startswith(ending):
                ending = behind[: len(behind) - len(behind.lstrip(_SIGNS))]
            pieces = word_diff(printed, "\n".join(texts) + ending)
        claims = [self._claim(text, laid[0].number, edition) for text in laid]
        return Passage(
            laid[0].lead,
            laid[0].number,
            laid[0].heading,
            texts,
            verdict,
            state,
            printing,
            supplied,
            quoted.agreeing or quoted.by_words,
            any(text.is_part for text in laid),
            likeness,
            tuple(pieces) if any(sign != "=" for sign, _ in pieces) else (),
            tuple([claim for claim in claims if claim]),
        )

    def _claim(self, laid: Laid, number: str, edition: int | None) -> DayClaim | None:
        """Return the claim behind a text; None without one."""
        match = _CLAIM.match(self._page.around(laid.end, laid.end + 20))
        day = next(iter(find_days(match[1])), None) if match else None
        if match is None or day is None:
            return None
        texts = [option.text for option in laid.options if option.likeness == 1.0]
        printings = [printing for text in texts for printing in self._known.standing(text)]
        words = _editions(printings)
        numbered = _editions([p for p in printings if number in ("", p.number)])
        verdict, meant = ClaimVerdict.UNKNOWN, self._days.meant(day)
        if meant and numbered and _OF_RULES.search(match[1]):
            new = [place for place in meant if _begins(words, place)]
            under = [
                _editions([p for p in printings if p.number == name])
                for name in {printing.number for printing in printings} - {""}
            ]
            moved = [place for place in meant if any(_begins(some, place) for some in under)]
            verdict = ClaimVerdict.BY_NUMBER if moved else ClaimVerdict.CONTRADICTED
            verdict = ClaimVerdict.BY_WORDS if new else verdict
            meant = new or moved or meant
        since = _since(words, edition), _since(numbered, edition)
        return DayClaim(match[1], day, verdict, meant[0] if meant else None, *since)


def _begins(editions: int, place: int) -> bool:
    """Return whether an edition is the first of a run."""
    return place in [first for first, _ in runs_of(editions)]


def _since(editions: int, place: int | None) -> int | None:
    """Return the first edition of the run that holds one; None if none does."""
    runs = runs_of(editions)
    return next((first for first, last in runs if place in range(first, last + 1)), None)


def _nearness(printing: Printing, before: Printing) -> int:
    """Return how many signs two numbers share at the beginning; entries are near each other."""
    if not printing.number:
        return not before.number
    pairs = zip(printing.number, before.number, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
