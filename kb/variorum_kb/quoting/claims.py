"""Check the days that a page gives for words: "[CompRules 2007/02/01]", the day of their last change."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from enum import Enum
from functools import reduce
from operator import or_
from typing import NamedTuple

from variorum_kb.quoting.edition_days import EditionDays, is_new, since
from variorum_kb.quoting.printed_texts import Printing
from variorum_kb.text.days import find_day

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
        words_since: From which edition on the words stand; None if unknown.
        number_since: From which edition on they stand under the page's number; None likewise.
    """

    words: str
    day: date
    verdict: ClaimVerdict
    edition: int | None
    words_since: int | None
    number_since: int | None


def claim_behind(
    behind: str,
    printings: Sequence[Printing],
    number: str,
    edition: int | None,
    days: EditionDays,
) -> DayClaim | None:
    """Return the claim in what stands behind a text of some printings; None without one.

    The page prints the number, and quotes the edition.
    """
    match = _CLAIM.match(behind)
    day = find_day(match[1]) if match else None
    if match is None or day is None:
        return None
    words = _editions(printings)
    numbered = _editions([p for p in printings if number in ("", p.number)])
    verdict, meant = ClaimVerdict.UNKNOWN, days.meant(day)
    if meant and numbered and _OF_RULES.search(match[1]):
        new = [place for place in meant if is_new(words, place)]
        under = [
            _editions([p for p in printings if p.number == name])
            for name in {printing.number for printing in printings} - {""}
        ]
        moved = [place for place in meant if any(is_new(some, place) for some in under)]
        verdict = ClaimVerdict.BY_NUMBER if moved else ClaimVerdict.CONTRADICTED
        verdict = ClaimVerdict.BY_WORDS if new else verdict
        meant = new or moved or meant
    place = meant[0] if meant else None
    began = since(words, edition), since(numbered, edition)
    return DayClaim(match[1], day, verdict, place, *began)


def _editions(printings: Iterable[Printing]) -> int:
    return reduce(or_, [printing.editions for printing in printings], 0)
