"""Finds verdicts that a base cannot apply, because it lacks the words that were read."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from variorum.facts import Verdict, all_verdicts
from variorum.history.verdict_ends import Ends, holding
from variorum.rows import headword_of, named

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_NAMED = (
    "SELECT provision.id, kind, address, first, last FROM provision "
    "JOIN span ON span.provision = provision.id "
    "WHERE address IN ({})"
)


class Unapplied(NamedTuple):
    """A verdict on a step between two editions that does not hold there.

    Attributes:
        verdict: The verdict.
        edition: The place of the last edition into which the step may lead.
    """

    verdict: Verdict
    edition: int

    @property
    def about(self) -> str:
        """Return the number or headword of the verdict, with its date."""
        verdict = self.verdict
        return f"{verdict.asked.name} of {verdict.old_edition if verdict.is_of_old else verdict.new_edition}"


def unapplied_verdicts(
    base: "KnowledgeBase", into: Collection[int] | None = None
) -> list[Unapplied]:
    """Return the verdicts that cannot be applied, in the order of the table.

    The base has both editions that such a verdict names, or one of its two provisions as it was
    read. But the verdict holds between no two editions of the base.

    Args:
        base: The base.
        into: The places of editions. Only verdicts on steps that may lead into these are returned;
            by default all.
    """
    days = [str(edition.effective) for edition in base.editions]
    wanted = range(len(days)) if into is None else into
    places = {verdict: _places(verdict, days) for verdict in all_verdicts()}
    sought = [
        verdict for verdict, lying in places.items() if any(place in lying for place in wanted)
    ]
    if not sought:
        return []
    standing = _Standing(base, sought, [place for verdict in sought for place in places[verdict]])
    about = {verdict for verdict in sought if {verdict.old_edition, verdict.new_edition} <= {*days}}
    held: set[Verdict] = set()
    for place in sorted({place for verdict in sought for place in places[verdict]}):
        some = [verdict for verdict in sought if place in places[verdict]]
        ends = standing.ends(place - 1), standing.ends(place)
        held |= {held_verdict.verdict for held_verdict in holding(some, *ends)}
        about |= {verdict for verdict in some if standing.has_end(verdict, *ends)}
    return [
        Unapplied(verdict, places[verdict][-1]) for verdict in sought if verdict in about - held
    ]


def _places(verdict: Verdict, days: Sequence[str]) -> range:
    """Return the places of the editions into which the step of a verdict may lead.

    Args:
        verdict: The verdict.
        days: The effective dates of all editions, in order.
    """
    first, last = bisect_right(days, verdict.old_edition), bisect_left(days, verdict.new_edition)
    return range(max(first, 1), min(last, len(days) - 1) + 1)


class _Standing:
    """The provisions that verdicts name, by edition."""

    def __init__(
        self, base: "KnowledgeBase", verdicts: Iterable[Verdict], places: Sequence[int]
    ) -> None:
        names = {
            end.name
            for verdict in verdicts
            for end in (verdict.asked, *verdict.others, *verdict.also)
        }
        self._states = base.states
        self._places: defaultdict[int, dict[str, int]] = defaultdict(dict)
        addresses = [headword_of(name) or name for name in sorted(names)]
        start, stop = min(places) - 1, max(places)
        for state, kind, address, first, last in base.reader.query_each(_NAMED, addresses):
            name = named("" if kind == "glossary" else address, address)
            if name in names:
                for edition in range(max(first, start), min(last, stop) + 1):
                    self._places[edition][name] = state
        self._states.of(state for standing in self._places.values() for state in standing.values())

    def ends(self, edition: int) -> Ends:
        """Return the provisions that an edition prints, by the ids of their states."""
        return Ends(self._places[edition], self._words)

    def has_end(self, verdict: Verdict, old: Ends, new: Ends) -> bool:
        """Return whether an edition still has one end of a verdict as it was read.

        A heading is not enough: other rulebooks have a section 400 with the same heading.
        """
        asked, others = (old, new) if verdict.is_of_old else (new, old)
        ends = [(asked, asked.place(verdict.asked))]
        ends += [(others, others.place(end)) for end in verdict.others]
        return any(place >= 0 and side.is_more_than_heading(place) for side, place in ends)

    def _words(self, state: int) -> tuple[str, str]:
        row = self._states[state]
        return row.heading, row.body
