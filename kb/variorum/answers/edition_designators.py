"""Finds the edition that "M10", "July 2009" or "current" names; imports nothing at the start.

    designators = designator | designator ".." designator
    designator  = "first" | "latest" | "current" | "today", which is the same
                | "last" | "newest" | "oldest" | "now"   latest, latest, first, current
                | day                    the edition in force that day
                | day "." issue          that issue of that very date
                | year | month           the edition in force on its last day
                | code | name            of a set, or a part of its name; its last edition

A day is 2007-10-01, 20071001, 2007/10/1 or "October 1, 2007". A month is 2009-07 or "July 2009". If
a date has several issues, a designator without an issue means the chosen issue.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from typing import Protocol, TypeVar

    class Dated(Protocol):
        """The properties of an edition that designators name; a date may be a string."""

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

WORDS = ("current", "first", "latest", "today")
IN_FORCE = ("current", "today")
# A synonym counts before a part of a set's name: "last" is part of one.
_ALSO = {"last": "latest", "newest": "latest", "oldest": "first", "now": "current"}
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# The name of the block, by the code of each set whose own name lacks it.
_BLOCKS = {"gpt": "ravnica", "dis": "ravnica", "con": "alara", "frf": "tarkir"}
# A part of a name must have at least this many letters.
FEWEST_LETTERS = 3
_BETWEEN = ".."


def find_edition(
    newest_first: "Iterable[EditionT]", designator: str, today: str = ""
) -> "EditionT | None":
    """Return the edition that a designator names; None if it names none, or several.

    Args:
        newest_first: The editions by date and issue, newest first, read only as far as needed.
        designator: What the user wrote.
        today: The day that "current" means; if "", "current" is the latest edition.
    """
    word = designator.strip().lower()
    word = _ALSO.get(word, word)
    day, _, issue = word.partition(".")
    if issue and is_date(day):
        same = of_day(newest_first, day)
        return next((edition for edition in same if str(edition.issue) == issue.lstrip("0")), None)
    chosen = (edition for edition in newest_first if edition.is_chosen)
    if word == "first":
        return next(reversed(list(chosen)), None)
    if word == "latest" or (word in IN_FORCE and not today):
        return next(chosen, None)
    last = today if word in IN_FORCE else last_day(word)
    if last:
        return next((edition for edition in chosen if str(edition.effective) <= last), None)
    fitting = fitting_sets(chosen, word)
    return fitting[0] if len(fitting) == 1 else None


def fitting_sets(newest_first: "Iterable[EditionT]", words: str) -> "list[EditionT]":
    """Return the last edition of each set that words name: by its code, its name or part of it.

    Whole names come first, then whole words of names, then other parts.
    """
    folded = folded_name(words)
    if not folded:
        return []
    sets: dict[str, EditionT] = {}
    for edition in newest_first:
        if edition.is_chosen and (edition.set_code or edition.set_name):
            sets.setdefault(edition.set_code.lower() or edition.set_name, edition)
    named = [(edition, folded_name(edition.set_name)) for edition in sets.values()]
    bare = folded.removeprefix("the ")
    whole_names = [
        edition
        for edition, name in named
        if folded == folded_name(edition.set_code) or bare == name.removeprefix("the ")
    ]
    if whole_names or len(folded) < FEWEST_LETTERS:
        return whole_names
    full = [
        (edition, f" {name} {_BLOCKS.get(edition.set_code.lower(), '')} ")
        for edition, name in named
    ]
    words_of = [edition for edition, name in full if f" {folded} " in name]
    return words_of or [edition for edition, name in full if folded in name]


def with_part(editions: "Sequence[EditionT]", part: str) -> "Sequence[EditionT]":
    """Return the editions that have some words in their label, set or block."""
    first, last = _days_of(part)
    if first != last:
        return [edition for edition in editions if first <= str(edition.effective) <= last]
    folded = folded_name(part)
    return [
        edition
        for edition in editions
        if edition.label.startswith(part)
        or folded in f"{folded_name(edition.set_name)} {_BLOCKS.get(edition.set_code.lower(), '')}"
        or folded == edition.set_code.lower()
    ]


def split_pair(designators: str) -> "tuple[str, str] | None":
    """Return the two designators of "A..B"; a missing end means the first or the current edition.

    >>> split_pair("M10..M11"), split_pair("2009.."), split_pair("M10")
    (('M10', 'M11'), ('2009', 'current'), None)
    """
    start, between, stop = designators.strip().partition(_BETWEEN)
    if not between or not (start or stop):
        return None
    return start.strip() or "first", stop.strip(". ") or "current"


def of_day(editions: "Iterable[EditionT]", day: "date | str") -> "Iterable[EditionT]":
    """Yield all issues of a date."""
    return (edition for edition in editions if str(edition.effective) == str(day))


def of_set(editions: "Iterable[EditionT]", name: str) -> "Iterable[EditionT]":
    """Yield the editions of a set, by its code or its whole name."""
    return (edition for edition in editions if name.lower() in _names(edition))


def _names(edition: "Dated") -> tuple[str, str]:
    return edition.set_code.lower(), edition.set_name.lower()


def folded_name(words: str) -> str:
    """Return words without case, apostrophes and punctuation: "the brothers war"."""
    bare = words.lower().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return " ".join("".join([sign if sign.isalnum() else " " for sign in bare]).split())


def last_day(words: str) -> str:
    """Return the last day of a day, month or year, as YYYY-MM-DD; "" for other words.

    Every month has 31 days here. Comparisons are not affected.

    >>> [last_day(words) for words in ("2007-10-01", "2009-07", "2009", "july 2009")]
    ['2007-10-01', '2009-07-31', '2009-12-31', '2009-07-31']
    >>> last_day("Oct. 1st, 2007"), last_day("M10"), last_day("2009-13"), last_day("may")
    ('2007-10-01', '', '', '')
    """
    return _days_of(words)[1]


def first_day(words: str) -> str:
    """Return the first day of a day, month or year; "" for other words.

    >>> [first_day(words) for words in ("2007-10-01", "2009-07", "2009", "july 2009", "M10")]
    ['2007-10-01', '2009-07-01', '2009-01-01', '2009-07-01', '']
    """
    return _days_of(words)[0]


def _days_of(words: str) -> tuple[str, str]:
    """Return the first and the last day of a day, month or year; both "" for other words."""
    if is_date(words):
        return words, words
    signs = words.strip().lower().replace("/", "-")
    if len(signs) == 8 and signs.isascii() and signs.isdecimal():  # noqa: PLR2004
        signs = f"{signs[:4]}-{signs[4:6]}-{signs[6:]}"
    year, *others = signs.split("-")
    if not _is_year(year):
        return _spelt_out(signs)
    if not others:
        return f"{year}-01-01", f"{year}-12-31"
    if len(others) > 2 or not all(part.isdecimal() and len(part) <= 2 for part in others):  # noqa: PLR2004
        return "", ""
    day = "-".join([year, *(f"{part:0>2}" for part in others)])
    return _month_days(day) if len(others) == 1 else (day, day) if is_date(day) else ("", "")


def _month_days(month: str) -> tuple[str, str]:
    """Return the first and the last day of a month such as 2009-07; both "" for other words."""
    return (f"{month}-01", f"{month}-31") if is_date(f"{month}-01") else ("", "")


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdecimal() and word > "0000"  # noqa: PLR2004


def _spelt_out(words: str) -> tuple[str, str]:
    """Return the first and the last day of "july 2009" or "july 11th, 2009"; else both ""."""
    parts = words.replace(",", " ").replace(".", " ").split()
    year = [part for part in parts if _is_year(part)]
    if len(year) != 1 or len(parts) not in {2, 3}:
        return "", ""
    from variorum.text.months import MONTHS  # noqa: PLC0415 - dates in digits are more common

    others = [part for part in parts if part not in year]
    named = [
        (place, part)
        for part in others
        for place, month in enumerate(MONTHS, start=1)
        if len(part) >= FEWEST_LETTERS and month.startswith("sep" if part == "sept" else part)
    ]
    if len(named) != 1:
        return "", ""
    ((place, name),) = named
    days = [part.rstrip("stndrh") for part in others if part != name]
    if not days:
        return _month_days(f"{year[0]}-{place:02}")
    day = f"{year[0]}-{place:02}-{days[0]:>02}"
    return (day, day) if is_date(day) else ("", "")


def day_note(designator: str, edition: "Dated") -> str:
    """Return a note on which edition a month, year or other day names; "" for its own day."""
    first, last = _days_of(designator)
    held = str(edition.effective)
    if not last or first == last == held:
        return ""
    from variorum.facts import missing_day  # noqa: PLC0415 - days are less common

    when = last if first == last else f"the last day of {designator.strip()}"
    missing = missing_day(held, last)
    if missing:
        return (
            f"the edition in force on {when}, that of {missing}, is not in this base; "
            f"using the edition of {edition.label}"
        )
    return f"in force on {when}: the edition of {edition.label}"


def is_date(word: str) -> bool:
    """Return whether a word is a day of the calendar, as in 2007-10-01."""
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
