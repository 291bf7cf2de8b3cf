"""What changed between two editions, in all provisions or in one with its subrules."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter

from variorum import rows
from variorum.answers.crosswalk import kinds_between
from variorum.answers.editions import EditionEntry
from variorum.answers.histories import unchanged_since
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, parse_questions
from variorum.answers.subject import Subject
from variorum.answers.sweeps import Swept, replaced_throughout
from variorum.errors import NotFoundError
from variorum.history import word_diffs
from variorum.history.lineages import Destination, Lineages, walk
from variorum.records import lineage
from variorum.records.answer import Piece
from variorum.rows import CHANGE_CLASSES, KEPT, State, kinds_of, name_of, wording_of

Editions = tuple[EditionEntry, EditionEntry]

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES
_PARTED = rows.SPLIT | rows.MERGED | rows.COPIED


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a provision between two editions: from a state to its main heir and to others.

    One of the two is None if it is new or gone. A part has words of `old` but is the main heir of no
    provision. The bits are rows.STEP_KINDS, `change` is one of rows.CHANGE_CLASSES.
    """

    old: State | None
    new: State | None
    bits: int
    change: str
    confidence: float
    others: tuple[State, ...] = ()
    is_part: bool = False

    @property
    def is_moved_only(self) -> bool:
        return self.change == NONE and not self.is_new and not self.is_gone

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.bits)

    @property
    def is_new(self) -> bool:
        return self.old is None

    @property
    def is_gone(self) -> bool:
        return self.new is None

    def pieces(self, *, exactly: bool = False) -> list[word_diffs.Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        texts = ["" if row is None else wording_of(row) for row in (self.old, self.new)]
        return [*_pieces(texts[0], texts[1], exactly)]


# Each diff is needed twice: to count and to show; and editions that are compared with the same one share most.
@lru_cache(maxsize=32768)
def _pieces(before: str, after: str, exactly: bool) -> tuple[word_diffs.Piece, ...]:  # noqa: FBT001 - a key of the cache
    return tuple(word_diffs.word_diff(before, after, exactly=exactly))


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The changes from one edition to another, earlier or later, as this prints or would print them.

    `same` counts the provisions that kept their number and words; `swept` are phrases replaced in many
    provisions, with the number of these; `doubts` are the warnings about each edition.
    """

    from_edition: str
    to_edition: str
    all: tuple[Change, ...]
    same: int
    swept: tuple[tuple[str, str, int], ...]
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class SubjectChanges:
    """The changes of the provisions, with their subrules, that a question names in the edition `read_in`.

    They are given as each of the two editions has them; `others` have the number in one of these.
    `unchanged_since` is the last edition that changed them; None if the two editions differ.
    """

    asked: str
    read_in: EditionEntry
    old: tuple[Subject, ...]
    new: tuple[Subject, ...]
    others: tuple[lineage.BearerThere, ...]
    changes: Changes
    unchanged_since: str | None


def find_changes(
    base: KnowledgeBase, start: str | EditionEntry, stop: str | EditionEntry = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later."""
    editions = base.edition(start), base.edition(stop)
    first, last = sorted(edition.place for edition in editions)
    whole = base.lineages if base.links.table else None
    lineages = whole or Lineages(base.links.between(first, last), last)
    return _Comparison(base, editions, lineages).changes()


def subject_changes(
    base: KnowledgeBase,
    question: str,
    editions: Editions,
    on: str | EditionEntry | None = None,
    *,
    is_alone: bool = False,
) -> SubjectChanges:
    """Return the changes of the provisions that a question names, from one edition to another.

    The number is of the edition `on`; by default of the newer of the two editions, or of the older if only
    this prints it. `is_alone` leaves the subrules out.
    """
    asked = parse_questions(question)[0]
    subjects = _named(base, question, editions, on or asked.edition)
    sides: list[tuple[Subject, ...]] = []
    for edition in editions:
        heirs = dict.fromkeys(subject.destination(edition).heir for subject in subjects)
        sides.append(tuple([base.at(heir, edition.place) for heir in heirs if heir is not None]))
    held = [
        {below.state.id for subject in side if not is_alone for below in subject.tree()}
        | {subject.state.id for subject in side}
        for side in sides
    ]
    others: list[lineage.BearerThere] = []
    for place, edition in enumerate(editions if asked.question[0] == NUMBER else ()):
        own = {subject.state.id for subject in sides[place]}
        for state in base.named(asked.question[1], edition.place):
            if state.id not in own:
                bearer = base.at(state.id, edition.place)
                heir = bearer.destination(editions[1 - place]).heir
                elsewhere = None if heir is None else name_of(base.states[heir])
                others.append(
                    lineage.BearerThere(edition.label, state.address, bearer.gist, elsewhere)
                )
    changes = _Comparison(base, editions, base.lineages).changes((held[0], held[1]))
    older = min((*sides[0], *sides[1]), key=lambda subject: subject.edition.place)
    since = None if changes.all else unchanged_since(older)
    read_in = subjects[0].edition
    return SubjectChanges(question, read_in, sides[0], sides[1], tuple(others), changes, since)


def _named(
    base: KnowledgeBase, question: str, editions: Editions, on: str | EditionEntry
) -> tuple[Subject, ...]:
    if on:
        return base.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, newer)


class _Comparison:
    def __init__(self, base: KnowledgeBase, editions: Editions, lineages: Lineages) -> None:
        self._base, self._states, self._editions = base, base.states, editions
        self._lineages, self._canon = lineages, base.folded.canon
        self._places = [edition.place for edition in editions]
        self._is_forward = self._places[0] <= self._places[1]
        self._heirs: dict[int, int | None] = {}

    def _walk(self, states: Sequence[int], side: int = 0) -> Mapping[int, Destination]:
        """Follow states of the first edition (0) to the second, or of the second (1) to the first."""
        return walk(self._lineages, states, self._places[side], self._places[1 - side])

    def changes(self, held: tuple[AbstractSet[int], AbstractSet[int]] | None = None) -> Changes:
        """Return the changes as the second edition is printed; only of the states held by each, if given.

        What is gone follows the heir of its predecessor.
        """
        olds, news = (list(self._base.reader.states_of(place)) for place in self._places)
        order = {state: float(place) for place, state in enumerate(news)}
        if held is not None:
            self._base.links.read_onward(held[not self._is_forward])
            news = [state for state in news if state in held[1]]
            came = {old for way in self._walk(news, 1).values() for old in way.states}
            olds = [state for state in olds if state in held[0] or state in came]
        ways = self._walk(olds)
        reached = {heir for way in ways.values() for heir in way.states}
        arrived = [state for state in news if state not in reached]
        # Only changed provisions are read.
        moved = {id_: way for id_, way in ways.items() if way.bits or way.states != [id_]}
        heirs = [heir for way in moved.values() for heir in way.states]
        self._states.of([*moved, *heirs, *arrived])
        merged = set[int]() if self._is_forward else self._merged(ways)
        placed: list[tuple[float, Change]] = []
        after = -0.5
        for id_, way in ways.items():
            after = order[way.states[0]] + 0.5 if way.states else after
            if id_ in moved:
                change = self._change(id_, way, is_merged=id_ in merged)
                if change.bits != KEPT or change.change != NONE:
                    placed.append((order[way.states[0]] if way.states else after, change))
        same = len(ways) - len(placed)
        placed += [(order[part.new.id], part) for part in self._parts(ways) if part.new]
        for state in arrived:
            change = Change(None, self._states[state], rows.NEW, SUBSTANTIVE, 1.0)
            placed.append((order[state], change))
        changes = [change for _, change in sorted(placed, key=itemgetter(0))]
        if held is not None:
            changes = [
                it
                for it in changes
                if (it.old is not None and it.old.id in held[0])
                or (it.new is not None and it.new.id in held[1])
            ]
            same = len(held[0] - {it.old.id for it in changes if it.old and not it.is_part})
        doubts = {edition.label: edition.doubts for edition in self._editions if edition.doubts}
        swept = list[Swept]()
        if held is None:
            worded = [
                it for it in changes if it.old and it.new and it.change in {SWEEP, SUBSTANTIVE}
            ]
            diffs = [change.pieces() for change in worded if not change.is_part]
            swept = replaced_throughout(diffs, lambda: self._text_of(news))
        start, stop = self._editions
        return Changes(start.label, stop.label, tuple(changes), same, tuple(swept), doubts)

    def _text_of(self, states: Sequence[int]) -> str:
        return "\n".join([state.body for state in self._states.of(states).values()])

    def _merged(self, ways: Mapping[int, Destination]) -> set[int]:
        """Return the states of a newer edition whose words were a part of another's in the older one."""
        times = Counter(way.states[0] for way in ways.values() if way.states)
        main = self._walk([state for state, count in times.items() if count > 1], 1)
        return {
            state
            for state, way in ways.items()
            if way.states and way.states[0] in main and main[way.states[0]].states[:1] != [state]
        }

    def _change(self, id_: int, way: Destination, *, is_merged: bool) -> Change:
        old = self._states[id_]
        if not way.states:
            sure = way.confidence if self._is_forward else 1.0
            return Change(old, None, rows.GONE, SUBSTANTIVE, sure)
        new, *others = [self._states[state] for state in way.states]
        change = self._class(old, new, way)
        bits = kinds_between(
            way,
            is_same_place=name_of(old) == name_of(new),
            is_same_text=change not in {SWEEP, SUBSTANTIVE},
        )
        if not self._is_forward:
            bits = rows.MERGED if is_merged else bits & ~_PARTED or KEPT
        return Change(old, new, bits, change, way.confidence, tuple(others))

    def _class(self, row: State, new: State, way: Destination) -> str:
        """Return the class of a change: by the texts or, if their words differ, by the steps between."""
        if (row.heading, row.body) == (new.heading, new.body):
            return NONE
        before, after = self._canon(row), self._canon(new)
        if before.whole != after.whole:
            classes = {link.change for link in way.taken}
            return SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        pairs = [
            pair
            for old, now in zip(before.citations, after.citations, strict=True)
            for pair in ((old.first, now.first), (old.last, now.last))
            if pair[0] != pair[1]
        ]
        if not pairs:
            return TYPOGRAPHIC
        return CITATION if all(self._is_now(old, now) for old, now in pairs) else SUBSTANTIVE

    def _is_now(self, old: str, now: str) -> bool:
        for bearer in self._base.named(old, self._places[0])[-1:]:
            if bearer.id not in self._heirs:
                self._heirs[bearer.id] = next(iter(self._walk([bearer.id])[bearer.id].states), None)
            heir = self._heirs[bearer.id]
            return heir is None or self._states[heir].number == now
        return True

    def _parts(self, ways: Mapping[int, Destination]) -> Iterator[Change]:
        """Yield provisions that have another's words but are not a main heir."""
        yielded = {state for way in ways.values() for state in way.states[:1]}
        for id_, way in ways.items():
            doubt = way.bits & rows.UNCERTAIN
            bits = (way.bits & _PARTED | doubt if self._is_forward else doubt) or rows.SPLIT
            for state in [state for state in way.states[1:] if state not in yielded]:
                yielded.add(state)
                old, new = self._states[id_], self._states[state]
                yield Change(old, new, bits, SUBSTANTIVE, way.confidence, is_part=True)


# Records -----------------------------------------------------------------------------------------


def diff_of(
    compared: Changes | SubjectChanges, is_wanted: Callable[[Change], bool] | None = None
) -> lineage.Diff:
    """Return the answer of `cr diff`, with the wanted changes; by default with all."""
    changes = compared if isinstance(compared, Changes) else compared.changes
    subject: lineage.DiffSubject | None = None
    if isinstance(compared, SubjectChanges):
        subject = lineage.DiffSubject(
            asked=compared.asked,
            edition=compared.read_in.label,
            from_=[provision.name for provision in compared.old],
            to=[provision.name for provision in compared.new],
            others=list(compared.others),
            unchanged_since=compared.unchanged_since,
        )
    records: list[lineage.Change] = []
    for change in filter(is_wanted, changes.all):
        old, new = (None if row is None else name_of(row) for row in (change.old, change.new))
        # Exact pieces give both readings, letter for letter; the older one of a part is its source's.
        pieces = change.pieces(exactly=True) if change.change != NONE else []
        words = [Piece(*piece) for piece in pieces]
        records.append(lineage.Change(old, new, change.kinds, change.change, words))
    return lineage.Diff(summary(changes), records, subject)


@lru_cache(maxsize=4)  # a page asks twice
def summary(changes: Changes) -> lineage.DiffSummary:
    """Return the counts of the changes."""
    whole = [change for change in changes.all if change.old and change.new and not change.is_part]
    count = Counter([change.change for change in whole])
    words = Counter[str]()
    for change in changes.all:
        for sign, text in change.pieces() if change.change in {SUBSTANTIVE, SWEEP} else ():
            words[sign] += 0 if sign == word_diffs.GONE and change.is_part else len(text.split())
    new = sum(change.is_new for change in changes.all)
    parts = sum(change.is_part for change in changes.all)
    return lineage.DiffSummary(
        from_edition=changes.from_edition,
        to_edition=changes.to_edition,
        provisions=changes.same + len(changes.all) - new - parts,
        same=changes.same,
        moved_only=count[NONE],
        new=new,
        gone=sum(change.is_gone for change in changes.all),
        parts=parts,
        typographic=count[TYPOGRAPHIC],
        citation_only=count[CITATION],
        sweep=count[SWEEP],
        substantive=count[SUBSTANTIVE],
        words_gone=words[word_diffs.GONE],
        words_came=words[word_diffs.CAME],
        sweeps=[lineage.Sweep(*swept) for swept in changes.swept],
        doubts={label: list(doubts) for label, doubts in changes.doubts.items()},
    )
