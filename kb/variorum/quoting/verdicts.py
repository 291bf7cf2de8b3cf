"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from rapidfuzz.distance import Prefix

from variorum.history.word_diffs import word_diff
from variorum.quoting.match import Laid, Matcher
from variorum.quoting.page import Page, words_of
from variorum.quoting.texts import NEAR, PrintedTexts, Printing, places_of, runs_of
from variorum.records.answer import Piece
from variorum.records.document import Claim, Passage, StatedDate
from variorum.rows import named
from variorum.text import find_days

# Kinds of a page, by how much of it is rules.
EDITION, EXCERPT, QUOTING, NOTHING = "edition", "excerpt", "commentary", "nothing"
# The page's edition has the words, under the number that the page prints; only others do, or it has
# them under another number; no edition has them.
AGREES, ELSEWHERE, DIFFERS = "agrees", "agrees elsewhere", "differs"
# A document of which less is rules is commentary that quotes some; one with so much of an edition is
# that edition, or a copy of it.
_RULES, _EDITION = 0.2, 0.8
# A page quotes no later edition than the day it states, if one by then has nearly as many passages.
_NEARLY = 0.9
# Where all that is laid is shorter than this, it is laid by chance.
_FEWEST_WORDS = 8
# Of the rules of another game, no more than this share resembles one of ours.
_OF_OTHER_RULES = 0.05
# A part may be of the rule that the page names if so much of it agrees.
_LIKE = 0.8
# From the end of a paragraph to the next one that a page quotes.
_SKIPPED = range(1, 5)
_MOST_DAYS = 200
_BRACKETED = re.compile(r"\[[^\[\]\n]{0,60}\]")
_SIGNS = ".,:;!?)”’\"'"
# A day behind words: "[CompRules 2007/02/01]". Other sources ("Mirage, Page 29") can't be checked.
_CLAIM = re.compile(r"[\s.)\"”]{0,20}\[([^\[\]\n]{0,60})\]")
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)


class QuotedState(NamedTuple):
    """A passage from the word `start` on, and the state and the edition with which it is compared.

    The edition is the page's, if that has the provision, else the last one that does.
    """

    said: Passage
    start: int
    state: int
    edition: int


class Identity(NamedTuple):
    """What the editions say of a whole page.

    `edition` is the place of the edition that it quotes, `ties` are all that fit as well, oldest
    first; `counts` tells with how many passages each edition agrees, the best first; `stated` are the
    days outside its passages; `commentary` has the two ends of each part that is no passage.
    """

    kind: str
    passages: list[QuotedState]
    edition: int | None
    ties: list[int]
    counts: list[tuple[int, int]]
    stated: list[StatedDate]
    commentary: list[tuple[int, int]]


def identify(page: Page, known: PrintedTexts) -> Identity:
    """Return which editions a page quotes, and which of its passages agree with them."""
    matcher = Matcher(page, known)
    laid = matcher.laid
    are_rules = sum([text.end - text.lead for text in laid]) >= _RULES * len(page.words)
    if not are_rules:  # all games have a section "General"
        laid = [text for text in laid if text.end - text.start >= _FEWEST_WORDS]
    if len(laid) < _OF_OTHER_RULES * matcher.unlaid or (page.is_program and not are_rules):
        laid = []
    commentary = [*_commentary(laid, len(page.words))]
    stated = [*islice(_stated_days(commentary, page), _MOST_DAYS)]
    days = sorted([day for day, _ in stated])
    found = [_Quoted(group, known) for group in _provisions(laid, known)]
    # With how many passages each edition agrees, or of how many it has the words at least.
    counts = Counter(place for quoted in found for place in places_of(quoted.agreeing))
    counts = counts or Counter(place for quoted in found for place in places_of(quoted.by_words))
    ties = _choose(found, counts, days, known) if counts else []
    kind = (EXCERPT if are_rules else QUOTING) if laid else NOTHING
    if ties:
        printed = [state for state in known.printings if state.editions >> ties[-1] & 1]
        if len({quoted.likest(None, None) for quoted in found}) >= _EDITION * len(printed):
            kind = EDITION
    if kind == QUOTING and ties:
        is_early = not days or (known.days[ties[0]] - days[-1]).days <= NEAR
        if 2 * counts[ties[0]] <= len(found) or not is_early:
            ties = []  # its quotations do not tell its edition
    edition = None
    if ties:  # in force on a stated day, else the nearest to it, else the last
        meant = [known.in_force(day) for day in reversed(days)] or [ties[-1]]
        before = [place for place in ties if place <= meant[0]] or ties[:1]
        edition = next((place for place in meant if place in ties), before[-1])
    passages: list[QuotedState] = []
    for quoted in found:
        last = known.printings[passages[-1].state] if passages else None
        passages.append(_passage(quoted, quoted.likest(edition, last), edition, page))
    return Identity(
        kind,
        passages,
        edition,
        ties,
        sorted(counts.items(), key=lambda count: (-count[1], count[0] not in ties, count[0])),
        [
            StatedDate(day.isoformat(), line, known.in_force(day) in ties if ties else None)
            for day, line in stated
        ],
        commentary,
    )


def _commentary(laid: Sequence[Laid], size: int) -> Iterator[tuple[int, int]]:
    end = 0
    for lead, until in [*[(text.lead, text.end) for text in laid], (size, size)]:
        if lead > end:
            yield end, lead
        end = max(until, end)


def _stated_days(parts: Iterable[tuple[int, int]], page: Page) -> Iterator[tuple[date, str]]:
    """Yield the days that the commentary states, each with its line."""
    for start, end in parts:
        for line in _BRACKETED.sub("", page.around(start, end)).split("\n"):
            for day in find_days(line):
                yield day, line.strip()


def _choose(
    found: Sequence["_Quoted"], counts: Counter[int], stated: Sequence[date], known: PrintedTexts
) -> list[int]:
    """Return the editions that fit best."""
    until = range(known.in_force(stated[-1]) + 1) if stated else range(0)
    if max([counts[place] for place in until], default=0) < _NEARLY * max(counts.values()):
        until = range(len(known.days))
    most = max([counts[place] for place in until])
    ties = [place for place in until if counts[place] == most]
    # Of these, those to which the other passages are the most like.
    alike = {
        place: round(sum([quoted.likeness_in(place) for quoted in found]), 3) for place in ties
    }
    return [place for place in ties if alike[place] == max(alike.values())]


# Provisions --------------------------------------------------------------------------------------


def _provisions(laid: Sequence[Laid], known: PrintedTexts) -> list[list[Laid]]:
    """Group the texts that make one provision: its words, and the examples that follow."""
    groups: list[list[Laid]] = []
    ends: set[tuple[int, int]] = set()
    for text in laid:
        places = [place for option in text.options for place in known.places[option.text]]
        # Without names, examples follow a rule; paragraphs of an entry may each be one.
        is_named = bool(groups and (groups[-1][0].number or groups[-1][0].heading))
        # A page may leave out some paragraphs or examples between two that it quotes.
        following = [
            place
            for place in places
            if is_named or known.printings[place.printing].number
            if any((place.printing, place.first - skipped) in ends for skipped in _SKIPPED)
        ]
        if text.number or text.heading or not following:
            groups.append([])
            following = places
        groups[-1].append(text)
        ends = {(place.printing, place.last) for place in following}
    return groups


class _Quoted:
    """A provision as a page quotes it, and the states that it may be, each with how like it is.

    Of the editions, a bit for each, some have the words, and of these some agree: they have also the
    page's number or headword.
    """

    def __init__(self, laid: Sequence[Laid], known: PrintedTexts) -> None:
        self.laid, self.known, self.number = laid, known, laid[0].number
        self.likeness = self._likeness()
        heading = tuple(words_of(laid[0].heading))
        self._named = {
            state
            for state in self.likeness
            if (known.printings[state].number or known.headings[state]) in (self.number, heading)
        }
        # A part of a rule that the page names is not the same words of another rule.
        named = {state: self.likeness[state] for state in self._named}
        if "." in self.number and laid[0].is_part and max(named.values(), default=0.0) >= _LIKE:
            self.likeness = {state: like for state, like in named.items() if like >= _LIKE}
        having = {state for state, like in self.likeness.items() if like == 1.0}
        by_name = known.editions_of(having & self._named)
        self.by_words = known.editions_of(having)
        self.agreeing = by_name if "." in self.number else by_name or self.by_words

    def _likeness(self) -> dict[int, float]:
        known, laid = self.known, self.laid
        likeness: dict[int, float] = defaultdict(float)
        total = sum([text.end - text.start for text in laid])
        ends: dict[int, int] = {}
        for text in laid:
            standing = {
                place.printing: (place.last, option.likeness * (text.end - text.start) / total)
                for option in reversed(text.options)
                for place in reversed(known.places[option.text])
                if text is laid[0]
                or place.first - ends.get(place.printing, place.first) in _SKIPPED
            }
            for state, (last, share) in standing.items():
                ends[state] = last
                likeness[state] += share
        return {state: round(like, 9) for state, like in likeness.items()}

    def likeness_in(self, place: int) -> float:
        """Return how like the passage is to an edition."""
        return max([self.likeness[state] for state in self._of(place)], default=0.0)

    def likest(self, edition: int | None, before: Printing | None) -> int:
        """Return the likest state, of an edition if possible; of twins the nearest to another."""
        there = [] if edition is None else self._of(edition)

        def rank(state: int) -> tuple[float, bool, int]:
            numbers = [self.known.printings[state].number, before.number if before else ""]
            nearness = Prefix.similarity(*[number or "glossary" for number in numbers])
            return self.likeness[state], state in self._named, nearness

        return max(there or self.likeness, key=rank)

    def _of(self, place: int) -> list[int]:
        return [it for it in self.likeness if self.known.printings[it].editions >> place & 1]


# Passages ----------------------------------------------------------------------------------------


def _passage(quoted: _Quoted, state: int, edition: int | None, page: Page) -> QuotedState:
    """Return a passage with its verdict, compared with a printing."""
    laid, known, number = quoted.laid, quoted.known, quoted.number
    printing = known.printings[state]
    verdict = ELSEWHERE if quoted.by_words else DIFFERS
    if quoted.agreeing if edition is None else quoted.agreeing >> edition & 1:
        verdict = AGREES
    supplied = None
    if not number and not (laid[0].heading and not printing.number):
        supplied = "number" if printing.number else "headword"
    texts = [page.quoted(text.start, text.end) for text in laid]
    pieces: list[tuple[str, str]] = []
    if verdict != AGREES:
        printed = "\n".join(printing.paragraphs) or printing.heading
        # The signs that end it are as in the printed text, if the page has these.
        ending = printed[len(printed.rstrip(_SIGNS)) :]
        behind = page.around(laid[-1].end, laid[-1].end)
        if not behind.startswith(ending):
            ending = behind[: len(behind) - len(behind.lstrip(_SIGNS))]
        pieces = word_diff(printed, "\n".join(texts) + ending)
        if any(text.is_part for text in laid):  # without what the page leaves out at either end
            signs = "".join([sign for sign, _ in pieces])
            pieces = pieces[signs.startswith("-=") : len(pieces) - signs.endswith("=-")]
    claims = [_claim(text, number, edition, page, known) for text in laid]
    places = places_of(printing.editions)
    place = edition if edition in places else places[-1]
    said = Passage(
        number=number or printing.number or None,
        headword=None if printing.number else printing.heading,
        supplied=supplied,
        verdict=verdict,
        editions=known.runs(quoted.agreeing or quoted.by_words),
        stands=named(printing.number, printing.heading),
        is_part=any(text.is_part for text in laid),
        likeness=round(quoted.likeness[state], 3),
        pieces=[Piece(*piece) for piece in pieces if any(sign != "=" for sign, _ in pieces)],
        claims=[claim for claim in claims if claim],
        line=page.line_of(laid[0].lead),
        words="\n".join([" ".join(text.split()) for text in texts]),
        edition=known.labels[place],
        former=None,
        confidence=1.0,
        evidence=[],
    )
    return QuotedState(said, laid[0].lead, state, place)


def _claim(
    text: Laid, number: str, edition: int | None, page: Page, known: PrintedTexts
) -> Claim | None:
    """Return the claim behind a text; None without one."""
    match = _CLAIM.match(page.around(text.end, text.end + 20))
    day = next(iter(find_days(match[1])), None) if match else None
    if match is None or day is None:
        return None
    # The editions that have the words, under each number.
    under: dict[str, int] = defaultdict(int)
    for option in text.options:
        for place in known.places[option.text] if option.likeness == 1.0 else ():
            under[known.printings[place.printing].number] |= known.printings[
                place.printing
            ].editions
    everywhere = reduce(or_, under.values(), 0)
    verdict, meant = "unknown", known.meant(day)
    numbered = under[number] if number else everywhere
    if meant and numbered and _OF_RULES.search(match[1]):
        # From these editions on the words stand, or stand under one number.
        firsts = everywhere & ~(everywhere << 1)
        moves = reduce(or_, [own & ~(own << 1) for name, own in under.items() if name], 0)
        new, moved = [[place for place in meant if bits >> place & 1] for bits in (firsts, moves)]
        verdict = "confirmed (words)" if new else "confirmed (number)" if moved else "contradicted"
        meant = new or moved or meant
    since = [
        next(
            (known.labels[first] for first, last in runs_of(own) if first <= edition <= last), None
        )
        if edition is not None
        else None
        for own in (everywhere, numbered)
    ]
    label = known.labels[meant[0]] if meant else None
    return Claim(match[1], day.isoformat(), verdict, label, *since)
