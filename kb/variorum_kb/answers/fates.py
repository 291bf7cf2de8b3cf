"""What became of a number somebody cited: the provision it meant, and what that is today."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from variorum_kb.answers.crosswalk import Crosswalk, Trail, Walker
from variorum_kb.answers.lineage import COPIED, MERGED, SPLIT, UNCERTAIN, Lineages, heir_of, name_of
from variorum_kb.answers.plain import path
from variorum_kb.rows import text_of
from variorum_kb.store.reader import Reader

CURRENT = "current"
RENUMBERED = "renumbered"
REUSED = "another provision"
SPLIT_UP = "split"
MERGED_INTO = "merged"
GONE_SINCE = "gone"
DOUBTFUL = "uncertain"
NEVER = "never existed"
# What can be said of a cited number, the harmless first.
STATUSES = (CURRENT, RENUMBERED, REUSED, SPLIT_UP, MERGED_INTO, GONE_SINCE, DOUBTFUL, NEVER)

# Below the one, nobody should rely on a lineage; below the other, nobody should rewrite by it.
DOUBT, SURE = 0.8, 0.95

_RUNS = (
    "SELECT l.provision, s.first, s.last FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word = ? ORDER BY s.first, s.last, l.provision"
)
_GIST_WORDS = 7


class Fate(NamedTuple):
    """What became of a provision that a number meant.

    Attributes:
        status: One of STATUSES but NEVER.
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


class Run(NamedTuple):
    """The editions through which a number meant a provision.

    Attributes:
        state: The id of the provision's state.
        first: The place of the first edition.
        last: Of the last one.
    """

    state: int
    first: int
    last: int


class Fates:
    """What became of numbers until one edition."""

    def __init__(
        self, reader: Reader, lineages: Lineages, labels: Sequence[str], stop: int
    ) -> None:
        """Prepare for an edition.

        Args:
            reader: Of an open base.
            lineages: Its links.
            labels: Of all editions.
            stop: The place of the edition in which heirs are looked for.
        """
        self._reader = reader
        self._lineages = lineages
        self._labels = labels
        self._stop = stop
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._known: dict[tuple[int, int, str], Fate] = {}
        # Of a tree that is dated line by line, each edition is walked once.
        self._walked = lru_cache(maxsize=24)(self._walk)

    def runs(self, number: str) -> tuple[Run, ...]:
        """Return who bore a number, by first edition; nobody if it never stood anywhere.

        Where nobody bears it in print, who should have ("510.2", printed "501.2" in 2006-05).
        """
        if number not in self._runs:
            rows = self._reader.query(_RUNS, (number,))
            held = {place for _, first, last in rows for place in range(first, last + 1)}
            meant = [
                row for row in self._reader.query(_RUNS, (f"={number}",)) if row[1] not in held
            ]
            self._runs[number] = tuple(
                sorted([Run(*row) for row in (*rows, *meant)], key=_by_first)
            )
        return self._runs[number]

    def bearers(self, number: str, edition: int) -> list[Run]:
        """Return who bears a number in an edition, those first that bear it rightly."""
        found = [run for run in self.runs(number) if run.first <= edition <= run.last]
        if len(found) > 1:
            meant = {run: self._lineages.state(run.state)[6] for run in found}
            rightly = [run for run in found if not meant[run]]
            found = rightly or found
        return found

    def fate(self, run: Run, edition: int, number: str) -> Fate:
        """Return what became of the provision that a number meant in an edition.

        Args:
            run: Who bore it.
            edition: The place of the edition in which it was cited.
            number: As cited.
        """
        key = run.state, edition, number
        if key not in self._known:
            self._known[key] = self._fate(*key)
        return self._known[key]

    def fate_of(self, run: Run, number: str) -> Fate:
        """Return what became of the provision that a number meant, whenever in its run.

        It is the same for all editions of a run, since what changes, changes where a run ends.
        """
        return self.fate(run, min(run.last, max(self._stop, run.first)), number)

    def gist(self, state: int, edition: int) -> str:
        """Return a provision in a few words: its heading, or the nearest one and how it begins."""
        one = self._lineages.state(state)
        if one[0] == "glossary" or (one[3] and one[0] != "subrule"):
            return one[3]
        heading = next(iter(self.headings(state, edition)), "")
        words = text_of(one[4]).split()
        begin = " ".join(words[:_GIST_WORDS]) + ("…" if len(words) > _GIST_WORDS else "")
        return f"{heading}: {begin}" if heading and begin else heading or begin

    def headings(self, state: int, edition: int) -> list[str]:
        """Return the headings that a provision has and stands under, the nearest first."""
        one = self._lineages.state(state)
        above = self._reader.ask(lambda open_: path(open_, one[5], edition))
        # A chapter's heading says nothing about a rule.
        found = [one[3], *[heading for address, heading in reversed(above) if len(address) > 1]]
        return [heading for heading in found if heading]

    def words(self, state: int) -> str:
        """Return the text of a state."""
        return text_of(self._lineages.state(state)[4])

    def _walk(self, edition: int) -> Crosswalk:
        held = self._reader.states_of(edition)
        return Walker(self._lineages).walk(held, edition, self._stop, ())

    def _fate(self, state: int, edition: int, number: str) -> Fate:
        trail = self._walked(edition).trails[state]
        names = [name_of(one) for one in self._lineages.states(trail.states).values()]
        status = _status(trail, names, number)
        now_means = self._now_means(number, trail)
        if now_means and status in {RENUMBERED, GONE_SINCE}:
            status = REUSED
        since, last = ("", trail.states[0]) if names else self._end(state, edition)
        return Fate(
            status,
            tuple(names),
            trail.confidence,
            since,
            last,
            self.gist(state, edition),
            now_means,
            status == CURRENT or (status in {RENUMBERED, REUSED} and _is_sure(trail, names)),
        )

    def _now_means(self, number: str, trail: Trail) -> str:
        """Return who bears a number now, if that is none of those it became."""
        here = self.bearers(number, self._stop)
        if not here or any(run.state in trail.states for run in here):
            return ""
        return self.gist(here[0].state, self._stop)

    def _end(self, state: int, edition: int) -> tuple[str, int]:
        """Return the first edition, forwards or backwards, that lacks what is gone; and its end."""
        if edition > self._stop:
            stretch = self._lineages.life(state, edition)[0]
            return self._labels[max(stretch.first - 1, 0)], stretch.state
        while True:
            links = self._lineages.out_of(state, edition)
            heir = heir_of(links) or next((one for one in links if one.new is not None), None)
            if heir is None or heir.new is None or heir.edition > self._stop:
                return self._labels[links[0].edition] if links else "", state
            state, edition = heir.new, heir.edition


def _by_first(run: Run) -> tuple[int, int, int]:
    return run.first, run.last, run.state


def _status(trail: Trail, names: Sequence[str], number: str) -> str:
    if trail.bits & UNCERTAIN or trail.confidence < DOUBT:
        return DOUBTFUL
    if not names:
        return GONE_SINCE
    if len(names) > 1 and trail.bits & SPLIT:
        return SPLIT_UP
    if trail.bits & MERGED:
        return MERGED_INTO
    return CURRENT if names[0].partition("#")[0] == number else RENUMBERED


def _is_sure(trail: Trail, names: Sequence[str]) -> bool:
    """Say whether there is one heir, and little doubt about it."""
    return (
        trail.confidence >= SURE
        and not trail.bits & (SPLIT | MERGED | COPIED | UNCERTAIN)
        and len(names) == 1
        and names[0][:1].isdigit()
        and "#" not in names[0]
    )
