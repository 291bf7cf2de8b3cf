"""Finds the provision that a cited number meant, as it is today, and what `cr audit` calls that."""

from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.stored import Run
from variorum.history.lineages import Destination
from variorum.records import audit
from variorum.rows import ACTED_ON, FOLLOWED, MERGED, SPLIT, UNCERTAIN, name_of
from variorum.rule_numbers import RuleNumber
from variorum.text import key_of_meant

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase, Subject

STATUSES = audit.STATUSES
CURRENT, REWORDED, RENUMBERED, REUSED, SPLIT_UP, MERGED_INTO, GONE_SINCE = STATUSES[:7]
DOUBTFUL, SAYS_ELSE, NEVER = STATUSES[7:]


class Outcome(NamedTuple):
    """The outcome of the provision that a number meant, with one of the first seven STATUSES.

    `heirs` are its names, the main heir's first, or candidates. `since` is the label of the first edition
    without it, or ""; `last` is the id of its last state or, if it exists, of its main heir. `was` is the
    provision, by its state's id and its edition's place, `now_means` another one that has the number now,
    or None. If it is sure, a citation may be rewritten without asking.
    """

    status: str
    heirs: tuple[str, ...]
    confidence: float
    since: str
    last: int
    was: tuple[int, int]
    now_means: tuple[int, int] | None
    is_sure: bool


class Heirs:
    """Finds the heirs of cited numbers in one edition."""

    def __init__(self, base: "KnowledgeBase", on: "str | EditionEntry" = "current") -> None:
        base.links.load()  # callers ask for many numbers
        self._base, self._stop = base, base.edition(on)
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._known: dict[tuple[int, int, str], Outcome] = {}

    def runs(self, number: str) -> tuple[Run, ...]:
        """Return the provisions that had a number, or where none did, should have had it, by first edition.

        In 2006-05, "510.2" is printed as "501.2".
        """
        if number not in self._runs:
            printed = self._base.runs(number)
            held = {place for run in printed for place in range(run.first, run.last + 1)}
            meant = [it for it in self._base.runs(key_of_meant(number)) if it.first not in held]
            parts = [
                Run(run.state, *part)
                for run in (*printed, *meant)
                for part in self._base.lineages.divided(*run)
            ]
            self._runs[number] = tuple(sorted(parts, key=lambda run: (*run[1:], run.state)))
        return self._runs[number]

    def bearers(self, number: str, edition: "EditionEntry") -> "list[Subject]":
        """Return the provisions that have a number in an edition; misnumbered ones only without others."""
        states = self._base.bearers(number, edition.place)
        correct = [state for state in states if not state.meant]
        return [self._base.at(state.id, edition.place) for state in correct or states]

    def outcome_of(self, run: Run, number: str) -> Outcome:
        """Return the outcome of the provision that a number meant in all editions of a run."""
        place = min(run.last, max(self._stop.place, run.first))
        return self.outcome(self._base.at(run.state, place), number)

    def outcome(self, subject: "Subject", number: str) -> Outcome:
        """Return the outcome of the provision that a number, as cited, meant in an edition."""
        key = subject.state.id, subject.edition.place, number
        if key in self._known:
            return self._known[key]
        base, state, place = self._base, subject.state, self._stop.place
        way = subject.destination(self._stop)
        here = [bearer.state.id for bearer in self.bearers(number, self._stop)]
        if not way.states and state.id in here:
            # The provision was absent for a while and returned with the same words and number.
            way = Destination(base.lineages, state.id, place, place)
        heirs = list(base.states.of(way.states).values())
        names = [name_of(heir) for heir in heirs]
        is_same = bool(heirs) and number in {heirs[0].number, heirs[0].meant}
        is_other = bool(here) and not is_same and here[0] not in way.states
        now_means = (here[0], place) if is_other else None
        status = _status(way, is_same=is_same)
        if now_means and status in {RENUMBERED, GONE_SINCE}:
            status = REUSED
        is_moved = status in {RENUMBERED, REUSED, MERGED_INTO} and not is_same and bool(heirs)
        # A copy only repeats the main heir. A rule that merged into one other is there as a whole.
        is_whole = not way.bits & (SPLIT | UNCERTAIN) and (len(heirs) == 1 or not way.bits & MERGED)
        # An entry, a chapter or a misprint cannot replace a number. Nor can a section replace a rule,
        # because readers do not recognise a number without a dot in a list.
        is_sure = is_moved and is_whole and way.confidence >= ACTED_ON and not heirs[0].meant
        is_sure = (
            is_sure and bool(RuleNumber.read(names[0])) and ("." in names[0]) == ("." in number)
        )
        loss = None if names else way.loss
        self._known[key] = Outcome(
            status,
            (number, *names[1:]) if is_same else tuple(names),
            way.confidence,
            base.labels[loss.edition] if loss else "",
            loss.state if loss else next(iter(way.states), state.id),
            (state.id, subject.edition.place),
            now_means,
            status == CURRENT or is_sure,
        )
        return self._known[key]


def _status(way: Destination, *, is_same: bool) -> str:
    if way.bits & UNCERTAIN or way.confidence < FOLLOWED:
        return DOUBTFUL
    if not way.states:
        return GONE_SINCE
    if len(way.states) > 1 and way.bits & SPLIT:
        return SPLIT_UP
    if way.bits & MERGED:
        return MERGED_INTO
    return CURRENT if is_same else RENUMBERED
