"""What changed between two editions, in all provisions or in one with its subrules."""

import contextlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from variorum import rows
from variorum.answers.crosswalk import has_same_words, kinds_between
from variorum.answers.editions import EditionEntry
from variorum.answers.histories import unchanged_since
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, asked_for, parse_questions
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
@lru_cache(maxsize=6144)
def _pieces(before: str, after: str, exactly: bool) -> tuple[word_diffs.Piece, ...]:  # noqa: FBT001 - a key of the cache
    return tuple(word_diffs.word_diff(before, after, exactly=exactly))


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """The changes from one edition to another, earlier or later, as this prints or would print them.

    `same` counts the provisions that kept their number and words; `swept` are phrases replaced in many
    provisions, with the number of these. If a question named provisions, `subject` says which, and `sides`
    are these as each of the editions has them.
    """

    editions: Editions
    all: list[Change]
    same: int
    swept: Sequence[Swept] = ()
    subject: lineage.DiffSubject | None = None
    sides: tuple[Sequence[Subject], Sequence[Subject]] = ((), ())

    @property
    def from_edition(self) -> str:
        return self.editions[0].label

    @property
    def to_edition(self) -> str:
        return self.editions[1].label


# Comparisons -------------------------------------------------------------------------------------


def find_changes(
    base: KnowledgeBase, start: str | EditionEntry, stop: str | EditionEntry = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later."""
    editions = base.edition(start), base.edition(stop)
    first, last = sorted(edition.place for edition in editions)
    whole = base.lineages if base.links.table else None
    lineages = whole or Lineages(base.links.between(first, last), last)
    olds, news = (base.reader.states_of(edition.place) for edition in editions)
    changes, same = _Comparison(base, editions, lineages).between(olds, news)
    diffs = [
        it.pieces()
        for it in changes
        if it.old and it.new and it.change in {SWEEP, SUBSTANTIVE} and not it.is_part
    ]
    swept = replaced_throughout(
        diffs, lambda: "\n".join([it.body for it in base.states.of(news).values()])
    )
    return Changes(editions, changes, same, swept)


def subject_changes(
    base: KnowledgeBase,
    question: str,
    editions: Editions,
    on: str | EditionEntry | None = None,
    *,
    is_alone: bool = False,
) -> Changes:
    """Return the changes of the provisions that a question names, from one edition to another.

    The number is of the edition `on`; by default of the newer of the two editions, or of the older if only
    this prints it. `is_alone` leaves the subrules out.
    """
    asked = parse_questions(question)[0]
    subjects = _named(base, question, editions, on or asked.edition)
    old, new = (
        [heir for subject in subjects if (heir := subject.heir(edition))] for edition in editions
    )
    if not (old or new):
        neither = f"{editions[0].label} nor {editions[1].label}"
        raise NotFoundError(f"{asked_for(asked.question)}: neither in the edition of {neither}")
    others: list[lineage.BearerThere] = []
    for side, edition, elsewhere in zip((old, new), editions, editions[::-1], strict=True):
        is_number = asked.question[0] == NUMBER
        for state in base.named(asked.question[1], edition.place) if is_number else ():
            if state not in [subject.state for subject in side]:
                bearer = base.at(state.id, edition.place)
                heir = bearer.heir(elsewhere)
                about = edition.label, state.address, bearer.gist
                others.append(lineage.BearerThere(*about, heir and heir.name))
    olds, news = (
        {low.state.id for it in side for low in (it, *(() if is_alone else it.tree()))}
        for side in (old, new)
    )
    changes, same = _Comparison(base, editions, base.lineages).within(olds, news)
    older = min((*old, *new), key=lambda subject: subject.edition.place)
    subject = lineage.DiffSubject(
        asked=question,
        edition=subjects[0].edition.label,
        from_=[*dict.fromkeys(it.name for it in old)],
        to=[*dict.fromkeys(it.name for it in new)],
        others=others,
        unchanged_since=None if changes else unchanged_since(older),
    )
    return Changes(editions, changes, same, (), subject, (old, new))


def _named(
    base: KnowledgeBase, question: str, editions: Editions, on: str | EditionEntry
) -> list[Subject]:
    if on:
        return base.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, newer)


class _Comparison:
    def __init__(self, base: KnowledgeBase, editions: Editions, lineages: Lineages) -> None:
        self._base, self._states, self._lineages = base, base.states, lineages
        self._places = [edition.place for edition in editions]
        self._is_forward = self._places[0] <= self._places[1]

    def _walk(self, states: Iterable[int], side: int = 0) -> Mapping[int, Destination]:
        """Follow states of the first edition (0) to the second, or of the second (1) to the first."""
        return walk(self._lineages, states, self._places[side], self._places[1 - side])

    def within(self, olds: AbstractSet[int], news: AbstractSet[int]) -> tuple[list[Change], int]:
        """Return the changes of some states of the first edition and some of the second, as `between` does."""
        self._base.links.read(olds if self._is_forward else news, with_later=True)
        here, printed = (self._base.reader.states_of(place) for place in self._places)
        there = [it for it in printed if it in news]
        came = {old for way in self._walk(there, 1).values() for old in way.states}
        found, _ = self.between([it for it in here if it in olds or it in came], there)
        changes = [
            it for it in found if (it.old and it.old.id in olds) or (it.new and it.new.id in news)
        ]
        return changes, len(olds - {it.old.id for it in changes if it.old and not it.is_part})

    def between(self, olds: Sequence[int], news: Sequence[int]) -> tuple[list[Change], int]:
        """Return the changes as the second edition is printed, and how many provisions have none.

        What is gone follows the heir of its predecessor.
        """
        printed = self._base.reader.states_of(self._places[1])
        order = {state: place for place, state in enumerate(printed)}
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
            place = order[way.states[0]] if way.states else after
            after = place + 0.5 if way.states else after
            if id_ in moved:
                change = self._change(id_, way, is_merged=id_ in merged)
                if change.bits != KEPT or change.change != NONE:
                    placed.append((place, change))
        same = len(ways) - len(placed)
        placed += [(order[part.new.id], part) for part in self._parts(ways) if part.new]
        for state in arrived:
            change = Change(None, self._states[state], rows.NEW, SUBSTANTIVE, 1.0)
            placed.append((order[state], change))
        return [change for _, change in sorted(placed, key=itemgetter(0))], same

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

    def _class(self, old: State, new: State, way: Destination) -> str:
        """Return the class of a change: by the texts or, if they differ, by the steps between."""
        if (old.heading, old.body) == (new.heading, new.body):
            return NONE
        classes = {link.change for link in way.taken}
        worded = SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        if not has_same_words(old, new):
            return worded
        before, after = self._base.folded.canon(old), self._base.folded.canon(new)
        if before.whole != after.whole:
            return worded
        pairs = [
            pair
            for cited, now in zip(before.citations, after.citations, strict=True)
            for pair in ((cited.first, now.first), (cited.last, now.last))
            if pair[0] != pair[1]
        ]
        if not pairs:
            return TYPOGRAPHIC
        return CITATION if all(itertools.starmap(self._is_now, pairs)) else SUBSTANTIVE

    def _is_now(self, old: str, now: str) -> bool:
        for bearer in self._base.named(old, self._places[0])[-1:]:
            heirs = self._walk([bearer.id])[bearer.id].states
            return not heirs or self._states[heirs[0]].number == now
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


def diff_of(changes: Changes, is_wanted: Callable[[Change], bool] | None = None) -> lineage.Diff:
    """Return the answer of `cr diff`, with the wanted changes; by default with all."""
    records: list[lineage.Change] = []
    for change in filter(is_wanted, changes.all):
        old, new = (None if row is None else name_of(row) for row in (change.old, change.new))
        # Exact pieces give both readings, letter for letter; the older one of a part is its source's.
        pieces = change.pieces(exactly=True) if change.change != NONE else []
        words = [Piece(*piece) for piece in pieces]
        records.append(lineage.Change(old, new, change.kinds, change.change, words))
    return lineage.Diff(summary(changes), records, changes.subject)


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
        doubts={it.label: list(it.doubts) for it in changes.editions if it.doubts},
    )
