"""Looks up the sources and heirs of announced numbers in the step into an edition."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from variorum_kb.answers.between_editions.crosswalk import crosswalk_rows
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.lineage import CrosswalkRowJson
from variorum_kb.model import RuleNumber
from variorum_kb.rows import Row, full_text, name_of
from variorum_kb.rule_numbers import is_below
from variorum_kb.text.folding import fold
from variorum_kb.text.keys import fold_key, fold_title, keys_of
from variorum_kb.text.words import words_of

_PLURALS = ("s", "es")
# A bulletin may use the numbers of any of this many later editions.
_SOON = 4
_BEARERS = (
    "SELECT p.id, s.first FROM provision p JOIN span s ON s.provision = p.id "
    "WHERE p.number = ? AND s.first <= ? AND s.first > ? ORDER BY s.first, p.id"
)
# The former state of a provision, and the edition that introduced it.
_ORIGIN = (
    "SELECT l.old, s.first FROM link l JOIN span s ON s.provision = l.old AND l.source BETWEEN s.first "
    "AND s.last WHERE l.new = ? AND l.edition = ? ORDER BY l.rank, l.old LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Predecessor:
    """A source of a provision in the earlier edition.

    Attributes:
        row: The provision of the earlier edition.
        kinds: The kinds of the step.
        confidence: The chance that the link is right.
        is_main: Whether the later provision is its main heir, not a part split off or a copy.
    """

    row: Row
    kinds: tuple[str, ...]
    confidence: float
    is_main: bool


class AnnouncedStep:
    """Two consecutive editions and the links between their provisions."""

    def __init__(self, base: KnowledgeBase, before: EditionEntry, after: EditionEntry) -> None:
        self.before, self.after = before, after
        self._old = _EditionLookup(base, before)
        self._new = _EditionLookup(base, after)
        self._base = base
        self._changes: dict[str, CrosswalkRowJson] = {}
        self._sources: dict[str, list[Predecessor]] = defaultdict(list)
        for change in crosswalk_rows(base, before, after, glossary=True):
            if change["old"] is not None:
                self._take(change["old"], change)

    def _take(self, name: str, change: CrosswalkRowJson) -> None:
        self._changes[name] = change
        row = self._old.named.get(name)
        for place, new in enumerate(change["new"]):
            if row is not None:
                source = Predecessor(row, tuple(change["kinds"]), change["confidence"], place == 0)
                self._sources[new].append(source)

    def old(self, name: str, *, is_term: bool) -> Row | None:
        """Return the provision with a number or headword in the earlier edition, or None."""
        return self._old.find(name, is_term=is_term)

    def new(self, name: str, *, is_term: bool) -> Row | None:
        """Return the provision with a number or headword in the later edition, or None."""
        return self._new.find(name, is_term=is_term)

    def arrived(self, name: str) -> Row | None:
        """Return the new provision with a number in the later edition, or None."""
        bearers = self._new.bearers(name)
        return next((row for row in bearers if not self.sources(row)), None)

    def heirs(self, row: Row) -> list[Row]:
        """Return the heirs of a provision of the earlier edition, main heir first."""
        change = self._changes.get(name_of(row))
        names = change["new"] if change else []
        return [self._new.named[name] for name in names if name in self._new.named]

    def kinds(self, row: Row) -> tuple[str, ...]:
        """Return the kinds of the step of a provision of the earlier edition."""
        change = self._changes.get(name_of(row))
        return tuple(change["kinds"]) if change else ()

    def confidence(self, row: Row) -> float:
        """Return the chance that the step of a provision is right."""
        change = self._changes.get(name_of(row))
        return change["confidence"] if change else 1.0

    def sources(self, row: Row) -> list[Predecessor]:
        """Return the sources of a provision of the later edition, main source first."""
        sources = self._sources.get(name_of(row), [])
        return sorted(
            sources, key=lambda source: (not source.is_main, -source.confidence, source.row.id)
        )

    def before_renumbering(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the numbers, in this step, of the provisions that soon got the number `name`.

        The second item is the later edition that introduced that number. This step may have the
        number too, for another provision.
        """
        query = self._base.reader.query
        here = self.after.place
        bearers: list[tuple[int, int]] = query(_BEARERS, (name, here + _SOON, here))
        for state, first in bearers:
            number = self._number_here(state, first)
            if number not in {"", name}:
                yield number, self._base.editions[first].label

    def _number_here(self, state: int, first: int) -> str:
        """Trace a state of a later edition back to this step, and return the number it had here.

        Return "" if it had no source here.
        """
        while first > self.after.place:
            origins = self._base.reader.query(_ORIGIN, (state, first))
            if not origins:
                return ""
            ((state, first),) = origins
        return self._base.states.of([state])[state].number

    def parts(self, name: str) -> Iterator[tuple[Row, bool]]:
        """Yield the provisions below a number in either edition; True stands for the later."""
        for held, is_new in ((self._old, False), (self._new, True)):
            yield from ((row, is_new) for row in held.below(name))

    def children(self, name: str) -> list[Row]:
        """Return the direct children of a number in the later edition, in printed order."""
        return [row for row in self._new.below(name) if row.parent.partition("#")[0] == name]

    def behind(self, first: str, last: str = "") -> list[Row]:
        """Return a provision of the earlier edition and its following siblings.

        Args:
            first: The number of the provision.
            last: The number to stop at; "" for the last sibling.
        """
        start, stop = RuleNumber.read(first), RuleNumber.read(last)
        if start is None:
            return []
        numbered = ((RuleNumber.read(row.number), row) for row in self._old.rows if row.number)
        beside = [(n, row) for n, row in numbered if n and _is_beside(n, start) and not n < start]
        return [row for n, row in beside if stop is None or not stop < n]


def _is_beside(number: RuleNumber, neighbour: RuleNumber) -> bool:
    if not neighbour.rule:
        return not number.rule and number.section // 100 == neighbour.section // 100
    if number.section != neighbour.section or bool(number.letters) is not bool(neighbour.letters):
        return False
    return bool(number.rule) and (not neighbour.letters or number.rule == neighbour.rule)


class _EditionLookup:
    """Finds the provisions of an edition by number and headword."""

    def __init__(self, base: KnowledgeBase, edition: EditionEntry) -> None:
        self.rows = [match.state for match in base.provisions(edition)]
        self.named = {name_of(row): row for row in self.rows}
        self._numbers: dict[str, list[Row]] = defaultdict(list)
        self._terms: dict[str, Row] = {}
        for row in self.rows:
            if row.kind != "glossary":
                self._numbers[row.number].append(row)
                continue
            for key in (*keys_of(row), fold_title(row.heading), _without_game(row.heading)):
                self._terms.setdefault(key, row)
        for row in self.rows:
            if (
                row.meant and row.meant not in self._numbers
            ):  # a misprint, announced by its intended number
                self._numbers[row.meant].append(row)

    def bearers(self, number: str) -> list[Row]:
        return self._numbers.get(number, [])

    def find(self, name: str, *, is_term: bool) -> Row | None:
        if not is_term:
            return next(iter(self.bearers(name)), None)
        return next((self._terms[key] for key in _keys(name) if key in self._terms), None)

    def below(self, name: str) -> list[Row]:
        number = RuleNumber.read(name)
        if number is None or number.letters:
            return []
        return [row for row in self.rows if row.number != name and is_below(row.number, name)]


def _keys(term: str) -> Iterator[str]:
    """Yield the lookup keys of a headword: as printed, then without a plural ending."""
    forms = [
        term,
        *(term.removesuffix(ending) for ending in (" zone", " step") if term.endswith(ending)),
    ]
    for form in forms:
        for singular in (form, *(form.removesuffix(end) for end in _PLURALS if form.endswith(end))):
            for spelling in (singular, f"{singular}s"):
                yield fold_key(spelling)
                yield fold_title(spelling)
    yield _without_game(term)


def _without_game(term: str) -> str:
    """Return a headword without the game's name, as in "Traditional _Magic_ Card"."""
    return fold_title(" ".join(word for word in term.split() if fold_title(word) != "magic"))


def difference(before: Row, after: Row) -> str:
    """Return how two readings differ: "words", "signs" (or cited numbers) or ""."""
    texts = [f"{row.heading}\n{full_text(row.body)}" for row in (before, after)]
    if texts[0] == texts[1] or fold(texts[0]) == fold(texts[1]):
        return ""
    first, second = (_without_numbers(words_of(text)) for text in texts)
    return "words" if first != second else "signs"


def _without_numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word[:1].isdigit()]


def names_of(rows: Iterable[Row]) -> str:
    """Return numbers or headwords as a list for a line of evidence."""
    return ", ".join(row.number or f"“{row.heading}”" for row in rows)
