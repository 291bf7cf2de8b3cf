"""Explains why a designator names no edition, or several, and what to write instead."""

import difflib
from typing import TYPE_CHECKING

from variorum.answers.edition_designators import (
    FEWEST_LETTERS,
    IN_FORCE,
    WORDS,
    fitting_sets,
    folded_name,
    is_date,
    last_day,
    of_day,
    split_pair,
)
from variorum.thresholds.misspelt_likeness import MISSPELT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from variorum.answers.edition_designators import Dated

_MOST_NEAR = 3


def why_none(editions: "Sequence[Dated]", designator: str, today: "date | None") -> str:
    """Return in one line why a designator names no edition, or several.

    Args:
        editions: All editions, the oldest first.
        designator: What the user wrote.
        today: The day that "current" means.
    """
    if not editions:
        return "the knowledge base holds no edition; cr build adds some"
    word = designator.strip()
    first = editions[0].label
    if word.casefold() in IN_FORCE and today is not None:
        return f"no edition is in force on {today}; the earliest edition here is {first}"
    day, _, issue = word.partition(".")
    if issue and is_date(day):
        known = [str(edition.issue) for edition in of_day(editions, day)]
        held = (
            f"the base has issue {', '.join(known)} of {day}" if known else f"none is dated {day}"
        )
        return f"no edition {word}: {held}"
    if last_day(word):
        when = word if is_date(word) else f"the last day of {word}"
        return f"no edition was in force on {when}; the earliest edition here is {first}"
    return _why_not_called(editions, word)


def _why_not_called(editions: "Sequence[Dated]", word: str) -> str:
    several = fitting_sets(reversed(editions), word)
    if several:
        listed = ", ".join([_shown(edition) for edition in reversed(several)])
        return f"{word!r} fits {len(several)} sets: {listed}; name one"
    if split_pair(word):
        return f"{word!r} names two editions; give one"
    if word and last_day(f"{word} 2000"):
        return (
            f'{word!r} needs a year; write both in quotes, as in "{word} {editions[-1].label[:4]}"'
        )
    near = _near(editions, word)
    like = f"near: {', '.join(near)}; " if near else ""
    return (
        f"no edition is called {word!r}; {like}give a date (2007-10-01), a month (2007-10), a year, "
        "a set (M10, Zendikar), first, latest, current or today"
    )


def is_ambiguous(editions: "Sequence[Dated]", designator: str) -> bool:
    """Return whether a designator without an edition is ambiguous: part of several names, or "A..B"."""
    return bool(split_pair(designator) or fitting_sets(reversed(editions), designator))


def _shown(edition: "Dated") -> str:
    return f"{edition.set_name} ({edition.set_code}, {edition.label})"


def _near(editions: "Sequence[Dated]", word: str) -> list[str]:
    """Return the codes and names of sets that look most like a word."""
    known = {folded_name(word): word for word in WORDS}
    for name in [
        name for edition in editions for name in (edition.set_name, edition.set_code) if name
    ]:
        parts = [part for part in folded_name(name).split() if len(part) > FEWEST_LETTERS]
        known |= {part: name for part in parts if part not in known}
        known[folded_name(name)] = name
    like = difflib.get_close_matches(folded_name(word), known, _MOST_NEAR, MISSPELT)
    return list(dict.fromkeys([known[name] for name in like]))
