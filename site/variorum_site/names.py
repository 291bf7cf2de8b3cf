"""What pages call provisions and editions, and the pages of what is called so."""

from collections.abc import Sequence
from datetime import date, timedelta

from variorum.rows import EditionRow, State, headword_of
from variorum_site import urls
from variorum_site.pages.markup import unmarked
from variorum_site.render import in_words

GLOSSARY = "glossary"
HEADS = {"chapter", "section"}


def page_of(state: State) -> urls.Page:
    """Return the page of a state's number or headword."""
    return urls.entry(state.heading) if state.kind == GLOSSARY else urls.rule(state.number)


def page_of_name(name: str) -> urls.Page:
    """Return the page of a name in an answer: an address, or "glossary: " and a headword."""
    headword = headword_of(name)
    return urls.entry(headword) if headword else urls.rule(name.partition("#")[0])


def for_readers(name: str) -> str:
    """Return a number, or how readers call an entry of the glossary."""
    headword = headword_of(name)
    return f"the entry “{unmarked(headword)}”" if headword else name


def called(state: State) -> str:
    """Return the address of a provision, or its headword."""
    return state.heading if state.kind == GLOSSARY else state.address


def titled(number: str, heading: str, between: str = ". ") -> str:
    """Return the number of a provision with its heading, if there is one."""
    return f"{number}{between}{heading}" if heading else number


def of_edition(edition: EditionRow) -> str:
    """Return the usual name of an edition: its set, else its day."""
    return edition.set_name or in_words(edition.label)


def period(editions: Sequence[EditionRow], current: int, first: int, last: int) -> str:
    """Return when some editions were in force, in words: until the day before the next one."""
    start = in_words(editions[first].label)
    if last >= current:
        return f"since {start}"
    until = in_words(last_day(editions, last))
    return start if start == until else f"{start} to {until}"


def last_day(editions: Sequence[EditionRow], place: int) -> date:
    """Return the last day on which an edition was in force; of the newest one, its first."""
    days_before = [
        date.fromisoformat(it.effective) - timedelta(days=1)
        for it in editions[place + 1 : place + 2]
    ]
    return max([date.fromisoformat(editions[place].effective), *days_before])


def in_force(editions: Sequence[EditionRow], current: int, place: int) -> str:
    """Return when an edition was in force, in words.

    If several issues share a date, only the last was ever in force.
    """
    day = editions[place].effective
    if [edition.effective for edition in editions[place + 1 : place + 2]] == [day]:
        return f"published for {in_words(day)}, replaced before it was in force"
    if place > current:
        return f"in force from {in_words(day)}"
    return f"in force {period(editions, current, place, place)}"
