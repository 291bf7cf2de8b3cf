"""Dates prose by its words: those that the rules no longer use, and those that they did not use before."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from variorum.facts import all_concepts
from variorum.rows import EditionRow
from variorum.text import fold

# Fewer dated words may be a player's own; editions that print most of them are the text's era.
_FEWEST, _SHARE = 2, 0.75


class Era(NamedTuple):
    """The first and the last edition that print most of a text's dated words, and the evidence."""

    first: int | None
    last: int | None
    evidence: Sequence[str]


@cache
def _dated_words() -> list[tuple[re.Pattern[str], str, str]]:
    """Return the wordings, with the days of their first and last edition."""
    told = [it for kind, forms in all_concepts() if kind == "era" for it in forms]
    pairs = [("|".join(map(re.escape, it.words)), it) for it in told if not it.is_partial]
    return [(re.compile(rf"\b(?:{it})\b"), of.first, of.last or "9999") for it, of in pairs]


def era_of(text: str, editions: Sequence[EditionRow]) -> Era | None:
    """Return the era whose editions print the most of a text's dated words; None with too few of them."""
    folded, days = fold(text), [edition.effective for edition in editions]
    fitting, evidence = [0] * len(days), list[tuple[range, str]]()
    for pattern, since, until in _dated_words():
        match = pattern.search(folded)
        using = [place for place, day in enumerate(days) if since <= day <= until]
        if match and using and len(using) < len(days):
            came, went = days[using[0]], days[using[-1]]
            is_over = using[-1] < len(days) - 1
            printed = f"in use {came} to {went}" if is_over else f"in use since {came}"
            evidence.append((range(using[0], using[-1] + 1), f"“{match[0]}” was {printed}"))
            for place in using:
                fitting[place] += 1
    most = max(fitting, default=0)
    if most < _FEWEST:
        return None
    places = [place for place, count in enumerate(fitting) if count >= max(_FEWEST, _SHARE * most)]
    return Era(places[0], places[-1], [line for using, line in evidence if places[0] in using])
