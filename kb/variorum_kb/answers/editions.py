"""Which edition a person means by "M10", "2007-10-01", "first" or "current"; imports nothing.

    designator = "first" | "latest" | "current"
               | day                    the edition in force that day
               | day "." issue          that issue of that very date
               | code | name            of a set; its last edition

Of a date that was issued more than once, all but the last form mean the chosen issue.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from typing import Protocol, TypeVar

    class Dated(Protocol):
        """An edition as far as a designator can tell it from others; a date may be its words."""

        @property
        def label(self) -> str: ...  # noqa: D102

        @property
        def effective(self) -> date | str: ...  # noqa: D102

        @property
        def issue(self) -> int: ...  # noqa: D102

        @property
        def is_chosen(self) -> bool: ...  # noqa: D102

        @property
        def set_code(self) -> str: ...  # noqa: D102

        @property
        def set_name(self) -> str: ...  # noqa: D102

    EditionT = TypeVar("EditionT", bound=Dated)

WORDS = ("current", "first", "latest")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def find_edition(
    newest_first: "Iterable[EditionT]", designator: str, today: str = ""
) -> "EditionT | None":
    """Return the edition that a designator names; None if none of these is meant.

    Args:
        newest_first: The editions by date and issue; no more of them are taken than are needed.
        designator: What a person has written.
        today: The day that "current" means, "" for the latest edition's.
    """
    word = designator.strip().lower()
    day, _, issue = word.partition(".")
    if issue and is_date(day):
        same = of_day(newest_first, day)
        return next((one for one in same if str(one.issue) == issue.lstrip("0")), None)
    chosen = (one for one in newest_first if one.is_chosen)
    if word == "first":
        return next(reversed(list(chosen)), None)
    if word == "latest" or (word == "current" and not today):
        return next(chosen, None)
    if word == "current" or is_date(day):
        last = today if word == "current" else day
        return next((one for one in chosen if str(one.effective) <= last), None)
    return next((one for one in chosen if word and word in _names(one)), None)


def of_day(editions: "Iterable[EditionT]", day: "date | str") -> "Iterable[EditionT]":
    """Yield the editions of that very date, all issues of it."""
    return (one for one in editions if str(one.effective) == str(day))


def of_month(editions: "Iterable[EditionT]", year: int, month: int) -> "Iterable[EditionT]":
    """Yield the editions of a month, all issues of them."""
    return (one for one in editions if str(one.effective).startswith(f"{year:04}-{month:02}-"))


def of_set(editions: "Iterable[EditionT]", name: str) -> "Iterable[EditionT]":
    """Yield the editions of a set, by its code or its whole name."""
    return (one for one in editions if name.lower() in _names(one))


def _names(edition: "Dated") -> tuple[str, str]:
    return edition.set_code.lower(), edition.set_name.lower()


def why_none(editions: "Sequence[Dated]", designator: str, today: "date | None") -> str:
    """Say why a designator names no edition, in a line.

    Args:
        editions: All editions, the oldest first.
        designator: What a person has written.
        today: The day that "current" means.
    """
    if not editions:
        return "the knowledge base holds no edition; cr build adds some"
    word = designator.strip()
    day, _, issue = word.partition(".")
    first = editions[0].label
    if word.casefold() == "current" and today is not None:
        return f"no edition is in force on {today}; the first one here is of {first}"
    if not is_date(day):
        return (
            f"no edition is called {word!r}; give a date (2007-10-01), a set code (M10), "
            "first, latest or current"
        )
    if not issue:
        return f"no edition was in force on {day}; the first one here is of {first}"
    known = [str(one.issue) for one in of_day(editions, day)]
    if not known:
        return f"no edition {word}: none is dated {day}"
    return f"no edition {word}: of {day} the base has issue {', '.join(known)}"


def is_date(word: str) -> bool:
    """Say whether a word is a day of the calendar, as in 2007-10-01."""
    parts = word.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not "".join(parts).isdecimal():
        return False
    year, month, day = map(int, parts)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not (year and 1 <= month <= len(_DAYS)):
        return False
    return 1 <= day <= _DAYS[month - 1] - (month == 2 and not is_leap)  # noqa: PLR2004


def completions(editions: "Iterable[Dated]", begun: str) -> list[str]:
    """Return the designators that begin with some letters, sorted."""
    words = {*WORDS}
    for edition in editions:
        words |= {edition.label, edition.set_code}
    return sorted([word for word in words if word and word.lower().startswith(begun.lower())])
