"""Checks a page's claims about the day on which words last changed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from variorum_kb.references.find import find_references
from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.text.folding import fold_apostrophes, fold_words

# A page may name the day of publication, or a day soon after the effective date.
_NEAR = 31
# Stands for a citation. It is a letter, so that it counts as a word, and no rule has it.
_SLOT = "\N{LATIN LETTER BIDENTAL PERCUSSIVE}"


class Turn(NamedTuple):
    """A reading of a provision and the editions that print it.

    Attributes:
        first: The place of the first of these editions.
        last: The place of the last.
        name: Its number, or "glossary: " and its headword.
        text: Its words, with line feeds before examples.
    """

    first: int
    last: int
    name: str
    text: str


class ComparedText(NamedTuple):
    """A text in three forms for comparison, the strictest first.

    Attributes:
        signs: Its words and punctuation.
        words: Its words.
        slotted: Its words, with each cited number replaced by a placeholder.
    """

    signs: str
    words: str
    slotted: str


class Calendar:
    """The days of all editions of a base."""

    def __init__(self, days: Sequence[date], labels: Sequence[str]) -> None:
        self.labels = labels
        self._days = days

    def of(self, day: date) -> list[int]:
        """Return the places of the editions that a day may mean, likeliest first."""
        exact = [place for place, effective in enumerate(self._days) if effective == day]
        if exact:
            return exact
        before = self.before(day)
        around = (before + 1, before)
        return [
            place for place in around if 0 <= place < len(self._days) and self.distance(place, day)
        ]

    def before(self, day: date) -> int:
        """Return the place of the last edition before a day; -1 if none is."""
        return sum(effective < day for effective in self._days) - 1

    def in_force(self, day: date) -> int | None:
        """Return the place of the edition in force on a day; None before the first."""
        place = sum(effective <= day for effective in self._days) - 1
        return place if place >= 0 else None

    def distance(self, place: int, day: date) -> str:
        """Describe how far an edition is from a day; "" if the day cannot mean it."""
        days = (self._days[place] - day).days
        if not days or abs(days) > _NEAR:
            return ""
        return f"{abs(days)} {'day' if abs(days) == 1 else 'days'} {'later' if days > 0 else 'earlier'}"

    def day(self, place: int) -> date:
        """Return the day of an edition."""
        return self._days[place]


@lru_cache(maxsize=4096)
def compared_text(text: str) -> ComparedText:
    """Fold a text for comparison."""
    parts: list[str] = []
    copied = 0
    for reference in find_references(text) if re.search(r"\d", text) else ():
        parts += [text[copied : reference.start], f" {_SLOT} "]
        copied = reference.end
    slotted = fold_words("".join([*parts, text[copied:]]))
    return ComparedText(fold_apostrophes(text), fold_words(text), slotted)


@lru_cache(maxsize=4096)
def _units(text: str) -> tuple[ComparedText, ...]:
    """Return each paragraph, then the first two paragraphs, the first three and so on."""
    lines = text.split("\n")
    runs = [" ".join(lines[:stop]) for stop in range(2, len(lines) + 1)]
    return tuple([compared_text(unit) for unit in (*lines, *runs)])


@dataclass(frozen=True)
class PastTurns:
    """Words of a page, and the readings of the provision up to the quoted edition.

    Attributes:
        words: As the page prints them.
        turns: The readings, oldest first. The page quotes the last reading.
        number: As the page prints it.
    """

    words: str
    turns: tuple[Turn, ...]
    number: str

    @cached_property
    def _wanted(self) -> ComparedText:
        return compared_text(self.words)

    @cached_property
    def _is_part(self) -> bool:
        """Say whether the words are only part of a paragraph of the last reading."""
        return self._unit(len(self.turns) - 1) is None

    def _unit(self, place: int) -> ComparedText | None:
        """Return the paragraph of a reading with these words, ignoring cited numbers."""
        units = _units(self.turns[place].text)
        return next((unit for unit in units if unit.slotted == self._wanted.slotted), None)

    def _holds(self, place: int) -> bool:
        """Say whether a reading contains the words, ignoring cited numbers."""
        if not self._is_part:
            return self._unit(place) is not None
        return self._contains(place, 2)

    def _contains(self, place: int, level: int) -> bool:
        units = [unit[level] for unit in _units(self.turns[place].text)]
        return any(f" {self._wanted[level]} " in f" {unit} " for unit in units)

    def _is_changed(self, place: int, level: int) -> bool:
        """Say whether the words differ from the previous reading, if both contain them."""
        if self._is_part:
            return self._contains(place, level) != self._contains(place - 1, level)
        here, before = self._unit(place), self._unit(place - 1)
        return here is not None and before is not None and here[level] != before[level]

    @cached_property
    def since(self) -> int:
        """Return the index of the reading that introduced the words, ignoring cited numbers.

        Return -1 if the last reading lacks the words.
        """
        place = len(self.turns) - 1
        if not self._holds(place):
            return -1
        while place and self._is_next(place) and self._holds(place - 1):
            place -= 1
        return place

    def _is_next(self, place: int) -> bool:
        return self.turns[place - 1].last + 1 == self.turns[place].first

    @cached_property
    def numbered(self) -> int:
        """Return the index of the reading that introduced the current number."""
        place = len(self.turns) - 1
        name = self.turns[place].name
        while place and self._is_next(place) and self.turns[place - 1].name == name:
            place -= 1
        return place

    @cached_property
    def events(self) -> Mapping[int, tuple[PassageVerdict, str]]:
        """Return the changes by edition, from the introduction of the words on."""
        events: dict[int, tuple[PassageVerdict, str]] = {}
        for place in range(self.since + 1, len(self.turns)):
            before, here = self.turns[place - 1 : place + 1]
            if before.name != here.name:
                if self.turns[-1].name != self.number:
                    continue  # the page prints another number
                change = f"{before.name} became {here.name}"
                if self._is_changed(place, 1):
                    change += ", and what it cites changed"
                events[here.first] = PassageVerdict.BY_NUMBER, change
            elif self._is_changed(place, 1):
                events[here.first] = PassageVerdict.BY_WORDS, "only what it cites changed"
            elif self._is_changed(place, 0):
                events[here.first] = PassageVerdict.BY_WORDS, "only signs changed, no word"
        events[self.turns[self.since].first] = PassageVerdict.BY_WORDS, ""
        return events

    def stand(self, calendar: Calendar) -> str:
        """Name the editions that introduced the words and the number."""
        labels, turn = calendar.labels, self.turns[self.since]
        line = f"the words stand since {labels[turn.first]}"
        if turn.name != self.number:
            line += f" as {turn.name}"
        last = self.turns[self.numbered]
        if last.name != self.number:
            return f"{line}; no edition found prints them as {self.number}"
        if self.numbered > self.since:
            line += f"; the number since {labels[last.first]}"
        return line

    def before(self, calendar: Calendar) -> str:
        """Describe the last edition without the words."""
        turn = self.turns[self.since]
        if not turn.first:
            return "no earlier edition is here"
        label = calendar.labels[turn.first - 1]
        if not self.since or not self._is_next(self.since):
            return f"{label} has no such provision"
        name = self.turns[self.since - 1].name
        return f"{label} has other words" + ("" if name == turn.name else f", as {name}")


def check(past: PastTurns, day: date, calendar: Calendar) -> tuple[PassageVerdict, list[str]]:
    """Return the verdict on a claimed day of last change, and the evidence."""
    if past.since < 0:
        return PassageVerdict.UNKNOWN, ["no edition has these words"]
    meant = calendar.of(day)
    evidence = [past.stand(calendar), past.before(calendar)]
    for place in meant:
        # The first edition proves nothing about its words unless it is of exactly that day.
        if place in past.events and (place or calendar.day(place) == day):
            verdict, change = past.events[place]
            changes = [f"{calendar.labels[place]}: {change}"] if change else []
            return verdict, [*evidence, *changes, *_distance(place, day, calendar)]
    verdict, why = _against(past, day, calendar, is_meant=bool(meant))
    return verdict, [*evidence, why]


def _distance(place: int, day: date, calendar: Calendar) -> list[str]:
    if calendar.day(place) == day:
        return []
    distance = calendar.distance(place, day)
    return [f"no edition here is of {day}; that of {calendar.labels[place]} is {distance}"]


def _against(
    past: PastTurns, day: date, calendar: Calendar, *, is_meant: bool
) -> tuple[PassageVerdict, str]:
    """Return the verdict and the reason if no change happened on a day."""
    labels, brought = calendar.labels, past.turns[past.since].first
    before = calendar.before(day)
    if (not is_meant or before < 0) and before + 1 in past.events:
        around = f"after {labels[before]}" if before >= 0 else "before the first edition here"
        return PassageVerdict.UNKNOWN, (
            f"no edition here is of {day}; {labels[before + 1]} is the next one, "
            f"so that a change {around} may be meant"
        )
    if calendar.day(brought) > day:
        return (
            PassageVerdict.CONTRADICTED,
            f"the words are newer than {day}: {labels[brought]} brought them",
        )
    last = past.turns[-1]
    if last.name != past.number:
        why = f"{labels[last.last]} has them as {last.name}"
        return (PassageVerdict.CONTRADICTED if is_meant else PassageVerdict.UNKNOWN), why
    return PassageVerdict.CONTRADICTED, _unchanged(past, day, calendar)


def _unchanged(past: PastTurns, day: date, calendar: Calendar) -> str:
    """Name the editions around a day that have the same words under the same number."""
    labels, before = calendar.labels, calendar.before(day)
    after = before + 1
    if after in past.events:  # the day is close to the preceding edition, which changed nothing
        before, after = before - 1, before
    if before >= past.turns[past.since].first and after <= past.turns[-1].last:
        return f"words and number are the same in {labels[before]} and {labels[after]}"
    return f"words and number are the same in {labels[min(before, past.turns[-1].last)]} already"
