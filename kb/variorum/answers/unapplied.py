"""Finds verdicts that a base cannot apply, because it lacks the words that were read."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from variorum.facts import Verdict, all_verdicts
from variorum.history.canonical import Folder
from variorum.history.verdicts import Ends, holding
from variorum.rows import headword_of, named

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_NAMED = (
    "SELECT provision.id, kind, address, first, last FROM provision "
    "JOIN span ON span.provision = provision.id "
    "WHERE address IN ({})"
)


class Unapplied(NamedTuple):
    """A verdict that does not hold, and the place of the last edition into which its step may lead."""

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
    read. But the verdict holds between no two editions of the base. With places of editions, only verdicts
    on steps that may lead into these are returned.
    """
    days = [str(edition.effective) for edition in base.editions]
    wanted = range(len(days)) if into is None else into
    # The places of the editions into which the step of a verdict may lead.
    places = {
        verdict: range(
            max(bisect_right(days, verdict.old_edition), 1),
            min(bisect_left(days, verdict.new_edition), len(days) - 1) + 1,
        )
        for verdict in all_verdicts()
    }
    sought = [verdict for verdict, lying in places.items() if any(it in lying for it in wanted)]
    steps = sorted({place for verdict in sought for place in places[verdict]})
    if not steps:
        return []
    printed = _printed(base, days, sought, range(steps[0] - 1, steps[-1] + 1))
    about = {verdict for verdict in sought if {verdict.old_edition, verdict.new_edition} <= {*days}}
    held: set[Verdict] = set()
    for place in steps:
        some = [verdict for verdict in sought if place in places[verdict]]
        old, new = printed[place - 1], printed[place]
        held |= {held_verdict.verdict for held_verdict in holding(some, old, new)}
        about |= {verdict for verdict in some if _has_end(verdict, old, new)}
    return [
        Unapplied(verdict, places[verdict][-1]) for verdict in sought if verdict in about - held
    ]


def _printed(
    base: "KnowledgeBase", days: Sequence[str], verdicts: Sequence[Verdict], places: range
) -> Mapping[int, Ends]:
    """Return the provisions that editions print under names in verdicts, by their places."""
    names = {
        end.name for verdict in verdicts for end in (verdict.asked, *verdict.others, *verdict.also)
    }
    standing: dict[int, dict[str, int]] = {place: {} for place in places}
    addresses = [headword_of(name) or name for name in sorted(names)]
    for state, kind, address, first, last in base.reader.query_each(_NAMED, addresses):
        name = named("" if kind == "glossary" else address, address)
        if name in names:
            for place in range(max(first, places[0]), min(last, places[-1]) + 1):
                standing[place][name] = state
    base.states.of(state for states in standing.values() for state in states.values())

    def words(state: int) -> tuple[str, str]:
        return base.states[state].heading, base.states[state].body

    folder, known = Folder(), dict[str, int]()

    def folded(place: int) -> Iterable[tuple[int, str]]:
        states = base.states.of(base.reader.states_of(place))
        return ((id_, folder.canon(it).whole) for id_, it in states.items())

    def read(digest: str) -> str:
        state = known.get(digest, -1)
        return "" if state < 0 else folder.canon(base.states[state]).whole

    ends = {
        place: Ends(days[place], states, words, partial(folded, place), read)
        for place, states in standing.items()
    }
    by_day = {days[place]: side for place, side in ends.items()}
    for verdict in verdicts:
        sides = map(by_day.get, (verdict.old_edition, verdict.new_edition))
        for side, end in product(filter(None, sides), (verdict.asked, *verdict.others)):
            known[end.words] = max(known.get(end.words, -1), side.place(end))
    return ends


def _has_end(verdict: Verdict, old: Ends, new: Ends) -> bool:
    """Return whether an edition still has one end of a verdict as it was read.

    A heading is not enough: other rulebooks have a section 400 with the same heading.
    """
    asked, others = (old, new) if verdict.is_of_old else (new, old)
    ends = [(asked, asked.place(verdict.asked))]
    ends += [(others, others.place(end)) for end in verdict.others]
    return any(place >= 0 and side.is_more_than_heading(place) for side, place in ends)
