"""The true outcome of cited numbers, found without the code of `cr audit`.

Words alone decide most outcomes. If a provision has at least eight words (without numbers) that
occur once in the cited edition and in every later one, its heir is the provision that prints them
today. For other provisions (gone, split, merged, in doubt), this module walks the links of the
base.
"""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from variorum_kb.thresholds.sure import FOLLOWED

CURRENT, RENUMBERED, REUSED = "current", "renumbered", "another provision"
SPLIT, MERGED, GONE = "split", "merged", "gone"
UNCERTAIN, NEVER = "uncertain", "never existed"
# A range has the outcome of its worst number.
HARMLESS_FIRST = (CURRENT, RENUMBERED, REUSED, SPLIT, MERGED, GONE, UNCERTAIN, NEVER)
_PLAIN = {CURRENT, RENUMBERED, REUSED}

WORDS, LINKS, OTHERS, INVENTED, RANGE = "words", "links", "other editions", "invented", "range"

# Bits of `link.kinds`, as schema.sql describes them.
_SPLIT, _MERGED, _COPIED, _UNCERTAIN = 1 << 3, 1 << 4, 1 << 5, 1 << 8
_FEWEST_WORDS = 8

_NUMBER = re.compile(r"([1-9]\d\d)(?:\.([1-9]\d{0,2})(a?[a-z])?)?", re.ASCII)
_PRINTED_NUMBER = re.compile(r"\d+(?:\.\d+)*[a-z]{0,2}(?:\s?[-–—]\s?[a-z]\b)?")
_WORD = re.compile(r"[^\W\d_]+")
# The rules use no l and no o.
_ALPHABET = "abcdefghijkmnpqrstuvwxyz"


class Place(NamedTuple):
    """A well-formed number in parts: section, rule (0 for a section), letters."""

    section: int
    rule: int
    letters: str

    @property
    def order(self) -> tuple[int, int, int, str]:
        """Return the sort key for printed order."""
        return self.section, self.rule, len(self.letters), self.letters


class Heirs(NamedTuple):
    """The end of a walk along links.

    Attributes:
        states: The ids of today's states, the main heir first.
        bits: The union of the kinds of all steps.
        chance: The confidence in the main heir.
        end: The main heir; without one, the last state.
    """

    states: tuple[int, ...]
    bits: int
    chance: float
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A citation and its true outcome.

    Attributes:
        first: The number.
        last: The other end of a range; "" for a single number.
        status: Its outcome.
        heirs: Today's numbers, the main heir first; for a range, both ends.
        source: The evidence.
        is_exact: Whether all heirs are known, not only the main one.
        may_move: Whether it may be rewritten, which requires that it has one heir.
    """

    first: str
    last: str
    status: str
    heirs: tuple[tuple[str, ...], ...]
    source: str
    is_exact: bool = False
    may_move: bool = False

    @property
    def kind(self) -> str:
        """Return the status and the evidence."""
        return f"{self.status} ({self.source})"


@dataclass(frozen=True, slots=True)
class _Print:
    """The numbers and words that an edition prints.

    Attributes:
        held: The bearer of each number that has only one bearer and is not misprinted.
        all: All numbers that are printed, and the right numbers of misprints.
        once: The words that occur once, with their provision.
    """

    held: dict[str, int]
    all: frozenset[str]
    once: dict[str, int]


class _State(NamedTuple):
    """The number and words of a provision."""

    kind: str
    number: str
    heading: str
    body: str
    meant: str


class _Link(NamedTuple):
    """The step of a provision into an edition from the last edition that had it."""

    edition: int
    source: int
    new: int | None
    kinds: int
    chance: float


class Truth:
    """The contents of a base, read with plain SQL."""

    def __init__(self, file: Path) -> None:
        """Read a file."""
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as base:
            rows = base.execute(
                "SELECT p.id, kind, number, heading, body, meant "
                "FROM provision p JOIN reading r ON r.id = p.reading"
            ).fetchall()
            self.labels = [row[0] for row in base.execute("SELECT label FROM edition ORDER BY id")]
            self._spans: list[tuple[int, int, int]] = base.execute(
                "SELECT provision, first, last FROM span ORDER BY first, last, provision"
            ).fetchall()
            links = base.execute(
                "SELECT edition, source, old, new, kinds, confidence FROM link "
                "WHERE old IS NOT NULL ORDER BY edition, source, old, rank"
            ).fetchall()
        self._rows = {number: _State(*cells) for number, *cells in rows}
        self._words = {number: _folded(row.heading, row.body) for number, row in self._rows.items()}
        self._links: dict[int, list[_Link]] = defaultdict(list)
        for edition, source, old, new, kinds, chance in links:
            self._links[old].append(_Link(edition, source, new, kinds, chance))
        self._today = len(self.labels) - 1
        self._print = cache(self._read_print)
        self._headed = cache(self._read_headed)
        self._ever = {
            number for row in self._rows.values() for number in (row.number, row.meant) if number
        }

    def _read_print(self, edition: int) -> _Print:
        states = [state for state, first, last in self._spans if first <= edition <= last]
        rows = {state: self._rows[state] for state in states}
        texts = Counter(self._words[state] for state in states)
        printed = Counter(row.number for row in rows.values() if row.number)
        meant = {row.meant for row in rows.values() if row.meant}
        held = {
            row.number: state
            for state, row in rows.items()
            if printed[row.number] == 1
            and not row.meant
            and row.number not in meant
            and place_of(row.number)
        }
        once = {words: state for state in states if texts[words := self._words[state]] == 1}
        return _Print(held, frozenset({*printed, *meant}), once)

    @cached_property
    def headings(self) -> frozenset[str]:
        """Return all headings and headwords."""
        return frozenset({row.heading for row in self._rows.values() if row.heading})

    @property
    def _now(self) -> _Print:
        return self._print(self._today)

    # Words ---------------------------------------------------------------------------------------

    def by_words(self, label: str) -> dict[str, Claim]:
        """Return the outcome of those provisions of an edition that words alone decide.

        Their words occur once in every later edition, so no other provision can have taken them
        over.
        """
        edition = self.labels.index(label)
        claims = dict(self._sections(edition))
        each = [self._print(place).once for place in range(edition, self._today + 1)]
        names = {state: number for number, state in self._now.held.items()}
        for number, state in self._print(edition).held.items():
            words = self._words[state]
            is_long = len(words.split()) >= _FEWEST_WORDS
            if is_long and all(words in texts for texts in each):
                heir = names.get(each[-1][words])
                if heir is not None:
                    claims[number] = self._moved(number, heir, WORDS)
        return claims

    def _sections(self, edition: int) -> Iterator[tuple[str, Claim]]:
        """Yield the outcome of sections whose heading occurs once in every later edition.

        One word is not enough: "Spells" was another section's heading before.
        """
        each = [self._headed(place) for place in range(edition, self._today + 1)]
        for heading, number in each[0].items():
            if " " in heading and all(heading in headings for headings in each):
                yield number, self._moved(number, each[-1][heading], WORDS)

    def _read_headed(self, edition: int) -> dict[str, str]:
        edition_print = self._print(edition)
        sections = [
            (self._rows[state].heading, number) for number, state in edition_print.held.items()
        ]
        named = [
            (_folded(heading, ""), number) for heading, number in sections if "." not in number
        ]
        times = Counter(heading for heading, _ in named)
        return {heading: number for heading, number in named if heading and times[heading] == 1}

    def _moved(self, number: str, heir: str, source: str) -> Claim:
        if heir == number:
            return Claim(number, "", CURRENT, ((heir,),), source)
        status = REUSED if number in self._now.all else RENUMBERED
        return Claim(number, "", status, ((heir,),), source, may_move=True)

    # Links ---------------------------------------------------------------------------------------

    def by_links(self, label: str) -> dict[str, Claim]:
        """Return the outcome of provisions that are gone, divided, merged or in doubt."""
        edition = self.labels.index(label)
        claims: dict[str, Claim] = {}
        for number, state in self._print(edition).held.items():
            claim = self._by_links(number, state, edition)
            if claim is not None and claim.status not in {CURRENT, RENUMBERED}:
                claims[number] = claim
        return claims

    def _by_links(self, number: str, state: int, edition: int) -> Claim | None:
        """Return the claim that links prove; None if there is none."""
        heirs = self.walk(state, edition)
        names = self._names(heirs)
        if heirs.bits & _UNCERTAIN:
            return Claim(number, "", UNCERTAIN, (), LINKS)
        if heirs.chance < FOLLOWED or names is None or heirs.bits & _COPIED:
            return None
        if not names:
            status = REUSED if number in self._now.all else GONE
            return Claim(number, "", status, (), LINKS, is_exact=True)
        each = tuple([(name,) for name in names])
        if len(names) > 1:
            is_plain = heirs.bits & _SPLIT and not heirs.bits & _MERGED
            return Claim(number, "", SPLIT, each, LINKS, is_exact=True) if is_plain else None
        if heirs.bits & _MERGED:
            return None if heirs.bits & _SPLIT else Claim(number, "", MERGED, each, LINKS)
        status = CURRENT if names[0] == number else RENUMBERED
        return Claim(number, "", status, each, LINKS)

    def _names(self, heirs: Heirs) -> list[str] | None:
        """Return today's numbers of heirs; None if one of them has no reliable number."""
        names: list[str] = []
        for state in heirs.states:
            kind, number, heading = self._rows[state][:3]
            if kind == "glossary":
                names.append(f"glossary: {heading}")
            elif self._now.held.get(number) == state:
                names.append(number)
            else:
                return None
        return names

    def walk(self, state: int, edition: int) -> Heirs:
        """Return the heirs of a state today, and what happened on the way."""
        leaving = [link for link in self._links[state] if link.source >= edition]
        if not leaving:
            return Heirs((state,), 0, 1.0, state)
        into, source = leaving[0].edition, leaving[0].source
        step = [link for link in leaving if (link.edition, link.source) == (into, source)]
        bits = 0
        for link in step:
            bits |= link.kinds
        onward = [link.new for link in step if link.new is not None]
        if not onward:
            back = [link for link in leaving if link.edition > into and link.source == source]
            onward = [link.new for link in back if link.new is not None]
            bits |= sum({link.kinds for link in back})
            if not onward:
                return Heirs((), bits, step[0].chance, state)
            into = back[0].edition
        ends = [self.walk(onward_state, into) for onward_state in onward]
        for end in ends:
            bits |= end.bits
        states = tuple(dict.fromkeys(state for end in ends for state in end.states))
        return Heirs(states, bits, step[0].chance * ends[0].chance, ends[0].end)

    # Numbers that an edition lacks ---------------------------------------------------------------

    def invented(self, label: str) -> dict[str, Claim]:
        """Return numbers near those of an edition that no edition ever had."""
        claims: dict[str, Claim] = {}
        for number in self._print(self.labels.index(label)).held:
            for near in _near(number):
                if near not in self._ever:
                    claims[near] = Claim(near, "", NEVER, (), INVENTED)
        return claims

    def absent(self, label: str) -> dict[str, Claim]:
        """Return the outcome of numbers that only other editions have."""
        here = self._print(self.labels.index(label)).all
        return {number: claim for number, claim in self._by_others.items() if number not in here}

    @cached_property
    def _by_others(self) -> dict[str, Claim]:
        stood: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for span in self._spans:
            stood[self._rows[span[0]].number].append(span)
        meant = {row.meant for row in self._rows.values()}
        claims: dict[str, Claim] = {}
        for number, spans in stood.items():
            if place_of(number) is not None and number not in meant:
                claim = self._by_other(number, spans)
                if claim is not None:
                    claims[number] = claim
        return claims

    def _by_other(self, number: str, spans: Sequence[tuple[int, int, int]]) -> Claim | None:
        """Return the outcome of a number for any date of citation; None if it cannot be known."""
        meanings: dict[tuple[str, tuple[tuple[str, ...], ...], int], Claim] = {}
        for state, first, last in spans:
            if any(
                self._print(place).held.get(number) != state for place in range(first, last + 1)
            ):
                return None
            claim = self._by_links(number, state, last)
            # A provision that was copied had more heirs before it ended.
            if claim is None or self._by_links(number, state, first) is None:
                return None
            if claim.status == RENUMBERED and number in self._now.all:
                claim = Claim(number, "", REUSED, claim.heirs, LINKS)
            meanings[claim.status, claim.heirs, self.walk(state, last).end] = claim
        if len(meanings) > 1:
            return Claim(number, "", UNCERTAIN, (), OTHERS)
        (claim,) = meanings.values()
        return Claim(number, "", claim.status, claim.heirs, OTHERS, claim.is_exact)

    # Ranges --------------------------------------------------------------------------------------

    def ranges(self, label: str, known: Mapping[str, Claim]) -> list[Claim]:
        """Return ranges of two to five neighbours whose outcomes are all known.

        Args:
            label: The label of an edition.
            known: The outcomes of single numbers.
        """
        now = _in_rows(self._now.all)
        # If words stayed together but links say that a part moved, the outcome is unknown.
        doubted = self.by_words(label).keys() & self.by_links(label).keys()
        claims: list[Claim] = []
        for row in _in_rows(self._print(self.labels.index(label)).all).values():
            for length in (2, 3, 4, 5):
                for start in range(len(row) - length + 1):
                    numbers = row[start : start + length]
                    if all(number in known and number not in doubted for number in numbers):
                        claims.append(_range([known[number] for number in numbers], now))
        return claims


def place_of(number: str) -> Place | None:
    """Return a number in parts; None if it is malformed."""
    match = _NUMBER.fullmatch(number)
    return Place(int(match[1]), int(match[2] or 0), match[3] or "") if match else None


def rows_of(numbers: Iterable[str]) -> dict[tuple[int, int], list[str]]:
    """Return the subrules of each rule in printed order, by section and number of the rule."""
    by_rule: dict[tuple[int, int], list[tuple[Place, str]]] = defaultdict(list)
    for number in numbers:
        place = place_of(number)
        if place is not None and place.letters:
            by_rule[place.section, place.rule].append((place, number))
    return {
        rule: [number for _, number in sorted(each, key=lambda placed: placed[0].order)]
        for rule, each in by_rule.items()
    }


def _in_rows(numbers: Iterable[str]) -> dict[str, list[str]]:
    """Return numbers of one kind below one provision, in printed order, as a range may cover them."""
    by_head: dict[str, list[tuple[Place, str]]] = defaultdict(list)
    for number in sorted(numbers):
        place = place_of(number)
        if place is not None:
            by_head[_head(place)].append((place, number))
    return {
        head: [number for _, number in sorted(each, key=lambda placed: placed[0].order)]
        for head, each in by_head.items()
    }


def _head(place: Place) -> str:
    if place.letters:
        return f"{place.section}.{place.rule}"
    return str(place.section) if place.rule else str(place.section // 100) + "xx"


def _range(each: Sequence[Claim], now: Mapping[str, list[str]]) -> Claim:
    """Return the outcome of a range from the outcomes of its numbers."""
    first, last = each[0].first, each[-1].first
    worst = max([claim.status for claim in each], key=HARMLESS_FIRST.index)
    if worst == CURRENT:
        return Claim(first, last, CURRENT, ((first, last),), RANGE)
    if worst not in _PLAIN:
        return Claim(first, last, worst, (), RANGE)
    became = [claim.heirs[0][0] for claim in each if claim.heirs]
    if not became:
        return Claim(first, last, worst, (), RANGE, is_exact=True)
    place = place_of(became[0])
    row = now.get(_head(place), []) if place else []
    has_ends = each[0].heirs and each[-1].heirs and set(became) <= set(row)
    if not has_ends or sorted(set(became), key=row.index) != became:
        return Claim(first, last, UNCERTAIN, (), RANGE)
    status = max(worst, RENUMBERED, key=HARMLESS_FIRST.index)
    # A range of the heirs would also cite new provisions between them.
    at = row.index(became[0])
    may_move = len(became) == len(each) and row[at : at + len(became)] == became
    heirs = ((became[0], became[-1]),)
    return Claim(first, last, status, heirs, RANGE, may_move=may_move)


def _near(number: str) -> Iterator[str]:
    """Yield misspellings of a number."""
    place = place_of(number)
    if place is None or not place.rule:
        return
    section, rule, letters = place
    if letters:
        for letter in _ALPHABET:
            if letter > letters[-1]:
                yield f"{section}.{rule}{letter}"
                yield f"{section}.{rule + 1}{letter}"
    else:
        yield f"{section}.{rule + 1}"
        yield f"{section}.{rule + 40}"
        yield f"{section}.{rule}{_ALPHABET[-1]}"


def _folded(heading: str, body: str) -> str:
    text = f"{heading}\n{body}".casefold()
    return " ".join(_WORD.findall(_PRINTED_NUMBER.sub(" ", text)))
