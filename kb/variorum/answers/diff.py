"""What changed between two editions, in all provisions or in one with its subrules."""

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from math import floor
from operator import itemgetter

from msgspec import Struct

from variorum import rows
from variorum.answers.crosswalk import class_of, kinds_between
from variorum.answers.histories import unchanged_since
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, WORDS, parse_questions
from variorum.answers.stored import kept
from variorum.answers.sweeps import Swept, replaced_throughout, replacements
from variorum.errors import NotFoundError
from variorum.history.lineages import Destination, Lineages
from variorum.history.word_diffs import CAME, GONE, SAME, word_diff
from variorum.records import lineage
from variorum.records.answer import Piece
from variorum.rows import CHANGE_CLASSES, KEPT, EditionRow, State, kinds_of, name_of, wording_of

Editions = tuple[EditionRow, EditionRow]
# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES
_PARTED = rows.SPLIT | rows.MERGED | rows.COPIED


class Change(Struct, frozen=True, eq=False, dict=True):
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

    @cached_property
    def sort(self) -> str:
        """Return the field of lineage.DiffSummary that counts it."""
        if self.is_part or not (self.old and self.new):
            return "parts" if self.is_part else "gone" if self.old else "new"
        return self.change.replace("-", "_") or "moved_only"

    kinds = property(lambda self: kinds_of(self.bits))
    ends = property(lambda self: (self.old, self.new))

    def compare(self, *, exactly: bool = False) -> list[Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        return word_diff(*[wording_of(it) if it else "" for it in self.ends], exactly=exactly)

    pieces = cached_property(lambda self: self.compare())
    replaced = cached_property(lambda self: [*replacements(self.pieces)])

    @cached_property
    def words(self) -> dict[str, int]:
        count = {GONE: 0, CAME: 0}
        for sign, text in self.pieces:
            if sign != SAME:
                count[sign] += len(text.split())
        return count


@dataclass(frozen=True, eq=False)
class Changes:
    """The changes from one edition to another, earlier or later, as this prints or would print them.

    `olds` are the states that were compared with later ones, and `swept` phrases replaced in many
    provisions. If a question named provisions, `subject` says which, and `sides` are these as each of the
    editions has them.
    """

    editions: Editions
    all: list[Change]
    olds: Collection[int]
    swept: Sequence[Swept] = ()
    subject: lineage.DiffSubject | None = None
    sides: tuple[Sequence[Subject], Sequence[Subject]] = ((), ())

    @cached_property
    def summary(self) -> lineage.DiffSummary:
        count = Counter([change.sort for change in self.all])
        fields = lineage.DiffSummary.__struct_fields__
        same = len({*self.olds} - {it.old.id for it in self.all if it.old and not it.is_part})
        worded = [it for it in self.all if it.change in {SUBSTANTIVE, SWEEP}]
        return lineage.DiffSummary(
            from_edition=self.editions[0].label,
            to_edition=self.editions[1].label,
            provisions=same + len(self.all) - count["new"] - count["parts"],
            same=same,
            **{sort: count[sort] for sort in rows.SUBRULE_SORTS if sort in fields},
            words_gone=sum([it.words[GONE] for it in worded if not it.is_part]),
            words_came=sum([it.words[CAME] for it in worded]),
            sweeps=[lineage.Sweep(*swept) for swept in self.swept],
            doubts={it.label: it.doubts.splitlines() for it in self.editions if it.doubts},
        )

    def record(self, is_wanted: Callable[[Change], bool] | None = None) -> lineage.Diff:
        """Return the answer of `cr diff`, with the wanted changes; by default with all."""
        records: list[lineage.Change] = []
        for change in filter(is_wanted, self.all):
            old, new = (row and name_of(row) for row in change.ends)
            # Exact pieces give both readings, letter for letter; the older one of a part is its source's.
            words = change.compare(exactly=True) if change.change != NONE else []
            about = change.kinds, change.change, words, round(change.confidence, 4)
            records.append(lineage.Change(old, new, *about))
        return lineage.Diff(self.summary, records, self.subject)


# Comparisons -------------------------------------------------------------------------------------

# Most changes from other editions to the same one are the same, and most pairs of texts.
_known_to = kept(lambda _base, _stop: dict[object, Change]())
_class_of = kept(lambda base: lru_cache(8192)(partial(class_of, base)))


def find_changes(
    base: KnowledgeBase, start: str | EditionRow, stop: str | EditionRow = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later."""
    editions = base.edition(start), base.edition(stop)
    places = [edition.place for edition in editions]
    comparison = _Comparison(base, editions, base.lineages_between(*places))
    changes = comparison.between(*comparison.printed)
    worded = (it.replaced for it in changes if it.sort in {SWEEP, SUBSTANTIVE})
    swept = replaced_throughout(base, places[1], worded)
    return Changes(editions, changes, comparison.printed[0], swept)


def subject_changes(
    base: KnowledgeBase,
    question: str,
    editions: Editions,
    on: str | EditionRow | None = None,
    *,
    is_alone: bool = False,
) -> Changes:
    """Return the changes of the provisions that a question names, from one edition to another.

    It is of the edition `on`, else of that which prints it: a number of the newer first, a term of the older.
    `is_alone` leaves the subrules out.
    """
    kind, word, _, beside = asked = parse_questions(question)[0]
    subjects = _named(base, question, editions, on or beside)
    sides = tuple([each for it in subjects if (each := it.heir(end))] for end in editions)
    old, new = sides
    if not (old or new):
        neither = f"{editions[0].label} nor {editions[1].label}"
        raise NotFoundError(f"{asked.name}: neither in the edition of {neither}")
    others: list[lineage.BearerThere] = []
    for side, edition, elsewhere in zip(sides, editions, editions[::-1], strict=True):
        for state in base.named(word, edition.place) if kind == NUMBER else ():
            bearer = base.at(state.id, edition.place)
            if bearer not in side:
                heir, sure = bearer.heir(elsewhere), bearer.destination(elsewhere).confidence
                about = edition.label, state.address, bearer.gist
                others.append(lineage.BearerThere(*about, heir and heir.name, round(sure, 4)))
    olds, news = (
        {low.state.id for it in side for low in (it, *(() if is_alone else it.tree()))}
        for side in sides
    )
    changes = _Comparison(base, editions, base.lineages).within(olds, news)
    older = min((*old, *new), key=lambda subject: subject.edition.place)
    subject = lineage.DiffSubject(
        asked=question,
        edition=subjects[0].edition.label,
        from_=[*dict.fromkeys(it.name for it in old)],
        to=[*dict.fromkeys(it.name for it in new)],
        others=others,
        unchanged_since=None if changes else unchanged_since(older),
    )
    return Changes(editions, changes, olds, (), subject, (old, new))


def _named(
    base: KnowledgeBase, question: str, editions: Editions, on: str | EditionRow
) -> list[Subject]:
    if on:
        return base.find(question, base.edition(on))
    is_number = parse_questions(question)[0].kind != WORDS
    for edition in sorted(editions, reverse=is_number):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, max(editions))


class _Comparison:
    def __init__(self, base: KnowledgeBase, editions: Editions, lineages: Lineages) -> None:
        self._base, self._way = base, lineages.way
        self._places = places = [edition.place for edition in editions]
        self._is_forward = places[0] <= places[1]
        self._known = _known_to(base, places[1])
        self.printed = base.reader.states_of(places[0]), base.reader.states_of(places[1])

    def within(self, olds: set[int], news: set[int]) -> list[Change]:
        """Return the changes of some states of the first edition and some of the second, as `between` does."""
        self._base.links.read(olds if self._is_forward else news, with_later=True)
        there = [state for state in self.printed[1] if state in news]
        sources = olds.union(*[self._way(it, *self._places[::-1]).states for it in there])
        return [
            it
            for it in self.between([it for it in self.printed[0] if it in sources], there)
            if (it.old and it.old.id in olds) or (it.new and it.new.id in news)
        ]

    def between(self, olds: Sequence[int], news: Sequence[int]) -> list[Change]:
        """Return the changes as the second edition is printed; what is gone follows its predecessor's heir."""
        ways = {state: self._way(state, *self._places) for state in olds}
        mains = Counter([way.states[0] for way in ways.values() if way.states])
        heirs = {heir for way in ways.values() for heir in way.states}
        arrived = [state for state in news if state not in heirs]
        # Only changed provisions are read.
        moved = {id_: way for id_, way in ways.items() if way.bits or way.states != (id_,)}
        ends = [it for way in moved.values() for it in way.states]
        states, known = self._base.states.of([*moved, *ends, *arrived]), self._known
        order = {state: place for place, state in enumerate(self.printed[1])}
        placed = list[tuple[float, Change]]()
        for state in arrived:
            key = state, self._is_forward  # the chance that it came is that of its own steps
            if key not in known:
                sure = self._way(state, *self._places[::-1]).confidence
                known[key] = Change(None, states[state], rows.NEW, SUBSTANTIVE, sure)
            placed.append((order[state], known[key]))
        after = -0.5
        for id_, way in ways.items():
            after = order[way.states[0]] if way.states else floor(after) + 0.5
            if id_ not in moved:
                continue
            is_joined = bool(way.states) and mains[way.states[0]] > 1
            change = known.get(way) or self._change(states[id_], way, is_joined=is_joined)
            if change.bits != KEPT or change.change != NONE:
                placed.append((after, change))
            for state in [it for it in way.states[1:] if it not in mains]:
                mains[state] += 1  # it is one part
                kinds = way.bits & (rows.UNCERTAIN | (_PARTED if self._is_forward else 0))
                pair = states[id_], states[state]
                part = Change(*pair, kinds or rows.SPLIT, SUBSTANTIVE, way.confidence, is_part=True)
                placed.append((order[state], known.setdefault((way, state), part)))
        return [change for _, change in sorted(placed, key=itemgetter(0))]

    def _change(self, old: State, way: Destination, *, is_joined: bool) -> Change:
        base, is_forward = self._base, self._is_forward
        if not way.states:
            gone = Change(old, None, rows.GONE, SUBSTANTIVE, way.confidence)
            return self._known.setdefault(way, gone)
        new, *others = [base.states[state] for state in way.states]
        change = way.taken[0].change if len(way.taken) == 1 and is_forward else CITATION
        change = _class_of(base)(old, new) if change == CITATION else change
        is_citing = change == CITATION  # what a citation means depends on the edition
        if is_citing:
            ends = [
                [end for it in base.folded.canon(state).citations for end in (it.first, it.last)]
                for state in (old, new)
            ]
            change = CITATION if all(map(self._is_now, *ends)) else SUBSTANTIVE
        elif change == SUBSTANTIVE:
            classes = {link.change for link in way.taken}
            change = SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        bits = kinds_between(way, old, new, is_reworded=change in {SWEEP, SUBSTANTIVE})
        if not is_forward:
            # Seen from a newer edition, those whose words were a part of another's are merged.
            own = self._way(new.id, *self._places[::-1]).states[:1] if is_joined else (old.id,)
            bits = bits & ~_PARTED or KEPT if own == (old.id,) else rows.MERGED
        made = Change(old, new, bits, change, way.confidence, tuple(others))
        return self._known.setdefault((way, change) if is_citing else way, made)

    def _is_now(self, old: str, now: str) -> bool:
        bearers = self._base.named(old, self._places[0])[-1:] if old != now else ()
        heirs = [self._way(bearer.id, *self._places).heir for bearer in bearers]
        return all(heir is None or self._base.states[heir].number == now for heir in heirs)
