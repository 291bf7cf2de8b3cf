"""The types of a bulletin's announcements, and the numbers in its headings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from variorum_kb.references.ranges import BULLETINS
from variorum_kb.rule_numbers import NUMBER


class AnnouncementKind(Enum):
    """A kind of announced change; the values are the words we show."""

    RENUMBERED = "renumbered"
    MOVED = "moved"
    NEW = "new"
    REMOVED = "removed"
    REWORDED = "reworded"
    SPLIT = "split"
    MERGED = "merged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """A change to provisions, as a bulletin announces it.

    Attributes:
        kind: The kind of change.
        old: Numbers of the earlier edition, as printed, or headwords. For a rewording, the
            bulletin's numbers, which may be of either edition. For implied changes, see
            `is_implied`.
        new: Numbers of the announced edition, or headwords. A renumbering or move has as many as
            `old`, or none if the bulletin does not give them.
        words: The announcing sentence, shortened.
        reason: The sentence with the reason, shortened; "" if none.
        line: The number of the line that names the provisions, from 1.
        is_term: Whether it is about glossary entries.
        is_implied: Whether it names no numbers of its own. Then a renumbering concerns the
            provisions after the first number of `old`, up to the second number if there is one. A
            new provision is somewhere below `old`.
        is_said: Whether the words state the kind of change. Otherwise they only mention a change.
    """

    kind: AnnouncementKind
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    words: str
    reason: str = ""
    line: int
    is_term: bool = False
    is_implied: bool = False
    is_said: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Return its numbers or headwords, old ones first."""
        return tuple(dict.fromkeys((*self.old, *self.new)))


def sides_of(
    kind: AnnouncementKind | None, names: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the old and the new names of a change that concerns one edition."""
    return ((), names) if kind is AnnouncementKind.NEW else (names, ())


@dataclass(frozen=True, slots=True)
class Headed:
    """A number in the heading of an announcement.

    Attributes:
        number: As printed.
        former: The former number in the heading: "112.6k (formerly 112.5k)".
        mark: The word after it in the heading: "new", "old", "deleted"; "" if there is none.
    """

    number: str
    former: str = ""
    mark: str = ""


class BulletinRole(Enum):
    """The role of a line of a bulletin; the values are the words we show."""

    ANNOUNCEMENT = "announcement"
    REASON = "reason"
    HEADING = "heading"
    FURNITURE = "furniture"


# Headings -----------------------------------------------------------------------------------------

_ITEM = re.compile(
    rf"(?P<numbers>{BULLETINS.range}|[a-z](?=\s*(?:$|[,&(])))\s*\.?\s*(?:\((?P<note>[^()]{{1,60}})\))?"
)
_LEAD = re.compile(
    r"(?:(?:the|new|old|cr|various|several|some|(?:sub)?rules?|sections?)\s+)*", re.IGNORECASE
)
_JOIN = re.compile(
    rf"\s*(?:(?:sub)?sections?\b)?{BULLETINS.joiner}(?!\s*(?:its\s+|their\s+)?subrules)(?:(?:the|rules?|sections?)\s+)*"
)
_TAIL = re.compile(
    r"\s*(?:sections?|(?:and\s+(?:its\s+|their\s+)?)?subrules|et seq\.?)?\s*"
    r"(?:(?:the\s+)?glossary\s+entr(?:y|ies)\s+(?:of|for)\s+.*)?[:.]?\s*",
    re.IGNORECASE,
)
_FORMER = re.compile(
    rf"(?:formerly|previously|was|old|used to be)\b[^\d]{{0,20}}(?P<n>{BULLETINS.number})"
)
_MARK = re.compile(r"new|old|deleted|removed|revised|changed|added", re.IGNORECASE)
# "110.5b.110.5b.": two columns that became one line.
_DOUBLED = re.compile(rf"({NUMBER}\.?)\s?\1")
_LONGEST_TITLE = 8


def read_heading(text: str) -> tuple[Headed, ...]:
    """Return the numbers of a line that is a heading of numbers; () for other lines.

    >>> [one.number for one in read_heading("The 104 section, 603.9, 801.17")]
    ['104', '603.9', '801.17']
    >>> read_heading("112.6k (formerly 112.5k)")
    (Headed(number='112.6k', former='112.5k', mark=''),)
    >>> read_heading("112.6 says more than it did.")
    ()
    """
    text = both[1] if (both := _DOUBLED.fullmatch(text)) else text
    heads: list[Headed] = []
    place = _LEAD.match(text).end()  # type: ignore[union-attr] # it matches the empty string
    while item := _ITEM.match(text, place):
        heads += _heads(item, heads)
        place = item.end()
        join = _JOIN.match(text, place)
        if join is None:
            break
        place = join.end()
    tail = _TAIL.match(text, place)
    rest = text[tail.end() if tail else place :]
    return tuple(heads) if heads and _is_title(rest) else ()


def _heads(item: re.Match[str], before: Sequence[Headed]) -> Iterator[Headed]:
    note = item["note"] or ""
    former, mark = _FORMER.search(note), _MARK.fullmatch(note.strip())
    words = item["numbers"]
    if words[0].isalpha():
        words = f"{before[-1].number} & {words}" if before else ""
    numbers = BULLETINS.read(words)
    for number in numbers[1:] if item["numbers"][0].isalpha() else numbers:
        yield Headed(number, former["n"] if former else "", mark[0].casefold() if mark else "")


def _is_title(rest: str) -> bool:
    words = rest.split()
    return (
        len(words) <= _LONGEST_TITLE
        and all(
            word.strip("\"“”'’()*—–-:")[:1].isupper() or len(word) <= 3  # noqa: PLR2004
            for word in words
        )
        and not rest.endswith((".", "!", "?"))
        and (not words or words[0][0].isupper())
    )
