"""Say what citations mean in the edition that prints them."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from variorum_kb.model import RuleNumber
from variorum_kb.references.find import Reference
from variorum_kb.text.keys import fold_title


class Status(Enum):
    """What became of a citation; the values are the words we show."""

    RESOLVED = "resolved"
    DANGLING = "dangling"


class TitleCheck(Enum):
    """Whether the title printed behind a number is the heading it names."""

    NONE = "no title"
    SAME = "same title"
    OTHER = "other title"


@dataclass(frozen=True, slots=True)
class Target:
    """A provision that can be cited.

    Attributes:
        address: Its number, with #1, #2 where it is printed twice.
        number: As printed.
        meant: The number it has by its place, "" where that is the printed one.
        heading: Its own heading; of a rule or subrule without one that of what it stands under.
    """

    address: str
    number: str
    meant: str
    heading: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The citation leads to these provisions of the edition, in printed order.

    Attributes:
        by_meaning: Nobody bears the number, or an end of the range, in print; a misprinted
            provision should.
    """

    reference: Reference
    targets: tuple[Target, ...]
    title: TitleCheck
    by_meaning: bool = False


@dataclass(frozen=True, slots=True)
class Dangling:
    """The edition lacks a provision that the citation names.

    Attributes:
        missing: The numbers that nobody bears: an end of a range or the number itself.
        targets: What the rest of the citation leads to.
    """

    reference: Reference
    missing: tuple[str, ...]
    targets: tuple[Target, ...]


Resolution = Resolved | Dangling


class EditionIndex:
    """The provisions of one edition by what they can be cited as."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._printed: dict[str, list[Target]] = {}
        self._meant: dict[str, list[Target]] = {}
        order: list[tuple[RuleNumber, int, Target]] = []
        for place, target in enumerate(targets):
            self._printed.setdefault(target.number, []).append(target)
            if target.meant:
                self._meant.setdefault(target.meant, []).append(target)
            number = RuleNumber.read(target.number)
            if number is not None:
                order.append((number, place, target))
        self._order = sorted(order, key=lambda one: (one[0], one[1]))
        self._numbers = [number for number, _, _ in self._order]

    def bearers(self, number: str) -> tuple[tuple[Target, ...], bool]:
        """Return who bears a number, and whether only by what was meant."""
        printed = self._printed.get(number)
        if printed:
            return tuple(printed), False
        meant = self._meant.get(number, ())
        return tuple(meant), bool(meant)

    def between(self, first: RuleNumber, last: RuleNumber) -> Sequence[Target]:
        """Return all of the depth of two numbers that stands between them, both included."""
        found: list[Target] = []
        for place in range(bisect_left(self._numbers, first), len(self._order)):
            number, _, target = self._order[place]
            if number > last:
                break
            if bool(number.rule) is bool(first.rule) and bool(number.letters) is bool(last.letters):
                found.append(target)
        return found


def resolve(reference: Reference, edition: EditionIndex) -> Resolution:
    """Say what a citation means in an edition.

    A range means what exists between its ends: letters l and o are never used. A number may be
    printed twice (702.30d in 2009-10-01): both provisions are meant, since nothing tells which.
    """
    first, by_meaning = edition.bearers(reference.first)
    if reference.last == reference.first:
        if not first:
            return Dangling(reference, (reference.first,), ())
        return Resolved(reference, first, _check_title(reference, first), by_meaning)
    last, last_by_meaning = edition.bearers(reference.last)
    one, other = RuleNumber.read(reference.first), RuleNumber.read(reference.last)
    targets = tuple(edition.between(one, other)) if one and other else ()
    ends = {reference.first: first, reference.last: last}
    missing = tuple(number for number, bearers in ends.items() if not bearers)
    if missing:
        return Dangling(reference, missing, targets)
    # A misprinted end stands elsewhere in the order of printed numbers.
    targets = tuple(dict.fromkeys((*first, *targets, *last)))
    by_meaning = by_meaning or last_by_meaning
    return Resolved(reference, targets, _check_title(reference, first), by_meaning)


def _check_title(reference: Reference, targets: Sequence[Target]) -> TitleCheck:
    if not reference.title:
        return TitleCheck.NONE
    printed = fold_title(reference.title)
    if any(fold_title(target.heading) == printed for target in targets):
        return TitleCheck.SAME
    return TitleCheck.OTHER
