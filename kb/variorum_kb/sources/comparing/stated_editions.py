"""Finds the editions that a page names: "June 7, 2024—Modern Horizons 3", "Innistrad"."""

import calendar
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from variorum_kb.answers.edition_designators import find_edition, of_day, of_month, of_set
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoEditionError
from variorum_kb.facts.editions import known_editions
from variorum_kb.text.days import find_day, find_month
from variorum_kb.text.keys import fold_title
from variorum_kb.text.likeness import likeness
from variorum_kb.text.months import MONTHS
from variorum_kb.thresholds.misspelt_likeness import SET_NAME, SET_NAME_AHEAD

_ISSUE = re.compile(r"\b\d{4}-\d\d-\d\d\.\d\b")
_CODE = re.compile(r"\b[A-Z0-9]{3}\b")
# Words around the name of a set.
_AROUND = re.compile(
    r"\b(?:based on|the|of|magic: the gathering|magic ?comp(?:rehensive)?_?rules|comprehensive rules"
    r"|rules|as of|effective|release|update|edition|set|core set|magic)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "6th": "sixth",
    "7th": "seventh",
    "8th": "eighth",
    "9th": "ninth",
    "10th": "tenth",
}
_PARTS = re.compile(r"\s*(?:[—–()\[\],;]|\s-\s|\d{4}-\d\d-\d\d(?:\.\d)?|_)\s*")
_SHORTEST = 4
_DAY_WORDS = re.compile(
    rf"\b(?:{'|'.join(month[:3] for month in MONTHS)})[a-z]*\b|\d+[a-z]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StatedEditions:
    """The editions of a base that words such as a date or a set name may mean.

    Attributes:
        words: As printed.
        places: The places of the editions they may mean, likeliest last; empty if the base has
            none.
        evidence: The evidence, in our words.
    """

    words: str
    places: tuple[int, ...]
    evidence: str


def find_meant(base: KnowledgeBase, words: str) -> StatedEditions:
    """Find the editions that words name by a day, a set's name or its code.

    If the day and the name disagree, return both editions, the day's last.
    """
    exact, about = _by_day(base.editions, words)
    named, name = _by_name(base.editions, words)
    if exact:
        named_alone = () if set(named) & set(exact) else named
        of_day = f"{_labels(base, exact)} is of the day it names"
        also = f"; {_labels(base, named_alone)} is of {name}" if named_alone else ""
        return StatedEditions(words, (*named_alone, *exact), f"“{words}”: {of_day}{also}")
    if named:
        return StatedEditions(words, named, f"“{words}”: {_labels(base, named)} is of {name}")
    day = about or find_day(words)
    if day is None:
        return StatedEditions(words, (), f"“{words}”: names no edition that is known here")
    return _by_force(base, words, day)


def _by_day(editions: Sequence[EditionEntry], words: str) -> tuple[tuple[int, ...], date | None]:
    """Return the editions of a named day or month, and the day.

    The day of a month without editions is its last.
    """
    issue = _ISSUE.search(words)
    if issue:
        edition = find_edition(reversed(editions), issue[0])
        if edition is not None:
            return (edition.place,), None
    day = find_day(words)
    if day is not None:
        same = sorted(
            of_day(editions, day),
            key=lambda edition: (edition.is_chosen, edition.place),
        )
        return tuple([edition.place for edition in same]), day
    month = find_month(words)
    if month is None:
        return (), None
    during = tuple([edition.place for edition in of_month(editions, month.year, month.month)])
    last = calendar.monthrange(month.year, month.month)[1]
    return during, None if during else month.replace(day=last)


def _by_force(base: KnowledgeBase, words: str, day: date) -> StatedEditions:
    """Return the edition in force on a day; no edition if the words mean one that is missing.

    They do if an edition of that day is known to exist, or if they also name a set.
    """
    known = known_editions().get(day)
    if known is not None:
        of = f" ({known.set_name})" if known.set_name else ""
        return StatedEditions(words, (), f"“{words}”: the edition of {day}{of} is not in the base")
    if len(_folded(_DAY_WORDS.sub(" ", words))) >= _SHORTEST:
        # The words also name a set that the base lacks.
        return StatedEditions(words, (), f"“{words}”: no edition here is of {day}, or of that set")
    try:
        edition = base.edition(day.isoformat())
    except NoEditionError:
        return StatedEditions(words, (), f"“{words}”: no edition here is as old")
    later = ", the last one here" if edition == base.editions[-1] else ""
    why = f"“{words}”: no edition is of {day}; {edition.label} was in force then{later}"
    return StatedEditions(words, (edition.place,), why)


def _by_name(editions: Sequence[EditionEntry], words: str) -> tuple[tuple[int, ...], str]:
    """Return the editions of the sets that words may name, and their names."""
    sets = list(dict.fromkeys([edition.set_name for edition in editions if edition.set_name]))
    for name in _names(words):
        meant = _sets_of(name, sets)
        if meant:
            places = tuple([edition.place for edition in editions if edition.set_name in meant])
            return places, " or ".join(meant)
    for code in _CODE.findall(words):
        places = tuple([edition.place for edition in of_set(editions, code)])
        if places:
            return places, f"the set {code}"
    return (), ""


def _names(words: str) -> list[str]:
    """Return the possible names of a set in some words: all words, then each part."""
    parts = [part for part in (words, *_PARTS.split(words)) if any(map(str.isalpha, part))]
    bare = [" ".join(_AROUND.sub(" ", part).split()) for part in parts]
    both = [spelling for pair in zip(parts, bare, strict=True) for spelling in pair]
    spelled = [
        " ".join(_ORDINALS.get(word.casefold(), word) for word in spelling.split())
        for spelling in both
    ]
    return list(
        dict.fromkeys([spelling for spelling in spelled if len(fold_title(spelling)) >= _SHORTEST])
    )


def _sets_of(name: str, sets: Sequence[str]) -> list[str]:
    """Return the sets that a name may mean: with this name, part of it or a similar name."""
    folded = _folded(name)
    if len(folded) < _SHORTEST:
        return []
    exact = [set_name for set_name in sets if _folded(set_name) == folded]
    words = _spaced(name)
    parts = exact or [set_name for set_name in sets if f" {words} " in f" {_spaced(set_name)} "]
    if parts:
        return parts
    likely = sorted(
        [(likeness(folded, _folded(set_name)), set_name) for set_name in sets], reverse=True
    )
    (best, nearest), (second, _) = [*likely, (0.0, ""), (0.0, "")][:2]
    is_ahead = round(best - second, 9) >= SET_NAME_AHEAD
    is_slip = best >= SET_NAME and is_ahead and not _numbers_differ(name, nearest)
    return [nearest] if is_slip else []


def _spaced(name: str) -> str:
    """Return the words of a name, folded."""
    return " ".join(filter(None, [fold_title(word) for word in _AROUND.sub(" ", name).split()]))


def _folded(name: str) -> str:
    """Return a set's name without the words around it, case and punctuation.

    >>> _folded("Classic Sixth Edition"), _folded("The Brothers’ War"), _folded("Magic 2010 Core Set")
    ('classicsixth', 'brotherswar', '2010')
    """
    return fold_title(_AROUND.sub(" ", name).replace("Æ", "Ae").replace("æ", "ae"))


def _numbers_differ(first: str, second: str) -> bool:
    """Say whether two names differ in their numbers: "Modern Horizons 2" and "Modern Horizons 3"."""
    return re.findall(r"\d+", first) != re.findall(r"\d+", second)


def _labels(base: KnowledgeBase, places: Iterable[int]) -> str:
    return " or ".join([base.editions[place].label for place in places])
