"""What became of a cited number: the provision it meant, and what that is today."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from variorum_kb.answers.stored.number_runs import Run, runs_of
from variorum_kb.answers.subject import Subject
from variorum_kb.history.walks import Destination
from variorum_kb.rows import COPIED, MERGED, SPLIT, UNCERTAIN, State, name_of
from variorum_kb.text.keys import key_of_meant
from variorum_kb.thresholds import ACTED_ON, FOLLOWED

if TYPE_CHECKING:
    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.answers.knowledge_base import KnowledgeBase

CURRENT = "current"
RENUMBERED = "renumbered"
REUSED = "another provision"
SPLIT_UP = "split"
MERGED_INTO = "merged"
GONE_SINCE = "gone"
DOUBTFUL = "uncertain"
SAYS_ELSE = "says something else"
NEVER = "never existed"
# What can be said of a cited number, the harmless first.
STATUSES = (
    *(CURRENT, RENUMBERED, REUSED, SPLIT_UP, MERGED_INTO, GONE_SINCE, DOUBTFUL, SAYS_ELSE, NEVER),
)


class Outcome(NamedTuple):
    """What became of a provision that a number meant.

    Attributes:
        status: One of STATUSES but SAYS_ELSE and NEVER.
        heirs: What it is called in the other edition, the main heir first; a glossary entry is
            "glossary: " and its headword. Where it is in doubt, the candidates.
        confidence: The chance that the main heir is right.
        since: The label of the first edition without it; "" of what is still there.
        last: The id of its last state before that; of what is still there, of the main heir.
        was: The provision in a few words.
        now_means: What bears its number in the other edition instead, in a few words; "" if
            nothing does, or if it bears it itself.
        is_sure: Whether a citation may be rewritten without asking.
    """

    status: str
    heirs: tuple[str, ...]
    confidence: float
    since: str
    last: int
    was: str
    now_means: str
    is_sure: bool


class Heirs:
    """Finds what became of cited numbers until one edition."""

    def __init__(self, base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> None:
        """Prepare for the edition in which heirs are looked for.

        Raises:
            NoEditionError: The designator names no edition.
        """
        base.links.load()  # many numbers are asked for
        self._base = base
        self._stop = base.edition(on)
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._known: dict[tuple[int, int, str], Outcome] = {}

    def runs(self, number: str) -> tuple[Run, ...]:
        """Return the provisions that have had a number, by first edition.

        Where nobody bears it in print, who should have ("510.2", printed "501.2" in 2006-05).
        """
        if number not in self._runs:
            printed = runs_of(self._base.reader, number)
            held = {place for run in printed for place in range(run.first, run.last + 1)}
            meant = [
                run
                for run in runs_of(self._base.reader, key_of_meant(number))
                if run.first not in held
            ]
            self._base.states.of([run.state for run in (*printed, *meant)])  # all at once
            parts = [part for run in (*printed, *meant) for part in self._parts(run)]
            self._runs[number] = tuple(sorted(parts, key=_by_first))
        return self._runs[number]

    def _parts(self, run: Run) -> Iterator[Run]:
        """Divide the editions that hold a state where one provision took it over from another.

        Until 2009, "300. General" stood in one chapter, from then on in another: the same heading
        under the same number.
        """
        state, first, last = run.state, run.first, run.last
        for edition in self._base.lineages.ends(state):
            if first < edition <= last:
                yield Run(state, first, edition - 1)
                first = edition
        yield Run(state, first, last)

    def bearers(self, number: str, edition: "EditionEntry") -> list[Subject]:
        """Return the provisions that have a number in an edition, correctly numbered ones first."""
        at, place = self._base.subjects.at, edition.place
        return [at(run.state, place) for run in self._bearing(number, place)]

    def _bearing(self, number: str, place: int) -> list[Run]:
        bearing = [run for run in self.runs(number) if run.first <= place <= run.last]
        if len(bearing) > 1:
            bearing = [run for run in bearing if not self._base.states[run.state].meant] or bearing
        return bearing

    def outcome(self, subject: Subject, number: str) -> Outcome:
        """Return what became of the provision that a number meant in an edition.

        Args:
            subject: The provision in the edition in which it was cited.
            number: As cited.
        """
        key = subject.state.id, subject.edition.place, number
        if key not in self._known:
            self._known[key] = self._outcome(subject, number)
        return self._known[key]

    def outcome_of(self, run: Run, number: str) -> Outcome:
        """Return what became of the provision that a number meant, whenever in its run.

        It is the same for all editions of a run, since what changes, changes where a run ends.
        """
        place = min(run.last, max(self._stop.place, run.first))
        return self.outcome(self._base.subjects.at(run.state, place), number)

    def _outcome(self, subject: Subject, number: str) -> Outcome:
        base, state = self._base, subject.state
        destination = subject.destination(self._stop)
        here = self._bearing(number, self._stop.place)
        if not destination.states and state.id in {run.state for run in here}:
            # Left out for a while, it is back in the same words under the same number.
            destination = Destination([state.id], state.id)
        heirs = list(base.states.of(destination.states).values())
        names = [name_of(one) for one in heirs]
        is_same = bool(heirs) and number in {heirs[0].number, heirs[0].meant}
        status = _status(destination, is_same=is_same)
        now_means = ""
        if here and not is_same and here[0].state not in destination.states:
            now_means = base.headings.gist(base.states[here[0].state], self._stop.place)
        if now_means and status in {RENUMBERED, GONE_SINCE}:
            status = REUSED
        since, last = "", next(iter(destination.states), state.id)
        if destination.loss is not None and not names:
            since, last = base.labels[destination.loss.edition], destination.loss.state
        is_sure = status in {RENUMBERED, REUSED} and _is_sure(destination, heirs, number)
        return Outcome(
            status,
            (number, *names[1:]) if is_same else tuple(names),
            destination.confidence,
            since,
            last,
            subject.gist,
            now_means,
            status == CURRENT or is_sure,
        )


def _by_first(run: Run) -> tuple[int, int, int]:
    return run.first, run.last, run.state


def _status(destination: Destination, *, is_same: bool) -> str:
    """Return what became of a provision.

    Args:
        destination: Where it went.
        is_same: Whether it has its number still.
    """
    if destination.bits & UNCERTAIN or destination.confidence < FOLLOWED:
        return DOUBTFUL
    if not destination.states:
        return GONE_SINCE
    if len(destination.states) > 1 and destination.bits & SPLIT:
        return SPLIT_UP
    if destination.bits & MERGED:
        return MERGED_INTO
    return CURRENT if is_same else RENUMBERED


def _is_sure(destination: Destination, heirs: Sequence[State], number: str) -> bool:
    """Return whether there is one heir with a number of the same form, and little doubt about it."""
    return (
        destination.confidence >= ACTED_ON
        and not destination.bits & (SPLIT | MERGED | COPIED | UNCERTAIN)
        and len(heirs) == 1
        and _is_number(heirs[0], number)
    )


def _is_number(heir: State, number: str) -> bool:
    """Return whether the number of an heir can stand in place of another: no entry, chapter, misprint.

    A rule that became a section is left alone, since nobody takes a number without a dot for one
    where it stands in a list.
    """
    name = name_of(heir)
    return (
        len(name) > 1
        and name[0].isdigit()
        and "#" not in name
        and not heir.meant
        and ("." in name) == ("." in number)
    )
