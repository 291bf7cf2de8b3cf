"""What the editions say of a page: which of them it quotes, and which passages agree with them."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import NamedTuple

from rapidfuzz.distance import Prefix

from variorum.history.word_diffs import word_diff
from variorum.quoting.match import Laid, Matcher
from variorum.quoting.page import Page, is_program, words_of
from variorum.quoting.texts import NEAR, PrintedTexts, Printing, TextPlace, places_of, runs_of
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
# In commentary, fewer words are laid by chance; of another game's rules, this share may resemble ours.
_FEWEST_WORDS, _OF_OTHER_RULES = 8, 0.05
# A part may be of the rule that the page names if so much of it agrees. Between two paragraphs that it
# quotes, a page may leave out some.
_LIKE, _SKIPPED = 0.8, range(1, 5)
_MOST_DAYS = 200
_BRACKETED = re.compile(r"\[[^\[\]\n]{0,60}\]")
_SIGNS = ".,:;!?)”’\"'"
# A day behind words: "[CompRules 2007/02/01]". Other sources ("Mirage, Page 29") can't be checked.
_CLAIM = re.compile(r"[\s.)\"”]{0,20}\[([^\[\]\n]{0,60})\]")
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)


class QuotedState(NamedTuple):
    """A passage, and the state and the edition with which it is compared.

    The edition is the page's, if that has the provision, else the last one that does.
    """

    said: Passage
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
    matcher, size = Matcher(page, known), len(page.words)
    laid = matcher.laid
    are_rules = sum([text.end - text.lead for text in laid]) >= _RULES * size
    if not are_rules:  # all games have a section "General"
        laid = [text for text in laid if text.end - text.start >= _FEWEST_WORDS]
        laid = [] if is_program(page.text) else laid
    if len(laid) < _OF_OTHER_RULES * matcher.unlaid:
        laid = []
    edges = [0, *[edge for text in laid for edge in (text.lead, text.end)], size]
    commentary = [(end, lead) for end, lead in [*pairwise(edges)][::2] if lead > end]
    lines = [
        line.strip()
        for part in commentary
        for line in _BRACKETED.sub("", page.around(*part)).split("\n")
    ]
    stated = [(day, line) for line in lines for day in find_days(line)][:_MOST_DAYS]
    days = sorted([day for day, _ in stated])
    found = _provisions(laid, known)
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


def _choose(
    found: Sequence["_Quoted"], counts: Counter[int], days: Sequence[date], known: PrintedTexts
) -> list[int]:
    """Return the editions that fit best."""
    until = range(known.in_force(days[-1]) + 1) if days else range(0)
    if max([counts[place] for place in until], default=0) < _NEARLY * max(counts.values()):
        until = range(len(known.days))
    best = [place for place in until if counts[place] == max([counts[it] for it in until])]
    # Of these, those to which the other passages are the most like.
    alike = [round(sum([quoted.likeness_in(place) for quoted in found]), 3) for place in best]
    return [place for place, like in zip(best, alike, strict=True) if like == max(alike)]


# Passages ----------------------------------------------------------------------------------------


class _Quoted:
    """A provision as a page quotes it: its words, and the examples that follow.

    By the states that it may be, `_agreed` tells how many words agree, and `_last` which paragraph of
    those that have the last text.
    """

    def __init__(self, known: PrintedTexts) -> None:
        self.known = known
        self.laid: list[Laid] = []
        self._last: dict[int, int] = {}
        self._agreed: dict[int, float] = defaultdict(float)

    def takes(self, text: Laid) -> bool:
        """Take in a text, unless it is no later paragraph of this provision."""
        if self.laid and (text.number or text.heading):
            return False
        standing = {
            place.printing: (place.last, likeness)
            for option, likeness in reversed(text.options.items())
            for place in reversed(self.known.places[option])
            if not self.laid or self._is_next(place)
        }
        for state, (_, likeness) in standing.items():
            self._agreed[state] += likeness * (text.end - text.start)
        if standing:
            self.laid.append(text)
            self._last = {state: last for state, (last, _) in standing.items()}
        return bool(standing)

    def _is_next(self, place: TextPlace) -> bool:
        # Without names, examples follow a rule; paragraphs of an entry may each be one.
        first, last = self.laid[0], self._last.get(place.printing, place.first)
        is_named = first.number or first.heading or self.known.printings[place.printing].number
        return bool(is_named) and place.first - last in _SKIPPED

    def settle(self) -> "_Quoted":
        """Say of the whole passage how like it is to each state, and which editions have it."""
        known, first = self.known, self.laid[0]
        self.number, self.is_part = first.number, any(text.is_part for text in self.laid)
        names = self.number, tuple(words_of(first.heading))
        total = sum([text.end - text.start for text in self.laid])
        self.likeness = {state: round(it / total, 9) for state, it in self._agreed.items()}
        self.named = {
            state
            for state in self.likeness
            if (known.printings[state].number or known.headings[state]) in names
        }
        like = {it: self.likeness[it] for it in self.named if self.likeness[it] >= _LIKE}
        if like and first.is_part and "." in self.number:
            self.likeness = like  # it is not the same words of another rule
        having = {state for state, like in self.likeness.items() if like == 1.0}
        by_name, self.by_words = map(known.editions_of, (having & self.named, having))
        self.agreeing = by_name if "." in self.number else by_name or self.by_words
        return self

    def _in(self, place: int) -> list[int]:
        return [it for it in self.likeness if self.known.printings[it].editions >> place & 1]

    def likeness_in(self, place: int) -> float:
        """Return how like the passage is to an edition."""
        return max([self.likeness[state] for state in self._in(place)], default=0.0)

    def likest(self, edition: int | None, before: Printing | None) -> int:
        """Return the likest state, of an edition if possible; of twins the nearest to another."""
        there = [] if edition is None else self._in(edition)

        def rank(state: int) -> tuple[float, bool, int]:
            numbers = [self.known.printings[state].number, before.number if before else ""]
            nearness = Prefix.similarity(*[number or "glossary" for number in numbers])
            return self.likeness[state], state in self.named, nearness

        return max(there or self.likeness, key=rank)


def _provisions(laid: Sequence[Laid], known: PrintedTexts) -> list[_Quoted]:
    found: list[_Quoted] = []
    for text in laid:
        if not (found and found[-1].takes(text)):
            found.append(_Quoted(known))
            found[-1].takes(text)
    return [quoted.settle() for quoted in found]


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
        pieces = word_diff("\n".join(printing.body).rstrip(_SIGNS), "\n".join(texts))
        # Without the words of a part, or the paragraphs, that the page leaves out at either end.
        signs = "".join([sign for sign, _ in pieces])
        first, last = [quoted.is_part or "\n" in pieces[end][1] for end in (0, -1)]
        end = len(pieces) - (last and signs.endswith("=-"))
        pieces = pieces[first and signs.startswith("-=") : end]
    places = places_of(printing.editions)
    place = edition if edition in places else places[-1]
    said = Passage(
        number=number or printing.number or None,
        headword=None if printing.number else printing.heading,
        supplied=supplied,
        verdict=verdict,
        editions=known.runs(quoted.agreeing or quoted.by_words),
        stands=named(printing.number, printing.heading),
        is_part=quoted.is_part,
        likeness=round(quoted.likeness[state], 3),
        pieces=[Piece(*piece) for piece in pieces if any(sign != "=" for sign, _ in pieces)],
        claims=[claim for text in laid if (claim := _claim(text, number, edition, page, known))],
        line=page.line_of(laid[0].lead),
        words="\n".join([" ".join(text.split()) for text in texts]),
        edition=known.labels[place],
        former=None,
        confidence=1.0,
        evidence=[],
    )
    return QuotedState(said, state, place)


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
    for option, likeness in text.options.items():
        for place in known.places[option] if likeness == 1.0 else ():
            printing = known.printings[place.printing]
            under[printing.number] |= printing.editions
    everywhere = reduce(or_, under.values(), 0)
    numbered = under[number] if number else everywhere
    verdict, meant = "unknown", known.meant(day)
    if meant and numbered and _OF_RULES.search(match[1]):
        # From these editions on the words stand, or stand under one number.
        runs = [everywhere, *[own for name, own in under.items() if name]]
        new, *moves = [[at for at in meant if (own & ~(own << 1)) >> at & 1] for own in runs]
        moved = [at for at in meant if any(at in places for places in moves)]
        verdict = "confirmed (words)" if new else "confirmed (number)" if moved else "contradicted"
        meant = new or moved or meant
    label = known.labels[meant[0]] if meant else None
    since = [
        next((known.labels[a] for a, z in runs_of(own) if edition in range(a, z + 1)), None)
        for own in (everywhere, numbered)
    ]
    return Claim(match[1], day.isoformat(), verdict, label, *since)
