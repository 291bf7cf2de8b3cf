"""Check the days that a page gives for words: "[CompRules 2007/02/01]", the day of their last change."""

import re
from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from datetime import date
from enum import Enum
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple

from variorum_kb.quoting.edition_days import EditionDays, is_new, since
from variorum_kb.quoting.match import Laid
from variorum_kb.quoting.printed_texts import PrintedTexts, Words
from variorum_kb.text.days import find_day
from variorum_kb.text.folding import fold_apostrophes

_CLAIM = re.compile(r"[\s.)\"”]{0,20}\[([^\[\]\n]{0,60})\]")
# Other sources ("Mirage, Page 29") the editions can't check.
_OF_RULES = re.compile(r"comp|rule|\bcr\b", re.IGNORECASE)


class ClaimVerdict(Enum):
    """What the editions say of a claim; the values are the words we show."""

    BY_WORDS = "confirmed (words)"
    BY_NUMBER = "confirmed (number)"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


class DayClaim(NamedTuple):
    """A day behind words, as printed, and what the editions say of it.

    Attributes:
        edition: The place of the edition of that day; None if none is meant.
        words_since: From which edition on the words stand, but for cited numbers; None if unknown.
        number_since: From which edition on they stand under the page's number; None likewise.
    """

    words: str
    day: date
    verdict: ClaimVerdict
    edition: int | None
    words_since: int | None
    number_since: int | None


class ClaimJudge:
    """Checks claims against the texts of all editions."""

    def __init__(self, known: PrintedTexts, days: EditionDays) -> None:
        self._known, self._days = known, days

    def judge(self, behind: str, laid: Laid, number: str, edition: int | None) -> DayClaim | None:
        """Return the claim in what stands behind a text of a page's edition; None without one."""
        match = _CLAIM.match(behind)
        day = find_day(match[1]) if match else None
        if match is None or day is None:
            return None
        texts = [option.text for option in laid.options if option.likeness == 1.0]
        # What it cites may have changed alone, or its signs.
        alike = {
            other for text in texts for other in self._slotted[_slotted(self._known.words[text])]
        }
        words, numbered = self._editions(alike), self._editions(alike, number)
        same = words, self._editions(texts), self._printed_alike(texts, edition)
        verdict, meant = ClaimVerdict.UNKNOWN, self._days.meant(day)
        is_known = numbered != 0 or not number
        if meant and texts and is_known and _OF_RULES.search(match[1]):
            new = [place for place in meant if any(is_new(some, place) for some in same)]
            moved = [place for place in meant if self._is_moved(alike, place)]
            verdict = ClaimVerdict.BY_WORDS if new else ClaimVerdict.CONTRADICTED
            verdict = ClaimVerdict.BY_NUMBER if moved and not new else verdict
            meant = new or moved or meant
        place = meant[0] if meant else None
        began = since(words, edition), since(numbered, edition)
        return DayClaim(match[1], day, verdict, place, *began)

    @cached_property
    def _slotted(self) -> dict[Words, list[int]]:
        """Return the texts by their words without cited numbers."""
        texts: dict[Words, list[int]] = defaultdict(list)
        for text, words in enumerate(self._known.words):
            texts[_slotted(words)].append(text)
        return texts

    def _editions(self, texts: Iterable[int], number: str = "") -> int:
        """Return the editions that print one of some texts, under a number if one is given."""
        printings = [
            self._known.printings[place.printing]
            for text in texts
            for place in self._known.places[text]
        ]
        return reduce(or_, [p.editions for p in printings if number in ("", p.number)], 0)

    def _is_moved(self, texts: AbstractSet[int], edition: int) -> bool:
        """Return whether an edition is the first to print some texts under one of their numbers."""
        places = [place for text in texts for place in self._known.places[text]]
        numbers = {self._known.printings[place.printing].number for place in places} - {""}
        return any(is_new(self._editions(texts, number), edition) for number in numbers)

    def _printed_alike(self, texts: Iterable[int], edition: int | None) -> int:
        """Return the editions that print some texts with the signs of one edition."""
        if edition is None:
            return 0
        places = [
            (fold_apostrophes(printing.paragraphs[place.first]), printing.editions)
            for text in texts
            for place in self._known.places[text]
            for printing in [self._known.printings[place.printing]]
        ]
        wanted = {signs for signs, editions in places if editions >> edition & 1}
        return reduce(or_, [editions for signs, editions in places if signs in wanted], 0)


def _slotted(words: Words) -> Words:
    return tuple([word for word in words if not word[0].isdigit()])
