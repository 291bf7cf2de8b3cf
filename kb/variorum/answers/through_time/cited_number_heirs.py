"""Finds the heirs of a cited number: the provision that it meant, as it is today."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum.answers.stored.number_runs import Run, runs_of
from variorum.answers.subject import Subject
from variorum.answers.through_time.citation_statuses import (
    CURRENT,
    GONE_SINCE,
    RENUMBERED,
    REUSED,
    Outcome,
    is_sure_of,
    status_of,
)
from variorum.history.walks import Destination
from variorum.rows import name_of
from variorum.text.keys import key_of_meant

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase


class Heirs:
    """Finds the heirs of cited numbers in one edition."""

    def __init__(self, base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> None:
        """Prepare the edition of the heirs.

        Raises:
            NoEditionError: The designator names no edition.
        """
        base.links.load()  # callers ask for many numbers
        self._base = base
        self._stop = base.edition(on)
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._known: dict[tuple[int, int, str], Outcome] = {}

    def runs(self, number: str) -> tuple[Run, ...]:
        """Return the provisions that have had a number, by first edition.

        If no provision has it in print, return the provisions that should have it ("510.2", printed
        as "501.2" in 2006-05).
        """
        if number not in self._runs:
            printed = runs_of(self._base.reader, number)
            held = {place for run in printed for place in range(run.first, run.last + 1)}
            meant = [
                run
                for run in runs_of(self._base.reader, key_of_meant(number))
                if run.first not in held
            ]
            parts = [part for run in (*printed, *meant) for part in self._parts(run)]
            self._runs[number] = tuple(sorted(parts, key=_by_first))
        return self._runs[number]

    def _parts(self, run: Run) -> Iterator[Run]:
        """Divide a run of editions where another provision took over the state.

        "300. General" was in one chapter until 2009 and in another afterwards, with the same
        heading and number.
        """
        state, first, last = run.state, run.first, run.last
        for edition in self._base.lineages.ends(state):
            if first < edition <= last:
                yield Run(state, first, edition - 1)
                first = edition
        yield Run(state, first, last)

    def bearers(self, number: str, edition: "EditionEntry") -> list[Subject]:
        """Return the provisions that have a number in an edition, correctly numbered ones first."""
        at, place = self._base.at, edition.place
        return [at(run.state, place) for run in self._bearing(number, place)]

    def _bearing(self, number: str, place: int) -> list[Run]:
        bearing = [run for run in self.runs(number) if run.first <= place <= run.last]
        if len(bearing) > 1:
            bearing = [run for run in bearing if not self._base.states[run.state].meant] or bearing
        return bearing

    def outcome(self, subject: Subject, number: str) -> Outcome:
        """Return the heirs of the provision that a number meant in an edition.

        Args:
            subject: The provision, in the edition of the citation.
            number: The number as cited.
        """
        key = subject.state.id, subject.edition.place, number
        if key not in self._known:
            self._known[key] = self._outcome(subject, number)
        return self._known[key]

    def outcome_of(self, run: Run, number: str) -> Outcome:
        """Return the outcome of the provision that a number meant in a run of editions.

        The outcome is the same for every edition of the run.
        """
        place = min(run.last, max(self._stop.place, run.first))
        return self.outcome(self._base.at(run.state, place), number)

    def _outcome(self, subject: Subject, number: str) -> Outcome:
        base, state = self._base, subject.state
        destination = subject.destination(self._stop)
        here = self._bearing(number, self._stop.place)
        if not destination.states and state.id in {run.state for run in here}:
            # The provision was absent for a while and returned with the same words and number.
            destination = Destination([state.id], state.id)
        heirs = list(base.states.of(destination.states).values())
        names = [name_of(heir) for heir in heirs]
        is_same = bool(heirs) and number in {heirs[0].number, heirs[0].meant}
        status = status_of(destination, is_same=is_same)
        now_means = ""
        if here and not is_same and here[0].state not in destination.states:
            now_means = base.headings.gist(base.states[here[0].state], self._stop.place)
        if now_means and status in {RENUMBERED, GONE_SINCE}:
            status = REUSED
        since, last = "", next(iter(destination.states), state.id)
        if destination.loss is not None and not names:
            since, last = base.labels[destination.loss.edition], destination.loss.state
        is_sure = status in {RENUMBERED, REUSED} and is_sure_of(destination, heirs, number)
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
