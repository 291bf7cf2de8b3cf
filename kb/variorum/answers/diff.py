"""What changed between two editions, in all provisions or in one with its subrules."""

import contextlib
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from variorum.answers.crosswalk import kinds_between
from variorum.answers.questions import NUMBER, parse_questions
from variorum.answers.sweeps import replaced_throughout
from variorum.errors import NotFoundError
from variorum.history.lineages import Lineages
from variorum.history.walks import Destination, walk
from variorum.history.word_diffs import diff
from variorum.records import lineage
from variorum.records.lineage import BearerThere, Diff, DiffSubject, DiffSummary, Sweep
from variorum.records.values import Piece
from variorum.rows import (
    CHANGE_CLASSES,
    COPIED,
    GONE,
    KEPT,
    MERGED,
    NEW,
    SPLIT,
    UNCERTAIN,
    Row,
    kinds_of,
    name_of,
    wording_of,
)

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

    Editions = tuple[EditionEntry, EditionEntry]

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES
# From this many diffs on, importing rapidfuzz saves time.
_MANY = 200
_BEARERS = (
    "SELECT l.word, l.provision FROM lookup l JOIN span s ON s.provision = l.provision "
    "WHERE l.word IN ({{}}) AND s.first <= {0} AND s.last >= {0}"
)


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a provision between two editions.

    Attributes:
        old: Its state in the edition compared from; None if it is new.
        new: The state of its main heir in the edition compared to; None if it is gone.
        others: Further heirs.
        bits: The kinds of the change, see rows.STEP_KINDS.
        change: How much its words changed, see rows.CHANGE_CLASSES.
        confidence: The chance that the heir is right.
        is_part: Whether `new` has words of `old` but is not the main heir of any provision.
    """

    old: Row | None
    new: Row | None
    others: tuple[Row, ...]
    bits: int
    change: str
    confidence: float
    is_part: bool = False

    @property
    def is_moved_only(self) -> bool:
        """Return whether nothing but the number changed."""
        return self.change == NONE and not self.is_new and not self.is_gone

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of the change, in words."""
        return kinds_of(self.bits)

    @property
    def is_new(self) -> bool:
        """Return whether the provision is new."""
        return self.old is None

    @property
    def is_gone(self) -> bool:
        """Return whether the provision has no heir."""
        return self.new is None

    @property
    def size(self) -> int:
        """Return how many words were removed or added."""
        return sum(len(text.split()) for sign, text in self.pieces() if sign != diff.SAME)

    def pieces(self, *, exactly: bool = False) -> list[diff.Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        before = "" if self.old is None else wording_of(self.old)
        after = "" if self.new is None else wording_of(self.new)
        return [*_pieces(before, after, exactly)]


# Each diff is needed twice: to count and to show; and editions that are compared with the same one share most.
@lru_cache(maxsize=32768)
def _pieces(before: str, after: str, exactly: bool) -> tuple[diff.Piece, ...]:  # noqa: FBT001 - a key of the cache
    return tuple(diff.word_diff(before, after, exactly=exactly))


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes between two editions, and the count of unchanged provisions.

    Attributes:
        from_edition: The label of the edition compared from.
        to_edition: The label of the edition compared to, which may be the earlier edition.
        all: The changes, in the order in which `to_edition` prints or would print the provisions.
        same: How many provisions kept their number and words.
        swept: Phrases replaced in many provisions, as printed, with the number of provisions.
        doubts: The warnings about each edition, by its label.
    """

    from_edition: str
    to_edition: str
    all: tuple[Change, ...]
    same: int
    swept: tuple[tuple[str, str, int], ...]
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def within(self, old: AbstractSet[int], new: AbstractSet[int]) -> "Changes":
        """Return only the changes of some provisions.

        Args:
            old: The ids of their states in the edition compared from.
            new: The ids of their states in the edition compared to.
        """
        kept = [
            change
            for change in self.all
            if (change.old is not None and change.old.id in old)
            or (change.new is not None and change.new.id in new)
        ]
        changed = {
            change.old.id for change in kept if change.old is not None and not change.is_part
        }
        return replace(self, all=tuple(kept), same=len(old - changed), swept=())


@dataclass(frozen=True, slots=True)
class SubjectChanges:
    """The changes of the provisions that a question names.

    Attributes:
        asked: The question.
        read_in: The edition whose number the question names.
        old: The provisions in the first edition.
        new: The provisions in the other edition.
        others: Other provisions that have the number in one of the two editions.
        changes: The changes of the provisions and their subrules.
    """

    asked: str
    read_in: "EditionEntry"
    old: "tuple[Subject, ...]"
    new: "tuple[Subject, ...]"
    others: tuple[BearerThere, ...]
    changes: Changes

    @property
    def unchanged_since(self) -> str | None:
        """Return the last edition that changed the provisions; None if the two editions differ."""
        if self.changes.all:
            return None
        older = min((*self.old, *self.new), key=lambda subject: subject.edition.place)
        return older.unchanged_since


# All provisions ----------------------------------------------------------------------------------


def find_changes(
    base: "KnowledgeBase", start: "str | EditionEntry", stop: "str | EditionEntry" = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later.

    Raises:
        NoEditionError: A designator names no edition.
    """
    editions = base.edition(start), base.edition(stop)
    first, last = sorted(edition.place for edition in editions)
    links = base.links.between(first, last)
    return _Comparison(base, editions, Lineages(links, last), None).changes()


class _Comparison:
    """Compares two editions, in all provisions or in those that some provisions came from or became."""

    def __init__(
        self,
        base: "KnowledgeBase",
        editions: "Editions",
        lineages: Lineages,
        held: tuple[AbstractSet[int], AbstractSet[int]] | None,
    ) -> None:
        """Follow the provisions with these states in each edition; None for all."""
        self._base, self._editions, self._lineages, self._held = base, editions, lineages, held
        self._places = sorted(edition.place for edition in editions)
        self._sides = [base.reader.states_of(place) for place in self._places]
        self._orders = [{state: place for place, state in enumerate(side)} for side in self._sides]
        olds: Sequence[int] = self._sides[0]
        news: Sequence[int] = self._sides[1]
        if held is not None:
            mine, theirs = map(set, held if self._is_forward else held[::-1])
            base.links.read_onward(mine)
            theirs |= {heir for way in self._walk(mine).values() for heir in way.states}
            sources = self._walk(theirs, is_back=True).values()
            mine |= {source for way in sources for source in way.states}
            olds = [state for state in olds if state in mine]
            news = [state for state in news if state in theirs]
        self._ways: dict[int, Destination] = dict(self._walk(olds))
        reached = {state for way in self._ways.values() for state in way.states}
        self._origins: dict[int, int | None] = {}
        for state, way in self._ways.items():
            for heir in way.states[:1]:
                self._origins.setdefault(heir, state)
        self._arrived = [state for state in news if state not in reached]
        # Only changed provisions are read.
        moved = {
            state: way for state, way in self._ways.items() if way.bits or way.states != [state]
        }
        heirs = [heir for way in moved.values() for heir in way.states]
        states = base.states.of([*moved, *heirs, *self._arrived])
        self._rows = {state: row._replace(id=state) for state, row in states.items()}
        self._moved = [(self._rows[state], way) for state, way in moved.items()]
        self._folder = base.folded

    @property
    def _is_forward(self) -> bool:
        return self._editions[0].place <= self._editions[1].place

    def _walk(self, states: Iterable[int], *, is_back: bool = False) -> Mapping[int, Destination]:
        start, stop = self._places[::-1] if is_back else self._places
        return walk(self._lineages, states, start, stop)

    def changes(self) -> Changes:
        """Return the changes, in the order asked."""
        swept: list[tuple[str, str, int]] = []
        if self._held is None:
            swept = self._throughout()
        numbers = self._new_numbers()
        changes = [self._change(row, way, numbers) for row, way in self._moved]
        kept = [change for change in changes if change.bits != KEPT or change.change != NONE]
        same = len(self._ways) - len(kept)
        kept += self._parts()
        kept += [
            Change(None, self._rows[state], (), NEW, SUBSTANTIVE, 1.0) for state in self._arrived
        ]
        ordered = _in_order(kept, self._sides[0], self._heir, self._orders[1])
        if not self._is_forward:
            ordered = _in_order(_turned(ordered), self._sides[1], self._origin, self._orders[0])
            swept = [(after, before, count) for before, after, count in swept]
        start, stop = self._editions
        doubts = {edition.label: edition.doubts for edition in self._editions if edition.doubts}
        compared = Changes(start.label, stop.label, tuple(ordered), same, tuple(swept), doubts)
        return compared if self._held is None else compared.within(*self._held)

    def _heir(self, state: int) -> int | None:
        """Return the main heir of an older state."""
        if state not in self._ways:
            self._ways |= self._walk([state])
        return next(iter(self._ways[state].states), None)

    def _origin(self, state: int) -> int | None:
        """Return the first older state of which a newer state is the main heir."""
        if state not in self._origins and self._held is not None:
            sources = self._walk([state], is_back=True)[state].states
            olds = [source for source in sources if self._heir(source) == state]
            self._origins[state] = min(olds, key=self._orders[0].__getitem__, default=None)
        return self._origins.get(state)

    def _change(self, row: Row, way: Destination, numbers: Mapping[str, str]) -> Change:
        if not way.states:
            return Change(row, None, (), GONE, SUBSTANTIVE, way.confidence)
        new, *others = [self._rows[state] for state in way.states]
        change = self._class(row, new, way, numbers)
        bits = kinds_between(
            way,
            is_same_place=name_of(row) == name_of(new),
            is_same_text=change not in {SWEEP, SUBSTANTIVE},
        )
        return Change(row, new, tuple(others), bits, change, way.confidence)

    def _class(self, row: Row, new: Row, way: Destination, numbers: Mapping[str, str]) -> str:
        """Return the class of a change: by the texts or, if their words differ, by the steps between."""
        if (row.heading, row.body) == (new.heading, new.body):
            return NONE
        before, after = self._folder.canon(row), self._folder.canon(new)
        if before.whole != after.whole:
            classes = {link.change for link in way.taken}
            return SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        pairs = [
            pair
            for old, now in zip(before.citations, after.citations, strict=True)
            for pair in ((old.first, now.first), (old.last, now.last))
        ]
        if all(old == now for old, now in pairs):
            return TYPOGRAPHIC
        return CITATION if all(numbers.get(old, now) == now for old, now in pairs) else SUBSTANTIVE

    def _new_numbers(self) -> dict[str, str]:
        """Return the new numbers of the numbers cited in texts with the same words on both sides."""
        cited: dict[str, None] = {}
        for row, way in self._moved:
            new = self._rows[way.states[0]] if way.states else row
            if row.body != new.body or row.heading != new.heading:
                before = self._folder.canon(row)
                if before.citations and before.whole == self._folder.canon(new).whole:
                    for citation in before.citations:
                        cited |= {citation.first: None, citation.last: None}
        rows = self._base.reader.query_each(_BEARERS.format(self._places[0]), cited)
        bearers = sorted(rows, key=lambda row: self._orders[0][row[1]])
        heirs = {number: self._heir(state) for number, state in bearers}
        numbers = self._base.reader.numbers_by_id([*{heir for heir in heirs.values() if heir}])
        return {number: numbers[heir] for number, heir in heirs.items() if heir is not None}

    def _parts(self) -> Iterator[Change]:
        """Yield provisions that have another's words but are not a main heir."""
        yielded = {state for way in self._ways.values() for state in way.states[:1]}
        for row, way in self._moved:
            for state in way.states[1:]:
                if state not in yielded:
                    yielded.add(state)
                    bits = way.bits & (SPLIT | COPIED | MERGED | UNCERTAIN) or SPLIT
                    part = self._rows[state]
                    yield Change(row, part, (), bits, SUBSTANTIVE, way.confidence, is_part=True)

    def _throughout(self) -> list[tuple[str, str, int]]:
        """Return the wording changed throughout, the most frequent first."""
        pairs: list[tuple[str, str]] = []
        reworded: set[int] = set()
        for row, way in self._moved:
            if way.states:
                heir = self._rows[way.states[0]]
                reworded.add(heir.id)
                if row.body != heir.body:
                    texts = self._folder.canon(row), self._folder.canon(heir)
                    pairs.append((texts[0].whole, texts[1].whole))
        if len(pairs) > _MANY:
            importlib.import_module("rapidfuzz.distance")  # for faster word diffs
        others = [state for state in self._sides[1] if state not in reworded]

        def unchanged() -> str:
            states = self._base.reader.states_by_id(others)
            return "\n".join([row.body for row in states.values()])

        return replaced_throughout(pairs, unchanged, self._folder.vocabulary.decode)


def _in_order(
    changes: Iterable[Change],
    side: Sequence[int],
    heir_of: Callable[[int], int | None],
    order: Mapping[int, int],
) -> list[Change]:
    """Order changes as the target edition is printed; a removed provision follows its predecessor.

    `side` has the first edition's states, `heir_of` returns the main heir of one of them, and `order`
    has the places of all states in the target edition.
    """
    places = {state: place for place, state in enumerate(side)}

    def place(change: Change) -> float:
        if change.new is not None:
            return order[change.new.id]
        start = places[change.old.id] if change.old is not None else -1
        heirs = (heir_of(side[before]) for before in range(start, -1, -1))
        return next((order[heir] + 0.5 for heir in heirs if heir is not None), -0.5)

    return sorted(changes, key=place)


def _turned(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes in reverse: new provisions become gone, split provisions merged."""
    yielded: set[int] = set()
    for change in sorted(changes, key=lambda change: (change.is_part, change.bits & MERGED)):
        doubt, bits, is_part, of_words = change.bits & UNCERTAIN, 0, False, change.change
        if change.new is None or change.old is None:
            bits = (GONE if change.old is None else NEW) | doubt
        elif change.is_part:
            bits = doubt or MERGED
        elif change.new.id in yielded:
            bits, is_part, of_words = doubt or SPLIT, True, SUBSTANTIVE
        else:
            bits = change.bits & ~(SPLIT | MERGED | COPIED) or KEPT
        yielded |= set() if change.new is None or change.old is None else {change.new.id}
        yield Change(change.new, change.old, (), bits, of_words, change.confidence, is_part)


# Some provisions ---------------------------------------------------------------------------------


def subject_changes(
    base: "KnowledgeBase",
    question: str,
    editions: "Editions",
    on: "str | EditionEntry | None" = None,
    *,
    is_alone: bool = False,
) -> SubjectChanges:
    """Return the changes of the provisions that a question names, from one edition to another.

    Args:
        base: The base that has both editions.
        question: A number, a range or a term.
        editions: The editions, in the order asked.
        on: The edition whose number it is; by default the newer of the two editions, or the older
            if only this prints the number.
        is_alone: Whether to leave the subrules out.

    Raises:
        NoEditionError: The designator names no edition.
        NotFoundError: The question names no provision of that edition.
    """
    subjects = _find(base, question, editions, on)
    old, new = (tuple(_in(edition, subjects)) for edition in editions)
    held = tuple(
        {each.state.id for subject in side for each in _with_subrules(subject, is_alone=is_alone)}
        for side in (old, new)
    )
    changes = _Comparison(base, editions, base.lineages, (held[0], held[1])).changes()
    others = tuple(_others(base, question, editions, (old, new)))
    return SubjectChanges(question, subjects[0].edition, old, new, others, changes)


def _find(
    base: "KnowledgeBase", question: str, editions: "Editions", on: "str | EditionEntry | None"
) -> "tuple[Subject, ...]":
    on = on or parse_questions(question)[0].edition
    if on:
        return base.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, newer)


def _in(edition: "EditionEntry", subjects: "tuple[Subject, ...]") -> "Iterator[Subject]":
    """Yield the heirs of provisions in an edition, each once."""
    states = dict.fromkeys(
        subject.state.id
        if subject.edition.place == edition.place
        else subject.destination(edition).heir
        for subject in subjects
    )
    base = subjects[0].base
    return (base.at(state, edition.place) for state in states if state is not None)


def _with_subrules(subject: "Subject", *, is_alone: bool) -> "Iterator[Subject]":
    yield subject
    yield from () if is_alone else (below for _, below in subject.tree())


def _others(
    base: "KnowledgeBase",
    question: str,
    editions: "Editions",
    subjects: "tuple[tuple[Subject, ...], tuple[Subject, ...]]",
) -> Iterator[BearerThere]:
    """Yield the other provisions with the number in one of two editions."""
    kind, word, _ = parse_questions(question)[0].question
    for place, edition in enumerate(editions if kind == NUMBER else ()):
        own = {subject.state.id for subject in subjects[place]}
        for state in base.matches(word, edition):
            if state.id not in own:
                bearer = base.at(state.id, edition.place)
                heir = bearer.destination(editions[1 - place]).heir
                elsewhere = None if heir is None else name_of(base.states[heir])
                yield BearerThere(edition.label, state.address, bearer.gist, elsewhere)


# Records -----------------------------------------------------------------------------------------


def diff_of(
    compared: Changes | SubjectChanges, is_wanted: Callable[[Change], bool] | None = None
) -> Diff:
    """Return the answer of `cr diff`, with the wanted changes; by default with all."""
    changes = compared if isinstance(compared, Changes) else compared.changes
    subject: DiffSubject | None = None
    if isinstance(compared, SubjectChanges):
        subject = DiffSubject(
            asked=compared.asked,
            edition=compared.read_in.label,
            from_=[provision.name for provision in compared.old],
            to=[provision.name for provision in compared.new],
            others=list(compared.others),
            unchanged_since=compared.unchanged_since,
        )
    return Diff(summary(changes), list(map(_record, filter(is_wanted, changes.all))), subject)


def _record(change: Change) -> lineage.Change:
    """Return the record of a change; its pieces give both readings, letter for letter.

    The older reading of a part is its source's.
    """
    old, new = (None if row is None else name_of(row) for row in (change.old, change.new))
    pieces = change.pieces(exactly=True) if change.change != NONE else []
    words = [Piece(*piece) for piece in pieces]
    return lineage.Change(old, new, change.kinds, change.change, words)


def summary(changes: Changes) -> DiffSummary:
    """Return the counts of the changes."""
    count: dict[str, int] = dict.fromkeys(CHANGE_CLASSES, 0)
    went = came = 0
    for change in changes.all:
        if not (change.is_new or change.is_gone or change.is_part):
            count[change.change] += 1
        if change.change in {SUBSTANTIVE, SWEEP}:
            for sign, text in change.pieces():
                if sign == diff.CAME:
                    came += len(text.split())
                elif sign == diff.GONE and not change.is_part:
                    went += len(text.split())
    arrived = sum(change.is_new for change in changes.all)
    parts = sum(change.is_part for change in changes.all)
    return DiffSummary(
        from_edition=changes.from_edition,
        to_edition=changes.to_edition,
        provisions=changes.same + len(changes.all) - arrived - parts,
        same=changes.same,
        moved_only=count[NONE],
        new=arrived,
        gone=sum(change.is_gone for change in changes.all),
        parts=parts,
        typographic=count[TYPOGRAPHIC],
        citation_only=count[CITATION],
        sweep=count[SWEEP],
        substantive=count[SUBSTANTIVE],
        words_gone=went,
        words_came=came,
        sweeps=[Sweep(*swept) for swept in changes.swept],
        doubts={label: list(doubts) for label, doubts in changes.doubts.items()},
    )
